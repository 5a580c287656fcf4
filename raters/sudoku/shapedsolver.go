package sudoku

import (
	"context"

	"assay/raters"
)

// shapedSolver counts solutions up to two of puzzles of any variant. It implements raters.Solver.
type shapedSolver struct{ of *variant }

// Solve returns the verdict on a canonical text.
func (s shapedSolver) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	q, err := s.of.ofVariant(p)
	if err != nil {
		return raters.Solution{}, err
	}
	return q.solve(ctx)
}

// solve looks for two solutions.
func (q *parsed) solve(ctx context.Context) (raters.Solution, error) {
	return q.shape.solve(ctx, q.givens, shapeBudget)
}

// prove reports why the puzzle has not exactly one solution.
func (q *parsed) prove(ctx context.Context) error { return q.shape.prove(ctx, q.givens, shapeBudget) }
