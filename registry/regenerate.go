package registry

import (
	"context"

	"assay/events"
	"assay/raters"
	"assay/registry/engine"
)

// These are the results of making a puzzle again.
const (
	Identical = "identical"
	Retired   = "retired"   // the generator version is gone; the puzzle is in the log
	Different = "different" // the generator changed under its version
)

// regenerateEvent makes the puzzle of the generation at a position again.
func (r *Registry) regenerateEvent(ctx context.Context, at events.Seq) (string, error) {
	e, err := events.At(ctx, r.Log, at)
	if err != nil {
		return "", err
	}
	b, err := events.As[events.Generated](e)
	if err != nil {
		return "", err
	}
	return r.regenerate(ctx, b)
}

// regenerate makes a puzzle again, if its generator version still runs, and compares it with everything recorded.
func (r *Registry) regenerate(ctx context.Context, b events.Generated) (string, error) {
	e := engine.Name{Genre: b.Genre, Variant: b.Variant, Rater: b.Rater, Generator: b.Origin.Version}
	runs, err := r.withProfile(ctx, &e, b.Version)
	if err != nil {
		return "", err
	}
	v, rater, err := e.Find(r.Genres)
	if err != nil || !runs {
		return Retired, nil
	}
	m := engine.Made{Variant: v, Rater: rater, Request: requestOf(b)}
	m.Grown = engine.Grow(ctx, v, rater, m.Request)
	if engine.IsStopped(m.Err) {
		return "", m.Err
	}
	if m.Err != nil {
		return Different, nil
	}
	again, err := generatedFact(m)
	if err != nil || !events.SameBody(again.body, b) {
		return Different, nil
	}
	return Identical, nil
}

// requestOf returns the request of a generation.
func requestOf(b events.Generated) raters.Request {
	return engine.AsRequested(raters.Request{Variant: b.Variant, Rater: b.Rater, Seed: b.Origin.Seed}, b.Requested)
}
