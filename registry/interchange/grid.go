package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/sudoku"
)

// maxGrid is the longest grid read, in bytes. A boxed one with blanks between its cells has some 500.
const maxGrid = 4096

// A line for each row of cells. Empty cells are ". 0 _ *"; also "-" or "x" where there is none of these, and blanks, in a line
// without these and with exactly as many characters as cells. Letters may be small. Bars, blanks between cells, lines of a
// box drawing, blank lines, a byte order mark and a leading word "sudoku" are passed over. Where more comes with a puzzle,
// boxes or cages of its own, it is a line: the cells, and what follows as in the canonical text.
var sudokuGrid = Format{Name: "grid", Recognise: hasLines, Split: splitGrid, Read: readRows, Write: writeGrid, Own: hasLines}

// readRows reads a grid of rows: of cells, or of the candidates of each cell.
func readRows(variant, text string) (Record, error) {
	if variant == "" {
		return readAnyRows(text)
	}
	p, err := readGrid(variant, text)
	return Record{Puzzle: p}, err
}

// readAnyRows reads a grid of rows under the variant that has as many.
func readAnyRows(text string) (Record, error) {
	rows, err := rowsOf(text)
	if err != nil {
		return Record{}, err
	}
	variant := sudoku.Variant
	for _, v := range sudoku.Genre().Variants {
		if cells, err := sudoku.CellsOf(v.Name); err == nil && cells.Alone && cells.Size == len(rows) && cells.Size != 9 {
			variant = v.Name
		}
	}
	p, err := readGrid(variant, text)
	return Record{Puzzle: p}, err
}

func readGrid(variant, text string) (raters.Puzzle, error) {
	cells, err := sudoku.CellsOf(variant)
	if err != nil {
		return raters.Puzzle{}, err
	}
	all := cells.Size * cells.Size
	if len(text) == all && strings.IndexByte(text, '.') >= 0 { // mostly canonical
		if p, err := sudokuReader.Read(variant, text); err == nil {
			return p, nil
		}
	}
	if !cells.Alone {
		return readWhole(variant, text, all)
	}
	rows, err := rowsOf(text)
	if err != nil {
		return raters.Puzzle{}, err
	}
	perRow := cells.Size
	if len(rows) == 1 {
		perRow = all
	}
	if rows, err = givensAlone(rows, cells.Size); err != nil {
		return raters.Puzzle{}, err
	}
	if p, ok, err := readCandidates(variant, rows, cells.Size); ok {
		return p, err
	}
	read, blank := make([]byte, 0, all), blanksOf(text)
	for i, row := range rows {
		if i == cells.Size {
			return raters.Puzzle{}, &raters.SyntaxError{Line: row.number, Column: 1, Reason: fmt.Sprintf("more than %d rows", cells.Size)}
		}
		if read, err = row.cells(read, perRow, cells.Digits, blank); err != nil {
			return raters.Puzzle{}, err
		}
	}
	if len(read) < all {
		last := rows[len(rows)-1]
		return raters.Puzzle{}, &raters.SyntaxError{Line: last.number, Column: last.start + utf8.RuneCountInString(last.text),
			Reason: fmt.Sprintf("the grid ends after %d of %d rows", len(rows), cells.Size)}
	}
	if bytes.IndexByte(read, '.') < 0 {
		return raters.Puzzle{}, &raters.SyntaxError{Line: rows[0].number, Column: rows[0].start, Reason: "a solution and no puzzle: no cell is empty"}
	}
	return sudokuReader.Read(variant, string(read))
}

// readWhole reads a line of so many cells and what follows. A blank at its end, which some programs take off, may be missing.
func readWhole(variant, text string, cells int) (raters.Puzzle, error) {
	rows, err := rowsOf(text)
	if err != nil {
		return raters.Puzzle{}, err
	}
	line := rows[0]
	for strings.HasPrefix(line.text, " ") {
		line.text, line.start = line.text[1:], line.start+1
	}
	line.text = strings.TrimRight(line.text, " \t")
	n := min(cells, len(line.text))
	line.text = strings.NewReplacer("0", ".", "_", ".", "*", ".").Replace(line.text[:n]) + line.text[n:]
	p, err := sudokuReader.Read(variant, line.text)
	if err != nil {
		if whole, err := sudokuReader.Read(variant, line.text+" "); err == nil {
			p = whole
		}
	}
	var syntax *raters.SyntaxError
	switch {
	case p.Text != "" && len(rows) > 1:
		return raters.Puzzle{}, &raters.SyntaxError{Line: rows[1].number, Column: 1, Reason: "the text goes on after its end"}
	case p.Text != "":
		return p, nil
	case errors.As(err, &syntax):
		return p, &raters.SyntaxError{Line: line.number, Column: line.start + syntax.Column - 1, Reason: syntax.Reason}
	}
	return p, err
}

