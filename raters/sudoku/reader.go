package sudoku

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/raters"
)

// maxText is the longest text read, in bytes. A boxed grid with blanks between its cells has some 500.
const maxText = 4096

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

// reader reads grids as people write them. It implements raters.RowReader.
type reader struct{}

// Read takes a grid as one line of 81 cells or as nine lines of nine. Empty cells are ". 0 _ *"; also blanks, in a
// line without these and with exactly as many characters as cells. Bars, blanks between cells, lines of a box drawing,
// blank lines, a byte order mark and a leading word "sudoku" are passed over.
func (reader) Read(v, s string) (raters.Puzzle, error) {
	if v != Variant {
		return raters.Puzzle{}, &raters.RequestError{Reason: fmt.Sprintf("sudoku has no variant %q; offered: %s", v, Variant)}
	}
	if isCanonical(s) {
		return raters.Puzzle{Genre: Name, Variant: Variant, Text: s}, nil
	}
	rows, err := rowsOf(s)
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
	return raters.Puzzle{Genre: Name, Variant: Variant, Text: string(cells)}, nil
}

// IsRow takes a line with less than half the cells of a grid, or of the drawing of a box, for one of several.
func (reader) IsRow(_, _, line string) bool {
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

// rowsOf gives the lines with cells.
func rowsOf(s string) (rows []row, err error) {
	if len(s) > maxText {
		return nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(s), maxText)}
	}
	start := 1
	if t, ok := strings.CutPrefix(s, "\ufeff"); ok {
		s, start = t, 2
	}
	if t, ok := strings.CutPrefix(s, Name); ok {
		s, start = t, start+len(Name)
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

// drawing tells whether a line is blank or part of a box.
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

// cellOf gives the canonical character of a cell, 0 for what stands between cells, or false.
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
