package sudoku

import (
	"math/bits"
	"sync"

	"assay/raters"
)

// recorder solves a puzzle and keeps its steps, in a form that holds no pointer until the end.
type recorder struct {
	state
	uses     []raters.TechniqueUse // by technique; without names
	taken    []taken
	literals []raters.Literal
	from     []uint16
	book     ledger
}

// taken is a step: how many literals it has in the recorder's lists, where its own follow those of the
// steps before it.
type taken struct {
	pattern                        pattern
	technique                      uint8
	placed, removed, because, from uint16
}

var recorders = sync.Pool{New: func() any {
	r := new(recorder)
	r.found.explain, r.ledger = true, &r.book
	return r
}}

// begin starts a solve.
func (r *recorder) begin(cells *[81]uint8, order []technique) {
	r.start(cells)
	r.uses = append(r.uses[:0], make([]raters.TechniqueUse, len(order))...)
	r.taken, r.literals, r.from = r.taken[:0], r.literals[:0], r.from[:0]
	r.book = ledger{}
}

// solve takes steps until the grid is full or no technique applies.
func (r *recorder) solve(cells *[81]uint8, order []technique) {
	r.begin(cells, order)
	for r.open > 0 && r.step(order) {
	}
}

// step takes the next step, if there is one.
func (r *recorder) step(order []technique) bool {
	i := find(&r.state, order)
	if i < 0 {
		return false
	}
	r.record(i)
	r.take()
	return true
}

// find notes the next step in the state and gives the index of its technique, or −1.
func find(s *state, order []technique) int {
	s.found.reset()
	for i := range order {
		if order[i].find(s) {
			return i
		}
	}
	return -1
}

func (r *recorder) record(technique int) {
	f := &r.found
	r.book.step = uint16(len(r.taken) + 1)
	t := taken{technique: uint8(technique), pattern: f.pattern, removed: uint16(len(f.removed)), because: uint16(len(f.because))}
	if f.places {
		t.placed = 1
		r.literals = append(r.literals, f.placed)
	}
	r.literals = append(append(r.literals, f.removed...), f.because...)
	t.from = r.origins()
	r.taken = append(r.taken, t)
	u := &r.uses[technique]
	u.Uses++
	u.Placed += int(t.placed)
	u.Removed += int(t.removed)
}

// origins lists the steps that removed the literals of the reasons, ascending, and gives their number.
func (r *recorder) origins() uint16 {
	var set [12]uint64 // a solve has at most 729 steps: each removes a candidate or fills a cell
	high := 0
	for _, l := range r.found.because {
		n := int(r.book.by[l])
		set[n>>6] |= 1 << (n & 63)
		high = max(high, n>>6)
	}
	set[0] &^= 1
	start := len(r.from)
	for i, w := range set[:high+1] {
		for ; w != 0; w &= w - 1 {
			r.from = append(r.from, uint16(64*i+bits.TrailingZeros64(w)))
		}
	}
	return uint16(len(r.from) - start)
}

// steps writes the steps out. Their lists lie in two blocks.
func (r *recorder) steps(order []technique) []raters.Step {
	out := make([]raters.Step, len(r.taken))
	literals := append(make([]raters.Literal, 0, len(r.literals)), r.literals...)
	from := append(make([]uint16, 0, len(r.from)), r.from...)
	l, f := 0, 0 // what comes next of the two
	for i := range r.taken {
		t, s := &r.taken[i], &out[i]
		q := &order[t.technique]
		s.Technique, s.Level, s.Instance = q.name, levels[q.tier], t.pattern.String()
		placed := l + int(t.placed)
		removed := placed + int(t.removed)
		because := removed + int(t.because)
		s.Placed = literals[l:placed:placed]
		s.Removed = literals[placed:removed:removed]
		s.Because = literals[removed:because:because]
		s.From = from[f : f+int(t.from) : f+int(t.from)]
		l, f = because, f+int(t.from)
	}
	return out
}
