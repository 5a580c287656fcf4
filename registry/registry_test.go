package registry_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
	"assay/raters"
	"assay/raters/catalog"
	"assay/registry"
	"assay/registry/calendar"
	"assay/registry/input"
	"assay/registry/public"
	"assay/registry/schedule"
)

// fixed is a secret that does not change.
type fixed []byte

func (s fixed) Make(string) ([]byte, error)   { return s, nil }
func (s fixed) Secret(string) ([]byte, error) { return s, nil }

var secret = fixed(bytes.Repeat([]byte("tell no one. "), 3))

func at(text string) func() time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return func() time.Time { return t }
}

func open(t testing.TB, log events.Log, now func() time.Time) *registry.Registry {
	t.Helper()
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return &registry.Registry{Log: log, Store: store, Genres: catalog.Genres(), Now: now, Secrets: secret}
}

const morning = "2026-12-01T09:00:00Z"

func publish(t testing.TB, r *registry.Registry, ahead int) ([]registry.Day, int) {
	t.Helper()
	days, added, err := r.Publish(t.Context(), registry.PublishRequest{Series: registry.DefaultSeries, Ahead: ahead, Actor: "editor"})
	if err != nil {
		t.Fatal(err)
	}
	return days, added
}

// seen returns what anybody may see.
func seen(t testing.TB, r *registry.Registry) *public.Reader {
	t.Helper()
	reader, err := r.Public(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

func archive(t testing.TB, r *registry.Registry) []registry.Day {
	t.Helper()
	days, err := r.Archive(t.Context(), calendar.Query{Series: registry.DefaultSeries})
	if err != nil {
		t.Fatal(err)
	}
	return days
}

func date(t testing.TB, text string) schedule.Date {
	t.Helper()
	d, err := schedule.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func length(t testing.TB, log events.Log) (n int) {
	t.Helper()
	for _, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

func TestPublishingTwiceAddsNothing(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	days, added := publish(t, r, 30)
	if len(days) != 31 || added != 31 || days[0].Date != "2026-12-01" || days[30].Date != "2026-12-31" {
		t.Fatalf("%d days, %d new: %v", len(days), added, days)
	}
	n := length(t, log)
	if n != 2+3*31 {
		t.Errorf("%d events, want calibration, policy and three a day", n)
	}
	again, added := publish(t, r, 30)
	if added != 0 || length(t, log) != n || !slices.Equal(again, days) {
		t.Fatalf("a second publish: %d new, %d events", added, length(t, log))
	}
}

func TestSameSecretSameDays(t *testing.T) {
	first, _ := publish(t, open(t, logtest.NewMemory(), at(morning)), 20)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	second, _ := publish(t, open(t, logtest.NewMemory(), at(morning)), 20)
	if !slices.Equal(first, second) {
		t.Fatal(cmp.Diff(first, second))
	}
	r := open(t, logtest.NewMemory(), at(morning))
	r.Secrets = fixed(bytes.Repeat([]byte("another one. "), 3))
	others, _ := publish(t, r, 20)
	for i := range others {
		if others[i].ID == first[i].ID || others[i].Label != first[i].Label {
			t.Errorf("with another secret %s is %v, was %v", others[i].Date, others[i], first[i])
		}
	}
}

// What is in the log or in an answer does not hold the secret, in any usual spelling, and the seed of a day
// tells nothing of the next: it is a MAC under the secret (TestDaySeed pins how).
func TestSecretIsInNoEventAndNoAnswer(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	publish(t, r, 3)
	var seen bytes.Buffer
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		seen.Write(e.Raw)
	}
	report, err := r.AuditDay(t.Context(), registry.DefaultSeries, date(t, "2026-12-02"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(&seen).Encode(report); err != nil {
		t.Fatal(err)
	}
	text := strings.ToLower(seen.String())
	for _, spelling := range []string{string(secret[:8]), hex.EncodeToString(secret[:8])} {
		if strings.Contains(text, spelling) {
			t.Errorf("the secret is told as %q", spelling)
		}
	}
}

func TestAMissedNightIsCaughtUp(t *testing.T) {
	log := logtest.NewMemory()
	publish(t, open(t, log, at(morning)), 0)
	later := open(t, log, at("2026-12-05T09:00:00Z"))
	days, added := publish(t, later, 0)
	if added != 4 || len(days) != 5 || days[4].Date != "2026-12-05" {
		t.Fatalf("%d new of %v", added, days)
	}
}

func TestLabelsFollowTheWeekdayInJerusalem(t *testing.T) {
	r := open(t, logtest.NewMemory(), at("2026-09-10T21:30:00Z"))
	days, _ := publish(t, r, 13)
	if days[0].Date != "2026-09-11" {
		t.Errorf("at 21:30 UTC the first day is %s", days[0].Date)
	}
	week := []string{"hard", "hard", "medium", "easy", "easy", "medium", "medium"}
	for i, d := range days {
		if d.Label != week[i%7] {
			t.Errorf("%s is %s", d.Date, d.Label)
		}
	}
}

func TestWithdrawing(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	before, _ := publish(t, r, 10)
	became, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: date(t, "2026-12-04"), Actor: "chief", Reason: "the target is a rude number"})
	if err != nil {
		t.Fatal(err)
	}
	day := *became.Day
	after := archive(t, r)
	for i := range before {
		if before[i].Date == "2026-12-04" {
			if day != after[i] || day.Revision != 1 || day.ID == before[i].ID || day.Label != before[i].Label {
				t.Errorf("replaced by %v", after[i])
			}
		} else if before[i] != after[i] {
			t.Errorf("another day changed: %v, was %v", after[i], before[i])
		}
	}
	report, err := r.AuditDay(t.Context(), registry.DefaultSeries, date(t, "2026-12-04"))
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Revisions) != 2 || report.Publication.Revision != 1 || report.Revisions[0].Actor != "editor" {
		t.Fatalf("revisions %+v", report.Revisions)
	}
	w := report.Revisions[0].Withdrawn
	if w == nil || w.Actor != "chief" || w.Reason != "the target is a rude number" {
		t.Errorf("withdrawal %+v", w)
	}
	first, err := r.AuditPuzzleID(t.Context(), registry.DefaultSeries, report.Revisions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Later) != 1 || first.Later[0].What != "withdrawn" || first.Publication.Revision != 0 {
		t.Errorf("the audit of the withdrawn puzzle: %+v", first.Later)
	}
	if _, added := publish(t, r, 10); added != 0 {
		t.Errorf("publishing after it adds %d days", added)
	}
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: date(t, "2027-12-04"), Actor: "chief", Reason: "x"}); !isInput(err) {
		t.Errorf("withdrawing what is not published: %v", err)
	}
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: date(t, "2026-12-05"), Actor: "chief"}); !isInput(err) {
		t.Errorf("withdrawing without a reason: %v", err)
	}
}

