package sudoku

import (
	"math/bits"

	"assay/raters"
)

// state is a position of a solve by techniques. A digit is counted from 0 here, a kind is 0 for rows, 1 for
// columns, 2 for boxes; a set of nine houses is of one kind.
type state struct {
	cand  [81]uint16    // candidates of a cell; none once it is written
	where [3][9]cellSet // kind, digit: where it may go, as a board of this kind
	naked cellSet       // cells down to one candidate
	open  int           // cells not written
	found finding
	trail *trail // nil when nobody asks what went when

	// What follows is worked out from the above when it is asked for, for the digits that have news.
	moved      uint16        // digits that lost a cell since the news were spread
	news       [sorts]uint16 // digits that lost a cell since this sort of thing was last worked out
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
	ofRowSingles = iota
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
	placed  raters.Literal
	places  bool // placed is set
	removed []raters.Literal
	because []reason
	pattern pattern
}

// nine is the set of all digits, or of all places of a house.
const nine = 511

// lone tells whether a set has at most one member.
func lone(set uint16) bool { return set&(set-1) == 0 }

// lowest gives the least member of a set that is not empty.
func lowest(set uint16) int { return bits.TrailingZeros16(set) }

func literal(cell uint8, digit int) raters.Literal { return raters.Lit(int(cell), digit) }

// usedBy gives, for each house, the digits that are given in it.
func usedBy(cells *[81]uint8) (used [27]uint16) {
	for c, v := range cells {
		if v != 0 {
			for _, h := range houseOf[c] {
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

// start sets up the position of the givens: peers of a given digit have lost it.
func (s *state) start(cells *[81]uint8) {
	*s = state{found: s.found, trail: s.trail, moved: nine}
	var list [81]uint8
	n := listGivens(cells, &list)
	s.open = 81 - n
	s.startBoards(cells, list[:n])
	var one, two cellSet // cells with at least so many candidates
	for d, at := range s.where[0] {
		two = two.or(one.and(at))
		one = one.or(at)
		for c := range at.all {
			s.cand[c] |= 1 << d
		}
	}
	s.naked = one.less(two)
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
		for k := range s.where {
			taken := &s.where[k][cells[c]-1]
			*taken = taken.or(scope[c][k])
			written[k].set(onBoard[c][k])
		}
	}
	for k := range s.where {
		free := columns(nine).less(written[k])
		for d, taken := range s.where[k] {
			s.where[k][d] = free.less(taken)
		}
	}
}

// ungive takes a given back, in a position of givens: used is what the houses are given without it.
func (s *state) ungive(c uint8, digit int, used *[27]uint16) {
	s.open++
	s.admit(c, freeOf(c, used))
	for p := range sees[c].all {
		if s.cand[p] != 0 && freeOf(p, used)>>digit&1 != 0 {
			s.naked.remove(int(p))
			s.admit(p, s.cand[p]|1<<digit)
		}
	}
}

// admit gives an open cell these candidates.
func (s *state) admit(c uint8, candidates uint16) {
	s.candidatesLeft(c, candidates)
	for m := candidates; m != 0; m &= m - 1 {
		for k, bit := range onBoard[c] {
			s.where[k][lowest(m)].set(bit)
		}
	}
	s.moved |= candidates
}

// candidatesLeft sets the candidates of an open cell. That it may be the last one is no branch, since it
// could not be predicted.
func (s *state) candidatesLeft(c uint8, candidates uint16) {
	s.cand[c] = candidates
	one, lone := oneBit(bitOf[c]), ifLone(candidates)
	s.naked.top |= one.top & lone
	s.naked.low |= one.low & lone
}

// ifLone gives all ones when a set has at most one member, else 0.
func ifLone(set uint16) uint64 { return uint64((int64(set&(set-1)) - 1) >> 63) }

// remove takes a candidate that is still there.
func (s *state) remove(c uint8, d int) {
	s.leave(c, d)
	s.candidatesLeft(c, s.cand[c]&^(1<<d))
}

// leave takes a candidate off the boards.
func (s *state) leave(c uint8, d int) {
	for k, bit := range onBoard[c] {
		s.where[k][d].clear(bit)
	}
	s.moved |= 1 << d
	s.trail.add(c, d)
}

// write puts a digit into a cell that has it as a candidate. Its peers lose the digit.
func (s *state) write(c uint8, d int) {
	for m := s.cand[c] &^ (1 << d); m != 0; m &= m - 1 {
		s.leave(c, lowest(m))
	}
	s.moved |= 1 << d
	s.cand[c] = 0
	s.naked.remove(int(c))
	s.open--
	for p := range s.where[0][d].and(sees[c]).all {
		s.candidatesLeft(p, s.cand[p]&^(1<<d))
		s.trail.add(p, d)
	}
	for k := range s.where {
		s.where[k][d] = s.where[k][d].less(scope[c][k])
	}
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

// countSingles brings once up to date for one kind of houses, and gives the houses with a digit that has
// one place.
func (s *state) countSingles(kind int) (houses uint16) {
	for m := s.takeNews(ofRowSingles + kind); m != 0; m &= m - 1 {
		d := lowest(m)
		s.once[kind][d] = s.where[kind][d].single()
	}
	for _, h := range s.once[kind] {
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

// sizes brings two and twoOrThree up to date, counting the candidates of all cells at once: a cell has at
// least two or three when at least so many digits have it.
func (s *state) sizes() {
	if s.takeNews(ofSizes) == 0 {
		return
	}
	var one, two, three, four cellSet
	for _, m := range s.where[0] {
		four = four.or(three.and(m))
		three = three.or(two.and(m))
		two = two.or(one.and(m))
		one = one.or(m)
	}
	s.two, s.twoOrThree = two.less(three), two.less(four)
}

// copyFrom makes the state that of another.
func (s *state) copyFrom(t *state) {
	found := s.found
	*s = *t
	s.found = found
}

// forces tells whether the digit, which the solution has in that cell, is written there or a single.
func (s *state) forces(c uint8, d int) bool {
	h := &houseOf[c]
	return lone(s.cand[c]) || lone(s.places(h[0], d)) || lone(s.places(h[1], d)) || lone(s.places(h[2], d))
}

// take takes the step that was found.
func (s *state) take() {
	f := &s.found
	if f.places {
		s.write(uint8(f.placed.Variable()), f.placed.Value())
		return
	}
	for _, l := range f.removed {
		s.remove(uint8(l.Variable()), l.Value())
	}
}

// reset forgets what was found.
func (f *finding) reset() {
	f.places = false
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
