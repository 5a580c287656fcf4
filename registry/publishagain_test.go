package registry_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/registry"
)

const toughToys = `{ label = "tough", source = "shelf", genre = "toy", variant = "flat", level = "hard" }`

func publishAgain(t *testing.T, r *registry.Registry, series, from string) (registry.Renewal, *registry.EmptyShelfError) {
	t.Helper()
	done, err := r.PublishAgain(t.Context(), registry.AgainRequest{Series: series, From: date(t, from), Actor: "chief"})
	var empty *registry.EmptyShelfError
	if err != nil && !errors.As(err, &empty) {
		t.Fatal(err)
	}
	return done, empty
}

// A day whose new shelf is empty keeps what it has, and that is said; one that has nothing gets nothing.
func TestPublishingAgainFromAnEmptyShelf(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	fillToy(t, r, 2, 3)
	adopt(t, r, weekly("toys", "2026-12-01", allEasy))
	before, _ := publishToys(t, r, 4)
	adopt(t, r, weekly("toys", "2026-12-02", toughToys))
	done, empty := publishAgain(t, r, "toys", "2026-12-01")
	if empty == nil || done.Due != 4 || len(done.Days) != 2 || len(empty.Days) != 2 || len(done.Passed) != 0 {
		t.Fatalf("%+v, %+v", done, empty)
	}
	for i, u := range empty.Days {
		old := before[3+i]
		if u.Date != old.Date || u.Keeps != old.ID || u.KeptPolicy != 1 || u.Shelf != "toy/flat/hard" {
			t.Errorf("%+v, it has %+v", u, old)
		}
		if want := "toys " + u.Date + " keeps its puzzle of policy 1: shelf toy/flat/hard is empty: fill it"; !strings.Contains(empty.Error(), want) {
			t.Errorf("it says %q, want %q", empty, want)
		}
	}
	after, _ := publishToys(t, r, 4)
	if !slices.Equal(after, append(append(before[:1:1], done.Days...), before[3:]...)) {
		t.Errorf("%v, before %v", after, before)
	}
}

// When two callers publish the same days again at the same time, each returns the days that it published itself.
func TestTwoWhoPublishAgainAtOnceCountTheirOwn(t *testing.T) {
	for name, late := range map[string]int{"the first day": 1, "the third day": 3} {
		t.Run(name, func(t *testing.T) {
			log, appends := logtest.NewMemory(), 0
			other := open(t, log, at(morning))
			var first registry.Renewal
			r := open(t, outrun{log, "published/daily/2026-12-0", func() {
				if appends++; appends == 7+late { // 7 are of the first publishing
					first, _ = publishAgain(t, other, "daily", "2026-12-01")
				}
			}}, at(morning))
			publish(t, r, 6)
			adopt(t, r, weekly("daily", "2026-12-02", allEasy))
			second, _ := publishAgain(t, r, "daily", "2026-12-01")
			if len(first.Days) != 7-late || len(second.Days) != late-1 || second.Due != 6 || first.Due != 7-late {
				t.Errorf("first %+v, second %+v", first, second)
			}
			for _, day := range second.Days {
				if slices.ContainsFunc(first.Days, func(d registry.Day) bool { return d.Date == day.Date }) {
					t.Errorf("both tell of %s", day.Date)
				}
			}
		})
	}
}

// A date that is to stay empty is named, with the command that fills it.
func TestPublishingAgainNamesADateThatStaysEmpty(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 3)
	withdraw(t, r, registry.WithdrawRequest{Series: "daily", Date: date(t, "2026-12-03"), Empty: true})
	adopt(t, r, weekly("daily", "2026-12-02", allEasy))
	done, empty := publishAgain(t, r, "daily", "2026-12-01")
	if empty != nil || done.Due != 2 || len(done.Days) != 2 || len(done.Passed) != 1 || !done.Passed[0].StaysEmpty {
		t.Fatalf("%+v, %v", done, empty)
	}
	if got, want := done.Passed[0].Outcome(), "2026-12-03 stays empty: assay publish --date 2026-12-03 gives it a puzzle"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Under a policy by which a day would have been released already it keeps its puzzle: nobody has looked at another one.
func TestPublishingAgainReleasesNothingAtOnce(t *testing.T) {
	for name, change := range map[string]func(policy string) string{
		"further east": func(p string) string { return strings.Replace(p, "UTC", "Asia/Tokyo", 1) },
		"earlier":      func(p string) string { return strings.Replace(p, "06:00", "00:00", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, logtest.NewMemory(), at("2026-12-02T05:00:00Z"))
			policy := string(weekly("daily", "2026-12-02", allEasy))
			adopt(t, r, []byte(policy))
			before, _ := publish(t, r, 2)
			adopt(t, r, []byte(change(policy)))
			done, empty := publishAgain(t, r, "daily", "2026-12-02")
			if empty != nil || done.Due != 2 || len(done.Days) != 2 || len(done.Passed) != 1 || done.Passed[0].Keeps != before[0].ID {
				t.Fatalf("%+v, %v", done, empty)
			}
			if got := done.Passed[0].Outcome(); got != "2026-12-02 keeps its puzzle of policy 1: under policy 2 another one would be released at once" {
				t.Error(got)
			}
			for e, err := range r.Log.Read(t.Context(), 0) {
				if err != nil {
					t.Fatal(err)
				}
				if p, ok := e.Body.(events.Published); ok && p.Revision > 0 && p.Release <= r.Now().UnixMilli() {
					t.Errorf("%s was released as it was published", p.Date)
				}
			}
		})
	}
}