func isInput(err error) bool {
	var input *input.Error
	return errors.As(err, &input)
}

func TestAuditTellsAll(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	publish(t, r, 30)
	for _, day := range archive(t, r) {
		a, err := r.AuditDay(t.Context(), registry.DefaultSeries, date(t, day.Date))
		if err != nil {
			t.Fatal(err)
		}
		if a.Label != day.Label || a.Puzzle.ID != day.ID || a.Policy.Label != day.Label || a.Policy.Revision != 1 {
			t.Fatalf("%s: %+v", day.Date, a)
		}
		if a.Regenerated != registry.Identical || len(a.Later) != 0 {
			t.Errorf("%s: regenerated %s, later %v", day.Date, a.Regenerated, a.Later)
		}
		last := a.Generation.Attempts[len(a.Generation.Attempts)-1]
		if last.Outcome != "accepted" || *last.Score != *a.Rating.Score {
			t.Errorf("%s: last attempt %+v, rating %+v", day.Date, last, a.Rating)
		}
		if b := a.Band; b.Position != "inside" || *a.Rating.Score < b.Low || *a.Rating.Score > b.High || b.Sample != 1000 || b.Percentiles != [2]int{30, 70} {
			t.Errorf("%s: band %+v", day.Date, b)
		}
		for name, seq := range map[string]events.Seq{
			"calibrated": a.Band.Event, "policy": a.Policy.Event, "generated": a.Generation.Event, "rated": a.Rating.Event, "published": a.Publication.Event,
		} {
			e, err := events.At(t.Context(), log, seq)
			if err != nil || e.Key.Segments()[0] != name {
				t.Errorf("%s: event %d is %s, not %s", day.Date, seq, e.Key, name)
			}
		}
	}
}

