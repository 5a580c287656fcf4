package sudoku

import (
	"testing"

	"assay/raters"
)

// The level that a candidate earned is the level that the rater gives it, step by step, and it has one solution.
func TestCandidatesEarnTheLevelOfTheRater(t *testing.T) {
	for _, v := range shaped() {
		t.Run(v.name, func(t *testing.T) {
			rater, seen := newShapedTiers(v), map[string]int{}
			for seed := range uint64(size(120, 4000)) {
				for tier := 1; tier <= v.tiers; tier++ {
					m := v.candidate(seed, tier)
					if m.puzzle == nil {
						seen[tooLittle]++
						continue
					}
					got, err := rater.rate(t.Context(), m.puzzle)
					if err != nil || got.Outcome != raters.Rated || got.Level != m.level || got.Tier > tier {
						t.Fatalf("%s under %s: %s, rated %s %s, error %v", m.puzzle.text(), levels[tier], m.level, got.Outcome, got.Level, err)
					}
					proof, err := m.puzzle.shape.solve(t.Context(), m.puzzle.givens, shapeBudget)
					if err != nil || proof.Verdict != raters.Unique || proof.Solutions[0] != cellText(m.solution) {
						t.Fatalf("%s: %s, error %v", m.puzzle.text(), proof.Verdict, err)
					}
					seen[m.level]++
				}
			}
			t.Log(seen)
		})
	}
}
