package sudoku

import (
	"math/bits"

	"assay/raters"
)

// record is a solve as it is kept: what each step did, without text. It implements raters.Solve.
type record struct {
	order   []technique
	taken   []taken
	reasons []reason         // of all steps in turn
	gone    []raters.Literal // what went, in turn, also from the peers of a cell that was written
}

// Gone gives the literals that the steps remove.
func (r *record) Gone() []raters.Literal { return r.gone }

// taken is a step.
type taken struct {
	pattern   pattern
	technique uint8 // index into the order
	reasons   uint8 // how many
	removed   uint8 // how many the step says it removes
	gone      uint8 // how many went; they begin with those removed
	places    bool  // placed is set
	placed    raters.Literal
}

// reason is some literals that are gone: of one cell or of one digit in a house.
type reason struct {
	at    uint8  // a cell, or 81 plus a house
	digit uint8  // of the house
	gone  uint16 // digits of the cell, places of the house
}

// trail is what went so far, in turn. A nil trail is not kept.
type trail struct {
	n    int
	gone [729]raters.Literal
}

func (t *trail) add(cell uint8, digit int) {
	if t != nil {
		t.gone[t.n] = literal(cell, digit)
		t.n++
	}
}

// Steps writes the steps out.
func (r *record) Steps() []raters.Step {
	out := make([]raters.Step, len(r.taken))
	w := writer{
		gone: r.gone, reasons: r.reasons,
		literals: make([]raters.Literal, 0, len(r.taken)+len(r.gone)+9*len(r.reasons)),
		from:     make([]uint16, 0, 9*len(r.reasons)),
	}
	for i := range r.taken {
		t := &r.taken[i]
		q := &r.order[t.technique]
		out[i] = raters.Step{Technique: q.name, Level: levels[q.tier], Instance: t.pattern.String()}
		w.write(&out[i], t, uint16(i+1))
	}
	return out
}

// writer writes the lists of steps, into two blocks that have room for all of them.
type writer struct {
	gone     []raters.Literal // of the steps to come
	reasons  []reason
	literals []raters.Literal
	from     []uint16
	by       [81 << 4]uint16 // literal: the step that removed it, from 1; 0 for the givens
}

// write writes the lists of the next step.
func (w *writer) write(s *raters.Step, t *taken, number uint16) {
	if t.places {
		s.Placed = w.list(t.placed)
	}
	s.Removed = w.list(w.gone[:t.removed]...)
	start := len(w.literals)
	for _, why := range w.reasons[:t.reasons] {
		w.literals = why.literals(w.literals)
	}
	s.Because = w.literals[start:len(w.literals):len(w.literals)]
	s.From = w.origins(s.Because)
	for _, l := range w.gone[:t.gone] {
		w.by[l] = number
	}
	w.gone, w.reasons = w.gone[t.gone:], w.reasons[t.reasons:]
}

func (w *writer) list(all ...raters.Literal) []raters.Literal {
	start := len(w.literals)
	w.literals = append(w.literals, all...)
	return w.literals[start:len(w.literals):len(w.literals)]
}

// literals appends the literals.
func (r reason) literals(to []raters.Literal) []raters.Literal {
	for m := r.gone; m != 0; m &= m - 1 {
		if r.at < 81 {
			to = append(to, literal(r.at, lowest(m)))
		} else {
			to = append(to, literal(houses[r.at-81][lowest(m)], int(r.digit)))
		}
	}
	return to
}

// origins lists the steps that removed these literals, ascending.
func (w *writer) origins(gone []raters.Literal) []uint16 {
	var set [12]uint64 // a solve has at most 729 steps: each removes a candidate or fills a cell
	for _, l := range gone {
		n := w.by[l]
		set[n>>6] |= 1 << (n & 63)
	}
	set[0] &^= 1 // the givens
	start := len(w.from)
	for i, m := range set {
		for ; m != 0; m &= m - 1 {
			w.from = append(w.from, uint16(64*i+bits.TrailingZeros64(m)))
		}
	}
	return w.from[start:len(w.from):len(w.from)]
}
