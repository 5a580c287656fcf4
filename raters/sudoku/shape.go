package sudoku

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// The largest grids that masks of 16 values allow.
const (
	maxSize  = 16
	maxCells = maxSize * maxSize
)

// maxHouses keeps the numbers of houses within 8 bits.
const maxHouses = 256

// kind says what a house is.
type kind uint8

// The kinds, in the order in which their houses come.
const (
	rowKind kind = iota
	columnKind
	boxKind
	diagonalKind
	cageKind
)

// house is a set of cells that hold different digits. It has a cell for each digit, which then has its place there;
// only a cage may have fewer.
type house struct {
	kind   kind
	number int     // from 1, among those of its kind
	cells  []uint8 // in order of place: reading order
	sum    int     // of the digits of a cage; 0 when nothing is said of it
}

// member is a house of a cell, and the cell's place in it.
type member struct{ house, place uint8 }

// shape is a grid by its size and its houses: rows, columns, boxes, others, cages. It never changes. A cell is numbered
// size·row + column, a house by its place in the list. Digits count from 0.
type shape struct {
	size      int
	houses    []house
	full      int // how many houses hold each digit: the first ones
	lines     []uint8
	boxes     []uint8
	cellsIn   []boardSet       // house: its cells
	cellAt    [][maxSize]uint8 // house, place: the cell
	allCells  boardSet
	allPlaces [][maxSize]uint16  // house, digit: all its places
	of        [maxCells][]member // cell: its houses, in order
	fullOf    [maxCells][]member // cell: those of them that hold each digit
	boxOf     [maxCells]uint8
	peers     [maxCells]boardSet
	caged     *caged // nil when it has no cages
	naming    logic.Naming

	// Made at first use. Cages change neither, so that a shape shares them with the one that its cages were put on.
	topology  func() *deduce.Topology  // of sudoku.canonical
	tiered    func() *deduce.Topology  // of sudoku.tiers
	regions   func() []sumRegion       // of the rule of 45
	inRegions func() *[maxCells]uint64 // cell: those it is in
	ground    func() *ground           // of the solver
}

// newShape gives the grid of boxes with so many rows and columns, with these houses beside, cages last.
func newShape(boxRows, boxColumns int, others ...house) *shape {
	return newShapeOf(regularBoxes(boxRows, boxColumns), others...)
}

// regularBoxes gives the box of each cell, from 0, of a grid of boxes with so many rows and columns.
func regularBoxes(boxRows, boxColumns int) []uint8 {
	n := boxRows * boxColumns
	boxes := make([]uint8, n*n)
	for c := range boxes {
		boxes[c] = uint8(c/n/boxRows*(n/boxColumns) + c%n/boxColumns)
	}
	return boxes
}

// newShapeOf gives the grid with this box, from 0, of each cell, with these houses beside, cages last.
func newShapeOf(boxes []uint8, others ...house) *shape {
	n := sideOf(len(boxes))
	houses := make([]house, 3*n, 3*n+len(others))
	for c, box := range boxes {
		for i, h := range [3]int{c / n, n + c%n, 2*n + int(box)} {
			houses[h].kind = kind(i)
			houses[h].cells = append(houses[h].cells, uint8(c))
		}
	}
	return shapeOf(n, append(houses, others...))
}

// sideOf gives the rows of a grid of so many cells.
func sideOf(cells int) (n int) {
	for n*n < cells {
		n++
	}
	return n
}

// diagonals gives the two main diagonals of a grid of a size.
func diagonals(size int) []house {
	down, up := house{kind: diagonalKind}, house{kind: diagonalKind}
	for i := range size {
		down.cells = append(down.cells, uint8(i*(size+1)))
		up.cells = append(up.cells, uint8((i+1)*(size-1)))
	}
	return []house{down, up}
}

// shapeOf gives the grid of these houses. It panics where they are not as they should be.
func shapeOf(size int, houses []house) *shape {
	s := &shape{size: size, houses: houses, cellsIn: make([]boardSet, len(houses))}
	s.naming = logic.Naming{Columns: size, Values: strings.Split("123456789ABCDEFG"[:size], "")}
	s.topology, s.tiered = sync.OnceValue(s.newTopology), sync.OnceValue(s.newTiersTopology)
	s.ground = sync.OnceValue(func() *ground { return newGround(s) })
	s.regions, s.inRegions = sync.OnceValue(s.newRegions), sync.OnceValue(s.newInRegions)
	for h := range houses {
		s.checkHouse(h)
		if houses[h].kind != cageKind {
			s.full++
		}
		s.addHouse(uint8(h))
	}
	for c := range s.cells() {
		s.allCells.add(c)
		for _, m := range s.of[c] {
			s.peers[c] = s.peers[c].or(s.cellsIn[m.house])
		}
		s.peers[c] = s.peers[c].less(setOf(c))
	}
	if len(s.cages()) > 0 {
		s.caged = s.newCaged()
	}
	return s
}

