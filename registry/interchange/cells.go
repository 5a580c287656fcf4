package interchange

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/sudoku"
)

// digits are the signs of the digits from 1 on in canonical texts.
const digits = "123456789ABCDEFG"

// empties are the signs of an empty cell.
const empties = ".0_*-xX"

// sign marks the bytes that stand for a cell somewhere: digits, letters up to P, and empties.
var sign = func() (is [256]bool) {
	for _, ch := range []byte(empties + "123456789ABCDEFGHIJKLMNOPabcdefghijklmnop") {
		is[ch] = true
	}
	return is
}()

// plainSign marks those of a classic line as most programs write it.
var plainSign = func() (is [256]bool) {
	for _, ch := range []byte(".0123456789") {
		is[ch] = true
	}
	return is
}()

func classicLine(s string) bool {
	for i := range len(s) {
		if !plainSign[s[i]] {
			return false
		}
	}
	return true
}

// run returns how many signs of cells a text begins with.
func run(text string) int {
	for i := range len(text) {
		if !sign[text[i]] {
			return i
		}
	}
	return len(text)
}

// sizeFor returns the rows of a grid with so many cells, 0 when the genre has none.
func sizeFor(cells int) int {
	for _, size := range sudoku.Sizes() {
		if size*size == cells {
			return size
		}
	}
	return 0
}

// givens reads the signs of all cells of a grid. Which sign is an empty cell, and which alphabet the digits are of, is seen
// from all of them. They stand at a column of a line.
func givens(signs string, column int) ([]int, error) {
	size := sizeFor(len(signs))
	wrong := func(at int, format string, args ...any) error {
		return &raters.SyntaxError{Line: 1, Column: column + at, Reason: fmt.Sprintf(format, args...)}
	}
	alphabet, blanks, reason := alphabetOf(signs, size)
	if reason != "" {
		return nil, wrong(0, "%s", reason)
	}
	out := make([]int, len(signs))
	for i := range len(signs) {
		ch := signs[i]
		if ch >= 'a' && ch <= 'p' {
			ch -= 'a' - 'A'
		}
		v := strings.IndexByte(alphabet, ch)
		if strings.IndexByte(blanks, signs[i]) >= 0 {
			v = -1
		} else if v < 0 || v >= size {
			return nil, wrong(i, "%q is neither a digit from 1 to %c nor an empty cell (. 0 _ *)", signs[i], digits[size-1])
		}
		out[i] = v + 1
	}
	return out, nil
}

// alphabetOf returns the digits in order and the signs of empty cells; or why they cannot be told. Grids of 16 rows are
// written with 1–9 A–G, with 0–9 A–F where 0 is a digit, and with A–P.
func alphabetOf(signs string, size int) (alphabet, blanks, reason string) {
	if size <= 9 {
		return digits[:size], blanksOf(signs), ""
	}
	zero, other := strings.Contains(signs, "0"), strings.ContainsAny(signs, "._*-xX")
	upper := strings.ToUpper(signs)
	g, numbers, letters := strings.Contains(upper, "G"), strings.ContainsAny(signs, "123456789"), 0
	for _, ch := range upper {
		if ch >= 'A' && ch <= 'P' {
			letters++
		}
	}
	switch {
	case !numbers && letters >= size: // a puzzle has more givens than that
		return "ABCDEFGHIJKLMNOP", "._*-xX0", ""
	case zero && other && g:
		return "", "", "0 and another sign are both empty cells, or 0 is a digit beside G: one of them is wrong"
	case zero && other:
		return "0123456789ABCDEF", "._*-xX", ""
	case zero && strings.Count(signs, "0") == size && !g:
		return "0123456789ABCDEF", "", "" // a grid without an empty cell, and not one with 16 empty ones
	}
	return digits, "._*-xX0", ""
}

// blanksOf returns the signs of empty cells: letters and dashes are one only where there is no other.
func blanksOf(signs string) string {
	switch {
	case strings.ContainsAny(signs, ".0_*"):
		return ".0_*"
	case strings.Contains(signs, "-"):
		return "-"
	}
	return "xX"
}

// puzzleOf returns the puzzle of the cells of a grid, under a variant or, where that is "", the one of its size. A grid
// without an empty cell is no puzzle.
func puzzleOf(variant string, cells []int) (p raters.Puzzle, err error) {
	if !slices.Contains(cells, 0) {
		return p, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a solution and no puzzle: no cell is empty"}
	}
	if variant == "" {
		return sudoku.Parts{Size: sizeFor(len(cells)), Givens: cells}.Puzzle()
	}
	return sudokuReader.Read(variant, canonicalCells(cells))
}

func canonicalCells(cells []int) string {
	out := make([]byte, len(cells))
	for i, v := range cells {
		if out[i] = '.'; v > 0 {
			out[i] = digits[v-1]
		}
	}
	return string(out)
}

// listed reads the cells of a text that has something between each two of them: a comma, a semicolon or a tab. They are
// decimal numbers or digits.
func listed(variant, text string) (rec Record, ok bool, err error) {
	text = strings.TrimRight(text, "\r\n ")
	for _, between := range []string{",", ";", "\t"} {
		size := sizeFor(strings.Count(text, between) + 1)
		if size == 0 {
			continue
		}
		cells, column := make([]int, 0, size*size), 1
		for field := range strings.SplitSeq(text, between) {
			v, known := number(strings.TrimSpace(field), size)
			if !known {
				reason := fmt.Sprintf("%.20q is neither a digit from 1 to %d nor an empty cell", field, size)
				return rec, true, &raters.SyntaxError{Line: 1, Column: column, Reason: reason}
			}
			cells, column = append(cells, v), column+utf8.RuneCountInString(field)+1
		}
		rec.Puzzle, err = puzzleOf(variant, cells)
		return rec, true, err
	}
	return rec, false, nil
}

// number reads a cell that stands by itself.
func number(field string, size int) (int, bool) {
	switch {
	case field == "" || len(field) == 1 && strings.Contains(empties, field):
		return 0, true
	case len(field) == 1:
		v := strings.Index(digits, strings.ToUpper(field))
		return v + 1, v >= 0 && v < size
	case len(field) == 2 && (field[0] == '1' || field[0] == '0') && field[1] >= '0' && field[1] <= '9':
		v := int(field[0]-'0')*10 + int(field[1]-'0')
		return v, v <= size
	}
	return 0, false
}
