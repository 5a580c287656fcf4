package registry

import (
	"context"

	"assay/registry/engine"
)

// SolveOnRecord is Solve, for a puzzle on record.
func (r *Registry) SolveOnRecord(ctx context.Context, id string) (engine.Solution, error) {
	k, err := r.lookUp(ctx, id)
	if err != nil {
		return engine.Solution{}, err
	}
	v, err := engine.Find(r.Genres, k.Puzzle.Genre, k.Puzzle.Variant)
	if err != nil {
		return engine.Solution{}, err
	}
	return engine.Solve(ctx, v, k.Puzzle)
}
