package sudoku

import (
	"fmt"
	"strings"
	"sync"

	"assay/raters"
)

// parsed is a puzzle that was read: its shape, with what it brings, and its givens.
type parsed struct {
	of *variant
	*shape
	givens []uint8 // of each cell, 0 for an empty one
}

// text returns the canonical text.
func (q *parsed) text() string {
	var b strings.Builder
	b.WriteString(cellText(q.givens))
	switch q.of.brings {
	case ownBoxes:
		b.WriteByte(' ')
		b.WriteString(q.letters(func(c int) int { return int(q.boxOf[c]) }))
	case ownCages:
		b.WriteByte(' ')
		b.WriteString(q.letters(q.cageOf))
		b.WriteByte(' ')
		b.WriteString(q.sums())
	}
	return b.String()
}

// clues returns the number of givens.
func (q *parsed) clues() int { return q.cells() - count(q.givens, 0) }

func count(cells []uint8, value uint8) (n int) {
	for _, v := range cells {
		if v == value {
			n++
		}
	}
	return n
}

// cellText writes cells, 0 for an empty one.
func cellText(cells []uint8) string {
	out := make([]byte, len(cells))
	for i, v := range cells {
		out[i] = symbols[v]
	}
	return string(out)
}

// symbols are what stands for an empty cell, and for each digit.
const symbols = ".123456789ABCDEFG"

// letters are the names of boxes, the first nine, and of cages.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// letters writes the group of each cell, lettered by first appearance, or "." for a group below 0.
func (s *shape) letters(group func(cell int) int) string {
	out, known := make([]byte, s.cells()), map[int]byte{}
	for c := range out {
		g := group(c)
		if _, named := known[g]; !named && g >= 0 {
			known[g] = letters[len(known)]
		}
		if out[c] = known[g]; g < 0 {
			out[c] = '.'
		}
	}
	return string(out)
}

// cageOf returns the number of the cage of a cell, or −1.
func (s *shape) cageOf(cell int) int {
	if s.caged == nil || s.caged.cageOf[cell] == uncaged {
		return -1
	}
	return int(s.caged.cageOf[cell])
}

// outlines keeps the shapes of irregular boxes that were met, for the next puzzle with the same.
type outlines struct {
	mu   sync.Mutex
	kept map[string]*shape // guarded by mu; by their text
}

// mostOutlines are kept: when one more is made, all others are forgotten. A shape with the topologies of both raters takes
// 0.5 MB, the mean of fifty.
const mostOutlines = 32

var irregular outlines

// of returns the shape of boxes, as their text lists them.
func (k *outlines) of(text string, boxes []uint8) *shape {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, known := k.kept[text]
	if known {
		return s
	}
	s = newShapeOf(boxes)
	if k.kept == nil || len(k.kept) >= mostOutlines {
		k.kept = map[string]*shape{}
	}
	k.kept[text] = s
	return s
}

// parsePuzzle reads a puzzle of any variant.
func parsePuzzle(p raters.Puzzle) (*parsed, error) {
	if p.Genre != Name {
		return nil, &raters.RequestError{Reason: "no puzzle of " + Name + ": " + p.Genre + "/" + p.Variant}
	}
	v, err := variantOf(p.Variant)
	if err != nil {
		return nil, err
	}
	return v.parse(p.Text)
}

// ofVariant reads a puzzle of the variant; one of another is a *raters.RequestError.
func (v *variant) ofVariant(p raters.Puzzle) (*parsed, error) {
	if p.Genre != Name || p.Variant != v.name {
		return nil, &raters.RequestError{Reason: fmt.Sprintf("no puzzle of %s/%s: %s/%s", Name, v.name, p.Genre, p.Variant)}
	}
	return v.parse(p.Text)
}
