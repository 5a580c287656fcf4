package interchange

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/sudoku"
)

// maxGrid is the longest grid read, in bytes. A boxed one with blanks between its cells has some 500.
const maxGrid = 4096

// The formats of sudoku: a line of 81 cells, and nine lines of nine. Empty cells are ". 0 _ *"; also blanks, in a line without
// these and with exactly as many characters as cells. Bars, blanks between cells, lines of a box drawing, blank lines, a
// byte order mark and a leading word "sudoku" are passed over.
var (
	sudokuLine = Format{Name: "line81", Read: readGrid, Write: canonical}
	sudokuGrid = Format{Name: "grid", Recognise: hasLines, Split: splitGrid, Read: readGrid, Write: writeGrid}
)

var sudokuReader = sudoku.Genre().Reader

func readGrid(variant, text string) (raters.Puzzle, error) {
	if len(text) == 81 && strings.IndexByte(text, '.') >= 0 { // mostly canonical
		if p, err := sudokuReader.Read(variant, text); err == nil {
			return p, nil
		}
	}
	rows, err := rowsOf(text)
	if err != nil {
		return raters.Puzzle{}, err
	}
	perRow := 9
	if len(rows) == 1 {
		perRow = 81
	}
	cells := make([]byte, 0, 81)
	for i, row := range rows {
		if i == 9 {
			return raters.Puzzle{}, &raters.SyntaxError{Line: row.number, Column: 1, Reason: "more than 9 rows"}
		}
		if cells, err = row.cells(cells, perRow); err != nil {
			return raters.Puzzle{}, err
		}
	}
	if len(cells) < 81 {
		last := rows[len(rows)-1]
		return raters.Puzzle{}, &raters.SyntaxError{Line: last.number, Column: last.start + utf8.RuneCountInString(last.text),
			Reason: fmt.Sprintf("the grid ends after %d of 9 rows", len(rows))}
	}
	return sudokuReader.Read(variant, string(cells))
}

func hasLines(text string) bool { return strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

// splitGrid takes a line with less than half the cells of a grid, or of the drawing of a box, for one of several.
func splitGrid(_, line string) bool {
	if utf8.RuneCountInString(line) >= 81 {
		return false
	}
	cells := 0
	for _, ch := range line {
		if ch != ' ' && ch != '\t' && ch != '|' {
			cells++
		}
	}
	return 2*cells < 81 || drawing(line)
}

// row is a line of a text with cells in it.
type row struct {
	number int // of the line
	start  int // column of the first character
	text   string
}

// rowsOf returns the lines with cells.
func rowsOf(s string) (rows []row, err error) {
	if len(s) > maxGrid {
		return nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(s), maxGrid)}
	}
	start := 1
	if t, ok := strings.CutPrefix(s, "\ufeff"); ok {
		s, start = t, 2
	}
	if t, ok := strings.CutPrefix(s, sudoku.Name); ok {
		s, start = t, start+len(sudoku.Name)
	}
	for i, line := range strings.Split(s, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if !drawing(line) {
			rows = append(rows, row{number: i + 1, start: start, text: line})
		}
		start = 1
	}
	if len(rows) == 0 {
		return nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: "no cell of a grid"}
	}
	return rows, nil
}

// drawing reports whether a line is blank or part of a box.
func drawing(line string) bool {
	blank := strings.Trim(line, " \t") == ""
	return blank || strings.Trim(line, " \t|+-=*:") == "" && strings.ContainsAny(line, "-=")
}

// cells appends the canonical characters of a row's cells.
func (r row) cells(to []byte, want int) ([]byte, error) {
	n, blanks, marked := 0, 0, strings.ContainsAny(r.text, ".0_*")
	for _, ch := range r.text {
		switch {
		case ch == '|':
		case ch == ' ' || ch == '\t':
			blanks++
		default:
			n++
		}
	}
	blankIsCell := !marked && n < want && n+blanks == want
	column, seen := r.start, 0
	for _, ch := range r.text {
		cell, ok := cellOf(ch, blankIsCell)
		switch {
		case !ok:
			return nil, &raters.SyntaxError{Line: r.number, Column: column, Reason: fmt.Sprintf("%q is neither a digit from 1 to 9 nor an empty cell (. 0 _ *)", ch)}
		case cell != 0 && seen == want:
			return nil, &raters.SyntaxError{Line: r.number, Column: column, Reason: fmt.Sprintf("more than %d cells", want)}
		case cell != 0:
			to = append(to, cell)
			seen++
		}
		column++
	}
	if seen < want {
		return nil, &raters.SyntaxError{Line: r.number, Column: column, Reason: fmt.Sprintf("the line ends after %d of %d cells", seen, want)}
	}
	return to, nil
}

// cellOf returns the canonical character of a cell, 0 for what stands between cells, or false.
func cellOf(ch rune, blankIsCell bool) (byte, bool) {
	switch {
	case ch >= '1' && ch <= '9':
		return byte(ch), true
	case ch == '.' || ch == '0' || ch == '_' || ch == '*':
		return '.', true
	case (ch == ' ' || ch == '\t') && blankIsCell:
		return '.', true
	case ch == ' ' || ch == '\t' || ch == '|':
		return 0, true
	}
	return 0, false
}

// writeGrid writes nine lines of nine.
func writeGrid(p raters.Puzzle) (string, error) {
	if _, err := sudokuReader.Read(p.Variant, p.Text); err != nil {
		return "", err
	}
	var b strings.Builder
	for i := 0; i < len(p.Text); i += 9 {
		b.WriteString(p.Text[i:i+9] + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
