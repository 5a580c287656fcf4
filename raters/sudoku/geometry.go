package sudoku

import (
	"fmt"
	"math/bits"
)

// A cell is numbered 9·row+column from 0. A house is numbered: rows 0–8, columns 9–17, boxes 18–26.
const (
	rowHouse = 0
	colHouse = 9
	boxHouse = 18
	boxes    = 511 << boxHouse // as a set of houses
)

var (
	houses     [27][9]uint8 // cells of each house in reading order
	houseOf    [81][3]uint8 // row, column and box of each cell
	placeOf    [81][3]uint8 // the cell's place, 0–8, in each of them
	housesOf   [81]uint32   // the same three houses as a set
	cellsOf    [27]cellSet  // cells of each house
	houseNames [27]string   // "row 1" … "box 9"
	cellNames  [81]string   // "r1c1" … "r9c9"
	sees       [81]cellSet  // peers of each cell
)

func init() {
	for c := range 81 {
		r, k := c/9, c%9
		cellNames[c] = fmt.Sprintf("r%dc%d", r+1, k+1)
		houseOf[c] = [3]uint8{uint8(r), uint8(colHouse + k), uint8(boxHouse + r/3*3 + k/3)}
		placeOf[c] = [3]uint8{uint8(k), uint8(r), uint8(r%3*3 + k%3)}
		for i, h := range houseOf[c] {
			houses[h][placeOf[c][i]] = uint8(c)
			housesOf[c] |= 1 << h
			cellsOf[h].add(c)
		}
	}
	for i, kind := range []string{"row", "column", "box"} {
		for n := range 9 {
			houseNames[9*i+n] = fmt.Sprintf("%s %d", kind, n+1)
		}
	}
	for c := range 81 {
		for _, h := range houseOf[c] {
			for _, p := range houses[h] {
				sees[c].add(int(p))
			}
		}
		sees[c].remove(c)
	}
}

// cellSet is a set of cells.
type cellSet [2]uint64

func (s *cellSet) add(c int)            { s[c>>6&1] |= 1 << (c & 63) }
func (s *cellSet) remove(c int)         { s[c>>6&1] &^= 1 << (c & 63) }
func (s cellSet) has(c int) bool        { return s[c>>6]>>(c&63)&1 != 0 }
func (s cellSet) or(t cellSet) cellSet  { return cellSet{s[0] | t[0], s[1] | t[1]} }
func (s cellSet) xor(t cellSet) cellSet { return cellSet{s[0] ^ t[0], s[1] ^ t[1]} }
func (s cellSet) and(t cellSet) cellSet {
	return cellSet{s[0] & t[0], s[1] & t[1]}
}
func (s cellSet) less(t cellSet) cellSet {
	return cellSet{s[0] &^ t[0], s[1] &^ t[1]}
}
func (s cellSet) empty() bool { return s[0]|s[1] == 0 }

// first gives the first cell, or −1.
func (s cellSet) first() int {
	switch {
	case s[0] != 0:
		return bits.TrailingZeros64(s[0])
	case s[1] != 0:
		return 64 + bits.TrailingZeros64(s[1])
	}
	return -1
}

// row gives the cells of a row as its places.
func (s cellSet) row(r uint8) uint16 {
	at := 9 * uint(r)
	if at > 63 {
		return uint16(s[1]>>(at-64)) & nine
	}
	return uint16(s[0]>>at|s[1]<<(64-at)) & nine
}

// list writes the cells in order and gives their number.
func (s cellSet) list(to []uint8) (n int) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			to[n] = uint8(64*i + bits.TrailingZeros64(w))
			n++
		}
	}
	return n
}

// all goes through the cells in order.
func (s cellSet) all(yield func(uint8) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(uint8(64*i + bits.TrailingZeros64(w))) {
				return
			}
		}
	}
}
