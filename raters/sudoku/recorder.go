package sudoku

import (
	"sync"

	"assay/raters"
)

// recorder solves a puzzle and records its steps.
type recorder struct {
	state
	record
	uses []raters.TechniqueUse // by technique; without names
}

var recorders = sync.Pool{New: func() any { return new(recorder) }}

// begin starts a solve.
func (r *recorder) begin(cells *[81]uint8, order []technique) {
	r.by = new(ledger)
	r.ledger = r.by
	r.start(cells)
	r.uses = append(r.uses[:0], make([]raters.TechniqueUse, len(order))...)
	r.order, r.taken, r.removed, r.reasons = order, r.taken[:0], r.removed[:0], r.reasons[:0]
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
	r.note(i)
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

// techniques gives the number of those used.
func (r *recorder) techniques() (n int) {
	for _, u := range r.uses {
		if u.Uses > 0 {
			n++
		}
	}
	return n
}

// note records the step that was found.
func (r *recorder) note(technique int) {
	f := &r.found
	r.taken = append(r.taken, taken{
		pattern: f.pattern, technique: uint8(technique), removed: uint8(len(f.removed)), reasons: uint8(len(f.because)),
		places: f.places, placed: f.placed,
	})
	r.removed = append(r.removed, f.removed...)
	r.reasons = append(r.reasons, f.because...)
	r.step = uint16(len(r.taken))
	u := &r.uses[technique]
	u.Uses++
	u.Removed += len(f.removed)
	if f.places {
		u.Placed++
	}
}