func hasLines(text string) bool { return strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

// mostLines is how many lines a grid has: three drawings of 16 rows, as one program copies them.
const mostLines = 80

// splitGrid takes a line with less than half the cells of a grid, or of the drawing of a box, for one of several. Of a line
// of a grid of any size it takes only one that looks like a row, unless the rows before it are not all.
func splitGrid(variant, before, line string) bool {
	asked := variant
	if variant == "" {
		variant = sudoku.Variant
	}
	grid, err := sudoku.CellsOf(variant)
	all := grid.Size * grid.Size
	if err != nil || !grid.Alone || utf8.RuneCountInString(line) >= all && !drawing(line) && !isCandidates(line, grid.Size) {
		return false
	}
	cells := 0
	for _, ch := range line {
		if ch != ' ' && ch != '\t' && ch != '|' {
			cells++
		}
	}
	if asked != "" || drawing(line) {
		return 2*cells < all || drawing(line) || isCandidates(line, grid.Size)
	}
	return isRow(line, cells) || before != "" && 2*cells < all && !hasRows(before)
}

// isRow reports whether a line with so many signs looks like a row of a grid of any size.
func isRow(line string, cells int) bool {
	if strings.Trim(line, digits+"abcdefg"+empties+"| \t+u") != "" {
		return false
	}
	for _, size := range sudoku.Sizes() {
		if cells == size || isCandidates(line, size) || !strings.ContainsAny(line, ".0_*-xX") && utf8.RuneCountInString(line) == size {
			return true
		}
	}
	return false
}

// hasRows reports whether lines are all rows of a grid of any size, or too many.
func hasRows(lines string) bool {
	n, rows := 0, 0
	for line := range strings.SplitSeq(lines, "\n") {
		if n++; !drawing(line) {
			rows++
		}
	}
	return n > mostLines || rows >= 9 && rows != 10 && rows < 16 || rows == 18 || rows >= 27
}

// apart takes a text of several lines apart where each of them is a small puzzle: of 16 cells, without a digit above 4.
func (r Reader) apart(text Text) []Text {
	if !r.grids || r.variant != "" || text.Err != nil || strings.Trim(text.Text, "1234.0_*-xX\n") != "" {
		return []Text{text}
	}
	var each []Text
	for i, line := range strings.Split(text.Text, "\n") {
		if len(line) != 16 && line != "" {
			return []Text{text}
		}
		if line != "" {
			each = append(each, Text{Line: text.Line + i, Text: line})
		}
	}
	return each
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
	var dashed []row // with the lines that may be rows of empty cells, or else of a drawing
	for i, line := range strings.Split(s, "\n") {
		line = strings.TrimSuffix(line, "\r")
		at := row{number: i + 1, start: start, text: line}
		if !drawing(line) {
			rows, dashed = append(rows, at), append(dashed, at)
		} else if strings.Trim(line, "-") == "" && sizeFor(len(line)*len(line)) > 0 {
			dashed = append(dashed, at)
		}
		start = 1
	}
	if n := len(dashed); n > len(rows) && n > 1 && sizeFor(n*n) > 0 && blanksOf(s) == "-" {
		rows = dashed
	}
	if len(rows) == 0 {
		return nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: "no cell of a grid"}
	}
	return rows, nil
}

// drawing reports whether a line is blank or part of a box.
func drawing(line string) bool {
	blank := strings.Trim(line, " \t") == ""
	return blank || strings.Trim(line, " \t|+-=*:.'") == "" && (strings.Contains(line, "--") || strings.Contains(line, "="))
}

// cells appends the canonical characters of a row's cells.
func (r row) cells(to []byte, want int, digits, blank string) ([]byte, error) {
	n, blanks, marked := 0, 0, strings.ContainsAny(r.text, blank)
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
		cell, ok := cellOf(ch, digits, blank, blankIsCell)
		switch {
		case !ok:
			return nil, &raters.SyntaxError{Line: r.number, Column: column, Reason: fmt.Sprintf("%q is neither a digit from 1 to %c nor an empty cell (. 0 _ *)", ch, digits[len(digits)-1])}
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
func cellOf(ch rune, digits, blank string, blankIsCell bool) (byte, bool) {
	if strings.ContainsRune(blank, ch) {
		return '.', true
	}
	if ch >= 'a' && ch <= 'z' {
		ch -= 'a' - 'A'
	}
	switch {
	case strings.ContainsRune(digits, ch):
		return byte(ch), true
	case (ch == ' ' || ch == '\t') && blankIsCell:
		return '.', true
	case ch == ' ' || ch == '\t' || ch == '|':
		return 0, true
	}
	return 0, false
}

// writeGrid writes a line for each row.
func writeGrid(p raters.Puzzle) (string, error) {
	if _, err := sudokuReader.Read(p.Variant, p.Text); err != nil {
		return "", err
	}
	cells, err := sudoku.CellsOf(p.Variant)
	switch {
	case err != nil:
		return "", err
	case !cells.Alone:
		return "", &raters.RequestError{Reason: fmt.Sprintf("lines of cells do not say all of a puzzle of %s/%s", p.Genre, p.Variant)}
	}
	var b strings.Builder
	for i := 0; i < len(p.Text); i += cells.Size {
		b.WriteString(p.Text[i:i+cells.Size] + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
