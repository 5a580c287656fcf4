package sudoku

import (
	"encoding/binary"
	"math/bits"

	"assay/raters/logic"
)

// record is a solve as it is kept, in one block: the 81 cells of the puzzle and what each step did, without text and
// without what follows from the steps before. It implements raters.Solve.
//
// A step is a byte, 16 · digit + index into the order, which has fewer than 16. After a single, whose digit is from 1 on,
// come what it is the last of and its cell. After others, whose digit is 0, come the kind of pattern and its numbers, the
// reasons, and what is removed. Numbers come before what they count; words of two bytes are little-endian.
type record struct {
	order []technique
	kept  []byte
	taken int // steps
}

// append appends a step.
func (f *finding) append(to []byte, technique uint8) []byte {
	if t := f.single; t.places() {
		return append(to, t.digit<<4|technique, t.at, t.cell)
	}
	to = append(to, technique, f.pattern.kind, f.pattern.n)
	to = append(to, f.pattern.at[:f.pattern.n]...)
	to = append(to, uint8(len(f.because)))
	for _, r := range f.because {
		to = binary.LittleEndian.AppendUint16(append(to, r.at, r.digit), r.gone)
	}
	to = append(to, uint8(len(f.removed)))
	for _, l := range f.removed {
		to = binary.LittleEndian.AppendUint16(to, uint16(l))
	}
	return to
}

// steps reads steps that were appended.
type steps []byte

func (s *steps) byte() uint8 {
	b := (*s)[0]
	*s = (*s)[1:]
	return b
}

func (s *steps) word() uint16 { return uint16(s.byte()) | uint16(s.byte())<<8 }

// next reads the next step.
func (s *steps) next(f *finding) (technique uint8) {
	f.reset()
	first := s.byte()
	if digit := first >> 4; digit != 0 {
		f.single = single{at: s.byte(), cell: s.byte(), digit: digit}
		return first & 15
	}
	f.pattern = pattern{kind: s.byte(), n: s.byte()}
	for i := range f.pattern.n {
		f.pattern.at[i] = s.byte()
	}
	for range s.byte() {
		f.because = append(f.because, reason{at: s.byte(), digit: s.byte(), gone: s.word()})
	}
	for range s.byte() {
		f.removed = append(f.removed, logic.Literal(s.word()))
	}
	return first
}

// singleAt gives the single that is the first of steps, nothing when it is another step, and how many bytes it takes.
func singleAt(b []byte) (t single, size int) {
	if digit := b[0] >> 4; digit != 0 {
		return single{at: b[1], cell: b[2], digit: digit}, 3
	}
	size = 3 + int(b[2])                // with the pattern
	size += 1 + 4*int(b[size])          // with the reasons
	return t, size + 1 + 2*int(b[size]) // with what is removed
}

// taken is a step with what follows from the steps before.
type taken struct {
	*finding  // removed is all that goes, also from the peers of a cell that is written
	technique *technique
	says      int // of these the step says that it removes so many, the first; the rest follows from what it writes
}

// replay takes the steps again, numbered from 1. What it gives holds until the next one.
func (r *record) replay(yield func(number uint16, t taken) bool) {
	again := recorders.Get().(*recorder)
	defer recorders.Put(again)
	s := &again.state
	s.start((*[81]uint8)(r.kept))
	left := steps(r.kept[81:])
	for n := range uint16(r.taken) {
		technique := &r.order[left.next(&s.found)]
		if s.found.single.places() {
			s.found.removed = s.lost(s.found.removed, s.found.single)
		}
		if says := s.take(); !yield(n+1, taken{&s.found, technique, says}) {
			return
		}
	}
}

// reason is some literals that are gone: of one cell or of one digit in a house.
type reason struct {
	at    uint8  // a cell, or 81 plus a house
	digit uint8  // of the house
	gone  uint16 // digits of the cell, places of the house
}

// pattern gives the instance of a single.
func (t single) pattern() pattern {
	if t.at < 81 {
		return onePattern('c', t.at)
	}
	return onePattern('h', t.at-81)
}

// reason gives what a single rests on.
func (t single) reason() reason {
	digit := t.digit - 1
	if t.at < 81 {
		return reason{at: t.at, gone: nine &^ (1 << digit)}
	}
	return reason{at: t.at, digit: digit, gone: nine &^ (1 << placeOf[t.cell][(t.at-81)/9])}
}

// instance gives the pattern of a step.
func (f *finding) instance() pattern {
	if f.single.places() {
		return f.single.pattern()
	}
	return f.pattern
}

// area says where a step, counted from 0, is without naming its cells.
func (r *record) area(step int) (where string) {
	for n, t := range r.replay {
		if int(n) == step+1 {
			where = t.instance().area()
			break
		}
	}
	return where
}

// Contradicts is as in raters.Solve. When every cell is written, and as in the solution, nothing of it was removed; only
// otherwise are the steps taken again.
func (r *record) Contradicts(solution []uint8) bool {
	open := 81
	for _, v := range r.kept[:81] {
		if v != 0 {
			open--
		}
	}
	for at := 81; at < len(r.kept); {
		t, size := singleAt(r.kept[at:])
		if at += size; t.places() {
			if !t.placed().IsSo(solution) {
				return true
			}
			open--
		}
	}
	if open == 0 {
		return false
	}
	for _, t := range r.replay {
		for _, l := range t.removed[:t.says] {
			if l.IsSo(solution) {
				return true
			}
		}
	}
	return false
}

// Steps writes the steps out.
func (r *record) Steps() []logic.Step {
	out := make([]logic.Step, r.taken)
	w := writer{literals: make([]logic.Literal, 0, 12*r.taken), from: make([]uint16, 0, 8*r.taken)}
	for n, t := range r.replay {
		w.write(&out[n-1], t)
		for _, l := range t.removed {
			w.by[l] = n
		}
	}
	return out
}

// writer writes the lists of steps into two blocks, which have room for most of them.
type writer struct {
	literals []logic.Literal
	from     []uint16
	by       [81 << 4]uint16 // literal: the step that removed it, from 1; 0 for the givens
}

// write writes a step out.
func (w *writer) write(s *logic.Step, t taken) {
	s.Technique, s.Level, s.Instance = t.technique.name, levels[t.technique.tier], t.instance().String()
	if t.single.places() {
		s.Placed = w.list(t.single.placed())
		s.Removed = w.list(t.removed[:t.says]...)
		s.Because = w.because(t.single.reason())
	} else {
		s.Removed = w.list(t.removed...)
		s.Because = w.because(t.finding.because...)
	}
	s.From = w.origins(s.Because)
}

func (w *writer) list(all ...logic.Literal) []logic.Literal {
	start := len(w.literals)
	w.literals = append(w.literals, all...)
	return w.literals[start:len(w.literals):len(w.literals)]
}

// because writes the literals of reasons.
func (w *writer) because(reasons ...reason) []logic.Literal {
	start := len(w.literals)
	for _, r := range reasons {
		w.literals = r.literals(w.literals)
	}
	return w.literals[start:len(w.literals):len(w.literals)]
}

// literals appends the literals.
func (r reason) literals(to []logic.Literal) []logic.Literal {
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
func (w *writer) origins(gone []logic.Literal) []uint16 {
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
