package registry_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"assay/events"
	"assay/events/logtest"
	"assay/registry"
	"assay/registry/jobs"
)

// forger is a pool with a worker that gives one wrong result, which is found when found says so.
type forger struct {
	jobs.Local
	t     testing.TB
	forge func(result []byte) []byte // gives nil for a result that it leaves
	found func(done int) bool

	mu    sync.Mutex // guards the fields below
	done  int
	wrong []jobs.Wrong
	told  bool
}

func (*forger) Room() int { return 1 }

func (f *forger) Do(ctx context.Context, c jobs.Chunk) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	o, err := c.Message()
	if err != nil {
		return err
	}
	var results [][]byte
	for _, job := range o.Jobs {
		result, err := c.Again().Do(ctx, job)
		if err != nil {
			return err
		}
		if len(f.wrong) == 0 {
			if forged := f.forge(result); forged != nil {
				f.wrong = append(f.wrong, jobs.Wrong{Name: c.Again().Name(job), Kind: o.Kind, Setting: o.Setting, Job: job})
				result = forged
			}
		}
		results = append(results, result)
		f.done++
	}
	if _, err := c.Take(ctx, 0, results); err != nil && ctx.Err() == nil {
		f.t.Errorf("the lie is not plausible: %v", err)
	}
	return nil
}

func (f *forger) Liars(context.Context) []jobs.Liar {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.told = f.told || len(f.wrong) > 0 && f.found(f.done); !f.told {
		return nil
	}
	return []jobs.Liar{{Worker: "worker 1 on host", Why: "a lie", Earlier: f.done, Wrong: f.wrong}}
}

// elsewhere names another instance in the first step of a verdict, which nobody but who solves the puzzle can tell.
func elsewhere(t testing.TB) func([]byte) []byte {
	return func(result []byte) []byte {
		var v []any
		if err := cbor.Unmarshal(result, &v); err != nil || len(v) < 6 {
			return nil
		}
		solve, ok, err := events.Rated{Steps: v[5].([]byte)}.Solve()
		if err != nil || !ok {
			t.Fatal(err)
		}
		solve.Steps[0].Instance = "row 10"
		if v[5], err = events.EncodeSolve(solve); err != nil {
			t.Fatal(err)
		}
		return marshal(t, v)
	}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := cbor.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// contents returns what each key of a log says.
func contents(t testing.TB, log events.Log) map[events.Key]string {
	t.Helper()
	all := map[events.Key]string{}
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		raw := marshal(t, e.Body)
		all[e.Key] = e.Body.Kind() + string(raw)
	}
	return all
}

// differing counts the keys that say something else, or are in one log alone.
func differing(a, b map[events.Key]string) (keys []events.Key) {
	for key, body := range a {
		if b[key] != body {
			keys = append(keys, key)
		}
	}
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	return keys
}

// A wrong result that is found before it is recorded is not recorded; one that is on record is known to be, and the rest
// is as it should be.
func TestAReplayThatWasLiedTo(t *testing.T) {
	honest := logtest.NewMemory()
	r := open(t, honest, at(morning))
	onRecord(t, r, 1)
	choice := reordered(t, "xy-wing", "swordfish", 3)
	want, wantChanges := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice})
	if want.Recorded < 600 || want.Changed == 0 {
		t.Fatalf("%+v", want)
	}
	for name, c := range map[string]struct {
		found    func(log events.Log, imported int) func(int) bool
		recorded bool
	}{
		"found before it is recorded": {func(events.Log, int) func(int) bool { return func(done int) bool { return done >= 300 } }, false},
		"found after it is recorded": {func(log events.Log, imported int) func(int) bool {
			return func(int) bool { return length(t, log) > imported }
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			log := logtest.NewMemory()
			r := open(t, log, at(morning))
			onRecord(t, r, 1)
			f := &forger{t: t, forge: elsewhere(t), found: c.found(log, length(t, log))}
			r.Crew = f
			got, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice})
			if got.Changed != want.Changed || len(changes) != len(wantChanges) || got.Puzzles != want.Puzzles {
				t.Errorf("%+v\nwithout a liar %+v", got, want)
			}
			if !f.told || len(f.wrong) != 1 {
				t.Fatalf("%+v", f.wrong)
			}
			key, is, err := r.OnRecord(t.Context(), f.wrong[0])
			if err != nil || is != c.recorded || !strings.HasPrefix(string(key), "rated/"+f.wrong[0].Name+"/sudoku.tiers/v1+") {
				t.Errorf("%s, %v, %v", key, is, err)
			}
			keys := differing(contents(t, log), contents(t, honest))
			if c.recorded != (len(keys) == 1 && keys[0] == key) || !c.recorded && len(keys) > 0 {
				t.Errorf("other than without a liar: %v", keys)
			}
		})
	}
}

