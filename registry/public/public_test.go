package public_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
	"assay/raters/catalog"
	"assay/registry"
	"assay/registry/public"
	"assay/registry/schedule"
)

type aSecret struct{}

func (aSecret) Make(string) ([]byte, error)   { return make([]byte, 32), nil }
func (aSecret) Secret(string) ([]byte, error) { return make([]byte, 32), nil }

// member opens a registry on a log that it may share with others. Its clock stands at noon of 1 December.
func member(t *testing.T, log events.Log) *registry.Registry {
	t.Helper()
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	now := func() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }
	return &registry.Registry{Log: log, Store: store, Genres: catalog.Genres(), Now: now, Secrets: aSecret{}}
}

func publish(t *testing.T, r *registry.Registry, ahead int) {
	t.Helper()
	if _, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: registry.DefaultSeries, Ahead: ahead, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
}

// listed returns the dates that readers are shown.
func listed(t *testing.T, r *public.Reader) (dates []string) {
	t.Helper()
	days, err := r.Days(t.Context(), public.Query{Series: registry.DefaultSeries})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range days {
		dates = append(dates, d.Date)
	}
	return dates
}

// A reader takes nothing in: it sees what the tables have, and what is recorded elsewhere once they are kept up with it.
func TestReadingOnlyReads(t *testing.T) {
	log := logtest.NewMemory()
	publisher, served := member(t, log), member(t, log)
	reader := public.New(served.Store, served.Genres, served.Now, served)
	publish(t, publisher, 3)
	if dates := listed(t, reader); dates != nil {
		t.Errorf("a reader took in %v", dates)
	}
	defer served.Follow(t.Context())()
	if _, err := served.Public(t.Context()); err != nil { // waits for what is on record now
		t.Fatal(err)
	}
	if dates := listed(t, reader); len(dates) != 1 || dates[0] != "2026-12-01" {
		t.Errorf("kept up, readers are shown %v", dates)
	}
	day, err := schedule.ParseDate("2026-12-01")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := served.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: day, Actor: "editor", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	var gone *public.WithdrawnError
	if _, err := reader.Day(t.Context(), registry.DefaultSeries, day); !errors.As(err, &gone) || listed(t, reader) != nil {
		t.Errorf("once it is withdrawn here, readers are shown %v", err)
	}
	var missing *public.NotReleasedError
	if _, err := reader.Day(t.Context(), registry.DefaultSeries, day.AddDays(1)); !errors.As(err, &missing) {
		t.Errorf("of a day to come: %v", err)
	}
}

// Why a released day has its label is told without what spoils its puzzle until the day is over, and never who did what, or
// which puzzle was replaced.
func TestWhyIsToldByHalvesUntilTheDayIsOver(t *testing.T) {
	r := member(t, logtest.NewMemory())
	clock := r.Now()
	r.Now = func() time.Time { return clock }
	publish(t, r, 3)
	day, err := schedule.ParseDate("2026-12-02")
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.AuditDay(t.Context(), registry.DefaultSeries, day)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: day, Actor: "editor", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	reader, err := r.Public(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var missing *public.NotReleasedError
	if _, words, err := reader.Why(t.Context(), registry.DefaultSeries, day); !errors.As(err, &missing) || len(words.Lines) > 0 {
		t.Errorf("before its release: %+v, %v", words, err)
	}
	operators, err := r.AuditDay(t.Context(), registry.DefaultSeries, day)
	if err != nil {
		t.Fatal(err)
	}
	spoils := []string{operators.Generation.Seed, "How made", "Sound", "winning set"}
	hidden := []string{"editor", first.Puzzle.ID}
	told := func(wanted, unwanted []string) {
		t.Helper()
		got, words, err := reader.Why(t.Context(), registry.DefaultSeries, day)
		if err != nil || got.Date != day.String() {
			t.Fatal(got.Date, err)
		}
		text := fmt.Sprint(words)
		for _, part := range append(wanted, "Wednesday is", "Score", "Band", "withdrawn 2026-12-01 12:00 UTC: a test") {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not told: %s", part, text)
			}
		}
		for _, part := range unwanted {
			if strings.Contains(text, part) {
				t.Errorf("%q is told: %s", part, text)
			}
		}
	}
	clock = clock.AddDate(0, 0, 1)
	told(nil, append(spoils, hidden...))
	clock = clock.AddDate(0, 0, 1)
	told(spoils, hidden)
	if all := fmt.Sprint(*operators.Words); !strings.Contains(all, "editor") || !strings.Contains(all, first.Puzzle.ID) {
		t.Errorf("operators are not told who did what: %s", all)
	}
}
