package funnel_test

import (
	"fmt"
	"slices"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
	"assay/projections/funnel"
)

func TestCandidatesAreCountedByWhatBecameOfThem(t *testing.T) {
	log := logtest.NewMemory()
	made := func(requested, level string, outcomes ...string) events.Generated {
		g := events.Generated{Genre: "sudoku", Variant: "classic", Origin: events.Origin{Version: 1}, Requested: requested, Level: level}
		for i, o := range outcomes {
			g.Attempts = append(g.Attempts, events.Attempt{N: i + 1, Outcome: o})
		}
		return g
	}
	bodies := []events.Body{
		made("hard", "hard", "earned easy", "earned easy", "earned evil", "accepted"),
		made("hard", "hard", "accepted"),
		made("cap-hard", "easy", "accepted"), // the block tells of it
		events.Filled{Genre: "sudoku", Variant: "classic", Generator: 1, Counts: []events.Fate{{Cap: "hard", Earned: "easy", Outcome: "kept", Count: 2}, {Cap: "hard", Earned: "easy", Outcome: "full", Count: 9}}},
		events.Filled{Genre: "sudoku", Variant: "classic", Generator: 1, Counts: []events.Fate{{Cap: "hard", Earned: "easy", Outcome: "full", Count: 30}}},
		events.Filled{Genre: "sudoku", Variant: "mini4", Generator: 1, Counts: []events.Fate{{Cap: "easy", Earned: "easy", Outcome: "full", Count: 5}}},
	}
	for i, b := range bodies {
		e := logtest.Fact("x", "x", uint64(i+1))
		e.Key, e.Body = events.Key(fmt.Sprintf("filled/%d", i)), b
		if g, ok := b.(events.Generated); ok {
			e.Key = events.GeneratedKey(g.Genre, g.Variant, "r", "", g.Requested, 1, uint64(i))
		}
		if _, err := log.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.CatchUp(t.Context(), log, funnel.Table); err != nil {
		t.Fatal(err)
	}
	var got []funnel.Line
	err = store.View(funnel.Table.Name(), func(tx *projections.Tx) error {
		got, err = funnel.Lines(tx, "sudoku", "classic")
		return err
	})
	want := []funnel.Line{
		{Generator: 1, Requested: "cap-hard", Earned: "easy", Outcome: "full", Count: 39},
		{Generator: 1, Requested: "cap-hard", Earned: "easy", Outcome: "kept", Count: 2},
		{Generator: 1, Requested: "hard", Outcome: "earned easy", Count: 2},
		{Generator: 1, Requested: "hard", Outcome: "earned evil", Count: 1},
		{Generator: 1, Requested: "hard", Earned: "hard", Outcome: "accepted", Count: 2},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%+v, %v\nwant %+v", got, err, want)
	}
}
