package sudoku

import "math/bits"

// xWing: in two rows (columns) a digit has the same two columns (rows), which it leaves elsewhere. By
// lines, digit; rows first.
func xWing(s *state) bool {
	s.count()
	return s.fish(2, s.newsOf(ofXWing), &s.twice)
}

// swordfish: in three rows (columns) a digit has, together, three columns (rows), two or three in each;
// it leaves them elsewhere. By lines, digit; rows first.
func swordfish(s *state) bool {
	s.count()
	return s.fish(3, s.newsOf(ofSwordfish), &s.few)
}

// fish finds the first fish of so many lines; among says of which, by kind and digit.
func (s *state) fish(size int, news *uint16, among *[3][9]uint16) bool {
	for kind := range 2 {
		first, digit := uint16(0), 0
		for m := *news; m != 0; m &= m - 1 {
			d := lowest(m)
			lines := s.where[kind][d].fish(size, among[kind][d])
			if lines != 0 && (first == 0 || comesBefore(lines, first)) {
				first, digit = lines, d
			}
		}
		if first != 0 {
			s.catch(kind, digit, first)
			return true
		}
	}
	*news = 0
	return false
}

// comesBefore compares two sets of as many lines in their order.
func comesBefore(a, b uint16) bool { return a&(a^b)&-(a^b) != 0 }

// fish gives the first so many of the lines that have, together, as many places across and something to
// remove there; 0 when there are none.
func (s *cellSet) fish(size int, lines uint16) uint16 {
	if bits.OnesCount16(lines) < size {
		return 0
	}
	var places [16]uint16 // of the lines
	for m := lines; m != 0; m &= m - 1 {
		places[lowest(m)&15] = s.row(uint8(lowest(m)))
	}
	for i := lines; i != 0; i &= i - 1 {
		p := places[lowest(i)&15]
		for j := i & (i - 1); j != 0; j &= j - 1 {
			q := p | places[lowest(j)&15]
			if bits.OnesCount16(q) > size {
				continue
			}
			pair := i&-i | j&-j
			if size == 2 && s.catches(pair, q) {
				return pair
			}
			if third := s.thirdLine(pair, q, j&(j-1), &places); size == 3 && third != 0 {
				return pair | third
			}
		}
	}
	return 0
}

// thirdLine gives the first line that makes a swordfish of two lines, whose places are across.
func (s *cellSet) thirdLine(pair, across, lines uint16, places *[16]uint16) uint16 {
	for ; lines != 0; lines &= lines - 1 {
		q := across | places[lowest(lines)&15]
		if bits.OnesCount16(q) == 3 && s.catches(pair|lines&-lines, q) {
			return lines & -lines
		}
	}
	return 0
}

// catches tells whether there is something to remove across these lines.
func (s *cellSet) catches(lines, across uint16) bool {
	return !s.and(columns(across)).less(rows(lines)).empty()
}

// catch notes what a digit that has only as many places in these lines leaves across.
func (s *state) catch(kind, digit int, lines uint16) {
	f := &s.found
	var at [3]uint8
	var across uint16
	for i, m := 0, lines; m != 0; i, m = i+1, m&(m-1) {
		at[i] = uint8(9*kind + lowest(m))
		across |= s.places(at[i], digit)
	}
	list := at[:bits.OnesCount16(lines)]
	for m := across; m != 0; m &= m - 1 {
		cover := uint8(9*(1-kind) + lowest(m))
		f.drop(cover, digit, s.places(cover, digit)&^lines)
	}
	for _, h := range list {
		f.confined(h, digit, across)
	}
	f.pattern = newPattern('h', list)
}
