package registry_test

import (
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/calendar"
)

// audited returns the audit of a date.
func audited(t *testing.T, r *registry.Registry, series, day string) registry.Audit {
	t.Helper()
	a, err := r.AuditDay(t.Context(), series, date(t, day))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// choose returns a date a puzzle by name.
func choose(t *testing.T, r *registry.Registry, series, day, id, reason string) (registry.Day, error) {
	t.Helper()
	d, _, err := r.PublishDate(t.Context(), registry.DateRequest{Series: series, Date: date(t, day), Puzzle: id, Actor: "chief", Reason: reason})
	return d, err
}

// The audit of each day tells all that its publication records.
func TestTheAuditTellsWhatThePublicationRecords(t *testing.T) {
	r := openLike(t, 2, 1, 2, 3, 4, 5, 6)
	if _, err := choose(t, r, "toys", "2026-12-02", ids(1)[0], ""); err != nil {
		t.Fatal(err)
	}
	if day, err := choose(t, r, "toys", "2026-12-03", ids(3)[0], ""); err != nil || !day.Chosen || day.Like == nil || day.Like.Date != "2026-12-02" {
		t.Errorf("%+v, %v", day, err)
	}
	publishToys(t, r, 4)
	chosen, passed, like := 0, 0, 0
	for _, want := range publications(t, r) {
		got := audited(t, r, "toys", want.Date).Publication
		if got.Chosen != want.Chosen || !slices.Equal(got.Passed, want.Passed) || (got.Like == nil) != (want.Like == nil) || got.Like != nil && *got.Like != *want.Like {
			t.Errorf("%s: the audit tells %+v, and %+v is on record", want.Date, got, want)
		}
		passed += len(got.Passed)
		if got.Chosen {
			chosen++
		}
		if got.Like != nil {
			like++
		}
	}
	if chosen != 2 || passed == 0 || like < 2 {
		t.Errorf("%d chosen, %d passed over, %d look like another: too few to show anything", chosen, passed, like)
	}
}

// Seeds that gave a puzzle which the series had are in the audit.
func TestTheAuditTellsOfSeedsThatWereSkipped(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	days, _ := publish(t, r, 0)
	skipped := []events.Skipped{{Seed: 7, Puzzle: days[0].ID}}
	rating := publications(t, r)[0].Rating
	put(t, r, events.PublishedKey("daily", "2026-12-02", 0), events.Published{
		Series: "daily", Date: "2026-12-02", Label: "medium", Policy: 1, Puzzle: days[0].ID, Genre: "chain", Variant: "daily", Rating: rating, Skipped: skipped,
	})
	if got := audited(t, r, "daily", "2026-12-02").Publication.Skipped; !slices.Equal(got, skipped) {
		t.Errorf("%+v", got)
	}
}

// What a released day looks like is told in the list of released days only when that one is released too.
func TestReadersAreNotToldOfDaysToCome(t *testing.T) {
	r := openLike(t, 1, 1, 2)
	for i, day := range []string{"2026-12-03", "2026-12-02"} { // the second looks like a later day
		if _, err := choose(t, r, "toys", day, ids(1, 2)[i], ""); err != nil {
			t.Fatal(err)
		}
	}
	for now, told := range map[string]bool{"2026-12-02T12:00:00Z": false, "2026-12-03T12:00:00Z": true} {
		r.Now = at(now)
		for _, released := range []bool{true, false} {
			list := r.Archive
			if released {
				list = seen(t, r).Days
			}
			days, err := list(t.Context(), calendar.Query{Series: "toys"})
			if err != nil || days[0].Date != "2026-12-02" {
				t.Fatal(days, err)
			}
			if (days[0].Like != nil) != (told || !released) {
				t.Errorf("%s, released days alone %v: %+v", now, released, days[0].Like)
			}
		}
	}
}

// A chain has the level that its generator was asked for.
func TestTheLevelOfAChain(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	days, _ := publish(t, r, 6)
	for _, d := range days {
		if d.Level != d.Label {
			t.Errorf("%+v", d)
		}
	}
	made, err := generateRecorded(t.Context(), r, r.Genres[0].Variants[0], raters.Request{Variant: "daily", Level: "easy", Seed: 5}, "editor")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := choose(t, r, "daily", "2026-12-11", made.ID, ""); !isInput(err) || !strings.Contains(err.Error(), "is easy, and the policy asks for hard on 2026-12-11") {
		t.Errorf("without a reason: %v", err)
	}
	day, err := choose(t, r, "daily", "2026-12-11", made.ID, "for a birthday")
	if err != nil || day.Label != "hard" || day.Level != "easy" || !day.Chosen {
		t.Errorf("%+v, %v", day, err)
	}
	a := audited(t, r, "daily", "2026-12-11")
	if has, wanted := a.Grade().String(), a.Policy.Grade().String(); has != "easy" || wanted != "hard" {
		t.Errorf("it has %s, and %s was asked for", has, wanted)
	}
}

// stuckAndEvil imports sudokus and returns one on which the rater gets stuck, and one of the same level on which it does not.
func stuckAndEvil(t *testing.T, r *registry.Registry) (stuck, evil string) {
	t.Helper()
	for _, id := range onRecord(t, r, 30) {
		h, err := r.History(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		switch v := h.Ratings[0]; {
		case v.Outcome == "stuck" && v.Level == "evil":
			stuck = id
		case v.Level == "evil":
			evil = id
		}
	}
	return stuck, evil
}

// A stuck puzzle where none is asked for needs a reason, and so does one that is not stuck where stuck ones are.
func TestAChosenStuckPuzzle(t *testing.T) {
	const day = `{ label = "grim", source = "shelf", genre = "sudoku", variant = "classic", level = "evil"`
	for policy, want := range map[string]string{day + " }": "evil, stuck, and the policy asks for evil on", day + ", stuck = true }": "evil, and the policy asks for evil, stuck on"} {
		r := open(t, logtest.NewMemory(), at(morning))
		other, fits := stuckAndEvil(t, r)
		if strings.Contains(policy, "stuck") {
			other, fits = fits, other
		}
		adopt(t, r, weekly("grim", "2026-12-02", policy))
		if _, err := choose(t, r, "grim", "2026-12-02", other, ""); !isInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("without a reason: %v, want %q", err, want)
		}
		if _, err := choose(t, r, "grim", "2026-12-02", other, "on purpose"); err != nil {
			t.Error(err)
		}
		if _, err := choose(t, r, "grim", "2026-12-03", fits, ""); err != nil {
			t.Error(err)
		}
		a, b := audited(t, r, "grim", "2026-12-02"), audited(t, r, "grim", "2026-12-03")
		if a.Policy.Stuck != strings.Contains(policy, "stuck") || a.Grade() == a.Policy.Grade() || b.Grade() != b.Policy.Grade() {
			t.Errorf("%v for %v, %v for %v", a.Grade(), a.Policy.Grade(), b.Grade(), b.Policy.Grade())
		}
	}
}

// A policy whose generator is to make stuck puzzles is refused; one that is on record is read as one that asks for none.
func TestAGeneratorMakesNoStuckPuzzle(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	text := weekly("odd", "2026-12-01", `{ label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy", stuck = true }`)
	_, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: text, Actor: "chief"})
	if !isInput(err) || !strings.Contains(err.Error(), "Monday: stuck = true takes a puzzle from a shelf") {
		t.Errorf("%v", err)
	}
	adopt(t, r, weekly("odd", "2026-12-01", allEasy))
	rules, err := r.Series(t.Context(), "odd")
	if err != nil {
		t.Fatal(err)
	}
	p := rules[0].Policy
	p.Revision, p.Stuck = 2, []int{0, 1, 2, 3, 4, 5, 6}
	put(t, r, events.PolicyKey("odd", 2), p)
	days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "odd", Ahead: 1, Actor: "editor"})
	if err != nil || len(days) != 2 || audited(t, r, "odd", "2026-12-02").Policy.Stuck {
		t.Errorf("%v, %v", days, err)
	}
}

