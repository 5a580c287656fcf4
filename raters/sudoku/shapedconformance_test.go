package sudoku

import (
	"testing"

	"assay/raters"
	"assay/raters/ratertest"
)

// What every genre promises holds for each variant, whose generator has a version of its own.
func TestConformanceOfShapes(t *testing.T) {
	for _, v := range shaped() {
		t.Run(v.name, func(t *testing.T) {
			s := ratertest.Suite{
				Genre:             only(t, v.name),
				Requests:          requestsOf(v),
				GeneratorFor:      v.name,
				RatersFor:         v.name,
				GeneratorConstant: "the generator of " + v.name + " in the table (variants.go)",
				RaterConstants: map[string]string{
					TiersName: "sudoku.TiersVersion (rater.go)", CanonicalName: "sudoku.CanonicalVersion (canonicalrater.go)",
				},
			}
			for seed := range uint64(2 * v.tiers) {
				m := v.candidate(seed, 1+int(seed)%v.tiers)
				if m.puzzle == nil {
					continue
				}
				text := m.puzzle.text()
				s.Texts = append(s.Texts, ratertest.Text{Variant: v.name, Text: text})
				s.Puzzles = append(s.Puzzles, raters.Puzzle{Genre: Name, Variant: v.name, Text: text})
				s.Bad = append(s.Bad,
					ratertest.Bad{Variant: v.name, Text: text[1:], Line: 1, Column: v.base().cells(), Reason: "ends after|not a digit"},
					ratertest.Bad{Variant: v.name, Text: "x" + text[1:], Line: 1, Column: 1, Reason: "not a digit"})
			}
			s.Run(t)
		})
	}
}

// requestsOf asks for each level, and each as a cap, for each rater.
func requestsOf(v *variant) (all []raters.Request) {
	offered := map[string][]string{"": levels[1 : 1+v.tiers], CanonicalName: canonicalProfile.Levels()[:v.canonical]}
	for _, rater := range []string{"", CanonicalName} {
		for _, level := range offered[rater] {
			for _, seed := range []uint64{1, 1<<64 - 1} {
				all = append(all, raters.Request{Variant: v.name, Rater: rater, Level: level, Seed: seed})
			}
			all = append(all, raters.Request{Variant: v.name, Rater: rater, Cap: level, Seed: 3})
		}
	}
	return append(all, raters.Request{Variant: v.name, Seed: 5})
}
