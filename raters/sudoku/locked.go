package sudoku

// A box and a line cross in a segment of three cells. On the board of the rows, and on that of the columns,
// the segments of three lines make three by three: bit 3·line + box of a pattern says that a digit has a
// place in that segment.

// locks is where a digit has something to remove because its places in one house lie in one segment.
type locks struct {
	boxes [2]uint16 // that point along a row, along a column
	lines [2]uint16 // rows, columns that lie in one box
}

// segmentLocks gives for a pattern the boxes, bits 0–2, whose only segment is not the only one of its line,
// and the lines, bits 3–5, whose only segment is not the only one of its box.
var segmentLocks = func() (out [512]uint8) {
	for m := range out {
		for line := range 3 {
			for box := range 3 {
				own, inLine, inBox := 1<<(3*line+box), m&(7<<(3*line)), m&(0o111<<box)
				if inBox == own && inLine != own {
					out[m] |= 1 << box
				}
				if inLine == own && inBox != own {
					out[m] |= 8 << line
				}
			}
		}
	}
	return out
}()

// segments gives the pattern of three lines.
func segments(lines uint32) uint {
	return uint(miniRows[lines&nine]) | uint(miniRows[lines>>10&nine])<<3 | uint(miniRows[lines>>20&nine])<<6
}

// findLocks brings locks up to date.
func (s *state) findLocks() {
	for m := s.takeNews(ofLocks); m != 0; m &= m - 1 {
		d := lowest(m)
		l := locks{}
		for b := range 3 {
			rows := uint16(segmentLocks[segments(s.where[0][d].band(b))&511])
			cols := uint16(segmentLocks[segments(s.where[1][d].band(b))&511])
			l.boxes[0] |= rows & 7 << (3 * b)
			l.boxes[1] |= (cols&1 | cols&2<<2 | cols&4<<4) << b
			l.lines[0] |= rows >> 3 << (3 * b)
			l.lines[1] |= cols >> 3 << (3 * b)
		}
		s.locks[d] = l
	}
}

// pointing: the places of a digit in a box lie in one line, so that it leaves the rest of the line. By
// box, digit.
func pointing(s *state) bool {
	s.findLocks()
	var all uint16
	for d := range s.locks {
		all |= s.locks[d].boxes[0] | s.locks[d].boxes[1]
	}
	if all == 0 {
		return false
	}
	b, d := uint8(lowest(all)), 0
	for (s.locks[d].boxes[0]|s.locks[d].boxes[1])>>b&1 == 0 {
		d++
	}
	places := s.places(boxHouse+b, d)
	if s.locks[d].boxes[0]>>b&1 != 0 {
		row := uint8(lowest(places)) / 3
		s.locked(boxHouse+b, b/3*3+row, d, 7<<(3*row))
	} else {
		col := uint8(lowest(places)) % 3
		s.locked(boxHouse+b, colHouse+b%3*3+col, d, 0o111<<col)
	}
	return true
}

// boxLine: the places of a digit in a line lie in one box, so that it leaves the rest of the box. By
// line, digit.
func boxLine(s *state) bool {
	s.findLocks()
	for kind := range 2 {
		var all uint16
		for d := range s.locks {
			all |= s.locks[d].lines[kind]
		}
		if all == 0 {
			continue
		}
		n, d := uint8(lowest(all)), 0
		for s.locks[d].lines[kind]>>n&1 == 0 {
			d++
		}
		h := uint8(9*kind) + n
		seg := uint8(lowest(s.places(h, d))) / 3
		s.locked(h, houseOf[houses[h][3*seg]][2], d, 7<<(3*seg))
		return true
	}
	return false
}

// locked notes what a digit removes from another house when its places in a house are among those, own,
// which the two share.
func (s *state) locked(house, other uint8, digit int, own uint16) {
	f := &s.found
	for c := range s.where[0][digit].and(cellsOf[other]).less(cellsOf[house]).all {
		f.removed = append(f.removed, literal(c, digit))
	}
	f.confined(house, digit, own)
	f.pattern = onePattern('h', house)
}
