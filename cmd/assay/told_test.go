package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"assay/events"
	"assay/registry"
)

// written returns what a text writes, with each run of spaces as one.
func written(text func(p *printer)) string {
	var out bytes.Buffer
	a := app{env: Env{Stdout: &out, Getenv: func(string) string { return "" }}}
	p := a.printer()
	text(p)
	p.Flush()
	return regexp.MustCompile(` +`).ReplaceAllString(out.String(), " ")
}

// An audit says which puzzles were passed over, a few by name, and which day the one that was taken looks like.
func TestTheTextOfAPublication(t *testing.T) {
	passed := make([]events.Passed, 5)
	for i := range passed {
		passed[i] = events.Passed{Puzzle: fmt.Sprintf("sudoku-%016d", i), Like: events.Like{Date: fmt.Sprintf("2026-12-0%d", i+1)}}
	}
	like := &events.Like{Date: "2026-12-18", Puzzle: "sudoku-9999999999999999"}
	for want, d := range map[string]registry.Publication{
		" Passed over 1 puzzle that looks like another day:\n sudoku-0000000000000000 (like that of 2026-12-01)\n": {Passed: passed[:1]},
		" Passed over 5 puzzles that look like other days:\n sudoku-0000000000000000 (like that of 2026-12-01)\n" +
			" sudoku-0000000000000001 (like that of 2026-12-02)\n sudoku-0000000000000002 (like that of 2026-12-03), … and 2 more\n": {Passed: passed},
		" Looks like 2026-12-18 (sudoku-9999999999999999): no other puzzle was to be had\n": {Like: like},
		" Looks like 2026-12-18 (sudoku-9999999999999999)\n":                                {Like: like, Chosen: true},
		" Skipped 1 seed that gave puzzles which the series had before\n":                   {Skipped: make([]events.Skipped, 1)},
	} {
		_, got, _ := strings.Cut(written(func(p *printer) { publicationText(p, &d) }), "\n") // after who published it
		if got != want {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
}

// The list of days says which ones look like another, and an audit what a puzzle has that a person named.
func TestTheTextOfChosenDays(t *testing.T) {
	day := registry.Day{Date: "2026-12-20", Label: "hard", ID: "sudoku-9999999999999999", Level: "easy", Like: &events.Like{Date: "2026-12-18"}}
	if got, want := written(func(p *printer) { dayLine(p, day) }), " 2026-12-20 Sun hard sudoku-9999999999999999 level easy looks like 2026-12-18\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	shelf := registry.AuditPolicy{Label: "grim", Weekday: "Sunday", Revision: 1, Effective: "2026-12-01", Source: "shelf", Genre: "sudoku", Variant: "classic", Level: "evil", Stuck: true}
	rated := &registry.Rating{Level: "evil", Outcome: "rated"}
	for want, report := range map[string]registry.Audit{
		"\n from sudoku/classic/evil, stuck\n":                              {Policy: &shelf, Rating: rated, Publication: &registry.Publication{}},
		"\n chosen; evil, and the policy asks for evil, stuck\n":            {Policy: &shelf, Rating: rated, Publication: &registry.Publication{Chosen: true}},
		"\n chosen; evil, stuck, as the policy asks\n":                      {Policy: &shelf, Rating: &registry.Rating{Level: "evil", Outcome: "stuck"}, Publication: &registry.Publication{Chosen: true}},
		"\n chosen; without a level, and the policy asks for evil, stuck\n": {Policy: &shelf, Publication: &registry.Publication{Chosen: true}},
	} {
		if got := written(func(p *printer) { policyText(p, report) }); !strings.Contains(got, want) {
			t.Errorf("got %q\nwant %q", got, want)
		}
	}
}

// A label that changed is told in order, and whether the day stands.
func TestTheTextOfALabelThatChanged(t *testing.T) {
	report := registry.Audit{Publication: &registry.Publication{Withdrawn: &registry.Withdrawal{}}, LabelChanged: true}
	for _, label := range []string{"hard", "hard", "easy", "hard"} {
		report.Revisions = append(report.Revisions, registry.Publication{Label: label})
	}
	if got := labelText(report); got != "LABEL CHANGED from hard to easy to hard; withdrawn" {
		t.Error(got)
	}
}
