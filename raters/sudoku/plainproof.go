package sudoku

import (
	"context"

	"assay/raters"
)

// prove reports why the givens have not exactly one solution, on grids of 9×9 of rows, columns and regular boxes alone.
func (s *shape) prove(ctx context.Context, givens []uint8, budget uint64) error {
	if s.size != 9 || s.full != 27 || s.caged != nil {
		return raters.ErrBudget
	}
	return solver{budget: budget}.prove(ctx, (*[81]uint8)(givens))
}

func (s *shape) solve(ctx context.Context, givens []uint8, budget uint64) (raters.Solution, error) {
	if s.size != 9 || s.full != 27 || s.caged != nil {
		return raters.Solution{}, raters.ErrBudget
	}
	return solver{budget: budget}.solve(ctx, (*[81]uint8)(givens))
}