// retired is the chain as a program of a later generator version would have it.
func retired() []raters.Genre {
	genres := catalog.Genres()
	for i := range genres {
		v := &genres[i].Variants[0]
		v.Generator = later{v.Generator}
	}
	return genres
}

type later struct{ raters.Generator }

func (l later) Version() int { return l.Generator.Version() + 1 }

type changed struct{ raters.Generator }

func (c changed) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	r.Seed++
	return c.Generator.Generate(ctx, r)
}

func TestAuditSaysWhetherThePuzzleComesBack(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 0)
	audit := func() string {
		a, err := r.AuditDay(t.Context(), registry.DefaultSeries, date(t, "2026-12-01"))
		if err != nil {
			t.Fatal(err)
		}
		return a.Regenerated
	}
	r.Genres = retired()
	if got := audit(); got != registry.Retired {
		t.Errorf("under a later generator version: %s", got)
	}
	r.Genres = catalog.Genres()
	for i := range r.Genres {
		v := &r.Genres[i].Variants[0]
		v.Generator = changed{v.Generator}
	}
	if got := audit(); got != registry.Different {
		t.Errorf("under a generator that changed without a new version: %s", got)
	}
}

// Publishers that race on the same days, over logs that fail and repeat themselves, end in one
// publication a day.
func TestRacingPublishers(t *testing.T) {
	log := logtest.NewMemory()
	var mu sync.Mutex
	n := 0
	next := func() logtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		n++
		return []logtest.Fault{logtest.None, logtest.NotWritten, logtest.None, logtest.NotAcknowledged, logtest.Repeated}[n%5]
	}
	var group sync.WaitGroup
	for i := range 4 {
		r := open(t, logtest.Faulty{Log: log, Next: next}, at(morning))
		group.Go(func() {
			req := registry.PublishRequest{Series: registry.DefaultSeries, Ahead: 15, Actor: fmt.Sprintf("publisher %d", i), Reason: fmt.Sprintf("reason %d", i)}
			for range 100 {
				if _, _, err := r.Publish(t.Context(), req); err == nil {
					return
				} else if !errors.Is(err, logtest.ErrInjected) {
					t.Errorf("publisher %d: %v", i, err)
					return
				}
			}
			t.Errorf("publisher %d never got through", i)
		})
	}
	group.Wait()
	published := map[events.Key]int{}
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := e.Body.(events.Published); ok {
			published[e.Key]++
		}
	}
	if len(published) != 16 {
		t.Fatalf("%d publications of 16 days", len(published))
	}
	if days := archive(t, open(t, log, at(morning))); len(days) != 16 {
		t.Fatalf("%d days", len(days))
	}
}

