package sudoku

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"

	"pgregory.net/rapid"
)

func mustParse(t testing.TB, s string) (cells [81]uint8) {
	t.Helper()
	cells, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: s})
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// A tier says nothing of how a grid is turned or its digits are called. Whether the techniques finish does at tier 5:
// which unique rectangle comes first may decide it, since a removal may break another.
func TestTierIsThatOfEverySymmetricGrid(t *testing.T) {
	shelves, hard := readBench(t)
	grids := append(shelves, hard...)
	rapid.Check(t, func(t *rapid.T) {
		cells := grids[rapid.IntRange(0, len(grids)-1).Draw(t, "puzzle")]
		y := randomSymmetry(seedrand.New(rapid.Uint64().Draw(t, "symmetry"))).of(&cells)
		got, want := tiersRater.rate(&y), tiersRater.rate(&cells)
		if got.Tier != want.Tier || got.Clues != want.Clues || got.Tier < evil && got.Outcome != want.Outcome {
			t.Fatalf("%s is tier %d, %s, the same grid, tier %d", text(&cells), want.Tier, text(&y), got.Tier)
		}
	})
}

// positions goes through the positions of a puzzle's solve.
func positions(cells *[81]uint8, f func(*state)) {
	var s state
	s.start(cells)
	for {
		f(&s)
		if s.open.empty() || find(&s, tiers) < 0 {
			return
		}
		s.take()
	}
}

// Whatever a technique finds anywhere, also where a cheaper one comes first, agrees with the solution.
func TestTechniquesAreSoundEverywhere(t *testing.T) {
	shelves, hard := readBench(t)
	found := map[string]int{}
	for i := range shelves {
		checkSound(t, &shelves[i], found)
	}
	for i := range hard {
		checkSound(t, &hard[i], found)
	}
	for _, q := range tiers {
		if found[q.name] < 50 {
			t.Errorf("%s was found %d times: too few to check it", q.name, found[q.name])
		}
	}
}

func checkSound(t *testing.T, cells *[81]uint8, found map[string]int) {
	solution := mustParse(t, solve(t, cells).Solutions[0])
	positions(cells, func(at *state) {
		for _, q := range tiers {
			s := *at
			s.found = finding{}
			if s.open.empty() || !q.find(&s) {
				continue
			}
			found[q.name]++
			for _, l := range s.found.removed {
				if int(solution[l.Variable()]) == l.Value()+1 {
					t.Fatalf("%s: %s, %v, removes %s", text(cells), q.name, s.found.pattern, naming.Text(l))
				}
			}
			if p := s.found.single.placed(); s.found.single.places() && int(solution[p.Variable()]) != p.Value()+1 {
				t.Fatalf("%s: %s places %s", text(cells), q.name, naming.Text(p))
			}
		}
	})
}

// leaving gives a position of an empty grid in which only the named cells have lost candidates.
func leaving(keep map[string]string) *state {
	s := new(state)
	s.start(&[81]uint8{})
	for c, name := range cellNames {
		digits, ok := keep[name]
		for d := range 9 {
			if ok && !strings.ContainsRune(digits, rune('1'+d)) {
				s.remove(uint8(c), d)
			}
		}
	}
	return s
}

