package sudoku

import (
	"fmt"
	"testing"
)

// A solve is its rating's own: what is rated later, or written into its steps, does not change it.
func TestSolvesStayAsTheyWere(t *testing.T) {
	shelves, hard := readBench(t)
	puzzles := append(shelves[:60:60], hard[:5]...)
	written := func(i int) string { return fmt.Sprintf("%+v", tiersRater.rate(&puzzles[i]).Steps()) }
	for i := range puzzles {
		kept := tiersRater.rate(&puzzles[i])
		want := fmt.Sprintf("%+v", kept.Steps())
		if other := written((i + 1) % len(puzzles)); other == want {
			t.Fatalf("%s and the next puzzle have the same steps", text(&puzzles[i]))
		}
		for _, s := range kept.Steps() {
			clear(s.Removed)
			clear(s.Because)
			clear(s.From)
		}
		if got := fmt.Sprintf("%+v", kept.Steps()); got != want || written(i) != want {
			t.Fatalf("%s: the steps were %s and are %s", text(&puzzles[i]), want, got)
		}
	}
}

// The lists of a step end where they end: appending to one does not reach into the next.
func TestListsOfStepsAreApart(t *testing.T) {
	shelves, _ := readBench(t)
	for _, s := range tiersRater.rate(&shelves[4]).Steps() {
		if cap(s.Placed) != len(s.Placed) || cap(s.Removed) != len(s.Removed) || cap(s.Because) != len(s.Because) || cap(s.From) != len(s.From) {
			t.Fatalf("%+v has room for more", s)
		}
	}
}
