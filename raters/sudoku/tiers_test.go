package sudoku

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"assay/raters"
)

// tiered gives a board of a shape for sudoku.tiers.
func TestTheGeneralBoardTakesTheStepsOfTheFastOne(t *testing.T) {
	g := newShapedTiers(variants[0])
	for seed := range uint64(size(200, 20000)) {
		m := candidate(seed, 1+int(seed%5))
		want := tiersRater.rate(&m.clues)
		got, err := g.rate(t.Context(), &parsed{of: variants[0], shape: classicShape, givens: m.clues[:]})
		if err != nil {
			t.Fatal(err)
		}
		a, b := want.Steps(), got.Steps()
		for i := range a {
			if i >= len(b) || said(a[i]) != said(b[i]) {
				t.Fatalf("%s: step %d\n%s\n%s", text(&m.clues), i+1, said(a[i]), said(b[i]))
			}
		}
		want.Solve, got.Solve = raters.Steps(nil), raters.Steps(nil)
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%s:\n%+v\n%+v", text(&m.clues), want, got)
		}
	}
}

// said writes all of a step, with its lists in order.
func said(s raters.Step) string {
	for _, list := range []*[]raters.Literal{&s.Removed, &s.Because} {
		*list = slices.Compact(slices.Sorted(slices.Values(*list)))
	}
	return fmt.Sprintf("%+v", s)
}
