package sudoku

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"assay/raters"

	"pgregory.net/rapid"
)

// full tells whether the larger counts are asked for.
func full() bool { return os.Getenv("ASSAY_FULL") == "1" }

// size gives the count for a quick run, or for a full one.
func size(quick, whole int) int {
	if full() {
		return whole
	}
	return quick
}

// Each clue of a candidate is needed: without it the puzzle has more solutions, or the techniques up to
// the cap no longer finish.
func TestCandidatesAreIrreducibleUnderTheirCap(t *testing.T) {
	for tier := 1; tier <= 5; tier++ {
		for seed := range uint64(size(20, 400)) {
			m := candidate(seed, tier)
			got, err := tiersRater.Rate(context.Background(), puzzle(&m.clues))
			if err != nil || got.Outcome != raters.Rated || got.Tier != m.tier || m.tier > tier {
				t.Fatalf("%s under cap %d: %s tier %d, earned %d, %v", text(&m.clues), tier, got.Outcome, got.Tier, m.tier, err)
			}
			for c, v := range m.clues {
				if v == 0 {
					continue
				}
				less := m.clues
				less[c] = 0
				if solve(t, &less).Verdict != raters.Unique {
					continue
				}
				if got := tiersRater.rate(&less); got.Outcome == raters.Rated && got.Tier <= tier {
					t.Fatalf("%s under cap %d does not need %s", text(&m.clues), tier, cellNames[c])
				}
			}
		}
	}
}

func TestGeneratesExactlyTheLevel(t *testing.T) {
	for _, level := range levels[1:] {
		for seed := range uint64(size(2, 20)) {
			g, err := generator{}.Generate(context.Background(), raters.Request{Variant: Variant, Level: level, Seed: seed})
			if err != nil || g.Level != level {
				t.Fatalf("%s, seed %d: %s, %v", level, seed, g.Level, err)
			}
			for i, a := range g.Attempts[:len(g.Attempts)-1] {
				if earned, ok := strings.CutPrefix(a.Outcome, "earned "); !ok || earned == level || a.N != i+1 {
					t.Fatalf("%s, seed %d: attempt %v", level, seed, a)
				}
			}
			got, err := tiersRater.Rate(context.Background(), g.Puzzle)
			if err != nil || got.Level != level {
				t.Fatalf("%s is %s, %v", g.Puzzle.Text, got.Level, err)
			}
		}
	}
}

func TestCapMakesOneCandidate(t *testing.T) {
	earned := map[string]int{}
	for seed := range uint64(size(100, 1000)) {
		g, err := generator{}.Generate(context.Background(), raters.Request{Variant: Variant, Cap: "expert", Seed: seed})
		if err != nil || len(g.Attempts) != 1 || g.Level == "evil" {
			t.Fatal(g.Level, g.Attempts, err)
		}
		earned[g.Level]++
	}
	if earned["easy"] == 0 || earned["medium"] == 0 || earned["expert"] == 0 {
		t.Fatalf("all alike: %v", earned)
	}
}

func TestRefusesWhatItDoesNotOffer(t *testing.T) {
	for _, r := range []raters.Request{
		{Variant: Variant, Level: "easy", Cap: "hard"},
		{Variant: Variant, Cap: "extreme"},
		{Variant: "jumbo", Level: "easy"},
	} {
		_, err := generator{}.Generate(context.Background(), r)
		var refused *raters.RequestError
		if !errors.As(err, &refused) || refused.Reason == "" {
			t.Errorf("%+v: %v", r, err)
		}
	}
	_, err := generator{}.Generate(context.Background(), raters.Request{Variant: Variant, Level: "extreme"})
	if err == nil || !strings.Contains(err.Error(), "easy, medium, hard, expert, evil") {
		t.Errorf("the error does not name the levels offered: %v", err)
	}
}

func TestFullGridsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := candidate(rapid.Uint64().Draw(t, "seed"), 1)
		if !solves(&m.clues, text(&m.solution)) {
			t.Fatalf("%s does not solve %s", text(&m.solution), text(&m.clues))
		}
	})
}

// workOut brings everything up to date.
func (s *state) workOut() {
	s.byCell()
	for kind := range 3 {
		s.countSingles(kind)
	}
	s.count()
	s.findLocks()
	s.sizes()
}

// A position from which a clue is taken back is that of the other clues.
func TestUngivingIsStartingWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := candidate(rapid.Uint64Max(50).Draw(t, "seed"), 1)
		cells := m.solution
		var got, want state
		got.start(&cells)
		used := usedBy(&cells)
		for _, c := range rapid.Permutation([]uint8{0, 7, 13, 22, 40, 41, 50, 61, 66, 72, 79, 80}).Draw(t, "cells") {
			d := int(cells[c] - 1)
			cells[c] = 0
			for _, h := range houseOf[c] {
				used[h] &^= 1 << d
			}
			got.ungive(c, d, &used)
			want.start(&cells)
			got.workOut()
			want.workOut()
			if got.once != want.once || got.twice != want.twice || got.few != want.few || got.locks != want.locks || got.two != want.two || got.twoOrThree != want.twoOrThree {
				t.Fatalf("without %s something else is worked out than from the start", cellNames[c])
			}
			if got.cand != want.cand || got.where != want.where || got.open != want.open {
				t.Fatalf("without %s another position than from the start", cellNames[c])
			}
		}
	})
}
