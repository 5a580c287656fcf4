package deduce

import (
	"assay/raters"
)

// Engine deduces in puzzles of one shape, one after the other. It keeps its buffers, so that it costs nothing to
// start the next puzzle; it is not safe for use by several goroutines.
type Engine struct {
	// Rescan looks at every instance every time, whatever was woken. It is slow and says the same: for tests.
	Rescan bool

	spec   *Spec
	all    uint16  // values
	rules  []*Rule // bookkeeping, techniques, broken, no-candidate
	groups []group // rule: its words of dirty; those of bookkeeping are one
	book   []slot  // bookkeeping in order

	p        Position
	found    Finding
	past     Past
	facts    Facts
	claim    Claim
	reasons  []reason
	scratch  []raters.Literal
	batch    batch
	trial    trial
	rec      recording
	work     uint64
	budget   uint64
	failed   error
	steps    uint16   // taken, those of suppositions not counted
	breakAt  slot     // what is broken
	breakOf  []uint16 // its detail
	explains bool     // reasons are wanted
	tally    tally

	vocabulary raters.Vocabulary
}

// New gives the engine of a shape. It panics when the Spec has more variables or values than it may.
func New(s Spec) *Engine {
	s.check()
	e := &Engine{spec: &s, all: uint16(1<<s.Values - 1)}
	for i := range s.Bookkeeping {
		e.rules = append(e.rules, &e.spec.Bookkeeping[i])
	}
	for i := range s.Techniques {
		e.rules = append(e.rules, &e.spec.Techniques[i].Rule)
	}
	for i := range s.Broken {
		e.rules = append(e.rules, &e.spec.Broken[i])
	}
	empty := noCandidate(s.Naming)
	e.rules = append(e.rules, &empty)
	e.vocabulary = e.newVocabulary()
	e.book = e.spec.bookOrder()
	e.layOut()

	literals := s.Variables << 4
	e.p.mask, e.p.by, e.p.wrote = make([]uint16, s.Variables), make([]uint16, literals), make([]uint16, s.Variables)
	e.p.atOnce, e.p.watcher = s.AtOnce, s.Watcher
	e.found.p = &e.p
	e.past = Past{p: &e.p, all: e.all}
	e.facts = Facts{all: e.all, atOnce: s.AtOnce, gone: make([]uint16, s.Variables), wrote: make([]uint16, s.Variables)}
	e.trial.lengths = make([]length, literals)
	e.trial.saved = make([]uint64, len(e.p.dirty))
	e.tally.uses = make([]raters.TechniqueUse, len(s.Techniques))
	return e
}

// Vocabulary gives what the ratings of puzzles of the shape may say.
func (e *Engine) Vocabulary() raters.Vocabulary { return e.vocabulary }

func (e *Engine) newVocabulary() raters.Vocabulary {
	v := raters.Vocabulary{Variables: e.spec.Variables, Naming: e.spec.Naming, ByLiterals: true}
	for i, rule := range e.rules {
		if i < e.technique(0) || i >= e.broken(0) {
			v.Rules = append(v.Rules, rule.Name)
		}
	}
	return v
}

// first indices of the rules of a kind.
func (e *Engine) technique(i int) int { return len(e.spec.Bookkeeping) + i }
func (e *Engine) broken(i int) int    { return len(e.spec.Bookkeeping) + len(e.spec.Techniques) + i }
func (e *Engine) noCandidate() int    { return len(e.rules) - 1 }

// layOut gives each instance its bit of dirty, and each literal what it wakes.
func (e *Engine) layOut() {
	words := (len(e.book) + 63) / 64
	e.groups = make([]group, len(e.rules))
	bit := make([][]int, len(e.rules)) // rule, instance: bit of dirty
	for i, x := range e.book {
		e.groups[x.rule] = group{0, words}
		if bit[x.rule] == nil {
			bit[x.rule] = make([]int, e.rules[x.rule].Instances)
		}
		bit[x.rule][x.instance] = i
	}
	for r := len(e.spec.Bookkeeping); r < e.noCandidate(); r++ {
		n := e.rules[r].Instances
		e.groups[r] = group{words, words + (n+63)/64}
		bit[r] = make([]int, n)
		for i := range n {
			bit[r][i] = words*64 + i
		}
		words = e.groups[r].last
	}
	e.p.dirty = make([]uint64, words)
	e.p.waking = make([]uint32, e.spec.Variables<<4+1)
	woken, list := make([]uint64, words), []int(nil)
	for v := range e.spec.Variables {
		for value := range 16 {
			l := v<<4 | value
			e.p.waking[l] = uint32(len(e.p.wakes))
			if value < e.spec.Values {
				list = e.wokenBy(raters.Literal(l), bit, woken, list)
			}
		}
	}
	e.p.waking[len(e.p.waking)-1] = uint32(len(e.p.wakes))
}

// wokenBy appends the words that a literal wakes.
func (e *Engine) wokenBy(l raters.Literal, bit [][]int, woken []uint64, list []int) []int {
	clear(woken)
	for r, rule := range e.rules[:e.noCandidate()] {
		if rule.Wakes == nil {
			for _, b := range bit[r] {
				woken[b/64] |= 1 << (b % 64)
			}
			continue
		}
		list = rule.Wakes(l, list[:0])
		for _, i := range list {
			woken[bit[r][i]/64] |= 1 << (bit[r][i] % 64)
		}
	}
	for w, m := range woken {
		if m != 0 {
			e.p.wakes = append(e.p.wakes, waking{uint32(w), m})
		}
	}
	return list
}

// begin starts a puzzle.
func (e *Engine) begin(s Start, budget uint64, explains bool) error {
	if err := s.check(e.spec); err != nil {
		return err
	}
	e.p.start(s, e.spec.Values)
	e.work, e.budget, e.failed, e.steps, e.explains = 0, budget, nil, 0, explains
	e.found.work = 0
	e.rec.reset(e.spec.AtOnce, s, &e.p)
	e.tally.reset()
	clear(e.trial.lengths)
	e.wakeAll(group{0, (len(e.book) + 63) / 64}, len(e.book))
	for r := len(e.spec.Bookkeeping); r < e.noCandidate(); r++ {
		e.wakeAll(e.groups[r], e.rules[r].Instances)
	}
	return nil
}

func (e *Engine) wakeAll(g group, instances int) {
	for w := g.first; w < g.last; w++ {
		left := instances - 64*(w-g.first)
		e.p.dirty[w] = ^uint64(0) >> max(0, 64-left)
	}
}
