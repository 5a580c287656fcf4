package kakurasu

import (
	"fmt"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// The reference solves by the same rules as the rater, as plainly as can be: it looks at every line each time, lists
// ways by trying all shadings, keeps everything in maps, and copies its position for each supposition. It shares
// with the rater nothing but the clues.

// refLine is what a rule sees of a line: cells in order, and which are known (0 shaded, 1 not).
type refLine struct {
	cells []int
	known []int // -1 for open
	clue  int
}

// neither is the value of a cell that can be neither.
const neither = 2

// refRule gives what follows in a line: cell to value. nil when nothing does, or the rule does not apply.
type refRule struct {
	name  string
	apply func(l refLine) map[int]int
}

func (l refLine) sums() (shadedSum, most int) {
	for i, k := range l.known {
		if k == 0 {
			shadedSum += i + 1
		}
		if k != 1 {
			most += i + 1
		}
	}
	return shadedSum, most
}

func (l refLine) open(value func(weight int) int) map[int]int {
	out := map[int]int{}
	for i, c := range l.cells {
		if v := value(i + 1); l.known[i] < 0 && v >= 0 {
			out[c] = v
		}
	}
	return out
}

func refReached(l refLine) map[int]int {
	if sum, _ := l.sums(); sum != l.clue {
		return nil
	}
	return l.open(func(int) int { return 1 })
}

func refBounds(l refLine) map[int]int {
	sum, most := l.sums()
	return l.open(func(weight int) int {
		heavy, needed := sum+weight > l.clue, most-weight < l.clue
		switch {
		case heavy && needed:
			return neither
		case heavy:
			return 1
		case needed:
			return 0
		}
		return -1
	})
}

func refCombinations(limit int) func(refLine) map[int]int {
	return func(l refLine) map[int]int {
		n, with := 0, make([][2]int, len(l.cells))
		for m := range 1 << len(l.cells) {
			sum, fits := 0, true
			for i := range l.cells {
				sum += (m >> i & 1) * (i + 1)
				fits = fits && (l.known[i] < 0 || l.known[i] == 1-m>>i&1)
			}
			if !fits || sum != l.clue {
				continue
			}
			n++
			for i := range l.cells {
				with[i][1-m>>i&1]++
			}
		}
		if n == 0 || n > limit {
			return nil
		}
		return l.open(func(weight int) int {
			for v := range 2 {
				if with[weight-1][1-v] == 0 {
					return v
				}
			}
			return -1
		})
	}
}

var (
	refBookkeeping = refRule{"reached-clue", refReached}
	refWeight      = refRule{"weight-bounds", refBounds}
	refTechniques  = []refRule{refWeight, {"few-combinations", refCombinations(4)}, {"many-combinations", refCombinations(1 << 20)}}
)

// refBreaks tell whether a line is broken, in their order: its clue is passed, or out of reach.
var refBreaks = []func(refLine) bool{
	func(l refLine) bool { sum, _ := l.sums(); return sum > l.clue },
	func(l refLine) bool { _, most := l.sums(); return most < l.clue },
}

// refStep is a step: what it says, and the cells that it is about.
type refStep struct {
	text    string
	concl   map[int]int
	because []int
	from    []int
}

// reference is a position.
type reference struct {
	g     *grid
	value map[int]int // known cells
	by    map[int]int // the step that they are known by
	next  int         // number of the next step
}

func (r *reference) clone() *reference {
	c := &reference{r.g, map[int]int{}, map[int]int{}, r.next}
	for k, v := range r.value {
		c.value[k], c.by[k] = v, r.by[k]
	}
	return c
}

// line returns a line as it is known from some cells alone, or from all that are known when among is nil.
func (r *reference) line(n int, among []int) refLine {
	l := refLine{clue: r.g.clue[n]}
	size := r.g.columns
	if n >= r.g.rows {
		size = r.g.rows
	}
	for i := range size {
		c := n*r.g.columns + i
		if n >= r.g.rows {
			c = i*r.g.columns + n - r.g.rows
		}
		k := -1
		if v, ok := r.value[c]; ok && (among == nil || slices.Contains(among, c)) {
			k = v
		}
		l.cells, l.known = append(l.cells, c), append(l.known, k)
	}
	return l
}

// needed drops known cells of a line, newest first, as long as what is claimed still follows.
func (r *reference) needed(n int, follows func(refLine) bool) []int {
	among := []int{}
	for i, c := range r.line(n, nil).cells {
		if r.line(n, nil).known[i] >= 0 {
			among = append(among, c)
		}
	}
	order := slices.Clone(among)
	slices.SortStableFunc(order, func(a, b int) int { return r.by[b] - r.by[a] })
	for _, c := range order {
		less := slices.DeleteFunc(slices.Clone(among), func(d int) bool { return d == c })
		if follows(r.line(n, less)) {
			among = less
		}
	}
	return among
}

// step makes the step of a rule at a line, with its reasons, and takes it.
func (r *reference) step(rule refRule, n int, concl map[int]int) refStep {
	s := refStep{concl: concl}
	s.because = r.needed(n, func(l refLine) bool {
		got := rule.apply(l)
		for c, v := range concl {
			if w, ok := got[c]; !ok || w != v {
				return false
			}
		}
		return true
	})
	s.from = r.origins(s.because)
	s.text = fmt.Sprintf("%s, %s: %s because %s from %v", rule.name, refName(r.g, n), r.tell(concl), r.known(s.because), s.from)
	r.take(concl)
	return s
}

func (r *reference) take(concl map[int]int) {
	for c, v := range concl {
		r.value[c], r.by[c] = v, r.next
	}
	r.next++
}

func (r *reference) origins(cells []int) (from []int) {
	for _, c := range cells {
		from = append(from, r.by[c])
	}
	slices.Sort(from)
	return slices.Compact(from)
}

func refName(g *grid, n int) string {
	if n < g.rows {
		return fmt.Sprintf("row %d", n+1)
	}
	return fmt.Sprintf("column %d", n-g.rows+1)
}

func (r *reference) cellText(c, v int) string {
	return fmt.Sprintf("r%dc%d=%s", c/r.g.columns+1, c%r.g.columns+1, []string{"shaded", "unshaded", "neither"}[v])
}

func (r *reference) tell(concl map[int]int) (out []string) {
	for c := range r.g.rows * r.g.columns {
		if v, ok := concl[c]; ok {
			out = append(out, r.cellText(c, v))
		}
	}
	return out
}

func (r *reference) known(cells []int) (out []string) {
	slices.Sort(cells)
	for _, c := range cells {
		out = append(out, r.cellText(c, r.value[c]))
	}
	return out
}

// bookOrder lists lines by their first cell, rows before columns.
func (r *reference) bookOrder() (lines []int) {
	for n := range r.g.rows + r.g.columns {
		lines = append(lines, n)
	}
	slices.SortStableFunc(lines, func(a, b int) int { return r.line(a, nil).cells[0] - r.line(b, nil).cells[0] })
	return lines
}

// broken returns the line where a position is broken, with the cells that this rests on; "" when it is not.
func (r *reference) broken() (name string, because []int) {
	for c := range r.g.rows * r.g.columns {
		if v, ok := r.value[c]; ok && v == neither {
			return fmt.Sprintf("r%dc%d", c/r.g.columns+1, c%r.g.columns+1), []int{c}
		}
	}
	for _, broken := range refBreaks {
		for n := range r.g.rows + r.g.columns {
			if broken(r.line(n, nil)) {
				return refName(r.g, n), r.needed(n, broken)
			}
		}
	}
	return "", nil
}

// book takes rounds of bookkeeping until nothing follows, or until after adds that the position is broken.
func (r *reference) book(after func(refStep) bool) bool {
	for {
		before := r.clone()
		some := false
		for _, n := range r.bookOrder() {
			concl := map[int]int{}
			for c, v := range refReached(before.line(n, nil)) {
				if _, ok := r.value[c]; !ok {
					concl[c] = v
				}
			}
			if len(concl) == 0 {
				continue
			}
			some = true
			if after(r.step(refBookkeeping, n, concl)) {
				return true
			}
		}
		if !some {
			return false
		}
	}
}

// first takes the first step of some rules.
func (r *reference) first(rules []refRule) (refStep, bool) {
	for _, rule := range rules {
		for n := range r.g.rows + r.g.columns {
			if concl := rule.apply(r.line(n, nil)); len(concl) > 0 {
				return r.step(rule, n, concl), true
			}
		}
	}
	return refStep{}, false
}

// suppose follows a cell's value, and gives how many steps its break rests on, and on which cells known before; -1
// when nothing breaks.
func (r *reference) suppose(cell, value int) (length int, because []int, where string) {
	q := r.clone()
	q.take(map[int]int{cell: value})
	steps := map[int]refStep{}
	look := func(s refStep) bool {
		steps[q.next-1] = s
		name, _ := q.broken()
		return name != ""
	}
	name, _ := q.broken()
	for name == "" {
		if q.book(look) {
			break
		}
		s, ok := q.first([]refRule{refWeight})
		if !ok {
			return -1, nil, ""
		}
		if look(s) {
			break
		}
	}
	where, rests := q.broken()
	needed := map[int]bool{}
	for n := q.next - 1; ; n-- {
		for _, c := range rests {
			if by := q.by[c]; by > r.next {
				needed[by] = true
			} else if by < r.next && !slices.Contains(because, c) {
				because = append(because, c)
			}
		}
		if n == r.next {
			return len(needed), because, where
		}
		rests = nil
		if needed[n] {
			rests = steps[n].because
		}
	}
}

// chain takes the first supposition that breaks on so few steps.
func (r *reference) chain(name string, most int) (refStep, bool) {
	for c := range r.g.rows * r.g.columns {
		if _, ok := r.value[c]; ok {
			continue
		}
		for v := range 2 {
			length, because, where := r.suppose(c, v)
			if length < 0 || length > most {
				continue
			}
			s := refStep{concl: map[int]int{c: 1 - v}, because: because}
			s.from = r.origins(because)
			s.text = fmt.Sprintf("%s, supposing %s breaks %s: %s because %s from %v chain %d",
				name, r.cellText(c, v), where, r.tell(s.concl), r.known(because), s.from, length)
			r.take(s.concl)
			return s, true
		}
	}
	return refStep{}, false
}

// solve returns all steps.
func (r *reference) solve() (all []string) {
	for len(r.value) < r.g.rows*r.g.columns {
		r.book(func(s refStep) bool { all = append(all, s.text); return false })
		if len(r.value) == r.g.rows*r.g.columns {
			break
		}
		s, ok := r.first(refTechniques)
		for _, c := range []struct {
			name string
			most int
		}{{"chain-6", 6}, {"chain-20", 20}} {
			if !ok {
				s, ok = r.chain(c.name, c.most)
			}
		}
		if !ok {
			return append(all, "stuck")
		}
		all = append(all, s.text)
	}
	return all
}

// The rater's steps are the reference's: order, conclusions, reasons, provenance and the length of chains.
func TestStepsAreThoseOfTheReference(t *testing.T) {
	stuck, chains := 0, 0
	for seed := range uint64(120) {
		rows, columns, err := sizeOf([]string{"5x6", "6x6", "7x7", "8x7"}[seed%4])
		if err != nil {
			t.Fatal(err)
		}
		s := draw(rows, columns, 1000+seed)
		g := s.clued(rows, columns)
		e, start := canonical.On(&g)
		rating, err := e.Rate(t.Context(), canonical.Order, start, rateBudget)
		canonical.Free(e)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, step := range rating.Steps() {
			got = append(got, told(rating, step))
			if len(step.Chain) > 0 {
				chains++
			}
		}
		if rating.Outcome == raters.Unrated {
			stuck++
			got = append(got, "stuck")
		}
		want := (&reference{&g, map[int]int{}, map[int]int{}, 1}).solve()
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("%q: step %d is\n%q\nthe reference has\n%q", g.text(), i+1, got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
			}
		}
	}
	if stuck < 5 || chains < 30 {
		t.Errorf("%d stuck and %d chains: too few to compare", stuck, chains)
	}
}

// told writes a step of the rater as the reference does.
func told(r raters.Rating, s logic.Step) string {
	placed := make([]string, len(s.Placed))
	for i, l := range s.Placed {
		placed[i] = r.Naming.Text(l)
	}
	because := []string{}
	for _, l := range s.Because {
		because = append(because, r.Naming.Text(logic.Lit(l.Variable(), 1-l.Value())))
	}
	out := fmt.Sprintf("%s, %s: %s because %s from %v", s.Technique, s.Instance, placed, because, s.From)
	if len(s.Chain) > 0 {
		out += fmt.Sprintf(" chain %d", len(s.Chain)-1)
	}
	return out
}
