package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"assay/events"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
	"assay/raters"
	"assay/raters/catalog"
	"assay/registry/engine"
	"assay/registry/jobs"
	"assay/registry/jobs/queue"
)

// lie changes a result of a job, or leaves it.
type lie func(t testing.TB, do doJob, job, right []byte) []byte

type doJob = func(context.Context, []byte) ([]byte, error)

// verdictLie changes a verdict: its outcome, level, tier and score; and, unless it is brief, all of it.
func verdictLie(change func(brief, all []any)) lie {
	return func(t testing.TB, _ doJob, _, right []byte) []byte {
		var v []any
		if err := cbor.Unmarshal(right, &v); err != nil {
			t.Error(err)
		}
		if len(v) == 4 {
			change(v, nil)
		} else {
			change(v[0].([]any), v)
		}
		return encoded(t, v)
	}
}

// stepsLie changes the solve of a verdict.
func stepsLie(change func(*events.Solve)) lie {
	return verdictLie(func(_, all []any) {
		if all == nil {
			return
		}
		steps, _ := all[5].([]byte)
		solve, is, err := events.Rated{Steps: steps}.Solve()
		if !is && err == nil {
			return
		}
		if err != nil {
			panic(err)
		}
		change(&solve)
		if all[5], err = events.EncodeSolve(solve); err != nil {
			panic(err)
		}
	})
}

// madeLie changes a puzzle that was made.
func madeLie(change func(made map[any]any)) lie {
	return func(t testing.TB, _ doJob, _, right []byte) []byte {
		var v []any
		if err := cbor.Unmarshal(right, &v); err != nil {
			t.Error(err)
		}
		change(v[0].(map[any]any))
		return encoded(t, v)
	}
}

// otherSeed returns the puzzle of the next seed.
func otherSeed(t testing.TB, do doJob, job, _ []byte) []byte {
	var r raters.Request
	if err := cbor.Unmarshal(job, &r); err != nil {
		t.Error(err)
	}
	r.Seed++
	result, err := do(context.Background(), encoded(t, r))
	if err != nil {
		t.Error(err)
	}
	return result
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	data, err := cbor.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	return data
}

// swapLevel returns another level of sudoku.tiers, with its tier.
func swapLevel(brief, _ []any) {
	if brief[1] == "easy" {
		brief[1], brief[2] = "medium", 2
	} else {
		brief[1], brief[2] = "easy", 1
	}
}

// use is the first technique that a verdict counts, if there is one.
func use(all []any, change func(map[any]any)) {
	if all != nil {
		if list, ok := all[2].([]any); ok && len(list) > 0 {
			change(list[0].(map[any]any))
		}
	}
}

// startLiar starts a worker that does what each kind of work says, and lies after some honest results.
func startLiar(t testing.TB, url string, honest int, l lie) (end func()) {
	t.Helper()
	kinds := engine.Work(catalog.Genres())
	for name, open := range kinds {
		kinds[name] = func(setting []byte) (doJob, error) {
			do, err := open(setting)
			var mu sync.Mutex
			done := 0
			return func(ctx context.Context, job []byte) ([]byte, error) {
				right, err := do(ctx, job)
				mu.Lock()
				done++
				lies := done > honest
				mu.Unlock()
				if err != nil || !lies {
					return right, err
				}
				return l(t, do, job, right), nil
			}, err
		}
	}
	return startInside(t, url, kinds)
}

// startInside starts a worker in this process, and waits until it takes work.
func startInside(t testing.TB, url string, kinds jobs.Kinds) (end func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan error, 1)
	o := queue.Options{Options: link.Options{URL: url, Logger: slog.New(slog.DiscardHandler)}, Log: "ASSAY"}
	go func() { done <- queue.Work(ctx, o, kinds, sync.OnceFunc(func() { close(ready) })) }()
	select {
	case <-ready:
	case err := <-done:
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

// exported returns what a registry has on record, without the names of events.
func exported(t testing.TB, r runner) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(r.done(t, "export")) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"id", "cause", "hash"} {
			delete(e, name)
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	return out.String()
}

// some writes every n-th puzzle of bench.sdm into a file.
func some(t testing.TB, n int) string {
	t.Helper()
	text, err := os.ReadFile(bench(t))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	i := 0
	for line := range bytes.Lines(text) {
		if i++; len(bytes.TrimSpace(line)) == 81 && i%n == 0 {
			out.Write(line)
		}
	}
	file := filepath.Join(t.TempDir(), "some.sdm")
	writeFile(t, file, out.String())
	return file
}

