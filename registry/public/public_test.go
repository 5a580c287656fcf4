package public_test

import (
	"errors"
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

// listed gives the dates that readers are shown.
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
	reader := public.New(served.Store, served.Genres, served.Now)
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
