package interchange

import (
	"fmt"
	"regexp"
	"strings"

	"assay/raters"
	"assay/raters/sudoku"
)

// A line of a library of HoDoKu is ":technique:candidates:cells:deleted:eliminations:placements:extra". In the cells a plus
// stands before a digit that was placed and is no given.
var hodoku = Format{Name: "hodoku", Recognise: isHodoku, Read: readHodoku, Write: writeHodoku, Own: isHodoku}

var hodokuStart = regexp.MustCompile(`^\s*:[0-9]{4}`)

func isHodoku(text string) bool { return hodokuStart.MatchString(text) }

func readHodoku(_, text string) (rec Record, err error) {
	fields := strings.Split(text, ":")
	if len(fields) < 4 {
		return rec, &raters.SyntaxError{Line: 1, Column: 1 + len(text), Reason: "a line of HoDoKu without cells in its fourth field"}
	}
	column := 1 + len(strings.Join(fields[:3], ":")) + 1
	var cells []int
	for i := 0; i < len(fields[3]); i++ {
		ch, placed := fields[3][i], false
		if ch == '+' && i+1 < len(fields[3]) {
			i++
			ch, placed = fields[3][i], true
		}
		v, known := number(string(ch), 9)
		if !known {
			return rec, &raters.SyntaxError{Line: 1, Column: column + i, Reason: fmt.Sprintf("%q is neither a digit from 1 to 9 nor an empty cell", ch)}
		}
		if placed {
			v = 0
		}
		cells = append(cells, v)
	}
	if len(cells) != 81 {
		return rec, &raters.SyntaxError{Line: 1, Column: column, Reason: fmt.Sprintf("%d cells, not 81", len(cells))}
	}
	rec.Puzzle, err = puzzleOf(sudoku.Variant, cells)
	return rec, err
}

func writeHodoku(p raters.Puzzle) (string, error) {
	_, err := plainParts(p, "hodoku")
	return ":0000:x:" + p.Text + ":::", err
}
