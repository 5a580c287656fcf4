package deduce_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

// starts returns toy puzzles of size 6.
func starts(n int) (s *square, all []deduce.Start) {
	s = newSquare(6)
	full := s.solutions(open(36))
	r := seedrand.New(11)
	for range n {
		all = append(all, deduce.Start{Candidates: s.start(r, full)})
	}
	return s, all
}

// under makes an order of some of the toy's techniques, each written "name level".
func under(s *square, techniques ...string) *deduce.Order {
	p := raters.Profile{Rater: profile.Rater, Version: 1}
	for _, t := range techniques {
		name, level, _ := strings.Cut(t, " ")
		p.Techniques = append(p.Techniques, logic.Technique{Name: name, Level: level})
	}
	return deduce.NewOrder(s.techniques(), profile, p)
}

// Moving the level of a propagating technique changes nothing inside suppositions; switching it off does.
func TestWhatPropagatesDoesNotDependOnItsLevel(t *testing.T) {
	s, all := starts(400)
	e := s.engine()
	rate := func(o *deduce.Order, start deduce.Start) raters.Rating {
		got, err := e.Rate(t.Context(), o, start, budget)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	moved, off := under(s, "chain-6 hard", "no-three expert", "chain-20 expert"), under(s, "chain-6 hard", "chain-20 expert")
	inside, without := 0, 0
	for _, start := range all {
		for _, step := range rate(moved, start).Steps() {
			for _, in := range step.Chain {
				if in.Technique == "no-three" {
					inside++
				}
			}
		}
		for _, step := range rate(off, start).Steps() {
			for _, in := range step.Chain {
				if in.Technique == "no-three" {
					t.Fatal("a technique that is switched off is used in a chain")
				}
				without++
			}
		}
	}
	if inside < 100 || without < 100 {
		t.Errorf("%d steps of the moved technique in chains, %d steps without it: too few", inside, without)
	}
}

// Grade says what Rate says, and an order cut below the level does not finish.
func TestGradesAreRatings(t *testing.T) {
	s, all := starts(600)
	e, o := s.engine(), deduce.NewOrder(s.techniques(), profile, profile)
	for i := range all[:500] {
		carve(t, s, e, o, all[i].Candidates, uint64(i))
	}
	seen := map[string]int{}
	levels := profile.Levels()
	for _, start := range all {
		rating, err := e.Rate(t.Context(), o, start, budget)
		if err != nil {
			t.Fatal(err)
		}
		level, err := e.Grade(t.Context(), o, start, budget)
		if err != nil || level != rating.Level {
			t.Fatalf("graded %q, rated %q, error %v", level, rating.Level, err)
		}
		seen[level]++
		rank := slices.Index(levels, level)
		if rank < 0 {
			continue
		}
		if capped, err := e.Grade(t.Context(), o.UpTo(level), start, budget); err != nil || capped != level {
			t.Fatalf("up to %s: %q, error %v", level, capped, err)
		}
		if rank == 0 {
			continue
		}
		if below, err := e.Grade(t.Context(), o.UpTo(levels[rank-1]), start, budget); err != nil || below != "" {
			t.Fatalf("%s is solved up to %s as %q, error %v", level, levels[rank-1], below, err)
		}
		checkSums(t, rating)
	}
	for _, level := range append(levels, "") {
		if seen[level] == 0 {
			t.Errorf("no puzzle of level %q among %v", level, seen)
		}
	}
}

// carve makes a start one that the techniques solve with as few givens as they can.
func carve(t *testing.T, s *square, e *deduce.Engine, o *deduce.Order, start []uint16, seed uint64) {
	t.Helper()
	for v, colour := range s.solutions(start)[0] {
		start[v] = 1 << colour
	}
	r := seedrand.New(seed)
	cells := make([]int, len(start))
	for v := range cells {
		cells[v] = v
	}
	r.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for _, v := range cells {
		given := start[v]
		start[v] = 3
		level, err := e.Grade(t.Context(), o, deduce.Start{Candidates: start}, budget)
		if err != nil {
			t.Fatal(err)
		}
		if level == "" {
			start[v] = given
		}
	}
}

// checkSums checks what a rating adds up.
func checkSums(t *testing.T, r raters.Rating) {
	t.Helper()
	score, counted, longest, widest := 0, 0, 0, 0
	uses := map[string]raters.TechniqueUse{}
	for _, step := range r.Steps() {
		if step.Level == "" {
			continue
		}
		counted++
		score += len(step.Removed) + len(step.Because)
		longest, widest = max(longest, len(step.Chain)-1), max(widest, len(step.Removed))
		u := uses[step.Technique]
		uses[step.Technique] = raters.TechniqueUse{Name: step.Technique, Level: step.Level, Uses: u.Uses + 1, Removed: u.Removed + len(step.Removed), Placed: u.Placed + len(step.Placed)}
	}
	metrics := []raters.Term{{Name: "steps", Value: counted}, {Name: "longest_chain", Value: longest}, {Name: "widest_step", Value: widest}}
	if *r.Score != score || !slices.Equal(r.Metrics, metrics) || len(uses) != len(r.Techniques) {
		t.Fatalf("score %d, metrics %v, %d techniques; they come to %d, %v, %d", *r.Score, r.Metrics, len(r.Techniques), score, metrics, len(uses))
	}
	for _, u := range r.Techniques {
		if u != uses[u.Name] {
			t.Fatalf("%+v comes to %+v", u, uses[u.Name])
		}
	}
	if last := r.Techniques[len(r.Techniques)-1]; r.Hardest != last.Name || r.Level != last.Level {
		t.Fatalf("hardest %s, level %s, the last technique is %+v", r.Hardest, r.Level, last)
	}
}

// Hints are the counted steps of the rating, in their order, whatever they take; there is none after the last.
func TestHintsAreTheCountedSteps(t *testing.T) {
	s, all := starts(200)
	e, o := s.engine(), deduce.NewOrder(s.techniques(), profile, profile)
	kinds := map[raters.HintKind]int{}
	for _, start := range all {
		rating, err := e.Rate(t.Context(), o, start, budget)
		if err != nil {
			t.Fatal(err)
		}
		var want []raters.Hint
		for i, step := range rating.Steps() {
			if step.Level != "" {
				want = append(want, raters.HintOf(rating.Steps(), i, "", rating.Naming))
			}
		}
		for skip := -1; skip < len(want)+2; skip++ {
			hint, err := e.Hint(t.Context(), o, start, budget, skip)
			if err != nil {
				t.Fatal(err)
			}
			kinds[hint.Kind]++
			area := hint.Area
			hint.Area = ""
			switch at := max(skip, 0); {
			case at < len(want) && (area == "" || !reflect.DeepEqual(hint, want[at])):
				t.Fatalf("after %d steps: hint %+v in %q, the step is %+v", skip, hint, area, want[at])
			case at >= len(want) && (hint.Kind != raters.HintNone || (area == "") == (rating.Outcome == raters.Rated)):
				t.Fatalf("after %d of %d steps: hint %+v, area %q", skip, len(want), hint, area)
			}
		}
	}
	if kinds[raters.HintStep] < 50 || kinds[raters.HintNone] < 1 {
		t.Errorf("kinds %v: too few to check them", kinds)
	}
}

func TestPositionsThatBreakARuleSayWhich(t *testing.T) {
	s := newSquare(4)
	e, o := s.engine(), deduce.NewOrder(s.techniques(), profile, profile)
	for _, c := range []struct {
		written map[int]uint16
		rule    string
		where   string
	}{
		{map[int]uint16{0: 1, 1: 1, 2: 1}, "three-alike", "r1c1 to r1c3"},
		{map[int]uint16{0: 2, 1: 2, 3: 2}, "too-many", "row 1, colour 1"},
		{map[int]uint16{0: 0}, "no-candidate", "r1c1"},
		{map[int]uint16{0: 1, 1: 1, 6: 2, 10: 2}, "three-alike", "r1c3 to r3c3"}, // by bookkeeping
	} {
		start := deduce.Start{Candidates: open(16)}
		for v, m := range c.written {
			start.Candidates[v] = m
		}
		hint, err := e.Hint(t.Context(), o, start, budget, 0)
		if err != nil || hint.Kind != raters.HintMistake || hint.Move != c.rule+", "+c.where {
			t.Errorf("%v: hint %+v, error %v", c.written, hint, err)
		}
		var broken *deduce.BrokenError
		if _, err := e.Rate(t.Context(), o, start, budget); !errors.As(err, &broken) || broken.Rule != c.rule || broken.Instance != c.where {
			t.Errorf("%v: error %v", c.written, err)
		}
	}
}

func TestSpecsBeyondTheLimitsPanic(t *testing.T) {
	for _, s := range []deduce.Spec{{}, {Variables: 1}, {Variables: 4097, Values: 2}, {Variables: 4, Values: 17}, {Variables: 4096, Values: 5}} {
		func() {
			defer func() {
				if fmt.Sprint(recover()) == "<nil>" {
					t.Errorf("%d variables of %d values are taken", s.Variables, s.Values)
				}
			}()
			deduce.NewTopology(s)
		}()
	}
}
