package registry

import (
	"context"

	"assay/registry/engine"
)

// HintOnRecord is HintFor, for a puzzle on record.
func (r *Registry) HintOnRecord(ctx context.Context, id string, ask engine.HintRequest) (engine.Hint, error) {
	k, err := r.lookUp(ctx, id)
	if err != nil {
		return engine.Hint{}, err
	}
	v, err := engine.Find(r.Genres, k.Puzzle.Genre, k.Puzzle.Variant)
	if err != nil {
		return engine.Hint{}, err
	}
	return engine.HintFor(ctx, v, k.Puzzle, ask)
}