// checkHouse panics when a house is not as it should be, after those before.
func (s *shape) checkHouse(h int) {
	x, whole := &s.houses[h], s.houses[h].kind != cageKind
	if whole && (len(x.cells) != s.size || s.full < h) || len(x.cells) > s.size || h >= maxHouses {
		panic(fmt.Sprintf("sudoku: house %d of %d, a %s of %d cells", h, len(s.houses), kindNames[x.kind], len(x.cells)))
	}
	x.number = 1
	if h > 0 && s.houses[h-1].kind == x.kind {
		x.number = s.houses[h-1].number + 1
	}
}

// withCages gives the same grid with cages. It costs little, since it shares what the cages do not change.
func (s *shape) withCages(cages []house) *shape {
	t := *s
	t.houses = append(slices.Clip(t.houses), cages...)
	t.cellsIn = append(slices.Clip(t.cellsIn), make([]boardSet, len(cages))...)
	t.cellAt, t.allPlaces = slices.Clip(t.cellAt), slices.Clip(t.allPlaces)
	room := make([]member, 0, s.cells()*(1+len(s.of[0])+2))
	for h := len(s.houses); h < len(t.houses); h++ {
		t.checkHouse(h)
		for _, c := range t.houses[h].cells {
			n := len(room)
			room = append(append(room, t.of[c]...), member{})
			t.of[c] = room[n : len(room)-1 : len(room)]
		}
		t.addHouse(uint8(h))
		for _, c := range t.houses[h].cells {
			t.peers[c] = t.peers[c].or(t.cellsIn[h]).less(setOf(int(c)))
		}
	}
	t.caged = t.newCaged()
	return &t
}

// addHouse notes what house its cells are in.
func (s *shape) addHouse(h uint8) {
	x := &s.houses[h]
	var places [maxSize]uint16
	var cells [maxSize]uint8
	copy(cells[:], x.cells)
	s.cellAt = append(s.cellAt, cells)
	for d := range s.size {
		places[d] = 1<<len(x.cells) - 1
	}
	s.allPlaces = append(s.allPlaces, places)
	for i, c := range x.cells {
		s.of[c] = append(s.of[c], member{h, uint8(i)})
		if x.kind != cageKind {
			s.fullOf[c] = append(s.fullOf[c], member{h, uint8(i)})
		}
		s.cellsIn[h].add(int(c))
		if x.kind == boxKind {
			s.boxOf[c] = h
		}
	}
	switch {
	case x.kind == boxKind:
		s.boxes = append(s.boxes, h)
	case x.kind != cageKind:
		s.lines = append(s.lines, h)
	}
}

func (s *shape) cells() int { return s.size * s.size }

// cages gives the houses that need not hold each digit.
func (s *shape) cages() []house { return s.houses[s.full:] }

// all gives the set of all digits, which is also that of all places of a house that holds each digit.
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

var kindNames = [...]string{"row", "column", "box", "diagonal", "cage"}

// houseName gives "row 3", "column 4" or "box 5".
func (s *shape) houseName(h int) string {
	return fmt.Sprintf("%s %d", kindNames[s.houses[h].kind], s.houses[h].number)
}

// linesName gives "rows 2 and 7" or "columns 2, 3 and 7".
func (s *shape) linesName(of kind, lines uint16) string {
	var numbers []string
	for m := lines; m != 0; m &= m - 1 {
		numbers = append(numbers, fmt.Sprint(lowest(m)+1))
	}
	return kindNames[of] + "s " + listed(numbers)
}

// line gives a row or a column, counted from 0.
func (s *shape) line(of kind, i int) int { return int(of)*s.size + i }

// cell gives that of a place in a house.
func (s *shape) cell(house, place int) int { return int(s.cellAt[house][place]) }

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

// count gives the number of cells.
func (s boardSet) count() int {
	return bits.OnesCount64(s.a) + bits.OnesCount64(s.b) + bits.OnesCount64(s.c) + bits.OnesCount64(s.d)
}