func TestPublicShowsReleasedDaysOnly(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	publish(t, r, 5)
	today, err := seen(t, r).Day(t.Context(), registry.DefaultSeries, date(t, "2026-12-01"))
	if err != nil || today.Moves != 3 || len(today.Hand) != 5 || today.Label != "easy" {
		t.Fatalf("today: %+v, %v", today, err)
	}
	_, tomorrow := seen(t, r).Day(t.Context(), registry.DefaultSeries, date(t, "2026-12-02"))
	_, never := seen(t, r).Day(t.Context(), registry.DefaultSeries, date(t, "2036-12-02"))
	var missing *public.NotReleasedError
	if !errors.As(tomorrow, &missing) || !errors.As(never, &missing) {
		t.Fatalf("tomorrow: %v, never: %v", tomorrow, never)
	}
	if strings.ReplaceAll(never.Error(), "2036", "2026") != tomorrow.Error() {
		t.Errorf("a day to come is told from one that does not exist: %v, %v", tomorrow, never)
	}
	midnight := open(t, log, at("2026-12-01T22:00:00Z"))
	if _, err := seen(t, midnight).Day(t.Context(), registry.DefaultSeries, date(t, "2026-12-02")); err != nil {
		t.Errorf("at its release instant: %v", err)
	}
	released, err := seen(t, r).Days(t.Context(), calendar.Query{Series: registry.DefaultSeries})
	if err != nil || len(released) != 1 {
		t.Errorf("released: %v, %v", released, err)
	}
}

