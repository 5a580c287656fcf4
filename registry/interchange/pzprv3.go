package interchange

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"assay/raters"
	"assay/raters/kakurasu"
	"assay/raters/sudoku"
	"assay/raters/words"
)

// A file of pzprv3 has a line each for its name, the kind of puzzle and the size, then a line for each row with blanks between
// the cells, and then what a player wrote. In an address slashes stand for the ends of lines.
var (
	pzprv3Sudoku = Format{Name: "pzprv3", Recognise: isPzprv3(sudoku.Name), Read: readPzprv3Sudoku, Write: writePzprv3Sudoku, Own: isPzprv3(sudoku.Name)}
	pzprv3Box    = Format{Name: "pzprv3", Recognise: isPzprv3("box"), Read: readPzprv3Box, Write: writePzprv3Box, Own: isPzprv3("box")}
)

const pzprv3Mark = "pzprv3"

// pzprv3Lines returns the lines behind the name, the kind first; nil when a text is no such file.
func pzprv3Lines(text string) []string {
	text = trimmed(text)
	if isAddress(text) {
		_, query, _ := strings.Cut(text, "?")
		plain, err := url.PathUnescape(query)
		if err != nil {
			return nil
		}
		text = plain
	}
	rest, ok := strings.CutPrefix(text, pzprv3Mark)
	if !ok || rest == "" || strings.IndexByte("/\r\n.", rest[0]) < 0 {
		return nil
	}
	lines := strings.FieldsFunc(rest, func(ch rune) bool { return ch == '/' || ch == '\n' || ch == '\r' })
	if strings.HasPrefix(rest, ".") && len(lines) > 0 {
		lines = lines[1:] // a part of the version
	}
	return lines
}

func isPzprv3(kind string) func(string) bool {
	return func(text string) bool {
		lines := pzprv3Lines(text)
		return len(lines) > 0 && strings.TrimSpace(lines[0]) == kind
	}
}

// readPzprv3Sudoku reads the givens of a sudoku.
func readPzprv3Sudoku(_, text string) (rec Record, err error) {
	lines := pzprv3Lines(text)
	wrong := func(row int, format string, args ...any) error {
		return &raters.SyntaxError{Line: 1 + min(row+3, strings.Count(strings.TrimRight(text, "\r\n"), "\n")), Column: 1, Reason: fmt.Sprintf(format, args...)}
	}
	if len(lines) < 2 {
		return rec, wrong(-1, "a file of pzprv3 without a size")
	}
	size, err := strconv.Atoi(strings.TrimSpace(lines[1]))
	if err != nil || sizeFor(size*size) == 0 {
		return rec, wrong(-1, "%.20q is no size of a sudoku that is known", lines[1])
	}
	var cells []int
	for r := range size {
		if 2+r >= len(lines) {
			return rec, wrong(r, "the grid ends after %d of %d rows", r, size)
		}
		row := strings.Fields(lines[2+r])
		if len(row) != size {
			return rec, wrong(r, "a row of %d cells, not %d", len(row), size)
		}
		for _, cell := range row {
			v, err := strconv.Atoi(cell)
			if cell != "." && cell != "-" && (err != nil || v < 1 || v > size) {
				return rec, wrong(r, "%.20q is neither a digit from 1 to %d nor an empty cell", cell, size)
			}
			cells = append(cells, v)
		}
	}
	rec.Puzzle, err = puzzleOf("", cells)
	return rec, err
}

func writePzprv3Sudoku(p raters.Puzzle) (string, error) {
	parts, err := regular(p, pzprv3Mark)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%d\n", pzprv3Mark, sudoku.Name, parts.Size)
	for _, written := range []bool{true, false} { // the givens, and what a player wrote
		for c, v := range parts.Givens {
			cell := ". "
			if v > 0 && written {
				cell = strconv.Itoa(v) + " "
			}
			if b.WriteString(cell); c%parts.Size == parts.Size-1 {
				b.WriteByte('\n')
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// readPzprv3Box reads the clues of a kakurasu.
func readPzprv3Box(variant, text string) (rec Record, err error) {
	lines := pzprv3Lines(text)
	if len(lines) < 4 {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a file of pzprv3 without a size and clues"}
	}
	top := strings.Fields(lines[3])
	clues := lines[1] + " " + lines[2] + "\n" + strings.Join(top[min(1, len(top)):], " ")
	separator := "\n"
	for _, row := range lines[4:] {
		if cells := strings.Fields(row); len(cells) > 0 {
			clues += separator + cells[0]
			separator = " "
		}
	}
	rec.Puzzle, err = kakurasu.ReadWords(variant, clues)
	if err != nil {
		err = &raters.SyntaxError{Line: 1, Column: 1, Reason: reasonOf(err)}
	}
	return rec, err
}

func writePzprv3Box(p raters.Puzzle) (string, error) {
	if _, err := kakurasu.Genre().Reader.Read(p.Variant, p.Text); err != nil {
		return "", err
	}
	all := words.Of(p.Text)
	rows, _ := strconv.Atoi(all[0].Text)
	columns, _ := strconv.Atoi(all[1].Text)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nbox\n%d\n%d\n0 ", pzprv3Mark, rows, columns)
	for _, w := range all[2 : 2+columns] {
		b.WriteString(w.Text + " ")
	}
	for _, w := range all[2+columns : 2+columns+rows] {
		b.WriteString("\n" + w.Text + " " + strings.Repeat(". ", columns))
	}
	return b.String(), nil
}
