package sudoku

import "math/bits"

// The search works on 27 words, one for each digit and band (three rows): bit 9·row+column of a word
// says that the digit may still stand in that cell of the band. Within a band a digit fills one
// mini-row (the three cells a row and a box share) of each row and of each box, so that the nine
// mini-rows that still hold the digit decide by table which of them can be part of a filling at all.
// The same table decides, for the three columns of a stack, which band can still take which column.
var (
	miniRows  [512]uint8   // nine cells of a row: which of its three mini-rows hold one
	fillings  [512]filling // nine mini-rows, or three columns in each of three bands
	oneColumn [512]uint16  // nine columns: the mini-rows of the boxes with one column left
	rowCells  [8]uint32    // three rows: their cells
	bandPeers [32]uint32   // cell of a band: its peers in the band, and itself
	reach     [32]uint64   // the same, and its column, in the layout of around
)

// filling says which of nine places can be part of a filling: one place in each of three rows, no two
// in the same column.
type filling struct {
	cells uint32 // the places of some filling, each as three bits
	some  uint16 // the places of some filling
	every uint16 // the places of every filling
}

const (
	bandCells = 1<<27 - 1
	column    = 1 | 1<<9 | 1<<18 // the first column of a band
)

func init() {
	for m := range 512 {
		fillings[m] = fill(m)
		for i := range 3 {
			seg := m >> (3 * i) & 7
			if seg != 0 {
				miniRows[m] |= 1 << i
			}
			if seg != 0 && seg&(seg-1) == 0 {
				oneColumn[m] |= 0o111 << i
			}
		}
	}
	for r := range 8 {
		rowCells[r] = uint32(r&1*511 | r>>1&1*511<<9 | r>>2&1*511<<18)
	}
	for c := range 27 {
		bandPeers[c] = 511<<(c/9*9) | 7*column<<(c%9/3*3)
		reach[c] = uint64(bandPeers[c]) | column<<(c%9+27) | 1<<(c%9+54)
	}
}

func fill(places int) filling {
	f := filling{every: 511}
	for _, way := range [6]int{0o124, 0o142, 0o214, 0o241, 0o412, 0o421} {
		if way&places == way {
			f.some |= uint16(way)
			f.every &= uint16(way)
		}
	}
	for i := range 9 {
		f.cells |= uint32(f.some>>i&1) * 7 << (3 * i)
	}
	return f
}

// digitBands is where one digit may stand.
type digitBands struct {
	may  [3]uint32
	seen [3]uint32 // what may was when it was last propagated
}

// bands is a position of the search.
type bands struct {
	digit [9]digitBands
	open  [3]uint32 // band: cells without a digit
	rows  [9]uint16 // digit: rows without a cell of it
}

// start sets up the position of the givens (0 for none, else the digit), or reports that two of them
// are peers of the same digit.
func (s *bands) start(cells *[81]uint8) bool {
	for d := range s.digit {
		s.digit[d].may = [3]uint32{bandCells, bandCells, bandCells}
		s.rows[d] = nine
	}
	s.open = [3]uint32{bandCells, bandCells, bandCells}
	var given [9][3]uint32
	var list [81]uint8
	for _, c := range list[:listGivens(cells, &list)] {
		d := int(cells[c] - 1)
		if !s.give(int(c), d) {
			return false
		}
		given[d][c/27] |= 1 << (c % 27)
	}
	for d := range s.digit {
		for b := range 3 {
			s.digit[d].may[b] = s.digit[d].may[b]&s.open[b] | given[d][b]
		}
	}
	return true
}

func (s *bands) give(cell, digit int) bool {
	b, c := cell/27, cell%27
	own := &s.digit[digit].may
	if own[b]>>c&1 == 0 {
		return false
	}
	for i := range own {
		own[i] &^= column << (c % 9)
	}
	own[b] &^= bandPeers[c]
	s.open[b] &^= 1 << c
	s.rows[digit] &^= 1 << (cell / 9)
	return true
}

// assume places a digit in a cell of a band.
func (s *bands) assume(digit, band int, cell uint32) {
	own := &s.digit[digit].may
	own[band] = own[band]&^bandPeers[bits.TrailingZeros32(cell)&31] | cell
}

