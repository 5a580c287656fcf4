package registry

import (
	"context"

	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
)

// RateRecorded rates a puzzle on record. It records the verdict, if it is a fact, and its profile. An existing rating
// of this rater version stays.
func (r *Registry) RateRecorded(ctx context.Context, id string, choice engine.RaterChoice, actor string) (engine.Rating, error) {
	k, v, err := r.withVariant(ctx, id)
	if err != nil {
		return engine.Rating{}, err
	}
	rater, err := r.ChooseRater(ctx, v, choice)
	if err != nil {
		return engine.Rating{}, err
	}
	rating, err := engine.Rate(ctx, rater, k.Puzzle)
	if err != nil || !rating.IsFact() {
		return rating, err
	}
	f, err := ratedFact(rater, rating, puzzles.SourceOf(k.Facts))
	if err != nil {
		return engine.Rating{}, err
	}
	receipt, err := r.record(ctx, actor, append(profileFacts(rater), f)...)
	if err != nil {
		return engine.Rating{}, err
	}
	rating.Event = receipt[len(receipt)-1].Seq
	return rating, nil
}

// SolveOnRecord is Solve for a puzzle on record.
func (r *Registry) SolveOnRecord(ctx context.Context, id string) (engine.Solution, error) {
	k, v, err := r.withVariant(ctx, id)
	if err != nil {
		return engine.Solution{}, err
	}
	return engine.Solve(ctx, v, k.Puzzle)
}

// HintOnRecord is HintFor for a puzzle on record.
func (r *Registry) HintOnRecord(ctx context.Context, id string, ask engine.HintRequest) (engine.Hint, error) {
	k, v, err := r.withVariant(ctx, id)
	if err != nil {
		return engine.Hint{}, err
	}
	return engine.HintFor(ctx, v, k.Puzzle, ask)
}

// withVariant finds a puzzle on record, and its variant.
func (r *Registry) withVariant(ctx context.Context, id string) (k known, v raters.Variant, err error) {
	if k, err = r.lookUp(ctx, id); err == nil {
		v, err = engine.Find(r.Genres, k.Puzzle.Genre, k.Puzzle.Variant)
	}
	return k, v, err
}