// A replacement under the policy of its day tells which policy was in force, and whose label it has.
func TestAReplacementUnderAnOldPolicy(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 20)
	adopt(t, r, weekly("daily", "2026-12-10", allEasy))
	adopt(t, r, weekly("daily", "2027-01-01", allEasy))
	replaced, refilled, before := "2026-12-18", "2026-12-11", "2026-12-04"
	withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: date(t, replaced)})
	withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: date(t, before)})
	withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: date(t, refilled), Empty: true})
	made, err := generateRecorded(t.Context(), r, r.Genres[0].Variants[0], raters.Request{Variant: "daily", Level: "easy", Seed: 5}, "editor")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := choose(t, r, "daily", refilled, made.ID, ""); !isInput(err) || !strings.Contains(err.Error(), "policy 1, of the day it replaces, asks for hard on "+refilled) {
		t.Errorf("without a reason: %v", err)
	}
	if _, err := choose(t, r, "daily", refilled, made.ID, "easier"); err != nil {
		t.Fatal(err)
	}
	for _, day := range []string{replaced, refilled} {
		p := audited(t, r, "daily", day).Policy
		if f := p.InForce; p.Revision != 1 || f == nil || f.Revision != 2 || f.Label != "easy" || f.Effective != "2026-12-10" || f.Event == 0 {
			t.Errorf("%s: %+v, %+v", day, p, p.InForce)
		}
	}
	adopt(t, r, weekly("daily", "2026-12-02", allEasy)) // later than all: what happened since
	for _, day := range []string{before, "2026-12-17"} {
		if f := audited(t, r, "daily", day).Policy.InForce; f != nil {
			t.Errorf("%s: %+v", day, f)
		}
	}
}

// What raters said since is told as the history tells it: stuck, and scores as numbers.
func TestWhatRatersSaidSince(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	stuck, _ := stuckAndEvil(t, r)
	adopt(t, r, weekly("grim", "2026-12-02", `{ label = "grim", source = "shelf", genre = "sudoku", variant = "classic", level = "evil", stuck = true }`))
	if _, err := choose(t, r, "grim", "2026-12-02", stuck, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := r.RateRecorded(t.Context(), stuck, reordered(t, "xy-wing", "swordfish", 3), "editor"); err != nil {
		t.Fatal(err)
	}
	l := audited(t, r, "grim", "2026-12-02").Later[0]
	if l.Outcome != "stuck" || l.Level != "evil" || !strings.HasPrefix(l.Text, "rated evil (stuck) by sudoku.tiers 1+") {
		t.Errorf("%+v", l)
	}
	days, _ := publish(t, r, 0)
	score := 17
	rated := events.Rated{Puzzle: days[0].ID, Genre: "chain", Variant: "daily", Rater: "chain.score", Version: "9", Outcome: "rated", Score: &score}
	put(t, r, events.RatedKey(rated.Puzzle, rated.Rater, rated.Version), rated)
	l = audited(t, r, "daily", "2026-12-01").Later[0]
	if l.Score == nil || *l.Score != 17 || l.Level != "" || l.Outcome != "rated" || l.Text != "rated score 17 by chain.score 9" {
		t.Errorf("%+v", l)
	}
}