// settle propagates until nothing changes: fillings of bands and of stacks, rows with one place, cells
// with one digit. It reports false when the position has no solution; else pairs holds the cells of each
// band with exactly two digits left.
func (s *bands) settle(pairs *[3]uint32) bool {
	for {
		for changed := true; changed; {
			changed = false
			for d := range s.digit {
				if s.digit[d].may == s.digit[d].seen {
					continue
				}
				changed = true
				if !s.settleDigit(d) {
					return false
				}
			}
		}
		if s.solved() {
			return true
		}
		switch s.cellSingles(pairs) {
		case broken:
			return false
		case stable:
			return true
		}
	}
}

// mini gives the mini-rows of a word that still hold the digit.
func mini(a uint32) uint {
	return uint(miniRows[a&511]) | uint(miniRows[a>>9&511])<<3 | uint(miniRows[a>>18&511])<<6
}

// settleDigit propagates one digit.
func (s *bands) settleDigit(digit int) bool {
	g := &s.digit[digit]
	a0, a1, a2 := g.may[0], g.may[1], g.may[2]
	for {
		f0, f1, f2 := &fillings[mini(a0)&511], &fillings[mini(a1)&511], &fillings[mini(a2)&511]
		a0, a1, a2 = a0&f0.cells, a1&f1.cells, a2&f2.cells
		if a0 == 0 || a1 == 0 || a2 == 0 {
			return false
		}
		c0, c1, c2 := (a0|a0>>9|a0>>18)&511, (a1|a1>>9|a1>>18)&511, (a2|a2>>9|a2>>18)&511
		s0 := uint32(fillings[c0&7|c1&7<<3|c2&7<<6].some)
		s1 := uint32(fillings[c0>>3&7|c1>>3&7<<3|c2>>3&7<<6].some)
		s2 := uint32(fillings[c0>>6&7|c1>>6&7<<3|c2>>6&7<<6].some)
		k0 := s0&7 | s1&7<<3 | s2&7<<6
		k1 := s0>>3&7 | s1&0o70 | s2&0o70<<3
		k2 := s0>>6&7 | s1>>6&7<<3 | s2&0o700
		if k0 == c0 && k1 == c1 && k2 == c2 {
			g.may = [3]uint32{a0, a1, a2}
			g.seen = g.may
			won := uint16(miniRows[f0.every&oneColumn[c0]&511]) | uint16(miniRows[f1.every&oneColumn[c1]&511])<<3 |
				uint16(miniRows[f2.every&oneColumn[c2]&511])<<6
			if rows := won & s.rows[digit]; rows != 0 {
				s.write(digit, rows)
			}
			return true
		}
		a0, a1, a2 = a0&(k0*column), a1&(k1*column), a2&(k2*column)
	}
}

// write takes the cells of a digit in these rows, the only ones there, from the other digits.
func (s *bands) write(digit int, rows uint16) {
	s.rows[digit] &^= rows
	own := &s.digit[digit].may
	a0, a1, a2 := own[0], own[1], own[2]
	c0, c1, c2 := a0&rowCells[rows&7], a1&rowCells[rows>>3&7], a2&rowCells[rows>>6&7]
	s.open[0] &^= c0
	s.open[1] &^= c1
	s.open[2] &^= c2
	for d := range s.digit {
		may := &s.digit[d].may
		may[0] &^= c0
		may[1] &^= c1
		may[2] &^= c2
	}
	own[0], own[1], own[2] = a0, a1, a2
}

type scan int

const (
	stable scan = iota
	moved
	broken
)

// cellSingles places the digits of cells that have only one left.
func (s *bands) cellSingles(pairs *[3]uint32) scan {
	result := stable
	for b := range 3 {
		var one, two, three uint32
		for d := range s.digit {
			m := s.digit[d].may[b]
			three |= two & m
			two |= one & m
			one |= m
		}
		if one != bandCells {
			return broken
		}
		pairs[b] = two &^ three
		for singles := one &^ two & s.open[b]; singles != 0; singles &= singles - 1 {
			if !s.placeSingle(b, singles&-singles) {
				return broken
			}
			result = moved
		}
	}
	return result
}

func (s *bands) placeSingle(band int, cell uint32) bool {
	for d := range s.digit {
		if s.digit[d].may[band]&cell != 0 {
			s.assume(d, band, cell)
			return true
		}
	}
	return false
}
