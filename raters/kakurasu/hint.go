package kakurasu

import (
	"context"
	"errors"

	"assay/raters"
	"assay/raters/words"
)

// hinter implements raters.Hinter with the techniques of kakurasu.canonical (L20).
//
// A board is the puzzle's text and, after it, what the player marked, row by row: "#" for a shaded cell, "+" or "x"
// for one that is not, "." for one that is open. Without marks all is open.
type hinter struct{}

// Hint gives the counted step after the first skip ones. Marks that break a rule, at once or on the way there, are a
// mistake; marks that are wrong and break no rule yet are taken as they are, for a hint knows no solution.
func (hinter) Hint(ctx context.Context, p raters.Puzzle, text string, skip int) (raters.Hint, error) {
	g, err := parse(p)
	if err != nil {
		return raters.Hint{}, err
	}
	marks, err := g.marks(text)
	if err != nil {
		return raters.Hint{}, err
	}
	if err := prove(ctx, &g); err != nil {
		return raters.Hint{}, err
	}
	b := boardOf(&g)
	defer b.release()
	return b.engine.Hint(ctx, canonical.Order, b.start(marks), rateBudget, skip)
}

// marks reads what a player marked on a board of the puzzle, as the literals that are gone.
func (g *grid) marks(text string) (gone []raters.Literal, err error) {
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
			value, err := valueOf(r)
			if err != nil {
				return nil, at.Errorf("%q: %s", r, err)
			}
			if value >= 0 {
				gone = append(gone, raters.Lit(cell, 1-value))
			}
			cell++
		}
	}
	return gone, nil
}

// valueOf gives the value that a mark stands for, or -1 for an open cell.
func valueOf(mark rune) (int, error) {
	switch mark {
	case '#':
		return shaded, nil
	case '+', 'x':
		return unshaded, nil
	case '.':
		return -1, nil
	}
	return 0, errors.New("wanted # for a shaded cell, + for one that is not, or . for an open one")
}
