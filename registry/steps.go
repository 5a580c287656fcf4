package registry

import (
	"context"

	"assay/events"
	"assay/raters"
	"assay/registry/engine"
)

// solveOnRecord gives the recorded solve of a rating on record.
func (r *Registry) solveOnRecord(ctx context.Context, v engine.Rating) (raters.Rating, error) {
	_, b, err := events.Of[events.Rated](ctx, r.Log, events.RatedKey(v.ID, v.Rater, string(v.Version)))
	if err != nil {
		return raters.Rating{}, err
	}
	return engine.RecordedSteps(b)
}

// ShowSteps is Show, with the recorded steps of each rating.
func (r *Registry) ShowSteps(ctx context.Context, id string) (Record, error) {
	rec, err := r.Show(ctx, id)
	if err != nil {
		return rec, err
	}
	for i := range rec.Ratings {
		solve, err := r.solveOnRecord(ctx, rec.Ratings[i])
		if err != nil {
			return rec, err
		}
		rec.Ratings[i].Steps = engine.StepsOf(solve)
	}
	return rec, nil
}
