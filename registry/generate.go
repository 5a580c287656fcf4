package registry

import (
	"context"
	"fmt"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
)

// RecordMade records a generated puzzle and its rating.
func (r *Registry) RecordMade(ctx context.Context, m engine.Made, actor string) (engine.Puzzle, error) {
	if m.Err != nil {
		return engine.Puzzle{}, m.Err
	}
	facts, err := madeFacts(ctx, m)
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

// generated makes a puzzle, rates it, and returns the two facts.
func generated(ctx context.Context, v raters.Variant, req raters.Request) (raters.Generated, []fact, error) {
	rater, err := engine.Rater(v, req.Rater)
	if err != nil {
		return raters.Generated{}, nil, err
	}
	m := engine.Made{Variant: v, Rater: rater, Request: req}
	if m.Made, err = v.Generator.Generate(ctx, req); err != nil {
		return raters.Generated{}, nil, err
	}
	facts, err := madeFacts(ctx, m)
	return m.Made, facts, err
}

// madeFacts returns the facts that a puzzle was generated and rated. It rates the puzzle if that has not been done.
func madeFacts(ctx context.Context, m engine.Made) ([]fact, error) {
	verdict := m.Ask(ctx, m.Rater)
	if verdict.Err != nil {
		return nil, verdict.Err
	}
	rating := engine.Describe(m.Made.Puzzle, m.Rater, verdict)
	if !rating.IsFact() || rating.Level != "" && rating.Level != m.Made.Level && (!engine.HasOwnProfile(m.Rater) || engine.IsUnder(m.Rater, m.Request)) {
		return nil, fmt.Errorf("%s made %s as %q, which %s finds %s %s", m.Variant.Genre, rating.ID, m.Made.Level, rating.Rater, rating.Outcome, rating.Level)
	}
	first, err := generatedFact(m)
	if err != nil {
		return nil, err
	}
	second, err := ratedFact(m.Rater, rating, puzzles.Source{Key: first.key, Origin: new(originOf(m))})
	return []fact{first, second}, err
}

func originOf(m engine.Made) events.Origin {
	return events.Origin{Version: m.Variant.Generator.Version(), Seed: m.Request.Seed}
}

func generatedFact(m engine.Made) (fact, error) {
	p := m.Made.Puzzle
	form, err := canonicalForm(m.Variant, p)
	if err != nil {
		return fact{}, err
	}
	body := events.Generated{
		Puzzle: p.ID(), Genre: p.Genre, Variant: p.Variant, Text: p.Text, Solution: m.Made.Solution, Origin: originOf(m),
		Rater: m.Rater.Name(), Version: engine.VersionUnder(m.Rater, m.Request),
		Requested: engine.Requested(m.Request), Level: m.Made.Level, Nodes: m.Made.Nodes, Canonical: form,
	}
	for _, a := range m.Made.Attempts {
		body.Attempts = append(body.Attempts, events.Attempt{N: a.N, Outcome: a.Outcome, Score: a.Score})
	}
	return fact{key: generatedKey(m), body: body}, nil
}

func generatedKey(m engine.Made) events.Key {
	version := engine.VersionUnder(m.Rater, m.Request)
	return events.GeneratedKey(m.Variant.Genre, m.Variant.Name, m.Rater.Name(), version, engine.Requested(m.Request), m.Variant.Generator.Version(), m.Request.Seed)
}
