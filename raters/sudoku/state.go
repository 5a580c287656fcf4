package sudoku

import (
	"math/bits"

	"assay/raters/logic"
)

// state is a solve by techniques: where it is, and the step that was found last.
type state struct {
	position
	found finding
}

// position is where a solve by techniques is. A digit is counted from 0 here, a kind is 0 for rows, 1 for
// columns, 2 for boxes; a set of nine houses is of one kind.
type position struct {
	where [3][9]cellSet // kind, digit: where it may go, as a board of this kind
	open  cellSet       // cells not written

	// What follows is worked out from the above when it is asked for, for the digits that have news.
	moved      uint16        // digits that lost a cell since the news were spread
	news       [sorts]uint16 // digits that lost a cell since this sort of thing was last worked out
	cand       [81]uint16    // candidates of a cell; none once it is written
	shown      [9]cellSet    // where, on the board of the rows, as it is in cand
	once       [3][9]uint16  // kind, digit: houses where it has one place
	twice      [3][9]uint16  // kind, digit: houses where it has two
	few        [3][9]uint16  // kind, digit: houses where it has two or three
	locks      [9]locks      // digit: where it is locked
	two        cellSet       // cells with two candidates
	twoOrThree cellSet       // cells with two or three candidates

	// What some techniques looked at when they last found nothing. A pattern of cells or digits that were so
	// then removes nothing now either, so that they look for one with something new in it.
	pairsSeen   cellSet      // two
	wingsSeen   cellSet      // two
	triplesSeen [9]cellSet   // where, on the board of the rows
	hiddenSeen  [3][9]uint16 // twice
}

// The sorts of things that keep news. Techniques do so themselves: candidates only ever go, so that where
// nothing has changed since it last found nothing a technique will find nothing.
const (
	ofCand = iota
	ofRowSingles
	ofColumnSingles
	ofBoxSingles
	ofCounts
	ofLocks
	ofSizes
	ofXWing
	ofSwordfish
	ofColoring
	sorts
)

// finding is what a technique found: one step, not yet taken.
type finding struct {
	single  single // what places a digit; then the rest is not set
	removed []logic.Literal
	because []reason
	pattern pattern
}

// single is a digit that is the last candidate of its cell, or that has there its last place in a house.
type single struct {
	at    uint8 // what it is the last of: the cell, or 81 plus the house
	cell  uint8
	digit uint8 // from 1; 0 for what is no single
}

// places tells whether it is a single.
func (t single) places() bool { return t.digit != 0 }

// placed gives the literal.
func (t single) placed() logic.Literal { return literal(t.cell, int(t.digit-1)) }

// nine is the set of all digits, or of all places of a house.
const nine = 511

// lone tells whether a set has at most one member.
func lone(set uint16) bool { return set&(set-1) == 0 }

// lowest gives the least member of a set that is not empty.
func lowest(set uint16) int { return bits.TrailingZeros16(set) }

func literal(cell uint8, digit int) logic.Literal { return logic.Lit(int(cell), digit) }

// usedBy gives, for each house, the digits that are given in it.
func usedBy(cells *[81]uint8) (used [27]uint16) {
	for c, v := range cells {
		if v != 0 {
			for _, h := range &houseOf[c] {
				used[h] |= 1 << (v - 1)
			}
		}
	}
	return used
}

// freeOf gives the digits that no peer of the cell is given.
func freeOf(c uint8, used *[27]uint16) uint16 {
	h := &houseOf[c]
	return nine &^ (used[h[0]] | used[h[1]] | used[h[2]])
}

// start sets up the position of the givens: peers of a given digit have lost it. It gives the number of givens.
func (s *state) start(cells *[81]uint8) (givens int) {
	s.position = position{}
	s.moved = nine
	var list [81]uint8
	n := listGivens(cells, &list)
	s.startBoards(cells, list[:n])
	return n
}

// listGivens lists the cells that are given and gives their number. Whether one is given is no branch, since
// it could not be predicted.
func listGivens(cells *[81]uint8, to *[81]uint8) (n int) {
	for c, v := range cells {
		to[n] = uint8(c)
		n += int((v + 15) >> 4)
	}
	return n
}

func (s *state) startBoards(cells *[81]uint8, givens []uint8) {
	var written [3]cellSet
	for _, c := range givens {
		d := cells[c] - 1
		for k := range s.where {
			taken := &s.where[k][d]
			*taken = taken.or(scope[c][k])
			written[k].set(onBoard[c][k])
		}
	}
	for k := range s.where {
		free := columns(nine).less(written[k])
		for d, taken := range &s.where[k] {
			s.where[k][d] = free.less(taken)
		}
	}
	s.open = columns(nine).less(written[0])
}

// ungive takes a given back, in a position of givens: used is what the houses are given without it.
func (s *state) ungive(c uint8, digit int, used *[27]uint16) {
	s.open.add(int(c))
	s.admit(c, freeOf(c, used))
	for p := range sees[c].and(s.open).all {
		s.admit(p, freeOf(p, used)&(1<<digit))
	}
}

// admit gives an open cell these candidates too.
func (s *state) admit(c uint8, candidates uint16) {
	for m := candidates; m != 0; m &= m - 1 {
		for k, bit := range &onBoard[c] {
			s.where[k][lowest(m)].set(bit)
		}
	}
	s.moved |= candidates
}

// candidates gives those of a cell.
func (s *position) candidates(c uint8) (digits uint16) {
	bit := bitOf[c]
	cell := oneBit(bit)
	for d := range s.where[0] {
		at := s.where[0][d].and(cell)
		digits |= uint16((at.top|at.low)>>(bit&63)) << d
	}
	return digits
}

