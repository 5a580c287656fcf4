package registry

import (
	"context"
	"fmt"
	"strconv"

	"assay/events"
	"assay/raters"
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
func Generate(ctx context.Context, g raters.Genre, req raters.Request) (Puzzle, error) {
	made, err := g.Generator.Generate(ctx, req)
	if err != nil {
		return Puzzle{}, err
	}
	return madePuzzle(g, req, made), nil
}

func madePuzzle(g raters.Genre, req raters.Request, made raters.Generated) Puzzle {
	p := Puzzle{
		Schema: "puzzle/1", ID: made.Puzzle.ID(), Genre: g.Name, Variant: made.Puzzle.Variant,
		Requested: req.Level, Level: made.Level, Text: made.Puzzle.Text, Solution: made.Solution,
		Generator: Generator{Version: g.Generator.Version(), Seed: strconv.FormatUint(req.Seed, 10)},
		Attempts:  len(made.Attempts),
	}
	if p.Requested == "" {
		p.Requested = anyLevel
	}
	return p
}

// GenerateRecorded makes a puzzle, rates it and records both.
func (r *Registry) GenerateRecorded(ctx context.Context, g raters.Genre, req raters.Request, actor string) (Puzzle, error) {
	made, facts, err := generated(ctx, g, req)
	if err != nil {
		return Puzzle{}, err
	}
	receipt, err := r.record(ctx, actor, facts...)
	if err != nil {
		return Puzzle{}, err
	}
	p := madePuzzle(g, req, made)
	p.Event = receipt[0].Seq
	return p, nil
}

// generated makes a puzzle, rates it, and gives the two facts.
func generated(ctx context.Context, g raters.Genre, req raters.Request) (raters.Generated, []fact, error) {
	rater, err := Rater(g, req.Rater)
	if err != nil {
		return raters.Generated{}, nil, err
	}
	made, err := g.Generator.Generate(ctx, req)
	if err != nil {
		return raters.Generated{}, nil, err
	}
	rating, err := Rate(ctx, rater, made.Puzzle)
	if err != nil {
		return raters.Generated{}, nil, err
	}
	if !rating.IsFact() {
		return raters.Generated{}, nil, fmt.Errorf("%s made %s, which %s finds %s", g.Name, rating.ID, rating.Rater, rating.Outcome)
	}
	origin := events.Origin{Version: g.Generator.Version(), Seed: req.Seed}
	return made, []fact{generatedFact(made, rater, req, origin), ratedFact(made.Puzzle, rating, &origin)}, nil
}

func generatedFact(made raters.Generated, rater raters.Rater, req raters.Request, origin events.Origin) fact {
	p := made.Puzzle
	body := events.Generated{
		Puzzle: p.ID(), Genre: p.Genre, Variant: p.Variant, Text: p.Text, Solution: made.Solution,
		Origin: origin, Rater: rater.Name(), Requested: req.Level, Level: made.Level, Nodes: made.Nodes,
	}
	if body.Requested == "" {
		body.Requested = anyLevel
	}
	for _, a := range made.Attempts {
		body.Attempts = append(body.Attempts, events.Attempt{N: a.N, Outcome: a.Outcome, Score: a.Score})
	}
	key := events.GeneratedKey(p.Genre, p.Variant, body.Rater, body.Requested, origin.Version, origin.Seed)
	return fact{key: key, body: body}
}
