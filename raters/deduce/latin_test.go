package deduce_test

import (
	"fmt"
	"math/bits"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

// The second toy writes by steps: a Latin square of order 4, with sudoku's singles. It keeps a cache, for each
// digit of a line the places left, on its board.

const order = 4

type latin struct {
	places [2 * order][order]uint8 // line, digit: positions of candidates
	heard  int
}

func (q *latin) cell(line, i int) int {
	if line < order {
		return line*order + i
	}
	return i*order + line - order
}

func (q *latin) Start(p *deduce.Position) {
	q.places = [2 * order][order]uint8{}
	for v := range p.Variables() {
		for m := p.Mask(v); m != 0; m &= m - 1 {
			q.Restored(logic.Lit(v, bits.TrailingZeros16(m)))
		}
	}
}

func (q *latin) Removed(l logic.Literal) { q.Restored(l) }
func (q *latin) Restored(l logic.Literal) {
	row, column := l.Variable()/order, l.Variable()%order
	q.places[row][l.Value()] ^= 1 << column
	q.places[order+column][l.Value()] ^= 1 << row
}
func (q *latin) Written(_ logic.Literal, yes bool) {
	q.heard++
	if !yes {
		q.heard -= 2
	}
}

func (q *latin) engine() *deduce.Engine { return deduce.New(deduce.NewTopology(q.spec()), q) }

func (q *latin) spec() deduce.Spec {
	return deduce.Spec{
		Variables: order * order, Values: order,
		Bookkeeping: []deduce.Rule{{
			Name: "peers", Instances: order * order, Where: q.whereCell, Wakes: wakesCell,
			At:   func(i int) logic.Literal { return logic.Lit(i, 0) },
			Find: q.findPeers,
			Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
				return append(to, logic.Lit(c.Instance, bits.TrailingZeros16(p.Mask(c.Instance))))
			},
			Prove: provePeers,
		}},
		Techniques: q.techniques(),
		Broken: []deduce.Rule{{
			Name: "no-place", Instances: 2 * order * order, Where: q.whereDigit, Wakes: wakesDigits,
			Find: func(p *deduce.Position, i int, _ *deduce.Finding) bool {
				return p.Board().(*latin).places[i/order][i%order] == 0
			},
			Because: q.becauseDigit, Prove: q.proveNoPlace,
		}},
		Naming: logic.Naming{Columns: order, Values: []string{"1", "2", "3", "4"}},
	}
}

func (q *latin) techniques() []deduce.Technique {
	return []deduce.Technique{
		{Propagates: true, Rule: deduce.Rule{
			Name: "naked-single", Instances: order * order, Where: q.whereCell, Wakes: wakesCell, Minimal: true,
			Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
				if m := p.Mask(i); !p.Written(i) && m&(m-1) == 0 && m != 0 {
					f.Place(logic.Lit(i, p.Value(i)))
				}
				return true
			},
			Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
				return p.AppendGone(to, c.Instance)
			},
			Prove: func(f *deduce.Facts, c *deduce.Claim) bool {
				return len(c.Placed) == 1 && f.Left(c.Instance) == 1<<c.Placed[0].Value() && len(c.Removed) == 0
			},
		}},
		{Propagates: true, Rule: deduce.Rule{
			Name: "hidden-single", Instances: 2 * order * order, Where: q.whereDigit, Wakes: wakesDigits,
			Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
				if m := p.Board().(*latin).places[i/order][i%order]; m != 0 && m&(m-1) == 0 {
					f.Place(logic.Lit(q.cell(i/order, bits.TrailingZeros8(m)), i%order))
				}
				return true
			},
			Because: q.becauseDigit, Prove: q.proveSingle,
		}},
		{Rule: deduce.Rule{Name: "chain-8"}, Suppose: &deduce.Trial{Steps: 8}},
		{Rule: deduce.Rule{Name: "chain"}, Suppose: new(deduce.Trial)},
	}
}

var latinProfile = raters.Profile{Rater: "latin.canonical", Version: 1, Techniques: []logic.Technique{
	{Name: "naked-single", Level: "easy"}, {Name: "hidden-single", Level: "easy"},
	{Name: "chain-8", Level: "hard"}, {Name: "chain", Level: "expert"},
}}

func wakesCell(l logic.Literal, to []int) []int { return append(to, l.Variable()) }

func wakesDigits(l logic.Literal, to []int) []int {
	row, column := l.Variable()/order, order+l.Variable()%order
	return append(to, row*order+l.Value(), column*order+l.Value())
}

func (q *latin) whereCell(i int, _ []uint16) string { return logic.Naming{Columns: order}.Variable(i) }

func (q *latin) whereDigit(i int, _ []uint16) string {
	return fmt.Sprintf("digit %d in line %d", i%order+1, i/order+1)
}

func (q *latin) findPeers(p *deduce.Position, i int, f *deduce.Finding) bool {
	if !p.Written(i) {
		return false
	}
	for v := range order * order {
		if peers(v, i) {
			f.Remove(logic.Lit(v, p.Value(i)))
		}
	}
	return true
}

func peers(v, w int) bool { return v != w && (v/order == w/order || v%order == w%order) }

