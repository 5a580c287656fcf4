package sudoku

import (
	"context"

	"assay/raters/seedrand"
)

// Filling a grid at random is a search that mostly ends at once, and sometimes is lost: then another one is begun. What
// so many do not fill is taken to have no filling.
const (
	dealTries  = 25
	dealBudget = 8 // units of work a cell
)

// deal fills a grid without cages at random, digits from 1, and reports whether it did: some outlines have no filling.
func (q *proof) deal(g *ground, r *seedrand.Rand, to *[maxCells]uint8) bool {
	for range dealTries {
		q.reset(context.Background(), 0, 1, uint64(dealBudget*g.cells()))
		q.random = r
		q.sheet(0).copyFrom(&g.blank)
		switch err := q.run(); {
		case err == nil && q.count == 0:
			return false
		case err == nil:
			*to = q.found[0]
			return true
		}
	}
	return false
}
