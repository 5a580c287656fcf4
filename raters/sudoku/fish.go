package sudoku

import "math/bits"

// xWing: in two rows (columns) a digit has the same two columns (rows), which it leaves elsewhere. By
// lines, digit; rows first.
func xWing(s *state) bool {
	s.count()
	for _, base := range [2]uint8{rowHouse, colHouse} {
		can := (*[9]uint16)(s.twice[base:])
		for i := range uint8(9) {
			for j := i + 1; j < 9; j++ {
				for m := can[i] & can[j]; m != 0; m &= m - 1 {
					d := lowest(m)
					p := s.places[base+i][d]
					if p == s.places[base+j][d] && s.fish(base, d, 1<<i|1<<j, p) {
						return true
					}
				}
			}
		}
	}
	return false
}

// swordfish: in three rows (columns) a digit has, together, three columns (rows), two or three in each;
// it leaves them elsewhere. By lines, digit; rows first.
func swordfish(s *state) bool {
	s.count()
	for _, base := range [2]uint8{rowHouse, colHouse} {
		can := s.twoOrThree(base)
		for i := range uint8(9) {
			for j := i + 1; j < 9; j++ {
				if m := can[i] & can[j]; m != 0 && s.thirdLine(base, i, j, &can) {
					return true
				}
			}
		}
	}
	return false
}

func (s *state) thirdLine(base, i, j uint8, can *[9]uint16) bool {
	for k := j + 1; k < 9; k++ {
		for m := can[i] & can[j] & can[k]; m != 0; m &= m - 1 {
			d := lowest(m)
			p := s.places[base+i][d] | s.places[base+j][d] | s.places[base+k][d]
			if bits.OnesCount16(p) == 3 && s.fish(base, d, 1<<i|1<<j|1<<k, p) {
				return true
			}
		}
	}
	return false
}

// twoOrThree gives, for the nine lines from base, the digits with two or three places.
func (s *state) twoOrThree(base uint8) (can [9]uint16) {
	for i := range can {
		h := base + uint8(i)
		can[i] = s.twice[h]
		for d := range 9 {
			if bits.OnesCount16(s.places[h][d]) == 3 {
				can[i] |= 1 << d
			}
		}
	}
	return can
}

// fish finds what a digit that has only as many places in these lines removes from the lines across.
func (s *state) fish(base uint8, digit int, lines, across uint16) bool {
	f := &s.found
	for m := across; m != 0; m &= m - 1 {
		cover := colHouse - base + uint8(lowest(m))
		f.drop(cover, digit, s.places[cover][digit]&^lines)
	}
	if len(f.removed) == 0 {
		return false
	}
	if f.explain {
		var at []uint8
		for m := lines; m != 0; m &= m - 1 {
			h := base + uint8(lowest(m))
			f.confined(h, digit, across)
			at = append(at, h)
		}
		f.pattern = housePattern(at...)
	}
	return true
}
