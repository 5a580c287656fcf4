package registry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
)

// newBands is the chain's generator of version 2, which works with other bands.
type newBands struct {
	raters.Generator
	raters.Bands
	rater raters.Profiled
	bands []raters.ProfileBand
}

// raised returns the chain with a generator of version 2 and these bands, and its rater, whose scores are the same, at a
// version.
func raised(t testing.TB, bands []raters.ProfileBand, version string) raters.Genre {
	t.Helper()
	g := genre(t, "chain")
	v := &g.Variants[0]
	n := newBands{v.Generator, v.Bands, v.Scales[0].Rater.(raters.Profiled), bands}
	v.Generator, v.Bands, v.Scales[0].Rater = n, n, bandedRater{n.rater, bands, version}
	return g
}

func (newBands) Version() int { return 2 }

func (n newBands) Built() raters.Calibration {
	c := n.Bands.Built()
	c.Generator = 2
	for i, b := range n.bands {
		c.Bands[i].Low, c.Bands[i].High = b.Low, b.High
	}
	return c
}

func (n newBands) Calibrate(context.Context, uint64) (raters.Calibration, error) {
	return n.Built(), nil
}

// bandedRater is chain.score at another version, with other bands built in.
type bandedRater struct {
	raters.Profiled
	bands   []raters.ProfileBand
	version string
}

func (r bandedRater) Version() string { return r.version }

func (r bandedRater) Profile() raters.Profile {
	p := r.Profiled.Profile()
	p.Bands = r.bands
	return p
}

func chainBands(t testing.TB) []raters.ProfileBand {
	t.Helper()
	return variant(t, "chain").Scales[0].Rater.(raters.Profiled).Profile().Bands
}

// sideOf tells where a score lies by the band of a label.
func sideOf(bands []raters.ProfileBand, label string, score int) string {
	b := bands[slices.IndexFunc(bands, func(b raters.ProfileBand) bool { return b.Label == label })]
	switch {
	case score < b.Low:
		return "below"
	case score > b.High:
		return "above"
	}
	return "inside"
}

// A puzzle of generator version 1 was filed by the bands of version 1, whatever bands the program has by now.
func TestAReplayJudgesTheRecordByItsCalibration(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	days, _ := publish(t, r, 30)
	old := chainBands(t)
	narrow := slices.Clone(old)
	for i := range narrow {
		narrow[i].Low = narrow[i].High
	}
	for _, version := range []string{"1", "2"} {
		r.Genres = []raters.Genre{raised(t, narrow, version)}
		v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Series: "daily"}, Rater: engine.RaterChoice{Name: "chain.score"}, DryRun: true})
		want := moved(t, r, days, old, narrow)
		for id, text := range want {
			if version != "1" {
				want[id], _, _ = strings.Cut(text, ", ")
				want[id] += ", version"
			}
		}
		if diff := cmp.Diff(want, told(changes)); diff != "" {
			t.Error(diff)
		}
		if len(want) == 0 || v.Matrix.At("inside", "inside") != 31-len(want) {
			t.Errorf("%+v, want %d changes", v, len(want))
		}
	}
}

// older is a log as older programs left it, who did not record the calibration of a generator that no series used.
type older struct{ events.Log }

func (l older) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	kept := slices.DeleteFunc(slices.Clone(batch), func(e events.Event) bool { return e.Body.Kind() == "calibrated/1" })
	receipt, err := l.Log.Append(ctx, kept...)
	return append(make(events.Receipt, len(batch)-len(kept)), receipt...), err
}

// Without a calibration on record the bands are known only of the generator that this program has.
func TestAReplayWithoutACalibrationOnRecord(t *testing.T) {
	r := open(t, older{logtest.NewMemory()}, at(morning))
	p, err := generateRecorded(t.Context(), r, variant(t, "chain"), raters.Request{Variant: "daily", Level: "hard", Seed: 3}, "editor")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Log.Get(t.Context(), events.CalibratedKey("chain", 1, "chain.score", "1")); err == nil {
		t.Fatal("there is one")
	}
	for _, c := range []struct {
		genres []raters.Genre
		before string
	}{{r.Genres, "inside"}, {[]raters.Genre{raised(t, chainBands(t), "1")}, "none"}} {
		r.Genres = c.genres
		v, _ := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{IDs: []string{p.ID}}, Rater: engine.RaterChoice{Name: "chain.score"}, DryRun: true})
		if v.Matrix.At(c.before, "inside") != 1 || v.Changed != 0 {
			t.Errorf("%+v, want %s", v, c.before)
		}
	}
}

// Under any bands, what moves moves by the band of its label alone.
func TestTheCauseOfAMoveToAnyBands(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	days, _ := publish(t, r, 20)
	old, moves := chainBands(t), 0
	rapid.Check(t, func(rt *rapid.T) {
		p := variant(t, "chain").Scales[0].Rater.(raters.Profiled).Profile()
		p.Bands = nil
		for _, b := range rapid.Permutation(old).Draw(rt, "bands") {
			b.Low += rapid.IntRange(-3, 3).Draw(rt, "low")
			b.High = max(b.Low, b.High+rapid.IntRange(-3, 3).Draw(rt, "high"))
			p.Bands = append(p.Bands, b)
		}
		choice := engine.RaterChoice{Profile: []byte(p.Text())}
		_, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Series: "daily"}, Rater: choice, DryRun: rapid.Bool().Draw(rt, "dry")})
		if diff := cmp.Diff(moved(t, r, days, old, p.Bands), told(changes)); diff != "" {
			rt.Fatal(diff)
		}
		moves += len(changes)
	})
	if moves == 0 {
		t.Error("nothing moves")
	}
}

// moved tells what moves from some bands to others, and why, by ID.
func moved(t testing.TB, r *registry.Registry, days []registry.Day, was, is []raters.ProfileBand) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, d := range days {
		rec, err := r.Show(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		score := *rec.Ratings[0].Score
		if from, to := sideOf(was, d.Label, score), sideOf(is, d.Label, score); from != to {
			all[d.ID] = fmt.Sprintf("%s → %s, band %s", from, to, d.Label)
		}
	}
	return all
}

// told returns what is told of changes, by ID.
func told(changes []registry.ReplayChange) map[string]string {
	all := map[string]string{}
	for _, c := range changes {
		all[c.ID] = fmt.Sprintf("%s → %s, %s", c.From, c.To, c.Cause)
	}
	return all
}
