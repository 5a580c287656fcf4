package sudoku

import (
	"testing"

	"assay/raters"
	"assay/raters/ratertest"
)

func TestConformance(t *testing.T) {
	s := ratertest.Suite{
		Genre:             Genre(),
		Requests:          requests(),
		GeneratorConstant: "sudoku.GeneratorVersion (generate.go)",
		RaterConstants:    map[string]string{TiersName: "sudoku.TiersVersion (rater.go)"},
	}
	for _, text := range inputForms() {
		s.Texts = append(s.Texts, ratertest.Text{Variant: Variant, Text: text, Canonical: sample})
	}
	for _, b := range badTexts() {
		s.Bad = append(s.Bad, ratertest.Bad{Variant: Variant, Text: b.in, Line: b.line, Column: b.column, Reason: b.reason})
	}
	shelves, hard := readBench(t)
	for i := range 20 {
		s.Puzzles = append(s.Puzzles, puzzle(&shelves[i]))
	}
	s.Puzzles = append(s.Puzzles, puzzle(&hard[0]), puzzle(&hard[1]))
	s.Run(t)
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
