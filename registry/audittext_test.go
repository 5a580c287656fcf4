package registry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/raters"
	"assay/raters/catalog"
	"assay/registry/engine"
	"assay/registry/public"
)

// told returns the lines that a part of an audit's words is.
func told(a Audit, part func(t *auditWriter)) string {
	t := auditWriter{Audit: &a, to: public.Operators}
	part(&t)
	var lines strings.Builder
	for _, l := range t.out.Lines {
		lines.WriteString(l.Name + ": " + l.Text + "\n")
	}
	return lines.String()
}

// An audit says which puzzles were passed over, a few by name, and which day the one that was taken looks like.
func TestTheWordsOfAPublication(t *testing.T) {
	passed := make([]events.Passed, 5)
	for i := range passed {
		passed[i] = events.Passed{Puzzle: fmt.Sprintf("sudoku-%016d", i), Like: events.Like{Date: fmt.Sprintf("2026-12-0%d", i+1)}}
	}
	like := &events.Like{Date: "2026-12-18", Puzzle: "sudoku-9999999999999999"}
	for want, d := range map[string]Publication{
		"Passed over: 1 puzzle that looks like another day:\n: sudoku-0000000000000000 (like that of 2026-12-01)\n": {Passed: passed[:1]},
		"Passed over: 5 puzzles that look like other days:\n: sudoku-0000000000000000 (like that of 2026-12-01)\n" +
			": sudoku-0000000000000001 (like that of 2026-12-02)\n: sudoku-0000000000000002 (like that of 2026-12-03), … and 2 more\n": {Passed: passed},
		"Looks like: 2026-12-18 (sudoku-9999999999999999): no other puzzle was to be had\n": {Like: like},
		"Looks like: 2026-12-18 (sudoku-9999999999999999)\n":                                {Like: like, Chosen: true},
		"Skipped: 1 seed that gave puzzles which the series had before\n":                   {Skipped: make([]events.Skipped, 1)},
	} {
		_, got, _ := strings.Cut(told(Audit{}, func(t *auditWriter) { t.publication(&d) }), "\n") // after who published it
		if got != want {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
}

// An audit says what a puzzle has that a person named.
func TestTheWordsOfChosenDays(t *testing.T) {
	shelf := AuditPolicy{Label: "grim", Weekday: "Sunday", Revision: 1, Effective: "2026-12-01", Source: "shelf", Genre: "sudoku", Variant: "classic", Level: "evil", Stuck: true}
	rated := &engine.Rating{Level: "evil", Outcome: "rated"}
	for want, report := range map[string]Audit{
		"\n: from sudoku/classic/evil, stuck\n":                              {Policy: &shelf, Rating: rated, Publication: &Publication{}},
		"\n: chosen; evil, and the policy asks for evil, stuck\n":            {Policy: &shelf, Rating: rated, Publication: &Publication{Chosen: true}},
		"\n: chosen; evil, stuck, as the policy asks\n":                      {Policy: &shelf, Rating: &engine.Rating{Level: "evil", Outcome: "stuck"}, Publication: &Publication{Chosen: true}},
		"\n: chosen; without a level, and the policy asks for evil, stuck\n": {Policy: &shelf, Publication: &Publication{Chosen: true}},
	} {
		if got := told(report, (*auditWriter).policy); !strings.Contains(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
}

// A label that changed is told in order, and whether the day stands.
func TestTheWordsOfALabelThatChanged(t *testing.T) {
	report := Audit{Publication: &Publication{Withdrawn: &Ending{}}, LabelChanged: true}
	for _, label := range []string{"hard", "hard", "easy", "hard"} {
		report.Revisions = append(report.Revisions, Publication{Label: label})
	}
	if got := (&auditWriter{Audit: &report}).label(); got != "LABEL CHANGED from hard to easy to hard; withdrawn" {
		t.Error(got)
	}
}

// Terms and proofs use the genre's own words, and common words if the genre has none.
func TestTheWordsOfAScore(t *testing.T) {
	score := 21
	terms := engine.Terms{
		{Name: "branching", Value: 13}, {Name: "near_misses", Value: 36}, {Name: "near_misses_counted", Value: 6}, {Name: "decoys", Value: 1},
		{Name: "divide", Value: 3}, {Name: "swap", Value: 0}, {Name: "orderings", Value: 1018}, {Name: "orderings_discount", Value: -6},
	}
	a := Audit{
		Puzzle: AuditPuzzle{Genre: "chain", Solution: "-37 +70 /3"}, Rating: &engine.Rating{Score: &score, Terms: terms},
		Generation: &Generation{Generator: 1, Seed: "7", Nodes: 109600, Attempts: []events.Attempt{{N: 1, Outcome: "accepted"}}},
	}
	chain, err := engine.Find(catalog.Genres(), "chain", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variant raters.Variant
		want    []string
	}{
		{chain, []string{
			"Score 21: branching 13 + near misses 6 (of 36) + decoys 1 + divide 3 − orderings 6\n",
			"Sound: one winning set (−37 +70 ÷3), 1,018 orderings, all 109,600 plays tried\n",
		}},
		{raters.Variant{}, []string{"Score 21: branching 13, near misses 36, near misses counted 6, ", "Sound: one solution, proven in 109,600 nodes\n"}},
	} {
		got := told(a, func(t *auditWriter) {
			t.variant = c.variant
			t.rating()
			t.origin()
		})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	}
}

// The words of an audit name their events, and those of a day without a puzzle say why it has none.
func TestTheWordsOfADayWithoutAPuzzle(t *testing.T) {
	a := Audit{Series: "daily", Date: "2026-12-01", Label: "hard", Unpublished: "the shelf is empty", Events: 1234, Policy: &AuditPolicy{Weekday: "Tuesday", Label: "hard", Revision: 2, Effective: "2026-11-01", Event: 7}}
	(&Registry{}).tell(&a, public.Operators)
	want := public.Words{Title: "Tuesday 1 December 2026 · daily · NOT PUBLISHED", Lines: []public.Line{
		{Name: "Why not", Text: "the shelf is empty"}, {Name: "Why hard", Text: "Tuesday is hard under policy 2, in force since 2026-11-01", Event: 7}, {Name: "Log", Text: "1,234 events"},
	}}
	if got := *a.Words; got.Title != want.Title || got.Release != "" || got.Notices != nil || !slices.Equal(got.Lines, want.Lines) {
		t.Errorf("%+v", got)
	}
}
