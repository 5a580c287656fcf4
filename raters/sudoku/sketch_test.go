package sudoku

import (
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"

	"pgregory.net/rapid"
)

func solutionOf(t testing.TB, seed uint64) string {
	t.Helper()
	made, err := Genre().Variants[0].Generator.Generate(t.Context(), raters.Request{Variant: Variant, Level: "easy", Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return made.Solution
}

func sketch(t interface{ Fatal(...any) }, text string) string {
	s, err := canonizer{}.Sketch(raters.Puzzle{Genre: Name, Variant: Variant, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a symmetry turns into one another has one sketch, and grids that no symmetry does have nearly always two: of 300
// solutions, which are all different up to symmetry, few share one.
func TestSketch(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		seen[sketch(t, solutionOf(t, seed))] = true
	}
	if len(seen) < 295 {
		t.Errorf("300 solutions have %d sketches", len(seen))
	}
	rapid.Check(t, func(rt *rapid.T) {
		cells, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: solutionOf(t, rapid.Uint64Range(0, 20).Draw(rt, "solution"))})
		if err != nil {
			rt.Fatal(err)
		}
		other := randomSymmetry(seedrand.New(rapid.Uint64().Draw(rt, "symmetry"))).of(&cells)
		if a, b := sketch(rt, text(&cells)), sketch(rt, text(&other)); a != b {
			rt.Fatalf("%s and its image %s", a, b)
		}
	})
}

func TestSketchOfWhatIsNotComplete(t *testing.T) {
	for _, text := range []string{strings.Repeat(".", 81), strings.Repeat("1", 81), "12"} {
		if s, err := (canonizer{}).Sketch(raters.Puzzle{Genre: Name, Variant: Variant, Text: text}); err == nil {
			t.Errorf("%s has the sketch %s", text, s)
		}
	}
}
