package sudoku

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
)

// The level asked for is the level earned; of all requests for a level or a cap of one seed, the first candidate
// that fits is taken.
func TestMakesExactlyTheCanonicalLevel(t *testing.T) {
	names := canonicalProfile.Levels()
	seen := map[string]int{}
	for seed := range uint64(size(20, 400)) {
		for rank, level := range names {
			g, err := generator{}.Generate(t.Context(), raters.Request{Variant: Variant, Rater: CanonicalName, Level: level, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			got, err := canonicalRater.Rate(t.Context(), g.Puzzle)
			if err != nil || g.Level != level || got.Level != level {
				t.Fatalf("%s, seed %d: %s, rated %s, error %v", level, seed, g.Level, got.Level, err)
			}
			for _, a := range g.Attempts[:len(g.Attempts)-1] {
				seen[a.Outcome]++
				if earned, ok := strings.CutPrefix(a.Outcome, "earned "); ok && slices.Index(names, earned) >= rank {
					t.Fatalf("%s, seed %d: attempt %v", level, seed, a)
				}
			}
			capped, err := generator{}.Generate(t.Context(), raters.Request{Rater: CanonicalName, Cap: level, Seed: seed})
			if err != nil || slices.Index(names, capped.Level) > rank || len(capped.Attempts) > len(g.Attempts) {
				t.Fatalf("cap %s, seed %d: %s after %d attempts, error %v", level, seed, capped.Level, len(capped.Attempts), err)
			}
		}
	}
	t.Log(seen)
	for _, outcome := range []string{deduce.TooHard, "earned easy", "earned medium", "earned hard"} {
		if seen[outcome] == 0 {
			t.Errorf("no attempt ended with %q", outcome)
		}
	}
}

// Without any of its clues a candidate has another solution.
func TestMinimalPuzzlesNeedEveryClue(t *testing.T) {
	for seed := range uint64(size(50, 2000)) {
		m := minimal(seed)
		if !solves(&m.clues, text(&m.solution)) || solve(t, &m.clues).Verdict != raters.Unique {
			t.Fatalf("%s has not the one solution %s", text(&m.clues), text(&m.solution))
		}
		for c, v := range m.clues {
			less := m.clues
			less[c] = 0
			if v != 0 && solve(t, &less).Verdict != raters.Multiple {
				t.Fatalf("%s does not need %s", text(&m.clues), cellNames[c])
			}
		}
	}
}

func TestRefusesCanonicalLevelsItDoesNotOffer(t *testing.T) {
	for _, c := range []struct {
		request raters.Request
		reason  string
	}{
		{raters.Request{Level: "extreme"}, "reserved"},
		{raters.Request{Cap: "extreme"}, "reserved"},
		{raters.Request{Level: "evil"}, "easy, medium, hard, expert"},
		{raters.Request{Cap: "no"}, "easy, medium, hard, expert"},
		{raters.Request{Level: "easy", Cap: "hard"}, "exclude"},
		{raters.Request{Variant: "jumbo", Level: "easy"}, "no variant"},
	} {
		c.request.Rater = CanonicalName
		_, err := generator{}.Generate(t.Context(), c.request)
		var refused *raters.RequestError
		if !errors.As(err, &refused) || !strings.Contains(refused.Reason, c.reason) {
			t.Errorf("%+v: error %v", c.request, err)
		}
	}
}

// A level is made of the rater that is named and of no other one.
func TestRequestsWithoutTheRaterAreThoseOfTiers(t *testing.T) {
	for _, level := range []string{"easy", "medium", "hard"} {
		var texts []string
		for _, name := range []string{"", TiersName, CanonicalName} {
			g, err := generator{}.Generate(t.Context(), raters.Request{Rater: name, Level: level, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, g.Puzzle.Text)
		}
		if texts[0] != texts[1] || texts[0] == texts[2] {
			t.Errorf("%s: %q", level, texts)
		}
	}
}

// The profile is data: with techniques switched off or on other levels the same puzzle is another level.
func TestCanonicalProfileIsData(t *testing.T) {
	if got := canonicalRater.Version(); got != "1" {
		t.Fatalf("version %s", got)
	}
	same, err := canonicalRater.With(canonicalProfile)
	if err != nil || same.Version() != "1" {
		t.Fatalf("version %s with the built-in profile, error %v", same.Version(), err)
	}
	p := canonicalProfile
	p.Techniques = slices.Clone(p.Techniques[:5])
	p.Techniques[2].Level = "expert"
	if _, err := canonicalRater.With(p); err == nil {
		t.Error("a profile that descends in level is taken")
	}
	p.Techniques[3].Level, p.Techniques[4].Level = "expert", "expert"
	other, err := canonicalRater.With(p)
	if err != nil || other.Version() != "1+"+p.Digest() {
		t.Fatalf("version %s, error %v", other.Version(), err)
	}
	for level, want := range map[string]string{"easy": "easy", "medium": "expert", "hard": "", "expert": ""} {
		g, err := generator{}.Generate(t.Context(), raters.Request{Rater: CanonicalName, Level: level, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := other.Rate(t.Context(), g.Puzzle); err != nil || got.Level != want {
			t.Errorf("%s is %q under the profile, not %q, error %v", level, got.Level, want, err)
		}
	}
}
