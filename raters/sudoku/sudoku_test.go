package sudoku

import (
	"testing"

	"assay/raters"
	"assay/raters/ratertest"
)

// only gives the genre with one variant.
func only(t *testing.T, name string) raters.Genre {
	t.Helper()
	g := Genre()
	v, ok := g.Variant(name)
	if !ok {
		t.Fatalf("no variant %s", name)
	}
	g.Variants = []raters.Variant{v}
	return g
}

func TestConformance(t *testing.T) {
	s := ratertest.Suite{
		Genre:             only(t, Variant),
		Texts:             []ratertest.Text{{Variant: Variant, Text: sample}},
		Requests:          requests(),
		GeneratorConstant: "sudoku.GeneratorVersion (generate.go)",
		RaterConstants: map[string]string{
			TiersName: "sudoku.TiersVersion (rater.go)", CanonicalName: "sudoku.CanonicalVersion (canonicalrater.go)",
		},
	}
	for _, b := range badTexts() {
		s.Bad = append(s.Bad, ratertest.Bad{Variant: Variant, Text: b.in, Line: b.line, Column: b.column, Reason: b.reason})
	}
	s.Puzzles = lockedPuzzles(t)
	s.Run(t)
}

// lockedPuzzles are those of which the golden files tell what the raters say.
func lockedPuzzles(t *testing.T) (all []raters.Puzzle) {
	shelves, hard := readBench(t)
	for i := range 20 {
		all = append(all, puzzle(&shelves[i]))
	}
	return append(all, puzzle(&hard[0]), puzzle(&hard[1]))
}

func requests() (all []raters.Request) {
	for _, level := range append([]string{""}, levels[1:]...) {
		for _, seed := range []uint64{1, 1<<64 - 1} {
			all = append(all, raters.Request{Variant: Variant, Level: level, Seed: seed})
		}
		if level != "" {
			all = append(all, raters.Request{Variant: Variant, Cap: level, Seed: 3})
		}
	}
	return append(all, raters.Request{Variant: Variant, Rater: TiersName, Level: "expert", Seed: 7})
}

func puzzle(cells *[81]uint8) raters.Puzzle {
	return raters.Puzzle{Genre: Name, Variant: Variant, Text: text(cells)}
}
