package sudoku

import "math/bits"

// rectangles are those of two rows, two columns and two boxes: top left, top right, bottom left, bottom
// right; in order of these cells.
var rectangles [][4]uint8

func init() {
	for c := range uint8(81) {
		r, k := c/9, c%9
		for k2 := k + 1; k2 < 9; k2++ {
			for r2 := r + 1; r2 < 9; r2++ {
				if (r/3 == r2/3) != (k/3 == k2/3) {
					rectangles = append(rectangles, [4]uint8{c, r*9 + k2, r2*9 + k, r2*9 + k2})
				}
			}
		}
	}
}

// uniqueRectangle: four open cells in two rows, two columns and two boxes, all with the candidates a and
// b. Were they to hold nothing else, a and b could be swapped, and the puzzle, which is proven to have
// one solution, would have two. Type 1: three cells have no other candidate; the fourth loses both.
// Type 2: two in a line have no other, the others one and the same, of which one of them must then hold
// it; cells that see both lose it. Type 4: two in a line have no other, and in a house of the others a
// has no other place, so that these lose b. By rectangle, digits, type.
func uniqueRectangle(s *state) bool {
	s.byCell()
	for i := range rectangles {
		q := &rectangles[i]
		common := s.cand[q[0]] & s.cand[q[1]] & s.cand[q[2]] & s.cand[q[3]]
		for m := common; !lone(m); m &= m - 1 {
			for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
				if s.rectangle(q, 1<<lowest(m)|1<<lowest(rest)) {
					return true
				}
			}
		}
	}
	return false
}

// floors are the corners that have to be bare in types 2 and 4 and, after them, the two others.
var floors = [16][4]uint8{
	0b0011: {0, 1, 2, 3},
	0b1100: {2, 3, 0, 1},
	0b0101: {0, 2, 1, 3},
	0b1010: {1, 3, 0, 2},
}

func (s *state) rectangle(q *[4]uint8, pair uint16) bool {
	bare := 0
	for i, c := range q {
		if s.cand[c] == pair {
			bare |= 1 << i
		}
	}
	if bits.OnesCount(uint(bare)) == 3 {
		s.rectangle1(q, bits.TrailingZeros(^uint(bare)), pair)
		return true
	}
	f := floors[bare]
	if f[0] == f[1] {
		return false
	}
	a, b := q[f[2]], q[f[3]]
	return s.rectangle2(q, a, b, pair) || s.rectangle4(q, a, b, pair)
}

func (s *state) rectangle1(q *[4]uint8, corner int, pair uint16) {
	s.found.dropFrom(q[corner], pair)
	s.rectangleReasons(1, q, pair)
}

// rectangleReasons notes that the bare corners are bare.
func (s *state) rectangleReasons(kind uint8, q *[4]uint8, pair uint16) {
	for _, c := range q {
		if s.cand[c] == pair {
			s.found.only(c, pair)
		}
	}
	s.found.pattern = newPattern('t', []uint8{kind, q[0], q[1], q[2], q[3]})
}

func (s *state) rectangle2(q *[4]uint8, a, b uint8, pair uint16) bool {
	extra := s.cand[a] &^ pair
	if s.cand[a] != s.cand[b] || !lone(extra) {
		return false
	}
	f := &s.found
	for c := range sees[a].and(sees[b]).all {
		f.dropFrom(c, s.cand[c]&extra)
	}
	if len(f.removed) == 0 {
		return false
	}
	s.rectangleReasons(2, q, pair)
	f.only(a, s.cand[a])
	f.only(b, s.cand[b])
	return true
}

func (s *state) rectangle4(q *[4]uint8, a, b uint8, pair uint16) bool {
	for m := pair; m != 0; m &= m - 1 {
		d := lowest(m)
		for i, h := range &houseOf[a] {
			both := uint16(1)<<placeOf[a][i] | 1<<placeOf[b][i]
			if houseOf[b][i] != h || s.places(h, d) != both {
				continue
			}
			f, other := &s.found, pair&^(1<<d)
			f.dropFrom(a, other)
			f.dropFrom(b, other)
			s.rectangleReasons(4, q, pair)
			f.confined(h, d, both)
			return true
		}
	}
	return false
}
