package sudoku

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
	for h := range houses {
		houseNames[h] = classicShape.houseName(h)
		for i, c := range classicShape.houses[h].cells {
			houses[h][i] = c
			houseOf[c][h/9], placeOf[c][h/9] = uint8(h), uint8(i)
			cellsOf[h].add(int(c))
		}
	}
	for c := range 81 {
		cellNames[c] = classicShape.cellName(c)
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
