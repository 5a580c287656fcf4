package registry

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/jobs"
)

// Puzzle is a generated puzzle: the object puzzle/1.
type Puzzle struct {
	Schema    string     `json:"schema"`
	ID        string     `json:"id"`
	Genre     string     `json:"genre"`
	Variant   string     `json:"variant"`
	Requested string     `json:"requested"` // a level, or "any"
	Level     string     `json:"level,omitempty"`
	Text      string     `json:"text"`
	Solution  string     `json:"solution"`
	Generator Generator  `json:"generator"`
	Attempts  int        `json:"attempts"`
	Event     events.Seq `json:"event,omitempty"` // where it is on record
}

// Generator says which generator version made a puzzle of which seed.
type Generator struct {
	Version int    `json:"version"`
	Seed    string `json:"seed"` // decimal; too large for a JSON number
}

// anyLevel is what is asked for when no level is.
const anyLevel = "any"

// Generate makes a puzzle and records nothing.
func Generate(ctx context.Context, v raters.Variant, req raters.Request) (Puzzle, error) {
	made, err := v.Generator.Generate(ctx, req)
	if err != nil {
		return Puzzle{}, err
	}
	return madePuzzle(v, req, made), nil
}

// Made is a puzzle that was made, or why none was.
type Made struct {
	variant raters.Variant
	rater   raters.Rater // whose levels are asked for
	req     raters.Request
	made    raters.Generated
	Err     error
	liars   int // known when it was asked for
}

// Puzzle describes the puzzle.
func (m Made) Puzzle() Puzzle { return madePuzzle(m.variant, m.req, m.made) }

// generateAhead is how many puzzles are being made at once.
const generateAhead = 64

// GenerateEach has a pool make a puzzle of each of so many seeds that follow one another, the first one of the request,
// and gives them in order. The level of the request is one of the rater's, which may have a profile of its own. It records
// nothing.
func GenerateEach(ctx context.Context, pool jobs.Pool, genres []raters.Genre, v raters.Variant, rater raters.Rater, req raters.Request, count int) (iter.Seq[Made], error) {
	e := engineOf(v, rater)
	e.Generator = v.Generator.Version()
	work, err := candidates(genres).Under(e)
	if err != nil {
		return nil, err
	}
	asked := 0
	next := func() (raters.Request, bool) {
		r := req
		r.Seed += uint64(asked)
		asked++
		return r, asked <= count
	}
	from := func(ctx context.Context, pool jobs.Pool, req raters.Request) Made {
		m := Made{variant: v, rater: rater, req: req, liars: len(pool.Liars(ctx))}
		made, err := jobs.Do(ctx, pool, work, req)
		if m.Err = err; err == nil {
			m.made, m.Err = made[0].made, made[0].err
		}
		return m
	}
	one := func(ctx context.Context, req raters.Request) Made { return from(ctx, pool, req) }
	return func(yield func(Made) bool) {
		for m := range jobs.Feedback(ctx, pool, generateAhead, next, one) {
			if len(pool.Liars(ctx)) != m.liars { // it may be one's of those found since
				m = from(ctx, jobs.Local{}, m.req)
			}
			if !yield(m) {
				return
			}
		}
	}, nil
}

func madePuzzle(v raters.Variant, req raters.Request, made raters.Generated) Puzzle {
	return Puzzle{
		Schema: "puzzle/1", ID: made.Puzzle.ID(), Genre: v.Genre, Variant: v.Name,
		Requested: requested(req), Level: made.Level, Text: made.Puzzle.Text, Solution: made.Solution,
		Generator: Generator{Version: v.Generator.Version(), Seed: strconv.FormatUint(req.Seed, 10)},
		Attempts:  len(made.Attempts),
	}
}

// GenerateRecorded makes a puzzle, rates it and records both.
func (r *Registry) GenerateRecorded(ctx context.Context, v raters.Variant, req raters.Request, actor string) (Puzzle, error) {
	rater, err := Rater(v, req.Rater)
	if err != nil {
		return Puzzle{}, err
	}
	g := grow(ctx, v, rater, req)
	return r.RecordMade(ctx, Made{variant: v, rater: rater, req: req, made: g.made, Err: g.err}, actor)
}

// RecordMade rates a puzzle that was made, and records both.
func (r *Registry) RecordMade(ctx context.Context, m Made, actor string) (Puzzle, error) {
	if m.Err != nil {
		return Puzzle{}, m.Err
	}
	facts, err := madeFacts(ctx, m.variant, m.rater, m.req, m.made)
	if err != nil {
		return Puzzle{}, err
	}
	first, err := r.calibrationFacts(ctx, m.variant)
	if err != nil {
		return Puzzle{}, err
	}
	first = append(first, profileFacts(m.rater)...)
	receipt, err := r.record(ctx, actor, append(first, facts...)...)
	if err != nil {
		return Puzzle{}, err
	}
	p := m.Puzzle()
	p.Event = receipt[len(first)].Seq
	return p, nil
}

// generated makes a puzzle, rates it, and gives the two facts.
func generated(ctx context.Context, v raters.Variant, req raters.Request) (raters.Generated, []fact, error) {
	rater, err := Rater(v, req.Rater)
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
	rating, err := Rate(ctx, rater, made.Puzzle)
	if err != nil {
		return nil, err
	}
	if !rating.IsFact() || rating.Level != "" && rating.Level != made.Level && (!hasOwnProfile(rater) || isUnder(rater, req)) {
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
		Origin: origin, Rater: rater.Name(), Requested: requested(req), Level: made.Level, Nodes: made.Nodes, Canonical: form,
		Version: versionUnder(rater, req),
	}
	for _, a := range made.Attempts {
		body.Attempts = append(body.Attempts, events.Attempt{N: a.N, Outcome: a.Outcome, Score: a.Score})
	}
	return fact{key: generatedKey(v, rater, req, origin), body: body}, nil
}

func generatedKey(v raters.Variant, rater raters.Rater, req raters.Request, origin events.Origin) events.Key {
	return events.GeneratedKey(v.Genre, v.Name, rater.Name(), versionUnder(rater, req), requested(req), origin.Version, origin.Seed)
}

// capped starts what is on record of a request with a cap.
const capped = "cap-"

// requested writes what a generator is asked for: a level, "any", or "cap-<level>".
func requested(req raters.Request) string {
	switch {
	case req.Cap != "":
		return capped + req.Cap
	case req.Level != "":
		return req.Level
	}
	return anyLevel
}

// asRequested makes the request again that is on record as text.
func asRequested(req raters.Request, text string) raters.Request {
	if level, ok := strings.CutPrefix(text, capped); ok {
		req.Cap = level
	} else if text != anyLevel {
		req.Level = text
	}
	return req
}

// canonicalForm gives what stands for the canonical form of a puzzle; zero when its variant has no symmetries.
func canonicalForm(v raters.Variant, p raters.Puzzle) (events.Form, error) {
	text, err := v.Canonical(p)
	if err != nil {
		return events.Form{}, fmt.Errorf("canonical form of %s: %w", p.ID(), err)
	}
	if text == "" {
		return events.Form{}, nil
	}
	return events.FormOf(text), nil
}
