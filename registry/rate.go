package registry

import (
	"context"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
)

// RateRecorded rates a puzzle that is on record and records the verdict, if it is a fact, and the profile it
// stands on. What stands for this rater version stands.
func (r *Registry) RateRecorded(ctx context.Context, id string, choice engine.RaterChoice, actor string) (engine.Rating, error) {
	known, err := r.lookUp(ctx, id)
	if err != nil {
		return engine.Rating{}, err
	}
	v, err := engine.Find(r.Genres, known.Puzzle.Genre, known.Puzzle.Variant)
	if err != nil {
		return engine.Rating{}, err
	}
	rater, err := r.ChooseRater(ctx, v, choice)
	if err != nil {
		return engine.Rating{}, err
	}
	rating, err := engine.Rate(ctx, rater, known.Puzzle)
	if err != nil || !rating.IsFact() {
		return rating, err
	}
	f, err := ratedFact(rater, rating, puzzles.SourceOf(known.Facts))
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

// ratedFact is the fact that a rating of a puzzle from a source is.
func ratedFact(rater raters.Rater, v engine.Rating, from puzzles.Source) (fact, error) {
	steps, err := engine.EncodedSteps(rater, v.Measured)
	if err != nil {
		return fact{}, err
	}
	body := events.Rated{
		Puzzle: v.ID, Genre: v.Genre, Variant: v.Variant, Rater: v.Rater, Version: string(v.Version),
		Outcome: v.Outcome, Level: v.Level, Tier: v.Tier, Score: v.Score, Hardest: v.Hardest,
		Clues: v.Measured.Clues, Origin: from.Origin, Steps: steps,
	}
	for _, t := range v.Techniques {
		body.Techniques = append(body.Techniques, events.TechniqueUse{Name: t.Name, Level: t.Level, Uses: t.Uses, Removed: t.Removed, Placed: t.Placed})
	}
	for _, t := range v.Terms {
		body.Terms = append(body.Terms, events.Term{Name: t.Name, Value: t.Value})
	}
	return fact{key: events.RatedKey(v.ID, v.Rater, body.Version), body: body, cause: from.Key}, nil
}

// recordedRating is the rating that a recorded fact is.
func recordedRating(e events.Event, b events.Rated) engine.Rating {
	v := engine.Rating{
		Schema: "rating/1", ID: b.Puzzle, Genre: b.Genre, Variant: b.Variant, Rater: b.Rater, Version: engine.Version(b.Version),
		Outcome: b.Outcome, Level: b.Level, Tier: b.Tier, Score: b.Score, Hardest: b.Hardest, Event: e.Seq,
	}
	for _, t := range b.Techniques {
		v.Techniques = append(v.Techniques, raters.TechniqueUse{Name: t.Name, Level: t.Level, Uses: t.Uses, Removed: t.Removed, Placed: t.Placed})
	}
	for _, t := range b.Terms {
		v.Terms = append(v.Terms, raters.Term{Name: t.Name, Value: t.Value})
	}
	return v
}
