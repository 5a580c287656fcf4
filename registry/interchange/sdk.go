package interchange

import (
	"strings"

	"assay/raters"
)

// The files of SudoCue and of Sadman have a line for each row; above it may stand "#A" and an author, and more of this kind, or
// the name of a section. Those of Simple Sudoku have a box drawn. The reader of grids reads both.
var (
	sdk          = Format{Name: "sdk", Recognise: never, Read: readRows, Write: writeSdk}
	simpleSudoku = Format{Name: "ss", Recognise: never, Read: readRows, Write: writeSimple}
)

func writeSdk(p raters.Puzzle) (string, error) {
	if _, err := plainParts(p, "sdk"); err != nil {
		return "", err
	}
	return writeGrid(p)
}

func writeSimple(p raters.Puzzle) (string, error) {
	if _, err := plainParts(p, "ss"); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("*-----------*\n")
	for r := range 9 {
		if r == 3 || r == 6 {
			b.WriteString("|---+---+---|\n")
		}
		row := p.Text[9*r : 9*r+9]
		b.WriteString("|" + row[:3] + "|" + row[3:6] + "|" + row[6:] + "|\n")
	}
	return b.String() + "*-----------*", nil
}
