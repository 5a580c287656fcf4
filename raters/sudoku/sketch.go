package sudoku

import (
	"slices"
	"strings"

	"assay/raters"
)

// Sketch implements raters.Sketcher. Two rows of a band of a complete grid make a permutation of the digits: from the digit in
// one row to that below or above it in the other. The lengths of its cycles stay the same when digits, columns or
// stacks change places. The sketch has these lengths for each pair of rows, sorted within bands, the bands sorted, of the
// grid and of its transpose, in the lesser order.
func (canonizer) Sketch(p raters.Puzzle) (string, error) {
	cells, err := parse(p)
	if err != nil {
		return "", err
	}
	var turned [81]uint8
	for c, v := range cells {
		turned[c%9*9+c/9] = v
	}
	sides := [2]string{}
	for i, grid := range []*[81]uint8{&cells, &turned} {
		for row := range 9 {
			if !isPermutation(grid[9*row : 9*row+9]) {
				return "", &raters.RequestError{Reason: "a grid that is not complete has no sketch"}
			}
		}
		sides[i] = bandSketch(grid)
	}
	slices.Sort(sides[:])
	return sides[0] + "|" + sides[1], nil
}

func isPermutation(row []uint8) bool {
	var seen uint16
	for _, v := range row {
		seen |= 1 << v
	}
	return seen == 0x3fe
}

func bandSketch(grid *[81]uint8) string {
	var bands [3]string
	for band := range 3 {
		var rows [3][]uint8
		for i := range rows {
			rows[i] = grid[27*band+9*i : 27*band+9*i+9]
		}
		pairs := []string{cycles(rows[0], rows[1]), cycles(rows[0], rows[2]), cycles(rows[1], rows[2])}
		slices.Sort(pairs)
		bands[band] = strings.Join(pairs, ",")
	}
	slices.Sort(bands[:])
	return strings.Join(bands[:], ";")
}

// cycles returns the lengths of the cycles of the permutation from one row to another, ascending, a digit each.
func cycles(from, to []uint8) string {
	var next [10]uint8
	for i, v := range from {
		next[v] = to[i]
	}
	var lengths []byte
	for start := uint8(1); start <= 9; start++ {
		n := byte('0')
		for at := start; next[at] != 0; n++ {
			at, next[at] = next[at], 0
		}
		if n > '0' {
			lengths = append(lengths, n)
		}
	}
	slices.Sort(lengths)
	return string(lengths)
}
