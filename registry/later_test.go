package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
)

// The audit tells all that happened to a day since: ratings under other raters, adoptions, policies, withdrawals, in order.
func TestTheAuditTellsWhatHappenedSince(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	if _, err := r.FillPool(t.Context(), registry.FillRequest{Pool: "sudoku/classic", PerShelf: 2, Seed: new(uint64), Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	adopt(t, r, weekly("grid", "2026-12-02", `{ label = "tough", source = "shelf", genre = "sudoku", variant = "classic", level = "hard" }`))
	days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "grid", Ahead: 1, Actor: "editor"})
	if err != nil || len(days) != 1 {
		t.Fatal(days, err)
	}
	later := func() (list []string) {
		a, err := r.AuditPuzzleID(t.Context(), "grid", days[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range a.Later {
			if l.Event == 0 || l.Actor == "" || l.Time == "" || i > 0 && l.Event <= a.Later[i-1].Event {
				t.Errorf("%+v", l)
			}
			list = append(list, l.What+": "+l.Text)
		}
		return list
	}
	if got := later(); len(got) != 0 {
		t.Errorf("at once: %q", got)
	}
	all := registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: engine.RaterChoice{Name: "sudoku.canonical"}}
	replay(t, r, all)
	if _, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: "sudoku/classic", Rater: all.Rater, Actor: "chief", Reason: "one scale"}); err != nil {
		t.Fatal(err)
	}
	adopt(t, r, weekly("grid", "2026-12-03", `{ label = "later", source = "generator", genre = "chain", variant = "daily", level = "easy" }`))
	adopt(t, r, weekly("grid", "2026-12-01", `{ label = "soft", source = "generator", genre = "chain", variant = "daily", level = "easy" }`))
	withdraw(t, r, registry.WithdrawRequest{Series: "grid", Date: date(t, days[0].Date), Empty: true})
	got := later()
	h, err := r.History(t.Context(), days[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	level := h.Ratings[len(h.Ratings)-1].Level
	want := []string{
		fmt.Sprintf("rated: rated %s by sudoku.canonical 1", level),
		fmt.Sprintf("adopted: sudoku.canonical 1 files sudoku/classic, and calls this puzzle %s", level),
		"policy: policy 3, by which Wednesdays are soft",
		"withdrawn: withdrawn",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// chainEngine is the chain's engine with its generator and the bands of it at another version.
func chainEngine(t *testing.T, version int) raters.Genre {
	g := genre(t, "chain")
	v := &g.Variants[0]
	v.Generator = engineGenerator{v.Generator, otherEngine{changed: version > 1, generator: version}}
	v.Bands = raisedBands{v.Bands, version}
	return g
}

type raisedBands struct {
	raters.Bands
	version int
}

func (b raisedBands) Built() raters.Calibration {
	c := b.Bands.Built()
	c.Generator, c.Bands = b.version, slices.Clone(c.Bands)
	c.Bands[0].High += b.version
	return c
}

// The calibration of a raised generator goes on record with its first puzzle, whoever makes it, and each audit has the
// band of its own generator.
func TestTheCalibrationOfARaisedGenerator(t *testing.T) {
	for name, use := range map[string]func(r *registry.Registry) error{
		"publish": func(r *registry.Registry) error {
			_, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "daily", Ahead: 9, Actor: "editor"})
			return err
		},
		"generate": func(r *registry.Registry) error {
			_, err := generateRecorded(t.Context(), r, r.Genres[0].Variants[0], raters.Request{Variant: "daily", Level: "easy", Seed: 7}, "editor")
			return err
		},
		"withdraw": func(r *registry.Registry) error {
			_, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: "daily", Date: date(t, "2026-12-02"), Actor: "editor", Reason: "x"})
			return err
		},
	} {
		r := open(t, logtest.NewMemory(), at(morning))
		r.Genres = []raters.Genre{chainEngine(t, 1)}
		publish(t, r, 2)
		r.Genres = []raters.Genre{chainEngine(t, 2)}
		if err := use(r); err != nil {
			t.Fatal(err)
		}
		publish(t, r, 9)
		for _, d := range []struct {
			date      string
			generator int
		}{{"2026-12-01", 1}, {"2026-12-09", 2}} {
			a, err := r.AuditDay(t.Context(), "daily", date(t, d.date))
			if err != nil || a.Generation.Generator != d.generator || a.Band == nil {
				t.Fatalf("%s: %s: %+v, %v", name, d.date, a.Band, err)
			}
			built := chainEngine(t, d.generator).Variants[0].Bands.Built()
			at := slices.IndexFunc(built.Bands, func(b raters.Band) bool { return b.Label == a.Generation.Requested })
			if a.Band.High != built.Bands[at].High || a.Band.Low != built.Bands[at].Low {
				t.Errorf("%s: %s has the band %+v", name, d.date, a.Band)
			}
		}
	}
}

// After the version of a rater was raised, the history still says what an older profile had otherwise.
func TestHistoryOfAnOlderProfile(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	r.Genres = []raters.Genre{genre(t, "sudoku")}
	ids := onRecord(t, r, 100)
	if _, err := r.RateRecorded(t.Context(), ids[0], reordered(t, "xy-wing", "swordfish", 3), "editor"); err != nil {
		t.Fatal(err)
	}
	parameters := func() string {
		h, err := r.History(t.Context(), ids[0])
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(h.Ratings[len(h.Ratings)-1].Parameters, "; ")
	}
	before := parameters()
	r.Genres = []raters.Genre{otherEngine{rater: 2, generator: 2}.genre(t)}
	if after := parameters(); after != before || !strings.Contains(before, "xy-wing") {
		t.Errorf("before %q, after %q", before, after)
	}
}
