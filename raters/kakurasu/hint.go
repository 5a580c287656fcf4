package kakurasu

import (
	"strings"

	"assay/raters"
	"assay/raters/logic"
	"assay/raters/words"
)

// A board of a hint is the puzzle's text, followed by the player's marks, row by row: "#" for a shaded cell, "+" or "x"
// for one that is not, "." for an open one. Without marks all cells are open.

// marks reads a player's marks on a board of the puzzle, as the literals that they remove.
func (g *grid) marks(text string) (gone []logic.Literal, err error) {
	on, rest, err := readText(text)
	if err != nil {
		return nil, err
	}
	if on != *g {
		return nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: "the board is of another puzzle"}
	}
	cell, cells := 0, g.rows*g.columns
	for _, w := range rest {
		if w.Text == "" && cell > 0 && cell < cells {
			return nil, w.Errorf("the marks end after %d of %d cells", cell, cells)
		}
		for i, r := range []rune(w.Text) {
			at := words.Word{Line: w.Line, Column: w.Column + i}
			if cell == cells {
				return nil, at.Errorf("more than %d cells", cells)
			}
			value := strings.IndexRune("#+x.", r)
			if value < 0 {
				return nil, at.Errorf("%q: wanted # for a shaded cell, + for one that is not, or . for an open one", r)
			}
			if r != '.' {
				gone = append(gone, logic.Lit(cell, 1-min(value, unshaded)))
			}
			cell++
		}
	}
	return gone, nil
}
