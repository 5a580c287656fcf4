package kakurasu

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
)

// What a size has no room for is refused by name, and at once.
func TestImpossibleRequestsAreRefused(t *testing.T) {
	for request, reason := range map[raters.Request]string{
		{Variant: "7x7", Level: "extreme"}:               "level extreme is reserved",
		{Variant: "7x7", Cap: "extreme"}:                 "level extreme is reserved",
		{Variant: "4x4", Level: "hard"}:                  `kakurasu 4x4 has no level "hard"; offered: easy, medium`,
		{Variant: "4x4", Level: "expert"}:                `kakurasu 4x4 has no level "expert"; offered: easy, medium`,
		{Variant: "4x4", Cap: "expert"}:                  `kakurasu 4x4 has no level "expert"`,
		{Variant: "5x5", Level: "expert"}:                `kakurasu 5x5 has no level "expert"; offered: easy, medium, hard`,
		{Variant: "3x3"}:                                 `kakurasu has no variant "3x3"; offered: RxC from 4x4 to 12x12`,
		{Variant: "1x9"}:                                 `kakurasu has no variant "1x9"`,
		{Variant: "7x7", Rater: "sudoku.tiers"}:          `kakurasu has no rater "sudoku.tiers"; offered: kakurasu.canonical`,
		{Variant: "7x7", Level: "easy", Cap: "medium"}:   "exclude each other",
		{Variant: "7x7", Level: "Easy"}:                  `no level "Easy"`,
		{Variant: "999999999999x999999999999", Seed: 12}: "no variant",
	} {
		_, err := generator{}.Generate(t.Context(), request)
		var refused *raters.RequestError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, reason) {
			t.Errorf("%+v: error %v", request, err)
		}
	}
}

// Each size gives each level it offers, and no other one is on its list.
func TestSizesGiveTheLevelsTheyOffer(t *testing.T) {
	g := Genre()
	offered := func(variant string) []string {
		v, _ := g.Variant(variant)
		return v.Scales[0].Levels
	}
	for _, v := range []string{"4x4", "4x12", "12x4", "5x5", "5x12", "12x5", "6x6", "6x12", "9x9", "11x11", "12x12"} {
		for _, level := range offered(v) {
			if made := generate(t, raters.Request{Variant: v, Level: level, Seed: 2}); made.Level != level || made.Puzzle.Variant != v {
				t.Errorf("%s %s gives %+v", v, level, made)
			}
		}
	}
	for v, want := range map[string]string{"4x4": "easy medium", "5x5": "easy medium hard", "7x7": "easy medium hard expert", "12x4": "easy medium"} {
		if got := strings.Join(offered(v), " "); got != want {
			t.Errorf("%s offers %s, not %s", v, got, want)
		}
	}
}

func TestAttemptsSayWhatBecameOfThem(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(60) {
		for _, level := range []string{"", "easy", "hard"} {
			for _, a := range generate(t, raters.Request{Variant: "8x8", Level: level, Seed: seed}).Attempts {
				seen[a.Outcome]++
			}
		}
	}
	for _, outcome := range []string{deduce.Accepted, twoFills, deduce.TooHard, "earned easy", "earned medium"} {
		if seen[outcome] == 0 {
			t.Errorf("no attempt ended with %q: %v", outcome, seen)
		}
	}
	if len(seen) != 5 {
		t.Errorf("outcomes %v", seen)
	}
}
