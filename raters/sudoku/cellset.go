package sudoku

import "math/bits"

// cellSet is a set of cells; in general, nine rows of nine places each. A row takes ten bits, the tenth of
// them spare, so that all rows can be counted at once. Rows 0–5 lie in the first word, 6–8 in the second.
type cellSet [2]uint64

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
func (s *cellSet) set(bit uint8)        { s[bit>>6&1] |= 1 << (bit & 63) }
func (s *cellSet) clear(bit uint8)      { s[bit>>6&1] &^= 1 << (bit & 63) }
func (s cellSet) has(c int) bool        { return s[bitOf[c]>>6&1]>>(bitOf[c]&63)&1 != 0 }
func (s cellSet) or(t cellSet) cellSet  { return cellSet{s[0] | t[0], s[1] | t[1]} }
func (s cellSet) xor(t cellSet) cellSet { return cellSet{s[0] ^ t[0], s[1] ^ t[1]} }
func (s cellSet) and(t cellSet) cellSet { return cellSet{s[0] & t[0], s[1] & t[1]} }
func (s cellSet) less(t cellSet) cellSet {
	return cellSet{s[0] &^ t[0], s[1] &^ t[1]}
}
func (s cellSet) empty() bool { return s[0]|s[1] == 0 }

// first gives the first cell, or −1.
func (s cellSet) first() int {
	for i, w := range s {
		if w != 0 {
			return int(cellIn(i, w))
		}
	}
	return -1
}

// cellIn gives the first cell of one of the two words.
func cellIn(word int, w uint64) uint8 { return cellAt[(64*word+bits.TrailingZeros64(w))&127] }

// list writes the cells in order and gives their number.
func (s cellSet) list(to []uint8) (n int) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			to[n] = cellIn(i, w)
			n++
		}
	}
	return n
}

// all goes through the cells in order.
func (s cellSet) all(yield func(uint8) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(cellIn(i, w)) {
				return
			}
		}
	}
}

// row gives the places of a row.
func (s *cellSet) row(r uint8) uint16 {
	if r < 6 {
		return uint16(s[0]>>(10*r)) & nine
	}
	return uint16(s[1]>>(10*r-60)) & nine
}

// band gives the places of three rows, ten bits each.
func (s *cellSet) band(b int) uint32 { return uint32(s[b>>1] >> (b & 1 * 30)) }

// columns gives all cells of these columns.
func columns(set uint16) cellSet {
	return cellSet{uint64(set) * rowStarts, uint64(set) * threeRows}
}

// rows gives all cells of these rows. The product brings bit r to bit 10·r, as far as the word has rows.
func rows(set uint16) cellSet {
	return cellSet{uint64(set&63) * apart & rowStarts * nine, uint64(set>>6) * apart & threeRows * nine}
}

// boxes gives all cells of these boxes.
func boxes(set uint16) (out cellSet) {
	for b := range 3 {
		three := uint64(set >> (3 * b))
		columns := (three&1 | three&2<<2 | three&4<<4) * 7
		out[b>>1] |= columns * threeRows << (b & 1 * 30)
	}
	return out
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
	return marked(filled(s[0])&^filled(behead(s[0])), filled(s[1])&^filled(behead(s[1])))
}

// fewIn lists the rows with two places, and those with two or three.
func (s *cellSet) fewIn() (two, twoOrThree uint16) {
	var is2, is23 [2]uint64
	for i, w := range s {
		w = behead(w)
		least2 := filled(w)
		w = behead(w)
		is2[i] = least2 &^ filled(w)
		is23[i] = least2 &^ filled(behead(w))
	}
	return marked(is2[0], is2[1]), marked(is23[0], is23[1])
}