// liedTo runs a command with a liar, and with an honest worker from when the liar is told of; it checks that the liar is
// named, once, as text or as JSON.
func liedTo(t *testing.T, url string, r runner, honest int, l lie, args ...string) (out string, told liar, code int) {
	t.Helper()
	defer startLiar(t, url, honest, l)()
	errs := natstest.NewHeard()
	var stdout bytes.Buffer
	done := make(chan int, 1)
	go func() { done <- Run(t.Context(), append(args, "--json"), r.env("", &stdout, errs)) }()
	natstest.Until(t, "a liar that is told of", func() bool {
		if len(done) > 0 {
			t.Fatalf("exit %d without a word of a liar: %s", <-done, errs.Text())
		}
		return strings.Contains(errs.Text(), "a worker lies")
	})
	defer startInside(t, url, engine.Work(catalog.Genres()))()
	code = <-done
	var lines []string
	for line := range strings.Lines(stdout.String()) {
		if !strings.HasPrefix(line, `{"schema":"liar/1"`) {
			lines = append(lines, line)
		} else if err := json.Unmarshal([]byte(line), &told); err != nil || strings.Count(stdout.String(), `"liar/1"`) != 1 {
			t.Fatalf("%v: %s", err, &stdout)
		}
	}
	if told.Worker == "" || !strings.Contains(errs.Text(), told.Worker) || strings.Contains(errs.Text(), "\x1b") || strings.Contains(stdout.String(), "\x1b") {
		t.Errorf("told %+v\n%s", told, errs.Text())
	}
	return strings.Join(lines, ""), told, code
}

// Whatever a worker says of puzzles, what is recorded and printed is what this process would have recorded and printed.
func TestWorkersThatLieAboutRatings(t *testing.T) {
	file := some(t, 5)
	replay := []string{"replay", "--pool", "sudoku/classic", "--profile", profile(t)}
	here := newRunner(t)
	here.done(t, "import", "--genre", "sudoku", file)
	wantDry, _, dryCode := here.run(t, "", append(replay, "--dry-run", "--json")...)
	want, _, wantCode := here.run(t, "", append(replay, "--json")...)
	wantRecord := exported(t, here)
	cases := []struct {
		name   string
		lie    lie
		why    string
		dry    bool // it shows in a dry run as well, where the level alone is asked for
		honest int
	}{
		{"an unknown level with escapes", verdictLie(func(brief, _ []any) { brief[1] = "no/such\x1b[31m" }), "no/such", true, 0},
		{"tier 99", verdictLie(func(brief, _ []any) { brief[2] = 99 }), "tier 99", true, 0},
		{"an outcome of its own", verdictLie(func(brief, _ []any) { brief[0] = "\x1b[2J" }), "outcome", true, 0},
		{"a score", verdictLie(func(brief, _ []any) { brief[3] = []int{7} }), "score", true, 0},
		{"a technique that is not in the profile", verdictLie(func(_, all []any) { use(all, func(u map[any]any) { u["Name"] = "guess" }) }), "guess", false, 0},
		{"counts that do not add up", verdictLie(func(_, all []any) { use(all, func(u map[any]any) { u["Removed"] = u["Removed"].(uint64) + 1 }) }), "counted are", false, 0},
		{"another hardest technique", verdictLie(func(_, all []any) {
			if all != nil {
				all[1] = "swordfish\x1b"
			}
		}), "the techniques used make it", false, 0},
		{"a literal off the board", stepsLie(func(s *events.Solve) { s.Steps[0].Because = append(s.Steps[0].Because, 4000) }), "no literal", false, 0},
		{"an escape in a step", stepsLie(func(s *events.Solve) { s.Steps[0].Instance = "row 1\x1b[2J" }), "U+001B", false, 0},
		{"other names of literals", stepsLie(func(s *events.Solve) { s.Naming.Values[0] = "\x1b" }), "name literals otherwise", false, 0},
		{"steps that the solution refutes", stepsLie(func(s *events.Solve) {
			for i := range s.Steps { // the first that removes anything
				if step := &s.Steps[i]; len(step.Removed) > 1 && len(step.Placed) == 1 {
					step.Removed[0] = step.Placed[0]
					return
				}
			}
		}), "", false, 0},
		{"a refusal", func(t testing.TB, _ doJob, _, right []byte) []byte {
			return encoded(t, []any{[]any{"", "", 0, []int{}}, "", nil, nil, 0, nil, "not_unique", []string{"\x1b", "2"}, "", nil, ""})
		}, "done again here", true, 0},
		{"a failure", func(t testing.TB, _ doJob, _, right []byte) []byte {
			return encoded(t, []any{[]any{"", "", 0, []int{}}, "", nil, nil, 0, nil, "", nil, "", nil, "\x1b[31mout of luck"})
		}, "done again here", true, 0},
		{"a plausible step", stepsLie(func(s *events.Solve) { s.Steps[0].Instance = "row 10" }), "done again here", false, 0},
		{"a plausible level", verdictLie(swapLevel), "", true, 0},
		{"a plausible step, after some honest results", stepsLie(func(s *events.Solve) { s.Steps[0].Instance = "row 10" }), "done again here", false, 40},
		{"a plausible level, after some honest results", verdictLie(swapLevel), "", true, 40},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			url := natstest.One(t).ClientURL()
			there := newRunner(t).on(t, url, "")
			there.done(t, "import", "--genre", "sudoku", file)
			there.vars["ASSAY_WORKERS"] = "1"
			if c.dry {
				got, told, code := liedTo(t, url, there, c.honest, c.lie, append(replay, "--dry-run")...)
				if got != wantDry || code != dryCode || !strings.Contains(told.Why, c.why) {
					t.Errorf("exit %d, %+v, %s", code, told, firstDifference(got, wantDry))
				}
			}
			got, told, code := liedTo(t, url, there, c.honest, c.lie, replay...)
			if got != want || code != wantCode || !strings.Contains(told.Why, c.why) {
				t.Errorf("exit %d, %+v, %s", code, told, firstDifference(got, want))
			}
			// a lie drops its whole order, which is larger the faster the worker is: of those before, some were taken
			if c.honest > 0 && told.Earlier == 0 || slices.ContainsFunc(told.Wrong, func(w wrongResult) bool { return w.Record != "" }) {
				t.Errorf("%+v", told)
			}
			if got := exported(t, there); got != wantRecord {
				t.Errorf("the record: %s", firstDifference(got, wantRecord))
			}
		})
	}
}

