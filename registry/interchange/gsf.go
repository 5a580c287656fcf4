package interchange

import (
	"strings"

	"assay/raters/sudoku"
)

// A line of gsf's program has six commas or more. The cells are its first or its fifth field; the others are what the program
// says of the puzzle.
var gsf = Format{Name: "gsf", Recognise: isGsf, Read: readGsf, Own: isGsf}

// gsfCells returns which field the cells are, −1 when none is.
func gsfCells(fields []string) int {
	if len(fields) < 7 {
		return -1
	}
	for _, i := range []int{0, 4} {
		if field := strings.Trim(fields[i], "\ufeff \t"); len(field) == 81 && run(field) == 81 {
			return i
		}
	}
	return -1
}

func isGsf(text string) bool { return gsfCells(strings.SplitN(text, ",", 200)) >= 0 }

func readGsf(_, text string) (rec Record, err error) {
	fields := strings.Split(strings.TrimRight(text, " \t\r\n"), ",")
	at := gsfCells(fields)
	cells, err := givens(strings.Trim(fields[at], "\ufeff \t"), 1+len(strings.Join(fields[:at], ","))+min(at, 1))
	if err != nil {
		return rec, err
	}
	rest := append(append([]string{}, fields[:at]...), fields[at+1:]...)
	rec.Along.Rating = strings.Trim(strings.Join(rest, ","), ", ")
	rec.Puzzle, err = puzzleOf(sudoku.Variant, cells)
	return rec, err
}