// A comparison that was lied to tells each difference once, and none of a lie.
func TestAComparisonThatWasLiedTo(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	onRecord(t, r, 5)
	compare := func() (v registry.RaterComparison, told []string) {
		v, err := r.Compare(t.Context(), registry.CompareRequest{
			Selection: registry.Selection{Pool: "sudoku/classic"}, A: "sudoku.tiers", B: "sudoku.canonical",
			Difference: func(d registry.CompareDifference) error { told = append(told, d.ID+d.B); return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return v, told
	}
	want, wantTold := compare()
	f := &forger{t: t, found: func(done int) bool { return done >= 150 }, forge: func(result []byte) []byte {
		var v []any
		if cbor.Unmarshal(result, &v) != nil || len(v) != 4 || v[1] != "expert" {
			return nil
		}
		v[1] = "hard"
		return marshal(t, v)
	}}
	r.Crew = f
	got, told := compare()
	if got.Same != want.Same || got.Differ != want.Differ || strings.Join(told, "\n") != strings.Join(wantTold, "\n") || !f.told {
		t.Errorf("%+v\nwithout a liar %+v", got, want)
	}
}

// A filling that was lied to keeps what a filling without a liar keeps.
func TestAFillingThatWasLiedTo(t *testing.T) {
	fill := func(crew jobs.Crew) map[events.Key]string {
		log := logtest.NewMemory()
		r := open(t, log, at(morning))
		r.Crew = crew
		seed := uint64(7)
		if _, err := r.FillPool(t.Context(), registry.FillRequest{Pool: "kakurasu/5x5", PerShelf: 10, Seed: &seed, Actor: "operator"}); err != nil {
			t.Fatal(err)
		}
		return contents(t, log)
	}
	f := &forger{t: t, found: func(done int) bool { return done >= 100 }, forge: func(result []byte) []byte {
		var v []any
		if err := cbor.Unmarshal(result, &v); err != nil {
			t.Fatal(err)
		}
		made := v[0].(map[any]any)
		made["Nodes"] = made["Nodes"].(uint64) + 1
		return marshal(t, v)
	}}
	if keys := differing(fill(f), fill(nil)); len(keys) > 0 || !f.told {
		t.Errorf("other than without a liar: %v", keys)
	}
}

// An import that was lied to records what one without a liar records, when the lie is found before it is recorded.
func TestAnImportThatWasLiedTo(t *testing.T) {
	puzzles := sudokuPuzzles(t, 200)
	bring := func(crew jobs.Crew) map[events.Key]string {
		log := logtest.NewMemory()
		r := open(t, log, at(morning))
		r.Crew = crew
		results, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"})
		if err != nil {
			t.Fatal(err)
		}
		for i, result := range results {
			if result.ID != puzzles[i].ID() || result.Status != registry.New || result.Event == 0 {
				t.Errorf("%+v", result)
			}
		}
		return contents(t, log)
	}
	f := &forger{t: t, forge: elsewhere(t), found: func(done int) bool { return done >= 150 }}
	if keys := differing(bring(f), bring(nil)); len(keys) > 0 || !f.told {
		t.Errorf("other than without a liar: %v", keys)
	}
}

// A worker cannot make a pool pass its gate, or fail it.
func TestAPoolCheckThatWasLiedTo(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	onRecord(t, r, 5)
	want, err := r.VerifyPool(t.Context(), "sudoku/classic", nil)
	if err != nil || !want.OK {
		t.Fatalf("%+v, %v", want, err)
	}
	f := &forger{t: t, found: func(done int) bool { return done >= 60 }, forge: func(result []byte) []byte {
		var v []any
		if cbor.Unmarshal(result, &v) != nil || len(v) != 4 || v[0] != "rated" {
			return nil
		}
		v[1], v[2] = "hard", uint64(3)
		return marshal(t, v)
	}}
	r.Crew = f
	if got, err := r.VerifyPool(t.Context(), "sudoku/classic", nil); err != nil || !got.OK || got.Puzzles != want.Puzzles || got.Shelved != want.Shelved || !f.told {
		t.Errorf("%+v, %v\nwithout a liar %+v", got, err, want)
	}
}
