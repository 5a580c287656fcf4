package registry_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"assay/raters"
	"assay/registry/engine"
	"assay/registry/jobs"
)

// under makes puzzles of some seeds by a level of sudoku.tiers under a profile.
func under(t *testing.T, crew jobs.Crew, choice engine.RaterChoice, level string, count int) (made []engine.Puzzle, failed error) {
	t.Helper()
	v := variant(t, "sudoku")
	rater, err := choice.Choose(v)
	if err != nil {
		t.Fatal(err)
	}
	req := raters.Request{Variant: v.Name, Rater: rater.Name(), Level: level, Seed: 1}
	all, err := engine.GenerateEach(t.Context(), crew, withToy(), v, rater, req, count)
	if err != nil {
		t.Fatal(err)
	}
	for m := range all {
		if m.Err != nil {
			return made, m.Err
		}
		p := m.Puzzle()
		rating, err := engine.Rate(t.Context(), rater, raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: p.Text})
		if err != nil || level != "" && rating.Level != level || rating.Level != p.Level || rating.Outcome != "rated" {
			t.Errorf("seed %s, asked for %q: %s by the generator, %s %s by the rater, %v", p.Generator.Seed, level, p.Level, rating.Outcome, rating.Level, err)
		}
		made = append(made, p)
	}
	return made, nil
}

// Puzzles made by a level of a profile have that level under it, whatever the built-in one says, and are the same ones
// however often they are made.
func TestPuzzlesMadeUnderAProfile(t *testing.T) {
	choice := reordered(t, "xy-wing", "swordfish", 3)
	moved := 0
	for _, level := range []string{"", "easy", "medium", "hard", "expert", "evil"} {
		made, err := under(t, jobs.Local{}, choice, level, 5)
		if err != nil {
			t.Fatal(err)
		}
		again, err := under(t, jobs.Local{}, choice, level, 5)
		if err != nil || !slices.Equal(made, again) {
			t.Errorf("%s: made again they are others: %v", level, err)
		}
		for _, p := range made {
			v, err := engine.Rate(t.Context(), variant(t, "sudoku").Scales[0].Rater, raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: p.Text})
			if err != nil {
				t.Fatal(err)
			}
			if v.Level != p.Level {
				moved++
			}
		}
	}
	if moved == 0 {
		t.Error("the built-in profile gives all of them the same level")
	}
	var refused *raters.RequestError
	if _, err := under(t, jobs.Local{}, choice, "extreme", 1); !errors.As(err, &refused) {
		t.Errorf("a level that the profile does not have: %v", err)
	}
}

// courier is a pool whose results come as from another process, each changed on the way.
type courier struct {
	jobs.Local
	t      testing.TB
	change func(*written)

	refused int
}

// written is the form of a generated puzzle between processes.
type written struct {
	_              struct{} `cbor:",toarray"`
	Made           raters.Generated
	Level          string
	Budget, Denied bool
	Failed         string
}

func (*courier) Room() int { return 1 }

func (c *courier) Do(ctx context.Context, chunk jobs.Chunk) error {
	o, err := chunk.Message()
	if err != nil {
		return err
	}
	var results [][]byte
	for _, job := range o.Jobs {
		result, err := chunk.Again().Do(ctx, job)
		if err != nil {
			return err
		}
		var w written
		if err := cbor.Unmarshal(result, &w); err != nil {
			return err
		}
		c.change(&w)
		results = append(results, marshal(c.t, w))
	}
	if _, err = chunk.Take(ctx, 0, results); err != nil {
		c.refused++
		chunk.Here(ctx, 0, chunk.Len())
	}
	return ctx.Err()
}

// What comes from another process is what is made here, and a puzzle of another level than it says is refused.
func TestAPuzzleMadeUnderAProfileElsewhere(t *testing.T) {
	choice := reordered(t, "xy-wing", "swordfish", 3)
	want, err := under(t, jobs.Local{}, choice, "hard", 3)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change  func(*written)
		refused int
	}{
		"as it was":                {func(*written) {}, 0},
		"another level asked for":  {func(w *written) { w.Made.Level, w.Level = "expert", "expert" }, 3},
		"two levels":               {func(w *written) { w.Level = "expert" }, 3},
		"another solution":         {func(w *written) { w.Made.Solution = w.Made.Puzzle.Text }, 3},
		"no attempt":               {func(w *written) { w.Made.Attempts = nil }, 3},
		"an attempt too many":      {func(w *written) { w.Made.Attempts = append(w.Made.Attempts, w.Made.Attempts...) }, 3},
		"a puzzle of another kind": {func(w *written) { w.Made.Puzzle.Variant = "other" }, 3},
	} {
		pool := &courier{t: t, change: c.change}
		got, err := under(t, pool, choice, "hard", 3)
		if err != nil || !slices.Equal(got, want) || pool.refused != c.refused {
			t.Errorf("%s: %d refused, %v, %+v", name, pool.refused, err, got)
		}
	}
}
