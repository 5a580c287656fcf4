package interchange

import (
	"slices"
	"strings"

	"assay/raters"
	"assay/raters/sudoku"
)

// Programs draw the candidates of each cell. A digit that stands alone is a given, unless a sign says that it was placed ("+5"
// and "u5"), or a cell that sees it has it as a candidate still.

// isCandidates reports whether a line is a row of candidates of a grid of a size.
func isCandidates(line string, size int) bool {
	cells, several := candidateCells(line), false
	if len(cells) != size {
		return false
	}
	for _, cell := range cells {
		digits := strings.TrimLeft(cell, "+u")
		if digits == "" || strings.Trim(digits, "123456789") != "" {
			return false
		}
		several = several || len(cell) > 1
	}
	return several
}

func candidateCells(line string) []string { return strings.Fields(strings.ReplaceAll(line, "|", " ")) }

// readCandidates reads rows of candidates; not ok when they are no such rows.
func readCandidates(variant string, rows []row, size int) (p raters.Puzzle, ok bool, err error) {
	several := false
	for _, r := range rows {
		several = several || isCandidates(r.text, size)
	}
	if !several || len(rows) != size {
		return p, false, nil
	}
	var cells []string
	for _, r := range rows {
		of := candidateCells(r.text)
		if len(of) != size {
			return p, true, &raters.SyntaxError{Line: r.number, Column: r.start, Reason: "a row of candidates with more or fewer cells than the others"}
		}
		cells = append(cells, of...)
	}
	givens := make([]int, len(cells))
	for c, cell := range cells {
		if v, single := number(cell, size); single && !seenAsCandidate(cells, c, size) {
			givens[c] = v
		}
	}
	p, err = puzzleOf(variant, givens)
	return p, true, err
}

// seenAsCandidate reports whether a cell that sees one has its digit among several candidates.
func seenAsCandidate(cells []string, cell, size int) bool {
	boxes := sudoku.RegularBoxes(size)
	for other, candidates := range cells {
		sees := other/size == cell/size || other%size == cell%size || boxes[other] == boxes[cell]
		if sees && len(candidates) > 1 && candidates[0] != '+' && candidates[0] != 'u' && strings.Contains(candidates, cells[cell]) {
			return true
		}
	}
	return false
}

// givensAlone returns the rows of the givens of two or three drawings of a puzzle one under the other: the givens, what is
// placed as well, and the candidates.
func givensAlone(rows []row, size int) ([]row, error) {
	if n := len(rows); n != 2*size && n != 3*size {
		return rows, nil
	}
	first, second := signsOf(rows[:size]), signsOf(rows[size:2*size])
	if len(first) != size*size || len(second) != size*size && !slices.ContainsFunc(rows[size:], func(r row) bool { return isCandidates(r.text, size) }) {
		return rows, nil
	}
	if len(second) != len(first) {
		return rows[:size], nil
	}
	for c := range first {
		if given := strings.IndexByte(digits, first[c]) >= 0; given && first[c] != second[c] {
			return rows, nil
		}
	}
	return rows[:size], nil
}

// signsOf returns what is not between the cells of rows.
func signsOf(rows []row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.NewReplacer(" ", "", "|", "", "\t", "").Replace(r.text))
	}
	return b.String()
}