// Whatever puzzle a worker gives for a seed, what is recorded and printed is the puzzle of the seed.
func TestWorkersThatLieAboutPuzzles(t *testing.T) {
	fill := []string{"pool", "fill", "kakurasu/5x5", "--per-level", "8", "--seed", "7"}
	make := []string{"generate", "chain", "--count", "40", "--level", "hard"}
	here := newRunner(t)
	want, wantMade := here.done(t, append(fill, "--json")...), here.done(t, append(make, "--json")...)
	wantRecord := exported(t, here)
	for _, c := range []struct {
		name   string
		lie    lie
		honest int
	}{
		{"the puzzle of another seed", otherSeed, 0},
		{"the puzzle of another seed, after some honest results", otherSeed, 20},
		{"no puzzle", madeLie(func(m map[any]any) { m["Puzzle"].(map[any]any)["Text"] = "\x1b[31m" }), 0},
		{"another genre", madeLie(func(m map[any]any) { m["Puzzle"].(map[any]any)["Genre"] = "sudoku" }), 0},
		{"another variant", madeLie(func(m map[any]any) { m["Puzzle"].(map[any]any)["Variant"] = "9x9" }), 0},
		{"another solution", madeLie(func(m map[any]any) { m["Solution"] = m["Solution"].(string) + "\x1b" }), 0},
		{"another level", madeLie(func(m map[any]any) { m["Level"] = "expert" }), 0},
		{"another search", madeLie(func(m map[any]any) { m["Nodes"] = m["Nodes"].(uint64) + 1 }), 0},
		{"an outcome with escapes", madeLie(func(m map[any]any) {
			first := m["Attempts"].([]any)[0].(map[any]any)
			first["Outcome"] = first["Outcome"].(string) + "\x1b"
		}), 0},
		{"no attempts", madeLie(func(m map[any]any) { m["Attempts"] = nil }), 0},
		{"an exhausted budget", func(t testing.TB, _ doJob, _, _ []byte) []byte {
			return encoded(t, []any{raters.Generated{}, "", true, false, "\x1b out of luck"})
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := natstest.One(t).ClientURL()
			there := newRunner(t).on(t, url, "")
			there.vars["ASSAY_WORKERS"] = "1"
			got, told, code := liedTo(t, url, there, c.honest, c.lie, fill...)
			if got != want || code != exitDone {
				t.Errorf("exit %d, %+v, %s", code, told, firstDifference(got, want))
			}
			got, told, code = liedTo(t, url, there, 0, c.lie, make...)
			if got != wantMade || code != exitDone {
				t.Errorf("exit %d, %+v, %s", code, told, firstDifference(got, wantMade))
			}
			if got := exported(t, there); got != wantRecord {
				t.Errorf("the record: %s", firstDifference(got, wantRecord))
			}
		})
	}
}

// What was printed before a liar was found is told, and a finding.
func TestWhatALiarPrinted(t *testing.T) {
	url := natstest.One(t).ClientURL()
	there := newRunner(t).on(t, url, "")
	there.vars["ASSAY_WORKERS"] = "1"
	_, told, code := liedTo(t, url, there, 40, stepsLie(func(s *events.Solve) { s.Steps[0].Instance = "row 10" }), "rate", "--genre", "sudoku", "--in", some(t, 4), "--steps")
	if len(told.Wrong) > 0 != (code == exitFinding) {
		t.Errorf("exit %d, %+v", code, told)
	}
	startInside(t, url, engine.Work(catalog.Genres()))
	_, errs, code := there.run(t, "", "rate", "--genre", "sudoku", "--in", some(t, 100))
	if code != exitDone || strings.Contains(errs, "lies") {
		t.Errorf("exit %d, %s", code, errs)
	}
}
