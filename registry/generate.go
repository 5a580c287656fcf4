package registry

import (
	"context"
	"fmt"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
)

// RecordMade rates a puzzle that was made, and records both.
func (r *Registry) RecordMade(ctx context.Context, m engine.Made, actor string) (engine.Puzzle, error) {
	if m.Err != nil {
		return engine.Puzzle{}, m.Err
	}
	facts, err := madeFacts(ctx, m.Variant, m.Rater, m.Request, m.Made)
	if err != nil {
		return engine.Puzzle{}, err
	}
	first, err := r.calibrationFacts(ctx, m.Variant)
	if err != nil {
		return engine.Puzzle{}, err
	}
	first = append(first, profileFacts(m.Rater)...)
	receipt, err := r.record(ctx, actor, append(first, facts...)...)
	if err != nil {
		return engine.Puzzle{}, err
	}
	p := m.Puzzle()
	p.Event = receipt[len(first)].Seq
	return p, nil
}

// generated makes a puzzle, rates it, and gives the two facts.
func generated(ctx context.Context, v raters.Variant, req raters.Request) (raters.Generated, []fact, error) {
	rater, err := engine.Rater(v, req.Rater)
	if err != nil {
		return raters.Generated{}, nil, err
	}
	made, err := v.Generator.Generate(ctx, req)
	if err != nil {
		return raters.Generated{}, nil, err
	}
	facts, err := madeFacts(ctx, v, rater, req, made)
	return made, facts, err
}

// madeFacts rates a puzzle that was made, and gives the facts that it was made and rated.
func madeFacts(ctx context.Context, v raters.Variant, rater raters.Rater, req raters.Request, made raters.Generated) ([]fact, error) {
	rating, err := engine.Rate(ctx, rater, made.Puzzle)
	if err != nil {
		return nil, err
	}
	if !rating.IsFact() || rating.Level != "" && rating.Level != made.Level && (!engine.HasOwnProfile(rater) || engine.IsUnder(rater, req)) {
		return nil, fmt.Errorf("%s made %s as %q, which %s finds %s %s", v.Genre, rating.ID, made.Level, rating.Rater, rating.Outcome, rating.Level)
	}
	origin := events.Origin{Version: v.Generator.Version(), Seed: req.Seed}
	first, err := generatedFact(v, made, rater, req, origin)
	if err != nil {
		return nil, err
	}
	second, err := ratedFact(rater, rating, puzzles.Source{Key: first.key, Origin: &origin})
	return []fact{first, second}, err
}

func generatedFact(v raters.Variant, made raters.Generated, rater raters.Rater, req raters.Request, origin events.Origin) (fact, error) {
	p := made.Puzzle
	form, err := canonicalForm(v, p)
	if err != nil {
		return fact{}, err
	}
	body := events.Generated{
		Puzzle: p.ID(), Genre: p.Genre, Variant: p.Variant, Text: p.Text, Solution: made.Solution,
		Origin: origin, Rater: rater.Name(), Requested: engine.Requested(req), Level: made.Level, Nodes: made.Nodes, Canonical: form,
		Version: engine.VersionUnder(rater, req),
	}
	for _, a := range made.Attempts {
		body.Attempts = append(body.Attempts, events.Attempt{N: a.N, Outcome: a.Outcome, Score: a.Score})
	}
	return fact{key: generatedKey(v, rater, req, origin), body: body}, nil
}

func generatedKey(v raters.Variant, rater raters.Rater, req raters.Request, origin events.Origin) events.Key {
	return events.GeneratedKey(v.Genre, v.Name, rater.Name(), engine.VersionUnder(rater, req), engine.Requested(req), origin.Version, origin.Seed)
}
