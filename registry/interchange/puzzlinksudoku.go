package interchange

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"assay/raters"
	"assay/raters/sudoku"
)

// An address of puzz.link is "https://puzz.link/p?sudoku/columns/rows/cells". The cells are read row by row: a digit in base 16,
// "-" and two of them, "." for a digit that nobody knows, or a letter from g to z for 1 to 20 empty cells.

// readSudokuLink reads a sudoku from an address. Its boxes are those of its size.
func readSudokuLink(_, text string) (rec Record, err error) {
	a := address{whole: strings.TrimRight(text, " \t\r\n")}
	a.rest = a.whole
	if err := a.open(sudoku.Name, sudoku.Name); err != nil {
		return rec, err
	}
	if s, _, _ := strings.Cut(a.rest, "/"); s != "" && strings.Trim(s, "0123456789") != "" {
		a.segment() // flags
	}
	columns, err := a.gridSide("columns")
	if err != nil {
		return rec, err
	}
	at := a
	rows, err := a.gridSide("rows")
	if err != nil {
		return rec, err
	}
	if rows != columns {
		return rec, at.errorf("%d rows, and %d columns", rows, columns)
	}
	cells, err := a.cells(rows)
	if err != nil {
		return rec, err
	}
	rec.Puzzle, err = puzzleIn(rows, cells)
	return rec, err
}

// puzzleIn returns the puzzle of a grid of a size in regular boxes.
func puzzleIn(size int, cells []int) (raters.Puzzle, error) {
	if sizeFor(size*size) == 0 {
		return sudoku.Parts{Size: size, Givens: cells}.Puzzle() // tells what there is
	}
	return puzzleOf("", cells)
}

func (a *address) gridSide(name string) (int, error) {
	at := *a
	n, err := strconv.Atoi(a.segment())
	if err != nil || n < 1 || n > 99 {
		return 0, at.errorf("wanted the number of %s", name)
	}
	return n, nil
}

// cells reads the cells of a grid.
func (a *address) cells(size int) ([]int, error) {
	cells := make([]int, 0, size*size)
	for a.rest != "" {
		at, ch := *a, a.rest[0]
		a.rest = a.rest[1:]
		v, skip := 0, 0
		switch {
		case ch >= '0' && ch <= '9' || ch >= 'a' && ch <= 'f':
			v = strings.IndexByte(base32, ch)
		case ch == '-' && len(a.rest) >= 2:
			n, err := strconv.ParseUint(a.rest[:2], 16, 8)
			if err != nil {
				return nil, at.errorf("wanted - and two digits of base 16")
			}
			v, a.rest = int(n), a.rest[2:]
		case ch >= 'g' && ch <= 'z':
			skip = int(ch-'g') + 1
		case ch != '.':
			return nil, at.errorf("%q is no cell of a sudoku", ch)
		}
		if skip == 0 && ch != '.' && (v < 1 || v > size) {
			return nil, at.errorf("%d is no digit from 1 to %d", v, size)
		}
		if cells = append(cells, v); skip > 1 {
			cells = append(cells, make([]int, skip-1)...)
		}
		if len(cells) > size*size {
			return nil, at.errorf("more than %d cells", size*size)
		}
	}
	return append(cells, make([]int, size*size-len(cells))...), nil
}

// writeSudokuLink writes a sudoku in regular boxes as an address.
func writeSudokuLink(p raters.Puzzle) (string, error) {
	parts, err := regular(p, "puzzlink")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "https://puzz.link/p?sudoku/%d/%d/", parts.Size, parts.Size)
	empty := 0
	skip := func() {
		for ; empty > 0; empty -= min(empty, 20) {
			b.WriteByte('g' + byte(min(empty, 20)-1))
		}
	}
	for _, v := range parts.Givens {
		switch {
		case v == 0:
			empty++
		case v < 16:
			skip()
			b.WriteByte(base32[v])
		default:
			skip()
			fmt.Fprintf(&b, "-%02x", v)
		}
	}
	skip()
	return b.String(), nil
}

// regular returns the parts of a puzzle; an error when it is more than digits in regular boxes.
func regular(p raters.Puzzle, format string) (sudoku.Parts, error) {
	parts, err := sudoku.PartsOf(p)
	if err != nil {
		return parts, err
	}
	if plain, err := (sudoku.Parts{Size: parts.Size, Givens: parts.Givens}).Puzzle(); err != nil || plain != p {
		return parts, &raters.RequestError{Reason: fmt.Sprintf("%s holds digits in regular boxes, and nothing else: not a puzzle of %s/%s", format, p.Genre, p.Variant)}
	}
	return parts, nil
}

// squareRoot returns that of a size, rounded down: the rows of a regular box.
func squareRoot(size int) int { return int(math.Sqrt(float64(size))) }
