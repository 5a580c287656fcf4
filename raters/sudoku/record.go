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
	gone, reasons := r.gone, r.reasons
	var by [81 << 4]uint16 // literal: the step that removed it, from 1; 0 for the givens
	for i := range r.taken {
		t, s := &r.taken[i], &out[i]
		q := &r.order[t.technique]
		s.Technique, s.Level, s.Instance = q.name, levels[q.tier], t.pattern.String()
		if t.places {
			s.Placed = []raters.Literal{t.placed}
		}
		s.Removed = append(s.Removed, gone[:t.removed]...)
		for _, why := range reasons[:t.reasons] {
			s.Because = why.literals(s.Because)
		}
		s.From = origins(s.Because, &by)
		for _, l := range gone[:t.gone] {
			by[l] = uint16(i + 1)
		}
		gone, reasons = gone[t.gone:], reasons[t.reasons:]
	}
	return out
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
func origins(gone []raters.Literal, by *[81 << 4]uint16) (from []uint16) {
	var set [12]uint64 // a solve has at most 729 steps: each removes a candidate or fills a cell
	for _, l := range gone {
		n := by[l]
		set[n>>6] |= 1 << (n & 63)
	}
	set[0] &^= 1 // the givens
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			from = append(from, uint16(64*i+bits.TrailingZeros64(w)))
		}
	}
	return from
}
