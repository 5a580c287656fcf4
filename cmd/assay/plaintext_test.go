package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/events"
	"assay/events/plain"
	"assay/raters/logic"
)

// What an older log may hold, and letters of the same length that can be recorded.
const (
	controls = "\x1b[2J\u202e\u009b1A\nWhy easy"
	letters  = "abcdefghijkl\u00e9\u00e9mnop"
)

// appendOlder puts an event on record as an older program could: with controls in place of letters.
func appendOlder(t *testing.T, r runner, key events.Key, body events.Body) {
	t.Helper()
	e := events.Event{ID: ulid.Make(), Key: key, Time: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC), Actor: "x" + letters, Body: body}
	raw, err := events.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	e.Raw = bytes.ReplaceAll(raw, []byte(letters), []byte(controls))
	if bytes.Equal(e.Raw, raw) {
		t.Fatal("nothing to replace")
	}
	h := r.open(t, "test")
	defer h.Close()
	if _, err := h.Registry(time.Now).Log.Append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

// What an older log holds of controls is shown escaped by every verb, as text and as JSON, and on the pages.
func TestOlderTextIsShownEscaped(t *testing.T) {
	if len(controls) != len(letters) {
		t.Fatalf("%d and %d bytes", len(controls), len(letters))
	}
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "3")
	r.done(t, "import", "--genre", "sudoku", bench(t))
	day := r.published(t)
	appendOlder(t, r, events.WithdrawnKey("daily", "2026-12-01", 0), events.Withdrawn{Series: "daily", Date: "2026-12-01", Puzzle: day.Puzzle, Reason: letters})
	day.Revision, day.Label, day.Reason = 1, letters, letters
	appendOlder(t, r, events.PublishedKey("daily", "2026-12-01", 1), day)
	const sudoku = "sudoku-0e06aehe6cy2s7jq"
	steps, err := events.EncodeSolve(events.Solve{
		Naming: logic.Naming{Columns: 9, Values: []string{letters}}, Steps: []logic.Step{{Technique: letters, Level: "hard", Instance: letters, Removed: []logic.Literal{0}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	appendOlder(t, r, events.ImportedKey(sudoku), events.Imported{
		Puzzle: sudoku, Genre: "sudoku", Variant: "classic", Text: "..2.3...8.....8....31.2.....6..5.27..1.....5.2.4.6..31....8.6.5.......13..531.4..",
		Solution: strings.Repeat("1", 81), Source: letters,
	})
	appendOlder(t, r, events.RatedKey(sudoku, "sudoku.tiers", "9"), events.Rated{
		Puzzle: sudoku, Genre: "sudoku", Variant: "classic", Rater: "sudoku.tiers", Version: "9", Outcome: "rated", Level: letters, Hardest: letters,
		Techniques: []events.TechniqueUse{{Name: letters, Level: letters, Uses: 1, Removed: 1}}, Steps: steps,
	})
	appendOlder(t, r, events.AdoptedKey("sudoku", "classic", 2), events.Adopted{
		Genre: "sudoku", Variant: "classic", Revision: 2, Rater: "sudoku.tiers", Version: "9", Levels: []string{letters},
		Order: []logic.Technique{{Name: letters, Level: letters}}, Reason: letters,
	})
	for _, args := range [][]string{
		{"audit", "2026-12-01"}, {"history", day.Puzzle}, {"history", sudoku}, {"archive"}, {"show", day.Puzzle}, {"show", sudoku},
		{"freq", "sudoku/classic"}, {"pool", "list"}, {"export"}, {"replay", "--pool", "sudoku/classic", "--dry-run", "--rater", "sudoku.tiers"},
	} {
		for _, form := range [][]string{nil, {"--json"}} {
			out, errs, code := r.run(t, "", append(args, form...)...)
			if err := plain.CheckLines(out + errs); err != nil || code == exitInput || code == exitCannot {
				t.Errorf("%v %v: exit %d, %v\n%s%s", args, form, code, err, out, errs)
			}
			if form == nil && !strings.Contains(out+errs, `\u001b[2J\u202e\u009b1A`) {
				t.Errorf("%v shows nothing of it:\n%s%s", args, out, errs)
			}
			if form == nil && strings.Contains(out+errs, "\nWhy easy") {
				t.Errorf("%v: what was recorded begins a line:\n%s", args, out)
			}
		}
	}
	s := serve(t, r)
	defer s.end(t)
	for _, path := range []string{"/", "/days/2026-12-01", "/days/2026-12-01/board.svg", "/v1/series/daily", "/v1/series/daily/2026-12-01"} {
		answer, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(answer.Body); err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if err := plain.CheckLines(body.String()); err != nil || !strings.Contains(body.String(), `\u202e`) {
			t.Errorf("%s: %v\n%s", path, err, &body)
		}
	}
}

// published returns what is on record of the first day.
func (r runner) published(t *testing.T) events.Published {
	t.Helper()
	h := r.open(t, "test")
	defer h.Close()
	e, err := h.Registry(time.Now).Log.Get(t.Context(), events.PublishedKey("daily", "2026-12-01", 0))
	if err != nil {
		t.Fatal(err)
	}
	return e.Body.(events.Published)
}
