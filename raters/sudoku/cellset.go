package sudoku

import "math/bits"

// cellSet is a set of cells; in general, nine rows of nine places each. A row takes ten bits, the tenth of
// them spare, so that all rows can be counted at once. Rows 0–5 lie in the first word, 6–8 in the second: two
// fields, since the compiler keeps an array of two in memory.
type cellSet struct{ top, low uint64 }

const (
	rowStarts = 1 | 1<<10 | 1<<20 | 1<<30 | 1<<40 | 1<<50
	threeRows = 1 | 1<<10 | 1<<20
	spares    = rowStarts << 9
	inRows    = nine * rowStarts
	apart     = 1 | 1<<9 | 1<<18 | 1<<27 | 1<<36 | 1<<45
)

// bitOf is the bit of each cell: 64·word + bit of the word. cellAt leads back.
var bitOf, cellAt = func() (to [81]uint8, from [128]uint8) {
	for c := range uint8(81) {
		r := c / 9
		to[c] = r/6*64 + r%6*10 + c%9
		from[to[c]] = c
	}
	return to, from
}()

func (s *cellSet) add(c int)            { s.set(bitOf[c]) }
func (s *cellSet) remove(c int)         { s.clear(bitOf[c]) }
func (s *cellSet) set(bit uint8)        { *s = s.or(oneBit(bit)) }
func (s *cellSet) clear(bit uint8)      { *s = s.less(oneBit(bit)) }
func (s cellSet) has(c int) bool        { return !s.and(oneBit(bitOf[c])).empty() }
func (s cellSet) or(t cellSet) cellSet  { return cellSet{s.top | t.top, s.low | t.low} }
func (s cellSet) xor(t cellSet) cellSet { return cellSet{s.top ^ t.top, s.low ^ t.low} }
func (s cellSet) and(t cellSet) cellSet { return cellSet{s.top & t.top, s.low & t.low} }
func (s cellSet) less(t cellSet) cellSet {
	return cellSet{s.top &^ t.top, s.low &^ t.low}
}
func (s cellSet) empty() bool { return s.top|s.low == 0 }

// oneBit gives a set of one. Which word it lies in is no branch, since it could not be predicted.
func oneBit(bit uint8) cellSet {
	one, low := uint64(1)<<(bit&63), uint64(bit>>6&1)
	return cellSet{one &^ -low, one & -low}
}

// first gives the first cell, or −1.
func (s cellSet) first() int {
	switch {
	case s.top != 0:
		return int(cellIn(0, s.top))
	case s.low != 0:
		return int(cellIn(1, s.low))
	}
	return -1
}

// cellIn gives the first cell of one of the two words.
func cellIn(word int, w uint64) uint8 { return cellAt[(64*word+bits.TrailingZeros64(w))&127] }

// list writes the cells in order and gives their number.
func (s cellSet) list(to []uint8) (n int) {
	for w := s.top; w != 0; w &= w - 1 {
		to[n] = cellIn(0, w)
		n++
	}
	for w := s.low; w != 0; w &= w - 1 {
		to[n] = cellIn(1, w)
		n++
	}
	return n
}

// all goes through the cells in order. With one call of yield, not one for each word, it is small enough to be
// inlined where it is used.
func (s cellSet) all(yield func(uint8) bool) {
	for word, w := 0, s.top; word < 2; word, w = word+1, s.low {
		for ; w != 0; w &= w - 1 {
			if !yield(cellIn(word, w)) {
				return
			}
		}
	}
}

// row gives the places of a row.
func (s *cellSet) row(r uint8) uint16 {
	if r < 6 {
		return uint16(s.top>>(10*r)) & nine
	}
	return uint16(s.low>>(10*r-60)) & nine
}

// band gives the places of three rows, ten bits each.
func (s *cellSet) band(b int) uint32 {
	if b == 2 {
		return uint32(s.low)
	}
	return uint32(s.top >> (30 * b))
}

// columns gives all cells of these columns.
func columns(set uint16) cellSet {
	return cellSet{uint64(set) * rowStarts, uint64(set) * threeRows}
}

// rows gives all cells of these rows. The product brings bit r to bit 10·r, as far as the word has rows.
func rows(set uint16) cellSet {
	return cellSet{uint64(set&63) * apart & rowStarts * nine, uint64(set>>6) * apart & threeRows * nine}
}

// boxes gives all cells of these boxes.
func boxes(set uint16) cellSet {
	var bands [3]uint64
	for b := range 3 {
		three := uint64(set >> (3 * b))
		columns := (three&1 | three&2<<2 | three&4<<4) * 7
		bands[b] = columns * threeRows
	}
	return cellSet{bands[0] | bands[1]<<30, bands[2]}
}

// filled tells by spare bits which rows of a word are not empty.
func filled(w uint64) uint64 { return (w + inRows) & spares }

// behead takes the first place out of each row of a word.
func behead(w uint64) uint64 { return w & ((w | spares) - rowStarts) }

// marked lists the rows whose spare bits are set in two words. The product brings bit 10·r to bit 45 + r.
func marked(a, b uint64) uint16 {
	return uint16(a>>9*apart>>45&63 | b>>9*apart>>45&7<<6)
}

// single lists the rows with one place.
func (s *cellSet) single() uint16 {
	return marked(filled(s.top)&^filled(behead(s.top)), filled(s.low)&^filled(behead(s.low)))
}

// fewIn lists the rows with two places, and those with two or three.
func (s *cellSet) fewIn() (two, twoOrThree uint16) {
	top2, top23 := few(s.top)
	low2, low23 := few(s.low)
	return marked(top2, low2), marked(top23, low23)
}

// few gives by spare bits which rows of a word have two places, and which two or three.
func few(w uint64) (two, twoOrThree uint64) {
	w = behead(w)
	least2 := filled(w)
	w = behead(w)
	return least2 &^ filled(w), least2 &^ filled(behead(w))
}
