package sudoku

import (
	"fmt"
	"math/bits"
	"strings"

	"assay/raters"
)

// The largest grids that masks of 16 values allow.
const (
	maxSize  = 16
	maxCells = maxSize * maxSize
)

// shape is a grid by its size and that of its boxes. A cell is numbered size·row + column, a house 0 to size−1 for
// rows, then columns, then boxes, a place is that of a cell in a house, in reading order. Digits count from 0.
type shape struct {
	size                int
	boxRows, boxColumns int
	house               [3 * maxSize][maxSize]uint8 // its cells
	houseOf             [maxCells][3]uint8          // row, column and box of a cell
	placeOf             [maxCells][3]uint8          // the cell's place in each of them
	in                  [3 * maxSize]boardSet       // cells of a house
	peers               [maxCells]boardSet
	naming              raters.Naming
}

var classicShape = newShape(3, 3)

// newShape gives the grid of boxes with so many rows and columns.
func newShape(boxRows, boxColumns int) *shape {
	n := boxRows * boxColumns
	s := &shape{size: n, boxRows: boxRows, boxColumns: boxColumns}
	s.naming = raters.Naming{Columns: n, Values: strings.Split("123456789ABCDEFG"[:n], "")}
	for c := range n * n {
		r, k := c/n, c%n
		box := r/boxRows*(n/boxColumns) + k/boxColumns
		s.houseOf[c] = [3]uint8{uint8(r), uint8(n + k), uint8(2*n + box)}
		s.placeOf[c] = [3]uint8{uint8(k), uint8(r), uint8(r%boxRows*boxColumns + k%boxColumns)}
		for i, h := range s.houseOf[c] {
			s.house[h][s.placeOf[c][i]] = uint8(c)
			s.in[h].add(c)
		}
	}
	for c := range n * n {
		for _, h := range s.houseOf[c] {
			s.peers[c] = s.peers[c].or(s.in[h])
		}
		s.peers[c] = s.peers[c].less(setOf(c))
	}
	return s
}

func (s *shape) cells() int { return s.size * s.size }

// all gives the set of all digits, which is also that of all places of a house.
func (s *shape) all() uint16 { return uint16(1<<s.size - 1) }

// sees tells whether two cells are peers.
func (s *shape) sees(a, b int) bool { return s.peers[a].has(b) }

// cellName gives "r3c4".
func (s *shape) cellName(c int) string { return s.naming.Variable(c) }

func (s *shape) cellNames(cells ...uint16) string {
	names := make([]string, len(cells))
	for i, c := range cells {
		names[i] = s.cellName(int(c))
	}
	return strings.Join(names, " ")
}

// houseName gives "row 3", "column 4" or "box 5".
func (s *shape) houseName(h int) string {
	return fmt.Sprintf("%s %d", [3]string{"row", "column", "box"}[h/s.size], h%s.size+1)
}

// linesName gives "rows 2 and 7" or "columns 2, 3 and 7".
func (s *shape) linesName(kind int, lines uint16) string {
	var numbers []string
	for m := lines; m != 0; m &= m - 1 {
		numbers = append(numbers, fmt.Sprint(lowest(m)+1))
	}
	return [2]string{"rows ", "columns "}[kind] + listed(numbers)
}

func listed(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// boardSet is a set of cells of a shape. It has four fields, since the compiler keeps an array in memory.
type boardSet struct{ a, b, c, d uint64 }

func setOf(cell int) (s boardSet) {
	s.add(cell)
	return s
}

func (s *boardSet) add(cell int)    { *s.word(cell) |= 1 << (cell & 63) }
func (s *boardSet) toggle(cell int) { *s.word(cell) ^= 1 << (cell & 63) }

func (s boardSet) has(cell int) bool { return *s.word(cell)>>(cell&63)&1 != 0 }

func (s *boardSet) word(cell int) *uint64 {
	switch cell >> 6 {
	case 0:
		return &s.a
	case 1:
		return &s.b
	case 2:
		return &s.c
	}
	return &s.d
}

func (s boardSet) and(t boardSet) boardSet {
	return boardSet{s.a & t.a, s.b & t.b, s.c & t.c, s.d & t.d}
}
func (s boardSet) or(t boardSet) boardSet {
	return boardSet{s.a | t.a, s.b | t.b, s.c | t.c, s.d | t.d}
}
func (s boardSet) less(t boardSet) boardSet {
	return boardSet{s.a &^ t.a, s.b &^ t.b, s.c &^ t.c, s.d &^ t.d}
}
func (s boardSet) empty() bool { return s.a|s.b|s.c|s.d == 0 }

// first gives the first cell of a set that is not empty.
func (s boardSet) first() int {
	switch {
	case s.a != 0:
		return bits.TrailingZeros64(s.a)
	case s.b != 0:
		return 64 + bits.TrailingZeros64(s.b)
	case s.c != 0:
		return 128 + bits.TrailingZeros64(s.c)
	}
	return 192 + bits.TrailingZeros64(s.d)
}

// all goes through the cells in order.
func (s boardSet) all(yield func(int) bool) {
	for w, m := range [4]uint64{s.a, s.b, s.c, s.d} {
		for ; m != 0; m &= m - 1 {
			if !yield(64*w + bits.TrailingZeros64(m)) {
				return
			}
		}
	}
}