// remove takes a candidate that is still there.
func (s *state) remove(c uint8, d int) {
	for k, bit := range &onBoard[c] {
		s.where[k][d].clear(bit)
	}
	s.moved |= 1 << d
}

// write puts a digit into a cell that has it as a candidate, and these others. The peers lose the digit.
func (s *state) write(c uint8, d int, others uint16) {
	for m := others; m != 0; m &= m - 1 {
		s.remove(c, lowest(m))
	}
	s.moved |= 1 << d
	s.open.remove(int(c))
	for k := range s.where {
		s.where[k][d] = s.where[k][d].less(scope[c][k])
	}
}

// rivals gives the other candidates of the cell of a single.
func (s *position) rivals(t single) uint16 {
	if t.at == t.cell { // it is the last one there
		return 0
	}
	return s.candidates(t.cell) &^ (1 << (t.digit - 1))
}

// lost appends what goes with a single: the other candidates of its cell, then the digit from the peers.
func (s *position) lost(to []logic.Literal, t single) []logic.Literal {
	d := int(t.digit - 1)
	for m := s.rivals(t); m != 0; m &= m - 1 {
		to = append(to, literal(t.cell, lowest(m)))
	}
	for p := range s.where[0][d].and(sees[t.cell]).all {
		to = append(to, literal(p, d))
	}
	return to
}

// newsOf gives the digits that have lost a cell since this sort of thing was worked out.
func (s *state) newsOf(sort int) *uint16 {
	if s.moved != 0 {
		for i := range s.news {
			s.news[i] |= s.moved
		}
		s.moved = 0
	}
	return &s.news[sort]
}

// takeNews gives them and begins anew.
func (s *state) takeNews(sort int) uint16 {
	news := s.newsOf(sort)
	digits := *news
	*news = 0
	return digits
}

// places gives the places, 0–8, of a house where a digit may go.
func (s *state) places(h uint8, d int) uint16 { return s.where[h/9][d].row(h % 9) }

// naked gives the cells with one candidate. Here as elsewhere a loop goes over a pointer to an array: over the array
// itself it would copy it first.
func (s *position) naked() cellSet {
	var one, two cellSet // cells with at least so many
	for _, at := range &s.where[0] {
		two = two.or(one.and(at))
		one = one.or(at)
	}
	return one.less(two)
}

// byCell brings cand up to date.
func (s *state) byCell() {
	for m := s.takeNews(ofCand); m != 0; m &= m - 1 {
		d := lowest(m)
		for c := range s.where[0][d].xor(s.shown[d]).all {
			s.cand[c] ^= 1 << d
		}
		s.shown[d] = s.where[0][d]
	}
}

// countSingles brings once up to date for one kind of houses, and gives the houses with a digit that has
// one place.
func (s *state) countSingles(kind int) (houses uint16) {
	for m := s.takeNews(ofRowSingles + kind); m != 0; m &= m - 1 {
		d := lowest(m)
		s.once[kind][d] = s.where[kind][d].single()
	}
	for _, h := range &s.once[kind] {
		houses |= h
	}
	return houses
}

// count brings twice and few up to date.
func (s *state) count() {
	for m := s.takeNews(ofCounts); m != 0; m &= m - 1 {
		d := lowest(m)
		for k := range s.where {
			s.twice[k][d], s.few[k][d] = s.where[k][d].fewIn()
		}
	}
}

// sizes brings cand, two and twoOrThree up to date, counting the candidates of all cells at once: a cell has at
// least two or three when at least so many digits have it.
func (s *state) sizes() {
	s.byCell()
	if s.takeNews(ofSizes) == 0 {
		return
	}
	var one, two, three, four cellSet
	for _, m := range &s.where[0] {
		four = four.or(three.and(m))
		three = three.or(two.and(m))
		two = two.or(one.and(m))
		one = one.or(m)
	}
	s.two, s.twoOrThree = two.less(three), two.less(four)
}

// forces tells whether the digit, which the solution has in that cell, is written there or a single.
func (s *state) forces(c uint8, d int) bool {
	h := &houseOf[c]
	return lone(s.candidates(c)) || lone(s.places(h[0], d)) || lone(s.places(h[1], d)) || lone(s.places(h[2], d))
}

// take takes the step that was found, and gives the number of candidates that it removes by itself.
func (s *state) take() (removed int) {
	f := &s.found
	if t := f.single; t.places() {
		others := s.rivals(t)
		s.write(t.cell, int(t.digit-1), others)
		return bits.OnesCount16(others)
	}
	for _, l := range f.removed {
		s.remove(uint8(l.Variable()), l.Value())
	}
	return len(f.removed)
}

// reset forgets what was found.
func (f *finding) reset() {
	f.single = single{}
	f.removed, f.because = f.removed[:0], f.because[:0]
}

// drop notes a digit to be removed from places of a house.
func (f *finding) drop(house uint8, digit int, places uint16) {
	for ; places != 0; places &= places - 1 {
		f.removed = append(f.removed, literal(houses[house][lowest(places)], digit))
	}
}

// dropFrom notes digits to be removed from a cell.
func (f *finding) dropFrom(cell uint8, digits uint16) {
	for ; digits != 0; digits &= digits - 1 {
		f.removed = append(f.removed, literal(cell, lowest(digits)))
	}
}

// confined notes as a reason that a digit has only these places in a house.
func (f *finding) confined(house uint8, digit int, places uint16) {
	f.because = append(f.because, reason{at: 81 + house, digit: uint8(digit), gone: nine &^ places})
}

// only notes as a reason that a cell has only these digits.
func (f *finding) only(cell uint8, digits uint16) {
	f.because = append(f.because, reason{at: cell, gone: nine &^ digits})
}
