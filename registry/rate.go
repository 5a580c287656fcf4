package registry

import (
	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
)

// ratedFact turns a rating of a puzzle from a source into a fact.
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

// recordedRating turns a recorded fact into a rating.
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
