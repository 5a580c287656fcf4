package registry_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/raters/ratertest"
	"assay/registry"
	"assay/registry/engine"
)

// otherEngine is a copy of the sudoku engine whose rater and generator can be changed, and their versions raised.
type otherEngine struct {
	changed          bool // XY-Wing is hard, and a seed makes the puzzle of the next one
	rater, generator int  // versions
}

func (e otherEngine) genre(t testing.TB) raters.Genre {
	t.Helper()
	g := genre(t, "sudoku")
	v := &g.Variants[0]
	rater := v.Scales[0].Rater
	if e.changed {
		other, err := reordered(t, "xy-wing", "swordfish", 3).Choose(*v)
		if err != nil {
			t.Fatal(err)
		}
		rater = other
	}
	v.Scales = v.Scales[:1]
	v.Scales[0].Rater = engineRater{rater.(raters.Profiled), e.rater}
	v.Generator = engineGenerator{v.Generator, e}
	return g
}

type engineRater struct {
	raters.Profiled
	version int
}

func (r engineRater) Version() string { return fmt.Sprint(r.version) }

func (r engineRater) Profile() raters.Profile {
	p := r.Profiled.Profile()
	p.Version = r.version
	return p
}

type engineGenerator struct {
	raters.Generator
	otherEngine
}

func (g engineGenerator) Version() int { return g.generator }

func (g engineGenerator) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	if g.changed {
		r.Seed++
	}
	return g.Generator.Generate(ctx, r)
}

// refusing takes down what a check says instead of failing.
type refusing struct {
	testing.TB
	said *[]string
}

func (r refusing) Error(args ...any) { *r.said = append(*r.said, fmt.Sprint(args...)) }

// locked returns what the golden files say of an engine; update is the flag.
func locked(t *testing.T, e otherEngine, update bool) (said []string) {
	t.Helper()
	if err := flag.Set("update", fmt.Sprint(update)); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("update", "false")
	v := e.genre(t).Variants[0]
	var puzzles []raters.Puzzle
	for seed := range uint64(9) { // of these, some need an XY-Wing
		made, err := variant(t, "sudoku").Generator.Generate(t.Context(), raters.Request{Variant: "classic", Level: "expert", Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		puzzles = append(puzzles, made.Puzzle)
	}
	tb := refusing{t, &said}
	ratertest.LockRater(tb, "sudoku.TiersVersion (rater.go)", v.Scales[0].Rater, puzzles)
	ratertest.LockGenerator(tb, "sudoku.GeneratorVersion (generate.go)", v.Generator, []raters.Request{{Variant: "classic", Level: "easy", Seed: 1}})
	return said
}

// The golden files of an engine let no output change without a new version, and keep those of old ones.
func TestGoldenFilesAskForAVersion(t *testing.T) {
	t.Chdir(t.TempDir())
	old, changed := otherEngine{rater: 1, generator: 1}, otherEngine{changed: true, rater: 1, generator: 1}
	if said := locked(t, old, true); len(said) != 0 {
		t.Fatal(said)
	}
	for _, update := range []bool{false, true} {
		said := strings.Join(locked(t, changed, update), "\n")
		for _, want := range []string{"raise sudoku.TiersVersion (rater.go)", "raise sudoku.GeneratorVersion (generate.go)"} {
			if !strings.Contains(said, want) {
				t.Errorf("with -update %v: %q lacks %q", update, said, want)
			}
		}
	}
	raised := otherEngine{changed: true, rater: 2, generator: 2}
	if said := locked(t, raised, false); len(said) != 2 || !strings.Contains(said[0], "version 2 has no golden file") {
		t.Errorf("%q", said)
	}
	for _, e := range []otherEngine{raised, old} {
		if said := locked(t, e, true); len(said) != 0 {
			t.Errorf("version %d: %q", e.rater, said)
		}
	}
}

// A registry goes on under a raised rater and generator: old puzzles are there, the audit says what is retired, a
// replay fills the new version, and both can be counted.
func TestRaisingTheVersionsOfAnEngine(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	r.Genres = []raters.Genre{otherEngine{rater: 1, generator: 1}.genre(t)}
	if _, err := r.FillPool(t.Context(), registry.FillRequest{Pool: "sudoku/classic", PerShelf: 8, Seed: new(uint64), Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	policy := "series = \"grid\"\neffective = \"2026-12-01\"\nzone = \"UTC\"\nrelease = \"06:00\"\n[days]\n"
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		policy += day + ` = { label = "tough", source = "shelf", genre = "sudoku", variant = "classic", level = "expert" }` + "\n"
	}
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(policy), Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "grid", Actor: "editor"})
	if err != nil || len(days) != 1 {
		t.Fatal(days, err)
	}
	day := days[0]
	if a, err := r.AuditPuzzleID(t.Context(), "grid", day.ID); err != nil || a.Regenerated != registry.Identical {
		t.Fatalf("%q, %v", a.Regenerated, err)
	}

	r.Genres = []raters.Genre{otherEngine{changed: true, rater: 2, generator: 2}.genre(t)}
	rec, err := r.Show(t.Context(), day.ID)
	if err != nil || len(rec.Text) != 81 || rec.Ratings[0].Version != "1" || len(rec.Generations) != 1 {
		t.Fatalf("%+v, %v", rec, err)
	}
	a, err := r.AuditPuzzleID(t.Context(), "grid", day.ID)
	if err != nil || a.Regenerated != registry.Retired || a.Rating.Version != "1" {
		t.Errorf("%q, %+v, %v", a.Regenerated, a.Rating, err)
	}
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: engine.RaterChoice{Name: "sudoku.tiers"}})
	if v.Puzzles != 40 || v.Recorded != 40 || v.From.Version != "1" || v.To.Version != "2" || len(changes) == 0 || v.Matrix.At("expert", "hard") != v.Changed || v.Causes["version"] != v.Changed {
		t.Fatalf("%+v", v)
	}
	counted := func(version, level string) int {
		f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "sudoku/classic/" + level, Rater: "sudoku.tiers@" + version})
		if err != nil || string(f.Version) != version {
			t.Fatalf("%+v, %v", f, err)
		}
		return f.Puzzles
	}
	if was, is := counted("1", "expert"), counted("2", "expert"); was != 8 || is != 8 {
		t.Errorf("%d puzzles on the expert shelf were rated by version 1, %d by version 2", was, is)
	}
	var versions []string
	h, err := r.History(t.Context(), day.ID)
	if err != nil || h.Labels[0].Rating != events.RatedKey(day.ID, "sudoku.tiers", "1") {
		t.Fatalf("%+v, %v", h, err)
	}
	for _, rated := range h.Ratings {
		versions = append(versions, string(rated.Version))
	}
	if !slices.Equal(versions, []string{"1", "2"}) {
		t.Errorf("%v", versions)
	}
	// Filling needs the rater that files the pool; the new one takes over when it is adopted.
	fill := registry.FillRequest{Pool: "sudoku/classic", PerShelf: 9, Candidates: 50, Seed: new(uint64), Actor: "editor"}
	if _, err := r.FillPool(t.Context(), fill); err == nil || !strings.Contains(err.Error(), "is filed by sudoku.tiers 1, which this program no longer has") {
		t.Fatal(err)
	}
	if _, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: "sudoku/classic", Rater: engine.RaterChoice{Name: "sudoku.tiers"}, Actor: "editor", Reason: "xy-wing is hard"}); err != nil {
		t.Fatal(err)
	}
}
