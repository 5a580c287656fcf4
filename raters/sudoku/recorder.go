package sudoku

import (
	"slices"
	"sync"

	"assay/raters"
)

// recorder solves a puzzle and records its steps.
type recorder struct {
	state
	order   []technique
	taken   []taken
	reasons []reason
	went    trail
	uses    []raters.TechniqueUse // by technique; without names
}

var recorders = sync.Pool{New: func() any {
	r := new(recorder)
	r.trail = &r.went
	return r
}}

// begin starts a solve.
func (r *recorder) begin(cells *[81]uint8, order []technique) {
	r.start(cells)
	r.uses = append(r.uses[:0], make([]raters.TechniqueUse, len(order))...)
	r.order, r.taken, r.reasons, r.went.n = order, r.taken[:0], r.reasons[:0], 0
}

// solve takes steps until the grid is full or no technique applies.
func (r *recorder) solve(cells *[81]uint8, order []technique) {
	r.begin(cells, order)
	for r.open > 0 && r.next() {
	}
}

// next takes the next step, if there is one.
func (r *recorder) next() bool {
	i := find(&r.state, r.order)
	if i < 0 {
		return false
	}
	before := r.went.n
	r.take()
	r.note(i, r.went.n-before)
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
	for _, u := range r.uses {
		if u.Uses > 0 {
			n++
		}
	}
	return n
}

// note records the step that was found and taken, with which so many candidates went.
func (r *recorder) note(technique, gone int) {
	f := &r.found
	r.taken = append(r.taken, taken{
		pattern: f.pattern, technique: uint8(technique), reasons: uint8(len(f.because)), removed: uint8(len(f.removed)), gone: uint8(gone),
		places: f.places, placed: f.placed,
	})
	r.reasons = append(r.reasons, f.because...)
	u := &r.uses[technique]
	u.Uses++
	u.Removed += len(f.removed)
	if f.places {
		u.Placed++
	}
}

// record gives the solve so far.
func (r *recorder) record() *record {
	return &record{order: r.order, taken: slices.Clone(r.taken), reasons: slices.Clone(r.reasons), gone: slices.Clone(r.went.gone[:r.went.n])}
}
