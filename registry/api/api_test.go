package api_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"assay/events/logtest"
	"assay/projections"
	"assay/raters/catalog"
	"assay/registry"
	"assay/registry/api"
	"assay/registry/public"
)

// aSecret is the secret of every series.
type aSecret struct{}

func (aSecret) Make(string) ([]byte, error)   { return make([]byte, 32), nil }
func (aSecret) Secret(string) ([]byte, error) { return make([]byte, 32), nil }

// served returns the API of a registry at nine in the morning of 1 December 2026, with two days published.
func served(t *testing.T) http.Handler {
	t.Helper()
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	now := func() time.Time { return time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC) }
	r := &registry.Registry{Log: logtest.NewMemory(), Store: store, Genres: catalog.Genres(), Now: now, Secrets: aSecret{}}
	if _, n, err := r.Publish(t.Context(), registry.PublishRequest{Series: registry.DefaultSeries, Ahead: 1, Actor: "editor"}); err != nil || n != 2 {
		t.Fatalf("%d days, %v", n, err)
	}
	seen, err := r.Public(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	api.Register(mux, seen, slog.New(slog.DiscardHandler))
	return mux
}

func TestAnswers(t *testing.T) {
	handler := served(t)
	for path, want := range map[string]struct {
		status int
		text   string
	}{
		"/v1/series/daily/2026-12-01":      {http.StatusOK, `"date":"2026-12-01","revision":0,`},
		"/v1/series/daily/2026-12-02":      {http.StatusNotFound, "daily has no released day 2026-12-02"},
		"/v1/series/daily/2026-12-03":      {http.StatusNotFound, "daily has no released day 2026-12-03"},
		"/v1/series/weekly/2026-12-01":     {http.StatusNotFound, "weekly has no released day 2026-12-01"},
		"/v1/series/daily/tomorrow":        {http.StatusNotFound, "is not a date"},
		"/v1/series/daily":                 {http.StatusOK, `"date":"2026-12-01"`},
		"/v1/series/daily?from=2026-12-02": {http.StatusOK, "[]"},
		"/v1/series/daily?from=2026-12-":   {http.StatusUnprocessableEntity, "is not a date"},
		"/v1/series/daily?limit=0":         {http.StatusUnprocessableEntity, "expected number"},
	} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.text) {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
		if strings.Contains(answer.Body.String(), "solution") || want.status == http.StatusOK && strings.Contains(answer.Body.String(), "2026-12-02") {
			t.Errorf("%s tells what is to come: %s", path, answer.Body)
		}
	}
}

// What goes wrong inside is in the log of the server, and not in the answer.
func TestInternalErrorsAreLogged(t *testing.T) {
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := store.Close(); err != nil { // no answer can be read
		t.Fatal(err)
	}
	var log strings.Builder
	mux := http.NewServeMux()
	api.Register(mux, public.New(store, catalog.Genres(), time.Now, nil), slog.New(slog.NewTextHandler(&log, nil)))
	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v1/series/daily/2026-12-01", nil))
	if answer.Code != http.StatusInternalServerError || !strings.Contains(log.String(), "level=ERROR msg=api error=") || strings.Contains(answer.Body.String(), "closed") {
		t.Errorf("%d %s\nlog: %s", answer.Code, answer.Body, &log)
	}
}
