package sudoku

import "fmt"

// A cell is numbered 9·row+column from 0. A house is numbered: rows 0–8, columns 9–17, boxes 18–26.
const (
	rowHouse = 0
	colHouse = 9
	boxHouse = 18
)

var (
	houses     [27][9]uint8 // cells of each house in reading order
	houseOf    [81][3]uint8 // row, column and box of each cell
	placeOf    [81][3]uint8 // the cell's place, 0–8, in each of them
	cellsOf    [27]cellSet  // cells of each house
	houseNames [27]string   // "row 1" … "box 9"
	cellNames  [81]string   // "r1c1" … "r9c9"
	sees       [81]cellSet  // peers of each cell
)

// A board is the cells as a row each for the rows, the columns or the boxes, in three kinds: place p of row n
// of board k is place p of house 9·k+n.
var (
	onBoard [81][3]uint8   // the bit of each cell
	scope   [81][3]cellSet // the cell and its peers
)

func init() {
	for c := range 81 {
		r, k := c/9, c%9
		cellNames[c] = fmt.Sprintf("r%dc%d", r+1, k+1)
		houseOf[c] = [3]uint8{uint8(r), uint8(colHouse + k), uint8(boxHouse + r/3*3 + k/3)}
		placeOf[c] = [3]uint8{uint8(k), uint8(r), uint8(r%3*3 + k%3)}
		for i, h := range houseOf[c] {
			houses[h][placeOf[c][i]] = uint8(c)
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
	for c := range 81 {
		for k, h := range houseOf[c] {
			onBoard[c][k] = bitOf[9*(h-uint8(9*k))+placeOf[c][k]]
		}
	}
	for c := range 81 {
		for k := range 3 {
			scope[c][k].set(onBoard[c][k])
			for p := range sees[c].all {
				scope[c][k].set(onBoard[p][k])
			}
		}
	}
}