func TestRectangleTypes(t *testing.T) {
	for name, c := range map[string]struct {
		keep map[string]string
		want string
	}{
		"type 1":                   {map[string]string{"r1c1": "12", "r1c4": "12", "r2c1": "12", "r2c4": "1235"}, "r2c4=1 r2c4=2"},
		"four boxes":               {map[string]string{"r1c1": "12", "r1c4": "12", "r4c1": "12", "r4c4": "1235"}, ""},
		"one box":                  {map[string]string{"r1c1": "12", "r1c2": "12", "r2c1": "12", "r2c2": "1235"}, ""},
		"a corner without a digit": {map[string]string{"r1c1": "12", "r1c4": "12", "r2c1": "12", "r2c4": "235"}, ""},
		"type 2":                   {map[string]string{"r1c1": "12", "r1c4": "12", "r2c1": "123", "r2c4": "123", "r2c7": "37", "r5c1": "37"}, "r2c2=3 r2c3=3 r2c5=3 r2c6=3 r2c7=3 r2c8=3 r2c9=3"},
		"type 2, in a box":         {map[string]string{"r1c1": "12", "r4c1": "12", "r1c2": "128", "r4c2": "128", "r1c3": "34"}, "r2c2=8 r3c2=8 r5c2=8 r6c2=8 r7c2=8 r8c2=8 r9c2=8"},
		"two extras, no type":      {map[string]string{"r1c1": "12", "r1c4": "12", "r2c1": "123", "r2c4": "124"}, ""},
		"type 3 is not one":        {map[string]string{"r1c1": "12", "r1c4": "12", "r2c1": "123", "r2c4": "124", "r2c7": "34"}, ""},
		"type 5 is not one":        {map[string]string{"r1c1": "12", "r2c4": "12", "r1c4": "123", "r2c1": "123"}, ""},
		"type 4": {map[string]string{"r1c1": "12", "r1c4": "12", "r2c1": "1235", "r2c4": "1267",
			"r2c2": "23456789", "r2c3": "23456789", "r2c5": "23456789", "r2c6": "23456789", "r2c7": "23456789", "r2c8": "23456789", "r2c9": "23456789"}, "r2c1=2 r2c4=2"},
	} {
		s := leaving(c.keep)
		var got []string
		if uniqueRectangle(s) {
			for _, l := range s.found.removed {
				got = append(got, naming.Text(l))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: removes %q, want %q", name, got, c.want)
		}
	}
}

func TestAllRectangleTypesOccur(t *testing.T) {
	shelves, _ := readBench(t)
	seen := map[string]int{}
	for i := range shelves {
		for _, s := range tiersRater.rate(&shelves[i]).Steps() {
			if s.Technique == "unique-rectangle" {
				seen[s.Instance[:6]]++
			}
		}
	}
	if seen["type 1"] < 10 || seen["type 2"] < 5 || seen["type 4"] < 10 || len(seen) != 3 {
		t.Fatalf("%v", seen)
	}
}

// In this grid three corners of a rectangle over four boxes come down to 15 and the fourth, r4c6, holds 1, 5
// and more; it is 1 or 5, so that a rectangle there would remove the truth.
func TestRectangleOverFourBoxesIsNone(t *testing.T) {
	cells := mustParse(t, ".......8.82...3.76.7.94..3.9........186.....2...4........62....3.......8.54....6.")
	const pair, corner = 1<<0 | 1<<4, 32
	solution := mustParse(t, solve(t, &cells).Solutions[0])
	if solution[corner] != 1 && solution[corner] != 5 {
		t.Fatalf("the corner is %d", solution[corner])
	}
	occurs := 0
	positions(&cells, func(s *state) {
		s.byCell()
		for row := range 9 {
			for col := range 9 {
				across, other := 9*row+5, 27+col
				apart := row/3 != 1 && col/3 != 1
				if apart && s.cand[across] == pair && s.cand[other] == pair && s.cand[9*row+col] == pair && s.cand[corner]&pair == pair {
					occurs++
				}
			}
		}
	})
	if occurs == 0 {
		t.Fatal("the rectangle does not occur")
	}
	checkSound(t, &cells, map[string]int{})
}

// In this grid's solution r1c1, r1c5, r2c1 and r2c5 hold two digits crosswise in two boxes, but one of them
// is given: nothing can be swapped, and no rectangle may be used there.
func TestRectangleWithAGivenCornerIsNone(t *testing.T) {
	cells := mustParse(t, "7.29......4.1..6......837..3.95...............14.6.....6..2..91.2.8....58......4.")
	v := mustParse(t, solve(t, &cells).Solutions[0])
	given := 0
	for _, c := range []int{0, 4, 9, 13} {
		if cells[c] != 0 {
			given++
		}
	}
	if v[0] != v[13] || v[4] != v[9] || given != 1 {
		t.Fatalf("no such rectangle: %d %d %d %d, %d given", v[0], v[4], v[9], v[13], given)
	}
	positions(&cells, func(s *state) {
		found := finding{}
		s.found, found = found, s.found
		if uniqueRectangle(s) && strings.HasSuffix(s.found.pattern.String(), "r1c1 r1c5 r2c1 r2c5") {
			t.Fatalf("used: %v", s.found.pattern)
		}
		s.found = found
	})
}

func TestOrderIsWhatIsPublished(t *testing.T) {
	var got []string
	last := 0
	for _, q := range tiersRater.Profile().Techniques {
		if q.Tier < last || q.Level != levels[q.Tier] || refTiers[q.Name] != q.Tier {
			t.Errorf("%+v", q)
		}
		last = q.Tier
		got = append(got, q.Name)
	}
	if want := "naked-single hidden-single pointing box-line-reduction naked-pair hidden-pair naked-triple x-wing swordfish xy-wing simple-coloring unique-rectangle"; strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
}

func TestOrderIsDataAndMattersForUses(t *testing.T) {
	shelves, _ := readBench(t)
	differ := 0
	for i := range shelves {
		a, b := tiersRater.rate(&shelves[i]), swapped().rate(&shelves[i])
		if a.Tier != b.Tier {
			t.Fatalf("%s: tier %d, with pointing and box/line swapped %d", text(&shelves[i]), a.Tier, b.Tier)
		}
		if len(a.Steps()) != len(b.Steps()) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the order changes nothing")
	}
}

func TestRatingOfWhatIsNoPuzzle(t *testing.T) {
	for _, in := range []string{
		"....4..67..2...8......7..4..8...92........916..5......19.5.7..4...8...5..7.1.46.8",
		"..5..47.23..1.........8.36....75.6...9.....7...7.62....46.3.........1...9.38..5..",
		strings.Repeat(".", 81),
	} {
		_, err := tiersRater.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: Variant, Text: in})
		var many *raters.NotUniqueError
		if !errors.As(err, &many) || many.Solutions[0] == many.Solutions[1] || len(many.Solutions[0]) != 81 {
			t.Errorf("%s: %v", in, err)
		}
	}
	_, err := tiersRater.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: Variant, Text: "5...5" + strings.Repeat(".", 76)})
	var none *raters.NoSolutionError
	if !errors.As(err, &none) || none.Reason != "5 twice in row 1: r1c1 and r1c5" {
		t.Errorf("%v", err)
	}
}

func TestRatingOfAFullGrid(t *testing.T) {
	m := candidate(1, 1)
	got, err := tiersRater.Rate(t.Context(), puzzle(&m.solution))
	if err != nil || got.Tier != 1 || got.Level != "easy" || got.Outcome != raters.Rated || len(got.Steps()) != 0 || got.Clues != 81 {
		t.Errorf("%+v, %v", got, err)
	}
}
