package kakurasu

import (
	"context"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/logic"
	"assay/raters/ratertest"
	"assay/raters/seedrand"
)

const sample = "5 5\n7 10 9 9 7\n9 6 7 2 15"

func TestConformance(t *testing.T) {
	s := ratertest.Suite{
		Genre:             Genre(),
		Texts:             []ratertest.Text{{Variant: "5x5", Text: sample}},
		Requests:          requests(),
		GeneratorConstant: "kakurasu.GeneratorVersion (generate.go)",
		RaterConstants:    map[string]string{CanonicalName: "kakurasu.CanonicalVersion (rater.go)"},
	}
	for _, b := range badTexts() {
		s.Bad = append(s.Bad, ratertest.Bad{Variant: "5x5", Text: b.in, Line: b.line, Column: b.column, Reason: b.reason})
	}
	for _, r := range requests() {
		s.Puzzles = append(s.Puzzles, generate(t, r).Puzzle)
	}
	s.Stepwise = &ratertest.Stepwise{
		Tiny: tiny, Naive: naive, Prove: verifier, Rescan: rescan, Budgeted: budgeted,
		Chains: map[string]int{"chain-6": 6, "chain-20": 20}, Seeds: 2000,
	}
	s.Run(t)
}

// tiny returns the clues of a random 4×4 shading, altered in half of the boards; or of a shading that has a twin with
// the same clues, as few have.
func tiny(seed uint64) raters.Puzzle {
	r := seedrand.New(seed)
	var s shading
	for row := range 4 {
		s[row] = uint16(r.IntN(16))
	}
	g := s.clued(4, 4)
	switch seed % 4 {
	case 0:
		g.clue[r.IntN(8)] = r.IntN(11)
	case 1: // move one from a row to another, and one from a column to another: the sums still agree
		g.clue[r.IntN(4)]++
		g.clue[4+r.IntN(4)]++
	}
	return g.puzzle()
}

// verifier returns the verifier of a solve of the puzzle.
func verifier(p raters.Puzzle, of raters.Solve) func(int, []logic.Literal) bool {
	g, err := parse(p)
	if err != nil {
		return func(int, []logic.Literal) bool { return false }
	}
	e, _ := canonical.On(&g) // and is not given back
	return func(step int, because []logic.Literal) bool { return e.Prove(of, step, because) }
}

func rescan(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	return rateOn(ctx, p, rateBudget, true)
}

func budgeted(ctx context.Context, p raters.Puzzle, work uint64) (raters.Rating, error) {
	return rateOn(ctx, p, work, false)
}

func rateOn(ctx context.Context, p raters.Puzzle, work uint64, everywhere bool) (raters.Rating, error) {
	g, err := parse(p)
	if err != nil {
		return raters.Rating{}, err
	}
	e, start := canonical.On(&g)
	defer canonical.Free(e)
	e.Rescan = everywhere
	rating, err := e.Rate(ctx, canonical.Order, start, work)
	e.Rescan = false
	if err == nil {
		rating.Clues = g.lines()
	}
	return rating, err
}

func requests() (all []raters.Request) {
	for _, level := range []string{"", "easy", "medium", "hard", "expert"} {
		for _, seed := range []uint64{1, 1<<64 - 1} {
			all = append(all, raters.Request{Variant: "7x7", Level: level, Seed: seed})
		}
		if level != "" {
			all = append(all, raters.Request{Variant: "7x7", Cap: level, Seed: 3})
		}
	}
	for _, v := range []string{"4x4", "5x5", "4x12", "12x5", "8x8", "10x10", "12x12"} {
		all = append(all, raters.Request{Variant: v, Seed: 5})
	}
	return append(all, raters.Request{Variant: "10x10", Rater: CanonicalName, Level: "expert", Seed: 7})
}

func generate(t testing.TB, r raters.Request) raters.Generated {
	t.Helper()
	made, err := generator{}.Generate(t.Context(), r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return made
}

func TestVariantsAreAllSizes(t *testing.T) {
	g := Genre()
	var all []string
	for _, v := range g.Variants {
		all = append(all, v.Name)
	}
	if len(all) != 81 || all[0] != DefaultVariant || all[1] != "4x4" || all[80] != "12x12" {
		t.Fatalf("%d variants: %v", len(all), all)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 81 {
		t.Error("a variant is listed twice")
	}
	for _, v := range []string{"7", "3x7", "7x13", "07x7", "7X7", "7x7 ", "x", "-7x7"} {
		if _, is := g.Variant(v); is {
			t.Errorf("%q is a variant", v)
		}
		if _, _, err := sizeOf(v); err == nil {
			t.Errorf("%q has a size", v)
		}
	}
}
