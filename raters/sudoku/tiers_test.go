package sudoku

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// On classic grids the general board takes the steps that the fast position takes: of puzzles of all tiers, of the hardest
// known, and under any profile. Each checks the other.
func TestTheGeneralBoardTakesTheStepsOfTheFastOne(t *testing.T) {
	shelves, hard := readBench(t)
	puzzles := hard
	for i := 0; i < len(shelves); i += size(9, 1) {
		puzzles = append(puzzles, shelves[i])
	}
	for seed := range uint64(size(300, 20_000)) {
		puzzles = append(puzzles, candidate(seed, 1+int(seed%evil)).clues)
	}
	v := variants[0]
	general, random := newShapedTiers(v), rand.New(rand.NewPCG(7, 7))
	for i := range puzzles {
		fast, shaped := tiersRater, general
		if i%4 == 3 {
			fast, shaped = bothUnder(t, general, anyProfile(random))
		}
		sameRating(t, text(&puzzles[i]), fast.rate(&puzzles[i]), func() (raters.Rating, error) {
			return shaped.rate(t.Context(), &parsed{of: v, shape: classicShape, givens: puzzles[i][:]})
		})
	}
}

func bothUnder(t *testing.T, general shapedTiers, p raters.Profile) (rater, shapedTiers) {
	t.Helper()
	fast, err := tiersRater.With(p)
	if err != nil {
		t.Fatal(err)
	}
	shaped, err := general.With(p)
	if err != nil {
		t.Fatal(err)
	}
	return fast.(rater), shaped.(shapedTiers)
}

func sameRating(t *testing.T, puzzle string, want raters.Rating, rate func() (raters.Rating, error)) {
	t.Helper()
	got, err := rate()
	if err != nil {
		t.Fatal(err)
	}
	a, b := want.Steps(), got.Steps()
	for i := range a {
		if i >= len(b) || said(a[i]) != said(b[i]) {
			t.Fatalf("%s: step %d is\n%s\n%s", puzzle, i+1, said(a[i]), said(b[min(i, len(b)-1)]))
		}
	}
	want.Solve, got.Solve = nil, nil
	want.Techniques, got.Techniques = append([]raters.TechniqueUse{}, want.Techniques...), append([]raters.TechniqueUse{}, got.Techniques...)
	if len(a) != len(b) || !reflect.DeepEqual(want, got) {
		t.Fatalf("%s: %d steps, %+v, and %d, %+v", puzzle, len(a), want, len(b), got)
	}
}

// said writes all of a step, with its lists in order.
func said(s logic.Step) string {
	for _, list := range []*[]logic.Literal{&s.Removed, &s.Because} {
		*list = slices.Compact(slices.Sorted(slices.Values(*list)))
	}
	return fmt.Sprintf("%+v", s)
}

// The table of techniques is the list of classic grids, with those of cages in between.
func TestTheTableOfTechniquesIsThatOfClassicGrids(t *testing.T) {
	for i, q := range variants[0].tiersProfile().Techniques {
		if i >= len(tiers) || q.Name != tiers[i].name || q.Tier != tiers[i].tier {
			t.Errorf("technique %d is %+v", i+1, q)
		}
	}
	for _, v := range variants {
		names := map[string]bool{}
		for _, q := range v.tiersProfile().Techniques {
			names[q.Name] = true
		}
		caged := v.brings == ownCages
		if names["cage-combinations"] != caged || names["rule-of-45"] != caged {
			t.Errorf("%s: %v", v.name, names)
		}
		if plain := v.brings == digitsAlone && v.base().full == 3*v.size(); names[rectangleName] != plain {
			t.Errorf("%s: %v", v.name, names)
		}
	}
}
