package registry_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"assay/raters"
	"assay/raters/catalog"
	"assay/raters/logic"
	"assay/raters/seedrand"
	"assay/registry"
	"assay/registry/engine"
)

// The toy is a genre with shelves whose puzzles cost nothing: "2 14" is a puzzle of level hard. Puzzles
// that differ in the last bit of the second number are the same up to symmetry. From 900 on a puzzle has
// two solutions.
const toyGenre, toyVariant = "toy", "flat"

var toyLevels = []string{"easy", "medium", "hard", "extreme"} // extreme has no shelf

func toy() raters.Genre {
	return raters.Genre{
		Name: toyGenre, Reader: toyReader{}, Variants: []raters.Variant{{
			Genre: toyGenre, Name: toyVariant, Scales: []raters.Scale{{Rater: toyRater{}, Levels: toyLevels[:3]}},
			Solver: toySolver{}, Generator: toyGenerator{}, Hinter: toyHinter{}, Canonizer: toyCanonizer{},
		}},
	}
}

func withToy() []raters.Genre { return append(catalog.Genres(), toy()) }

func toyText(level, n int) string { return fmt.Sprintf("%d %d", level, n) }

func toyPuzzle(text string) raters.Puzzle {
	return raters.Puzzle{Genre: toyGenre, Variant: toyVariant, Text: text}
}

func toyParts(text string) (level, n int, ok bool) {
	first, second, _ := strings.Cut(text, " ")
	level, err := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	return level, n, err == nil && err2 == nil && level >= 0 && level < len(toyLevels) && n >= 0
}

type toyReader struct{}

func (toyReader) Read(_, text string) (raters.Puzzle, error) {
	if _, _, ok := toyParts(text); !ok {
		return raters.Puzzle{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: "not a toy"}
	}
	return toyPuzzle(text), nil
}

func (toyReader) Draw(p raters.Puzzle) (raters.Board, error) {
	level, _, _ := toyParts(p.Text)
	return raters.Board{Rows: 1, Columns: 3, Cells: []raters.Cell{{Text: strconv.Itoa(level)}, {}, {}}}, nil
}

type toySolver struct{}

func (toySolver) Solve(_ context.Context, p raters.Puzzle) (raters.Solution, error) {
	if _, n, _ := toyParts(p.Text); n >= 900 {
		return raters.Solution{Verdict: raters.Multiple, Solutions: []string{"a", "b"}, Nodes: 2}, nil
	}
	return raters.Solution{Verdict: raters.Unique, Solutions: []string{"solved " + p.Text}, Nodes: 1}, nil
}

type toyRater struct{}

func (toyRater) Name() string    { return "toy.levels" }
func (toyRater) Version() string { return "1" }

func (toyRater) Profile() raters.Profile {
	p := raters.Profile{Rater: "toy.levels", Version: 1}
	for i, level := range toyLevels {
		p.Techniques = append(p.Techniques, logic.Technique{Name: "rule-" + level, Level: level, Tier: i + 1})
	}
	return p
}

func (r toyRater) With(p raters.Profile) (raters.Rater, error) {
	_, err := r.Profile().Check(p)
	return r, err
}

func (r toyRater) Rate(_ context.Context, p raters.Puzzle) (raters.Rating, error) {
	level, n, _ := toyParts(p.Text)
	if n >= 900 {
		return raters.Rating{}, &raters.NotUniqueError{Solutions: [2]string{"a", "b"}}
	}
	out := raters.Rating{Outcome: raters.Rated, Level: toyLevels[level], Tier: level + 1, Clues: 20 + n%4, Naming: logic.Naming{Columns: 3, Values: []string{"1", "2"}}}
	var steps raters.Steps
	for i, t := range r.Profile().Techniques[:level+1] {
		out.Hardest = t.Name
		out.Techniques = append(out.Techniques, raters.TechniqueUse{Name: t.Name, Level: t.Level, Uses: 1, Placed: 1})
		steps = append(steps, logic.Step{Technique: t.Name, Level: t.Level, Instance: "here", Placed: []logic.Literal{logic.Lit(i%3, n%2)}})
	}
	out.Solve = steps
	return out, nil
}

type toyGenerator struct{}

func (toyGenerator) Version() int { return 1 }

// Generate earns the level of the cap in two of five candidates, else a lower one, and takes longer for
// some than for others.
func (toyGenerator) Generate(_ context.Context, req raters.Request) (raters.Generated, error) {
	r := seedrand.New(req.Seed)
	for range r.IntN(2000) {
		r.Uint64()
	}
	if r.IntN(50) == 0 {
		return raters.Generated{}, fmt.Errorf("toy: %w", raters.ErrBudget)
	}
	level := r.IntN(len(toyLevels))
	for i, name := range toyLevels {
		if name == req.Cap && r.IntN(5) < 3 {
			level = min(level, i)
		} else if name == req.Cap || name == req.Level {
			level = i
		}
	}
	if r.IntN(30) == 0 {
		level = 3
	}
	p := toyPuzzle(toyText(level, r.IntN(600)))
	return raters.Generated{
		Puzzle: p, Solution: "solved " + p.Text, Level: toyLevels[level], Nodes: 1, Attempts: []raters.Attempt{{N: 1, Outcome: "accepted"}},
	}, nil
}

type toyCanonizer struct{}

func (toyCanonizer) Canonical(p raters.Puzzle) (string, error) {
	level, n, _ := toyParts(p.Text)
	return toyText(level, n&^1), nil
}

type toyHinter struct{}

// toyHints are the steps of every toy: one that leads to a value, one that writes it, and one that leads to none.
var toyHints = []raters.Hint{
	{Kind: raters.HintStep, Area: "row 1", Technique: "rule-easy", Move: "not r1c1=2", Removed: []string{"r1c1=2"}, LeadsTo: "r1c1=1", InSteps: 1},
	{Kind: raters.HintStep, Area: "row 1", Technique: "rule-easy", Move: "r1c1=1", Writes: true},
	{Kind: raters.HintStep, Area: "row 2", Technique: "rule-medium", Move: "not r2c1=2", Removed: []string{"r2c1=2"}},
}

func (toyHinter) Hint(_ context.Context, p raters.Puzzle, board string, skip int) (raters.Hint, error) {
	switch {
	case board != p.Text:
		return raters.Hint{Kind: raters.HintMistake, Move: "not " + board}, nil
	case skip >= len(toyHints):
		return raters.Hint{Kind: raters.HintNone}, nil
	}
	return toyHints[skip], nil
}

// generateRecorded makes a puzzle by the levels of a rater that is built in, and records it.
func generateRecorded(ctx context.Context, r *registry.Registry, v raters.Variant, req raters.Request, actor string) (engine.Puzzle, error) {
	rater, err := engine.Rater(v, req.Rater)
	if err != nil {
		return engine.Puzzle{}, err
	}
	return r.RecordMade(ctx, engine.Made{Variant: v, Rater: rater, Request: req, Grown: engine.Grow(ctx, v, rater, req)}, actor)
}
