package deduce

import (
	"cmp"
	"slices"

	"assay/raters"
	"assay/raters/logic"
)

// Topology is a prepared [Spec]: every instance has a bit, and every literal has the list of instances that it wakes.
// It never changes, so any number of engines may use it at the same time.
type Topology struct {
	spec   *Spec
	all    uint16      // values
	rules  []*Rule     // bookkeeping, techniques, broken, no-candidate
	groups []group     // rule: its words; those of bookkeeping are one
	book   []slot      // bookkeeping in order
	words  int         // of instances, one bit each
	wakes  []dirtyBits // of all literals
	waking []uint32    // literal: where its wakes begin; one more for the end

	vocabulary raters.Vocabulary
}

// NewTopology prepares a Spec. It panics when the Spec has too many variables or values.
func NewTopology(s Spec) *Topology {
	s.check()
	t := &Topology{spec: &s, all: uint16(1<<s.Values - 1), book: s.bookOrder()}
	for i := range s.Bookkeeping {
		t.rules = append(t.rules, &s.Bookkeeping[i])
	}
	for i := range s.Techniques {
		t.rules = append(t.rules, &s.Techniques[i].Rule)
	}
	for i := range s.Broken {
		t.rules = append(t.rules, &s.Broken[i])
	}
	empty := noCandidate(s.Naming)
	t.rules = append(t.rules, &empty)
	t.vocabulary = raters.Vocabulary{Variables: s.Variables, Naming: s.Naming, ByLiterals: true}
	for i, rule := range t.rules {
		if i < t.technique(0) || i >= t.broken(0) {
			t.vocabulary.Rules = append(t.vocabulary.Rules, rule.Name)
		}
	}
	t.layOut()
	return t
}

// Vocabulary returns the words of ratings of the outline's puzzles.
func (t *Topology) Vocabulary() raters.Vocabulary { return t.vocabulary }

// first indices of the rules of a kind.
func (t *Topology) technique(i int) int { return len(t.spec.Bookkeeping) + i }
func (t *Topology) broken(i int) int    { return t.technique(len(t.spec.Techniques)) + i }
func (t *Topology) noCandidate() int    { return len(t.rules) - 1 }

// group is a run of words of Position.dirty, one bit for each instance.
type group struct{ first, last int }

// slot is an instance of a rule.
type slot struct {
	rule     uint16 // in Topology.rules
	instance uint16
}

// dirtyBits is a word of Position.dirty with the bits to set in it.
type dirtyBits struct {
	word uint32
	bits uint64
}

// bookOrder lists the instances of bookkeeping in the order in which a round goes through them.
func (s *Spec) bookOrder() []slot {
	var order []slot
	for r := range s.Bookkeeping {
		for i := range s.Bookkeeping[r].Instances {
			order = append(order, slot{uint16(r), uint16(i)})
		}
	}
	at := func(x slot) logic.Literal {
		if f := s.Bookkeeping[x.rule].At; f != nil {
			return f(int(x.instance))
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b slot) int { return cmp.Compare(at(a), at(b)) })
	return order
}

// layOut returns each instance its bit, and each literal the list of what it wakes.
func (t *Topology) layOut() {
	t.words = (len(t.book) + 63) / 64
	t.groups = make([]group, len(t.rules))
	bit := make([][]int, len(t.rules)) // rule of bookkeeping, instance: its bit
	for i, x := range t.book {
		t.groups[x.rule] = group{0, t.words}
		if bit[x.rule] == nil {
			bit[x.rule] = make([]int, t.rules[x.rule].Instances)
		}
		bit[x.rule][x.instance] = i
	}
	for r := len(t.spec.Bookkeeping); r < t.noCandidate(); r++ {
		t.groups[r] = group{t.words, t.words + (t.rules[r].Instances+63)/64}
		t.words = t.groups[r].last
	}
	t.waking = make([]uint32, t.spec.Variables<<4+1)
	var list []int
	for l := range t.spec.Variables << 4 {
		if l == 1<<4 { // most variables wake as many words as the first
			t.wakes = slices.Grow(t.wakes, len(t.wakes)*t.spec.Variables)
		}
		t.waking[l] = uint32(len(t.wakes))
		if l&15 < t.spec.Values {
			list = t.wokenBy(logic.Literal(l), bit, list)
		}
	}
	t.waking[len(t.waking)-1] = uint32(len(t.wakes))
}

// wokenBy appends the words that a literal wakes.
func (t *Topology) wokenBy(l logic.Literal, bit [][]int, list []int) []int {
	book := len(t.wakes)
	for r, rule := range t.rules[:t.noCandidate()] {
		from, first := book, 64*t.groups[r].first
		if r >= len(t.spec.Bookkeeping) {
			from = len(t.wakes)
		}
		if list = list[:0]; rule.Wakes != nil {
			list = rule.Wakes(l, list)
		} else {
			for i := range rule.Instances {
				list = append(list, i)
			}
		}
		for _, i := range list {
			if r < len(t.spec.Bookkeeping) {
				i = bit[r][i]
			}
			t.wakeBit(from, first+i)
		}
	}
	return list
}

// wakeBit adds a bit to the listed words, from an index on.
func (t *Topology) wakeBit(from, bit int) {
	word, mask := uint32(bit/64), uint64(1)<<(bit%64)
	for i := len(t.wakes) - 1; i >= from; i-- {
		if t.wakes[i].word == word {
			t.wakes[i].bits |= mask
			return
		}
	}
	t.wakes = append(t.wakes, dirtyBits{word, mask})
}
