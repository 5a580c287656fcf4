package sudoku

import (
	"slices"
	"sync"
)

// recorder solves a puzzle and records its steps.
type recorder struct {
	state
	order []technique
	kept  []byte // of the record
	taken int    // the same
	uses  []uses // by technique
	clues int
}

// uses counts what a technique did.
type uses struct{ steps, removed, placed int }

var recorders = sync.Pool{New: func() any { return new(recorder) }}

// begin starts a solve.
func (r *recorder) begin(cells *[81]uint8, order []technique) {
	r.clues = r.start(cells)
	r.uses = append(r.uses[:0], make([]uses, len(order))...)
	r.order, r.kept, r.taken = order, append(r.kept[:0], cells[:]...), 0
}

// solve takes steps until the grid is full or no technique applies.
func (r *recorder) solve(cells *[81]uint8, order []technique) {
	r.begin(cells, order)
	for r.advance() {
	}
}

// advance takes the next step, if the grid is not full and there is one.
func (r *recorder) advance() bool {
	if r.open.empty() {
		return false
	}
	i := find(&r.state, r.order)
	if i < 0 {
		return false
	}
	r.note(i, r.take())
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

// techniques gives the number of those used.
func (r *recorder) techniques() (n int) {
	for i := range r.uses {
		if r.uses[i].steps > 0 {
			n++
		}
	}
	return n
}

// note records the step that was taken, which removed so many candidates by itself.
func (r *recorder) note(technique, removed int) {
	r.kept = r.found.append(r.kept, uint8(technique))
	r.taken++
	u := &r.uses[technique]
	u.steps++
	u.removed += removed
	if r.found.single.places() {
		u.placed++
	}
}

// record gives the solve so far.
func (r *recorder) record() *record {
	return &record{order: r.order, kept: slices.Clone(r.kept), taken: r.taken}
}
