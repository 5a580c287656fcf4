package sudoku

import (
	"math/bits"

	"assay/raters"
)

// state is a position of a solve by techniques: which candidates are left, by cell, by house and by digit.
// A digit is counted from 0 here.
type state struct {
	cand    [81]uint16    // candidates of a cell; none once it is written
	places  [27][9]uint16 // house, digit: the places, 0–8, of the house where it may go; none once it is written there
	where   [9]cellSet    // digit: the cells where it may go
	naked   cellSet       // cells down to one candidate
	once    [27]uint16    // house: digits with one place; when the house is not stale
	twice   [27]uint16    // house: digits with two places; when the house is not stale
	few     [27]uint16    // house: digits with two or three places; when the house is not stale
	single  uint32        // houses that are not stale and have a digit with one place
	stale   uint32        // houses to be counted again
	counted uint32        // houses counted since the news were written
	moved   uint16        // digits that lost a cell since then
	sized   bool          // size2 and size23 are up to date
	size2   cellSet       // cells with two candidates
	size23  cellSet       // cells with two or three candidates
	news    [sorts]news
	open    int // cells not written
	found   finding
	ledger  *ledger // nil when nobody asks where a candidate went
	step    uint16  // the number of the step being taken, from 1, for the ledger
}

// news is what has changed since a technique last found nothing there. Candidates only ever go, so that
// where nothing has changed it will find nothing.
type news struct {
	houses uint32
	digits uint16
}

// The techniques that keep news.
const (
	ofPointing = iota
	ofBoxLine
	ofNakedPair
	ofHiddenPair
	ofNakedTriple
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
	*s = state{found: s.found, ledger: s.ledger}
	used := usedBy(cells)
	for c, v := range cells {
		if v == 0 {
			s.open++
			s.admit(uint8(c), freeOf(uint8(c), &used))
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
	h, at := &houseOf[c], &placeOf[c]
	for m := candidates; m != 0; m &= m - 1 {
		d := lowest(m)
		s.where[d].add(int(c))
		s.places[h[0]][d] |= 1 << at[0]
		s.places[h[1]][d] |= 1 << at[1]
		s.places[h[2]][d] |= 1 << at[2]
	}
	s.moved |= candidates
	s.stale |= housesOf[c]
}

// candidatesLeft sets the candidates of an open cell. That it may be the last one is no branch, since it
// could not be predicted.
func (s *state) candidatesLeft(c uint8, candidates uint16) {
	s.cand[c] = candidates
	last := uint64(uint32(candidates&(candidates-1))-1) >> 31 & 1
	s.naked[c>>6&1] |= last << (c & 63)
}

// leave takes a candidate out of its three houses.
func (s *state) leave(c uint8, d int) {
	if s.ledger != nil {
		*s.ledger.at(c, d) = s.step
	}
	h, at := &houseOf[c], &placeOf[c]
	s.places[h[0]][d] &^= 1 << at[0]
	s.places[h[1]][d] &^= 1 << at[1]
	s.places[h[2]][d] &^= 1 << at[2]
	s.moved |= 1 << d
	s.stale |= housesOf[c]
}

// remove takes a candidate that is still there.
func (s *state) remove(c uint8, d int) {
	s.candidatesLeft(c, s.cand[c]&^(1<<d))
	s.where[d].remove(int(c))
	s.leave(c, d)
}

// write puts a digit into a cell that has it as a candidate. Its peers lose the digit.
func (s *state) write(c uint8, d int) {
	for m := s.cand[c]; m != 0; m &= m - 1 {
		s.where[lowest(m)].remove(int(c))
		s.leave(c, lowest(m))
	}
	s.cand[c] = 0
	s.naked.remove(int(c))
	s.open--
	for i, w := range s.where[d].and(sees[c]) {
		for ; w != 0; w &= w - 1 {
			s.remove(uint8(64*i+bits.TrailingZeros64(w)), d)
		}
	}
}

// count brings up to date what is known of the numbers of places, and the news.
func (s *state) count() {
	for s.stale != 0 {
		s.countNext()
	}
	if s.counted == 0 {
		return
	}
	for i := range s.news {
		s.news[i].houses |= s.counted
		s.news[i].digits |= s.moved
	}
	s.counted, s.moved = 0, 0
}

// firstSingle gives the first house with a digit that has one place, or −1. It counts no house beyond.
func (s *state) firstSingle() int {
	for {
		known := s.single &^ s.stale
		if known != 0 && bits.TrailingZeros32(known) < bits.TrailingZeros32(s.stale) {
			return bits.TrailingZeros32(known)
		}
		if s.stale == 0 {
			return -1
		}
		s.countNext()
	}
}

// countNext counts the first stale house.
func (s *state) countNext() {
	h := bits.TrailingZeros32(s.stale)
	s.countHouse(h)
	s.stale &^= 1 << h
	s.counted |= 1 << h
	s.sized = false
}

// countHouse counts the places of all digits at once: a digit is in one, two or three when at least so
// many cells have it.
func (s *state) countHouse(h int) {
	var one, two, three, four uint16
	for _, c := range houses[h] {
		m := s.cand[c]
		four |= three & m
		three |= two & m
		two |= one & m
		one |= m
	}
	s.once[h], s.twice[h], s.few[h] = one&^two, two&^three, two&^four
	s.single &^= 1 << h
	if one&^two != 0 {
		s.single |= 1 << h
	}
}

// sizes brings size2 and size23 up to date, counting the candidates of all cells at once, as countHouse does.
func (s *state) sizes() {
	s.count()
	if s.sized {
		return
	}
	s.sized = true
	for i := range s.size2 {
		var one, two, three, four uint64
		for d := range s.where {
			m := s.where[d][i]
			four |= three & m
			three |= two & m
			two |= one & m
			one |= m
		}
		s.size2[i], s.size23[i] = two&^three, two&^four
	}
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
	return lone(s.cand[c]) || lone(s.places[h[0]][d]) || lone(s.places[h[1]][d]) || lone(s.places[h[2]][d])
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
