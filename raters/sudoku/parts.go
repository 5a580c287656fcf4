package sudoku

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/raters"
)

// Parts is what a puzzle consists of, however it is written down. Cells count from 0, row by row.
type Parts struct {
	Size      int    // rows, and columns
	Givens    []int  // of each cell, 0 for an empty one
	Boxes     []int  // the box of each cell, from 0
	Diagonals bool   // both main diagonals hold each digit
	Cages     []Cage // in any order
}

// Cage is a set of cells with different digits.
type Cage struct {
	Cells []int
	Sum   int // of the digits; 0 when nothing is said of it
}

// Sizes returns the sizes of grids that the genre has, without those that more comes with, smallest first.
func Sizes() (sizes []int) {
	for _, v := range variants {
		if !slices.Contains(sizes, v.size()) {
			sizes = append(sizes, v.size())
		}
	}
	slices.Sort(sizes)
	return sizes
}

// RegularBoxes returns the box of each cell of a grid of a size, nil when the genre has none of it.
func RegularBoxes(size int) []int {
	for _, v := range variants {
		if v.size() == size && v.brings != ownBoxes {
			return v.base().boxNumbers()
		}
	}
	return nil
}

// boxNumbers returns the box of each cell, from 0.
func (s *shape) boxNumbers() []int {
	boxes := make([]int, s.cells())
	for c := range boxes {
		boxes[c] = s.houses[s.boxOf[c]].number - 1
	}
	return boxes
}

// PartsOf returns the parts of a puzzle of the genre. Its errors are those of the reader.
func PartsOf(p raters.Puzzle) (Parts, error) {
	q, err := parsePuzzle(p)
	if err != nil {
		return Parts{}, err
	}
	parts := Parts{Size: q.size, Givens: make([]int, q.cells()), Boxes: q.boxNumbers(), Diagonals: q.of.diagonals}
	for c, v := range q.givens {
		parts.Givens[c] = int(v)
	}
	for _, h := range q.cages() {
		cage := Cage{Sum: h.sum}
		for _, c := range h.cells {
			cage.Cells = append(cage.Cells, int(c))
		}
		parts.Cages = append(parts.Cages, cage)
	}
	return parts, nil
}

// Puzzle returns the puzzle of the variant that has these parts. What no variant has, and parts that contradict one another,
// are a *raters.RequestError.
func (p Parts) Puzzle() (raters.Puzzle, error) {
	own := ownBoxes
	if p.Boxes == nil || slices.Equal(firstSeen(p.Boxes), firstSeen(RegularBoxes(p.Size))) {
		own = digitsAlone
	}
	if len(p.Cages) > 0 {
		if own == ownBoxes {
			return raters.Puzzle{}, &raters.RequestError{Reason: "no variant of sudoku has both cages and boxes of its own"}
		}
		own = ownCages
	}
	for _, v := range variants {
		if v.size() == p.Size && v.brings == own && v.diagonals == p.Diagonals {
			return p.of(v)
		}
	}
	return raters.Puzzle{}, &raters.RequestError{Reason: fmt.Sprintf("no variant of sudoku has %s", p.describe(own))}
}

// describe says what is wanted of a variant.
func (p Parts) describe(own brings) string {
	text := fmt.Sprintf("%d×%d cells", p.Size, p.Size)
	switch own {
	case ownBoxes:
		text += " with boxes of their own"
	case ownCages:
		text += " with cages"
	}
	if p.Diagonals {
		text += " and two diagonals"
	}
	return text
}

// firstSeen numbers groups anew, by first appearance.
func firstSeen(groups []int) []int {
	out, known := make([]int, len(groups)), map[int]int{}
	for c, g := range groups {
		if _, seen := known[g]; !seen {
			known[g] = len(known)
		}
		out[c] = known[g]
	}
	return out
}

// of returns the puzzle of a variant.
func (p Parts) of(v *variant) (raters.Puzzle, error) {
	n := v.base().cells()
	if len(p.Givens) != n || p.Boxes != nil && len(p.Boxes) != n {
		return raters.Puzzle{}, &raters.RequestError{Reason: fmt.Sprintf("%d cells, not %d", len(p.Givens), n)}
	}
	values := make([]uint8, n)
	for c, g := range p.Givens {
		if g < 0 || g > p.Size {
			return raters.Puzzle{}, &raters.RequestError{Reason: fmt.Sprintf("%d in %s is no digit from 1 to %d", g, place(c, p.Size), p.Size)}
		}
		values[c] = uint8(g)
	}
	text := cellText(values)
	switch v.brings {
	case ownBoxes:
		groups := firstSeen(p.Boxes)
		if most := slices.Max(groups); most >= p.Size {
			return raters.Puzzle{}, &raters.RequestError{Reason: fmt.Sprintf("%d boxes, not %d", most+1, p.Size)}
		}
		text += " " + v.base().letters(func(c int) int { return groups[c] })
	case ownCages:
		cages, err := p.cageText(v)
		if err != nil {
			return raters.Puzzle{}, err
		}
		text += cages
	}
	puzzle, err := reader{}.Read(v.name, text)
	if err != nil {
		return puzzle, &raters.RequestError{Reason: strings.TrimPrefix(err.Error(), "line 1, ")}
	}
	return puzzle, nil
}

// cageText writes the cages, in the order of their first cells, and their sums.
func (p Parts) cageText(v *variant) (string, error) {
	if len(p.Cages) > len(letters) {
		return "", &raters.RequestError{Reason: fmt.Sprintf("%d cages, and at most %d can be written", len(p.Cages), len(letters))}
	}
	of := make([]int, len(p.Givens))
	for c := range of {
		of[c] = -1
	}
	cages := slices.Clone(p.Cages)
	for i, cage := range cages {
		for _, c := range cage.Cells {
			if c < 0 || c >= len(of) || of[c] >= 0 {
				return "", &raters.RequestError{Reason: fmt.Sprintf("%s is in two cages", place(c, p.Size))}
			}
			of[c] = i
		}
		if len(cage.Cells) == 0 {
			return "", &raters.RequestError{Reason: "a cage without cells"}
		}
	}
	slices.SortFunc(cages, func(a, b Cage) int { return slices.Min(a.Cells) - slices.Min(b.Cells) })
	sums := make([]string, len(cages))
	for i, cage := range cages {
		if cage.Sum > 0 {
			sums[i] = strconv.Itoa(cage.Sum)
		}
	}
	return " " + v.base().letters(func(c int) int { return of[c] }) + " " + strings.Join(sums, ","), nil
}

// place names a cell.
func place(cell, size int) string { return fmt.Sprintf("r%dc%d", cell/size+1, cell%size+1) }