func provePeers(f *deduce.Facts, c *deduce.Claim) bool {
	d, written := f.Written(c.Instance)
	for _, l := range c.Removed {
		if !written || l.Value() != d || !peers(l.Variable(), c.Instance) {
			return false
		}
	}
	return true
}

func (q *latin) becauseDigit(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
	for i := range order {
		if l := logic.Lit(q.cell(c.Instance/order, i), c.Instance%order); p.Gone(l) {
			to = append(to, l)
		}
	}
	return to
}

func (q *latin) left(f *deduce.Facts, instance int) (cells []int) {
	for i := range order {
		if v := q.cell(instance/order, i); !f.Gone(logic.Lit(v, instance%order)) {
			cells = append(cells, v)
		}
	}
	return cells
}

func (q *latin) proveNoPlace(f *deduce.Facts, c *deduce.Claim) bool {
	return len(q.left(f, c.Instance)) == 0
}

func (q *latin) proveSingle(f *deduce.Facts, c *deduce.Claim) bool {
	cells := q.left(f, c.Instance)
	return len(cells) == 1 && c.Placed[0] == logic.Lit(cells[0], c.Instance%order)
}

// latins enumerates the Latin squares of a start.
func latins(start []uint16) (all [][]int) {
	grid := make([]int, order*order)
	var fill func(v int)
	fill = func(v int) {
		if v == len(grid) {
			all = append(all, append([]int(nil), grid...))
			return
		}
		for d := range order {
			clash := false
			for w := range v {
				clash = clash || peers(v, w) && grid[w] == d
			}
			if grid[v] = d; start[v]>>d&1 != 0 && !clash {
				fill(v + 1)
			}
		}
	}
	fill(0)
	return all
}

// latinStart draws a few cells of a random square.
func latinStart(r *seedrand.Rand, all [][]int) deduce.Start {
	s := deduce.Start{Candidates: make([]uint16, order*order)}
	full := all[r.IntN(len(all))]
	for v, d := range full {
		s.Candidates[v] = 1<<order - 1
		if r.IntN(4) == 0 {
			s.Candidates[v] = 1 << d
			s.Written = append(s.Written, v)
		}
	}
	return s
}

// Where values are written by steps all holds that holds where they are written at once; values written are
// reasons of their own.
func TestStepsThatWriteAreSoundAndProved(t *testing.T) {
	var q, r2 latin
	e, rescan := q.engine(), r2.engine()
	rescan.Rescan = true
	o := deduce.NewOrder(q.techniques(), latinProfile, latinProfile)
	empty := make([]uint16, order*order)
	for v := range empty {
		empty[v] = 1<<order - 1
	}
	all := latins(empty)
	if len(all) != 576 {
		t.Fatalf("%d Latin squares of order 4, not 576", len(all))
	}
	r := seedrand.New(4)
	used := map[string]int{}
	for range 3000 {
		start := latinStart(r, all)
		got, err := e.Rate(t.Context(), o, start, budget)
		if err != nil {
			t.Fatalf("%v: %v", start, err)
		}
		again, err := rescan.Rate(t.Context(), o, start, budget)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprintf("%+v", got.Steps()), fmt.Sprintf("%+v", again.Steps()); a != b {
			t.Fatalf("%v: woken steps\n%s\nrescanned\n%s", start, a, b)
		}
		left := latins(start.Candidates)
		replay(t, e, got, start.Candidates, left, true)
		checkWritten(t, got, start)
		if got.Outcome == raters.Rated && len(left) != 1 {
			t.Fatalf("%v: rated, with %d solutions", start, len(left))
		}
		for _, st := range got.Steps() {
			used[st.Technique]++
		}
	}
	t.Log(used)
	for name, n := range map[string]int{"peers": 1000, "naked-single": 1000, "hidden-single": 500, "chain-8": 20, "chain": 20} {
		if used[name] < n {
			t.Errorf("%s was used %d times: too few to check it", name, used[name])
		}
	}
}

// checkWritten checks that reasons are removed or written when they are relied on, by the steps that are named.
func checkWritten(t *testing.T, got raters.Rating, start deduce.Start) {
	t.Helper()
	known := map[logic.Literal]uint16{} // removed, or written, by step
	for v, m := range start.Candidates {
		for d := range order {
			if m>>d&1 == 0 {
				known[logic.Lit(v, d)] = 0
			}
		}
	}
	for _, v := range start.Written {
		known[logic.Lit(v, bits.TrailingZeros16(start.Candidates[v]))] = 0
	}
	for i, step := range got.Steps() {
		for _, l := range step.Because {
			if _, ok := known[l]; !ok {
				t.Fatalf("step %d, %s, relies on %s", i+1, step.Text(got.Naming), got.Naming.Text(l))
			}
		}
		if from := origins(known, step.Because); fmt.Sprint(from) != fmt.Sprint(step.From) {
			t.Fatalf("step %d, %s, comes from %v, not %v", i+1, step.Text(got.Naming), step.From, from)
		}
		for _, l := range append(step.Removed, step.Placed...) {
			known[l] = uint16(i + 1)
		}
	}
}
