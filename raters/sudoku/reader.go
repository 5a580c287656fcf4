package sudoku

import (
	"fmt"

	"assay/raters"
)

// text gives the canonical text of a grid: 81 characters row by row, "." for an empty cell.
func text(cells *[81]uint8) string {
	var out [81]byte
	for i, v := range cells {
		out[i] = ".123456789"[v]
	}
	return string(out[:])
}

// cellValues gives the value of each character of a canonical text; noCell for all others. With a table, what a cell
// holds is no branch, which could not be predicted.
var cellValues = func() (values [256]uint8) {
	for ch := range values {
		values[ch] = noCell
	}
	for v, ch := range ".123456789" {
		values[ch] = uint8(v)
	}
	return values
}()

const noCell = 1 << 7

// parse reads a canonical text; 0 is an empty cell.
func parse(p raters.Puzzle) (cells [81]uint8, err error) {
	if p.Genre != Name || p.Variant != Variant {
		return cells, &raters.RequestError{Reason: fmt.Sprintf("no puzzle of %s/%s: %s/%s", Name, Variant, p.Genre, p.Variant)}
	}
	if !isCanonical(p.Text) {
		return cells, notCanonical(p.Text)
	}
	for i := range cells {
		cells[i] = cellValues[p.Text[i]]
	}
	return cells, nil
}

// isCanonical tells whether a text is one of 81 cells.
func isCanonical(s string) bool {
	if len(s) != 81 {
		return false
	}
	var all uint8
	for i := range len(s) {
		all |= cellValues[s[i]]
	}
	return all&noCell == 0
}

// notCanonical says where a text stops being canonical.
func notCanonical(s string) error {
	for i := range 81 {
		if i >= len(s) {
			return &raters.SyntaxError{Line: 1, Column: i + 1, Reason: fmt.Sprintf("the text ends after %d of 81 cells", i)}
		}
		if cellValues[s[i]] == noCell {
			return &raters.SyntaxError{Line: 1, Column: i + 1, Reason: "not a digit from 1 to 9 nor ."}
		}
	}
	return &raters.SyntaxError{Line: 1, Column: 82, Reason: "more than 81 cells"}
}

// reader reads canonical texts.
type reader struct{}

// Read takes a canonical text.
func (reader) Read(v, s string) (raters.Puzzle, error) {
	if v != Variant {
		return raters.Puzzle{}, &raters.RequestError{Reason: fmt.Sprintf("sudoku has no variant %q; offered: %s", v, Variant)}
	}
	if !isCanonical(s) {
		return raters.Puzzle{}, notCanonical(s)
	}
	return raters.Puzzle{Genre: Name, Variant: Variant, Text: s}, nil
}

// Draw gives the grid.
func (reader) Draw(p raters.Puzzle) (raters.Board, error) {
	cells, err := parse(p)
	if err != nil {
		return raters.Board{}, err
	}
	out := raters.Board{Rows: 9, Columns: 9, Cells: make([]raters.Cell, 81), Regions: make([]int, 81), Values: raters.Symbols(naming.Values)}
	for i, v := range cells {
		out.Regions[i] = i/27*3 + i%9/3
		if v != 0 {
			out.Cells[i].Text = naming.Values[v-1]
		}
	}
	return out, nil
}