func chain(t testing.TB, text string) raters.Puzzle {
	t.Helper()
	p, err := genre(t, "chain").Reader.Read("daily", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestImporting(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	good, unsolvable := chain(t, "79 160 3 +65 -28 +55 +54 -36"), chain(t, "1 999 3 +1 +2 +3 +4")
	ambiguous := chain(t, "10 15 2 +1 +4 +2 +3")
	req := registry.ImportRequest{Puzzles: []raters.Puzzle{good, unsolvable, good, ambiguous}, Source: "old.txt", Actor: "editor"}
	results, err := r.Import(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	var statuses []string
	for _, res := range results {
		statuses = append(statuses, res.Status)
	}
	if want := []string{"new", "refused", "known", "refused"}; !slices.Equal(statuses, want) {
		t.Fatalf("%v, want %v", statuses, want)
	}
	if *results[0].Score != 11 || results[2].Event != results[0].Event {
		t.Errorf("%+v", results)
	}
	n := length(t, log)
	if again, err := r.Import(t.Context(), req); err != nil || again[0].Status != "known" || length(t, log) != n {
		t.Errorf("the same file again: %+v, %v, %d events", again, err, length(t, log)-n)
	}
	a, err := r.AuditPuzzleID(t.Context(), registry.DefaultSeries, good.ID())
	if err != nil || a.Import == nil || a.Import.Source != "old.txt" || a.Generation != nil || a.Regenerated != "" {
		t.Errorf("audit of an import: %+v, %v", a, err)
	}
}

func TestGeneratingIsFoundByIDAndSeed(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	g := r.Genres[0].Variants[0]
	req := raters.Request{Variant: "daily", Level: "hard", Seed: 18446744073709551615}
	made, err := generateRecorded(t.Context(), r, g, req, "editor")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := generateRecorded(t.Context(), r, g, req, "another"); err != nil || again != made || length(t, log) != 3 { // the bands, the puzzle, its rating
		t.Errorf("once more: %+v, %v, %d events", again, err, length(t, log))
	}
	ids, err := r.OfSeed(t.Context(), "chain/daily/g1/18446744073709551615")
	if err != nil || !slices.Equal(ids, []string{made.ID}) {
		t.Errorf("of the seed: %v, %v", ids, err)
	}
	rec, err := r.Show(t.Context(), made.ID)
	if err != nil || len(rec.Generations) != 1 || len(rec.Ratings) != 1 || rec.Text != made.Text || rec.Solution != made.Solution {
		t.Errorf("shown: %+v, %v", rec, err)
	}
	for _, bad := range []string{"", "chain", "chain/daily/1/42", "chain/daily/gx/42", "chain/daily/g1/-1", "chain/daily/g1/43"} {
		if _, err := r.OfSeed(t.Context(), bad); !isInput(err) {
			t.Errorf("seed %q: %v", bad, err)
		}
	}
	if _, err := r.Show(t.Context(), "chain-0000000000000000"); !isInput(err) {
		t.Errorf("an unknown puzzle: %v", err)
	}
}

func TestCalibrating(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	c, err := r.Calibrate(t.Context(), r.Genres[0].Variants[0], "editor")
	if err != nil || len(c.Bands) != 3 || c.Event != 1 {
		t.Fatalf("%+v, %v", c, err)
	}
	publish(t, r, 0)
	if again, err := r.Calibrate(t.Context(), r.Genres[0].Variants[0], "editor"); err != nil || again.Event != 1 {
		t.Errorf("once more: %+v, %v", again, err)
	}
}

func TestRebuildingGivesTheSameTables(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 30)
	first, err := r.Holdings().Rebuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := open(t, r.Log, at(morning)).Holdings().Rebuild(t.Context())
	if err != nil || !slices.Equal(first, elsewhere) {
		t.Fatalf("%v\n%v\n%v", first, elsewhere, err)
	}
	if len(first) != len(registry.Tables()) || first[0].Seq != 95 {
		t.Errorf("%+v", first)
	}
}

// frequencies is a table that older programs had.
type frequencies struct{}

func (frequencies) Name() string { return "frequency" }
func (frequencies) Version() int { return 1 }
func (frequencies) Apply(tx *projections.Tx, e events.Event) error {
	return tx.Put([]byte("i/"+string(e.Key)), e.Actor)
}

// The rows of a table that this program has no more go when it first answers.
func TestATableThatIsGone(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 3)
	if err := r.Store.CatchUp(t.Context(), r.Log, frequencies{}); err != nil {
		t.Fatal(err)
	}
	if at, err := r.Store.Cursor("frequency"); err != nil || at == 0 {
		t.Fatal(at, err)
	}
	archive(t, r)
	if at, err := r.Store.Cursor("frequency"); err != nil || at != 0 {
		t.Errorf("it stands at event %d, %v", at, err)
	}
}

const policy = `series = "daily"
effective = "2026-12-10"
zone = "Europe/Paris"
release = "06:30"
[days]
monday    = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
tuesday   = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
wednesday = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
thursday  = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
friday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
saturday  = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
sunday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
`

func TestPublishRefusesWhatCannotBe(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	from, to := date(t, "2026-12-05"), date(t, "2026-12-04")
	early := date(t, "2020-01-01")
	publish(t, r, 0)
	for name, req := range map[string]registry.PublishRequest{
		"unknown series":      {Series: "weekly"},
		"negative":            {Series: "daily", Ahead: -1},
		"too far":             {Series: "daily", Ahead: registry.MaxAhead + 1},
		"half a range":        {Series: "daily", From: &from},
		"backwards":           {Series: "daily", From: &from, To: &to},
		"before every policy": {Series: "daily", From: &early, To: &early},
		"reason too long":     {Series: "daily", Reason: strings.Repeat("x", events.FreeText+1)},
	} {
		req.Actor = "editor"
		if _, _, err := r.Publish(t.Context(), req); !isInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A serving registry publishes every series on record, and once a day.
func TestTheDailyPublisherPublishesEverySeries(t *testing.T) {
	r := open(t, logtest.NewMemory(), at("2026-12-20T09:00:00Z"))
	publish(t, r, 0)
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(strings.Replace(policy, `"daily"`, `"second"`, 1)), Actor: "chief", Backdate: true}); err != nil {
		t.Fatal(err)
	}
	k := registry.NewDailyPublisher(r, slog.New(slog.DiscardHandler))
	k.Round(t.Context())
	n := length(t, r.Log)
	for series, want := range map[string]int{"daily": 31, "second": 41} { // caught up from its effective date
		if days, err := r.Archive(t.Context(), calendar.Query{Series: series}); err != nil || len(days) != want {
			t.Errorf("%s has %d days, %v", series, len(days), err)
		}
	}
	k.Round(t.Context())
	if more := length(t, r.Log) - n; more != 0 {
		t.Errorf("another round on the same day: %d events", more)
	}
}
