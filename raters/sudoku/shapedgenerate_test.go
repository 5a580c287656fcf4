package sudoku

import (
	"errors"
	"slices"
	"strings"
	"sync"
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

// generatorOf gives the generator of a variant, as the genre offers it.
func generatorOf(t *testing.T, name string) raters.Generator {
	t.Helper()
	return only(t, name).Variants[0].Generator
}

// The level asked for is the level earned, for either rater, and candidates that earned another one are listed.
func TestShapesAreMadeOfExactlyTheLevel(t *testing.T) {
	for _, v := range shaped() {
		g := generatorOf(t, v.name)
		for _, r := range requestsOf(v) {
			if r.Level == "" {
				continue
			}
			scale, _ := only(t, v.name).Variants[0].Scale(r.Rater)
			for seed := range uint64(size(2, 200)) {
				r.Seed = seed
				made, err := g.Generate(t.Context(), r)
				if err != nil || made.Level != r.Level || made.Nodes == 0 {
					t.Fatalf("%+v: %s, error %v", r, made.Level, err)
				}
				for i, a := range made.Attempts[:len(made.Attempts)-1] {
					if earned, ok := strings.CutPrefix(a.Outcome, "earned "); a.N != i+1 || a.Outcome != tooLittle && (!ok || earned == r.Level) {
						t.Fatalf("%+v: attempt %v", r, a)
					}
				}
				if got, err := scale.Rater.Rate(t.Context(), made.Puzzle); err != nil || got.Level != r.Level {
					t.Fatalf("%+v: %s is %s, error %v", r, made.Puzzle.Text, got.Level, err)
				}
			}
		}
	}
}

func TestGeneratorsOfShapesNameWhatTheyOffer(t *testing.T) {
	for _, c := range []struct {
		variant string
		request raters.Request
		reason  string
	}{
		{"mini4", raters.Request{Level: "medium"}, "sudoku mini4 has no level \"medium\"; offered: easy"},
		{"mini6", raters.Request{Cap: "hard"}, "offered: easy, medium"},
		{"giant16", raters.Request{Rater: CanonicalName, Level: "hard"}, "sudoku.canonical giant16 has no level \"hard\"; offered: easy, medium"},
		{"killer", raters.Request{Level: "expert"}, "offered: easy, medium, hard"},
		{"killer", raters.Request{Rater: CanonicalName, Level: "easy"}, "has no rater \"sudoku.canonical\"; offered: sudoku.tiers"},
		{"diagonal", raters.Request{Level: "evil"}, "offered: easy, medium, hard, expert"},
		{"jigsaw", raters.Request{Level: "easy", Cap: "easy"}, "exclude"},
		{"jigsaw", raters.Request{Rater: "sudoku.other"}, "offered: sudoku.tiers, sudoku.canonical"},
		{"jigsaw", raters.Request{Rater: CanonicalName, Level: "extreme"}, "reserved"},
		{"jigsaw", raters.Request{Variant: "killer"}, "no generator of sudoku/jigsaw: sudoku/killer"},
	} {
		_, err := generatorOf(t, c.variant).Generate(t.Context(), c.request)
		var refused *raters.RequestError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.reason) {
			t.Errorf("%s, %+v: error %v, want %q", c.variant, c.request, err, c.reason)
		}
	}
}

// A puzzle depends on its request alone, not on what was made before, nor on what is made at the same time.
func TestShapesDependOnTheirSeedAlone(t *testing.T) {
	for _, v := range shaped() {
		n := 12
		alone := make([]string, n)
		for i := range n {
			alone[i] = v.candidate(uint64(i), 1+i%v.tiers).text()
		}
		beside := make([]string, n)
		var group sync.WaitGroup
		for i := range n {
			group.Go(func() { beside[i] = v.candidate(uint64(i), 1+i%v.tiers).text() })
		}
		group.Wait()
		if !slices.Equal(alone, beside) {
			t.Errorf("%s: other puzzles when made at the same time", v.name)
		}
		slices.Sort(alone)
		if len(slices.Compact(alone)) < n-1 && v.name != "mini4" {
			t.Errorf("%s: one puzzle for several seeds", v.name)
		}
	}
}

// text gives the puzzle's and the solution's; "" when there is none.
func (m shapedMade) text() string {
	if m.puzzle == nil {
		return ""
	}
	return m.puzzle.text() + " " + cellText(m.solution)
}
