package sudoku

import (
	"math/bits"
	"slices"

	"assay/raters"
)

// record is a solve as it is kept: what each step did, without text, and for each literal the step that
// removed it, from which follows what a step's reasons come from. It implements raters.Solve.
type record struct {
	order   []technique
	taken   []taken
	removed []raters.Literal // of all steps in turn
	reasons []reason         // of all steps in turn
	by      *ledger
}

// taken is a step.
type taken struct {
	pattern   pattern
	technique uint8 // index into the order
	removed   uint8 // how many: no technique has more than the cells of one digit
	reasons   uint8 // how many
	places    bool  // placed is set
	placed    raters.Literal
}

// reason is some literals that are gone: of one cell or of one digit in a house.
type reason struct {
	at    uint8  // a cell, or 81 plus a house
	digit uint8  // of the house
	gone  uint16 // digits of the cell, places of the house
}

// ledger says which step removed a literal, by its number from 1; 0 is what the givens removed.
type ledger [9][81]uint16 // digit, cell

// keep gives a copy of the lists' own, with the ledger as it is.
func (r *record) keep() *record {
	return &record{
		order: r.order, taken: slices.Clone(r.taken), removed: slices.Clone(r.removed), reasons: slices.Clone(r.reasons), by: r.by,
	}
}

// Steps writes the steps out.
func (r *record) Steps() []raters.Step {
	out := make([]raters.Step, len(r.taken))
	removed, reasons := r.removed, r.reasons
	for i := range r.taken {
		t, s := &r.taken[i], &out[i]
		q := &r.order[t.technique]
		s.Technique, s.Level, s.Instance = q.name, levels[q.tier], t.pattern.String()
		if t.places {
			s.Placed = []raters.Literal{t.placed}
		}
		s.Removed = append(s.Removed, removed[:t.removed]...)
		for _, why := range reasons[:t.reasons] {
			s.Because = why.literals(s.Because)
		}
		s.From = r.origins(s.Because)
		removed, reasons = removed[t.removed:], reasons[t.reasons:]
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
func (r *record) origins(gone []raters.Literal) (from []uint16) {
	var set [12]uint64 // a solve has at most 729 steps: each removes a candidate or fills a cell
	for _, l := range gone {
		n := r.by[l.Value()][l.Variable()]
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
