package sudoku

import "math/bits"

// xWing: in two rows (columns) a digit has the same two columns (rows), which it leaves elsewhere. By
// lines, digit; rows first.
func xWing(s *state) bool {
	s.count()
	news := &s.news[ofXWing]
	for _, base := range [2]uint8{rowHouse, colHouse} {
		for i := base; i < base+9; i++ {
			for j := i + 1; j < base+9; j++ {
				for m := s.twice[i] & s.twice[j] & news.digits; m != 0; m &= m - 1 {
					d := lowest(m)
					p := s.places[i][d]
					if p == s.places[j][d] && s.fish(d, p, i, j) {
						return true
					}
				}
			}
		}
	}
	news.digits = 0
	return false
}

// swordfish: in three rows (columns) a digit has, together, three columns (rows), two or three in each;
// it leaves them elsewhere. By lines, digit; rows first.
func swordfish(s *state) bool {
	s.count()
	news := &s.news[ofSwordfish]
	for _, base := range [2]uint8{rowHouse, colHouse} {
		for i := base; i < base+9; i++ {
			for j := i + 1; j < base+8; j++ {
				two := s.within3(i, j, s.few[i]&s.few[j]&news.digits)
				for k := j + 1; k < base+9 && two != 0; k++ {
					if s.thirdLine(i, j, k, two&s.few[k]) {
						return true
					}
				}
			}
		}
	}
	news.digits = 0
	return false
}

// within3 gives those of the digits that have at most three places across in two lines together.
func (s *state) within3(i, j uint8, digits uint16) uint16 {
	for m := digits; m != 0; m &= m - 1 {
		d := lowest(m)
		if bits.OnesCount16(s.places[i][d]|s.places[j][d]) > 3 {
			digits &^= 1 << d
		}
	}
	return digits
}

func (s *state) thirdLine(i, j, k uint8, digits uint16) bool {
	for m := digits; m != 0; m &= m - 1 {
		d := lowest(m)
		p := s.places[i][d] | s.places[j][d] | s.places[k][d]
		if bits.OnesCount16(p) == 3 && s.fish(d, p, i, j, k) {
			return true
		}
	}
	return false
}

// fish finds what a digit that has only as many places in these lines removes from the lines across.
func (s *state) fish(digit int, across uint16, lines ...uint8) bool {
	f, base := &s.found, lines[0]/9*9
	var own uint16
	for _, h := range lines {
		own |= 1 << (h - base)
	}
	for m := across; m != 0; m &= m - 1 {
		cover := colHouse - base + uint8(lowest(m))
		f.drop(cover, digit, s.places[cover][digit]&^own)
	}
	if len(f.removed) == 0 {
		return false
	}
	for _, h := range lines {
		f.confined(h, digit, across)
	}
	f.pattern = newPattern('h', lines)
	return true
}
