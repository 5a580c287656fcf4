package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"assay/events/natslog/natstest"
)

// worker is a worker that is a process of its own.
type worker struct {
	*exec.Cmd
	kill func() // ends it as a crash does
}

// startWorker starts a worker of one core, and waits until it takes work.
func startWorker(t testing.TB, r runner) *worker {
	t.Helper()
	cmd := r.process(t, "worker")
	cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{cmd, sync.OnceFunc(func() {
		cmd.Process.Kill()
		cmd.Wait() // says that it was killed
	})}
	t.Cleanup(w.kill)
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "assay works for ASSAY on nats://") {
		t.Fatalf("%q, %v: %s", line, err, &errs)
	}
	return w
}

// bench returns the file of sudoku that the engine is measured with.
func bench(t testing.TB) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "..", "raters", "sudoku", "testdata", "bench.sdm"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func profile(t testing.TB) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("..", "..", "docs", "profiles", "xywing-hard.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// What workers do is what this process does, to the byte, while some of them are killed at work: nothing is lost and
// nothing is recorded twice.
func TestWorkersDoTheSame(t *testing.T) {
	here := newRunner(t)
	there := newRunner(t).on(t, natstest.One(t).ClientURL(), "")
	there.vars["ASSAY_WORKERS"] = "1"
	startWorker(t, there)
	n := 0
	doomed := func() (end func()) { // the worker beside it is killed at work, by every third command, or in a full run by every one
		if n++; n%fullOr(1, 3) != 0 {
			return func() {}
		}
		return killAtWork(t, there, startWorker(t, there))
	}
	for _, args := range [][]string{
		{"rate", "--genre", "sudoku", "--in", bench(t)},
		{"rate", "--genre", "sudoku", "--in", bench(t), "--rater", "sudoku.canonical", "--steps"},
		{"rate", "--genre", "sudoku", "....4..67..2...8......7..4..8...92........916..5......19.5.7..4...8...5..7.1.46.8"},
		{"rate", "--genre", "sudoku", "55......................................................................." + strings.Repeat(".", 8)},
		{"generate", "kakurasu", "--variant", "6x6", "--count", "40", "--no-record"},
		{"generate", "chain", "--level", "hard", "--count", "5"},
		{"generate", "chain", "--level", "unheard-of"},
		{"pool", "fill", "sudoku/classic", "--per-level", "20", "--seed", "7"},
		{"pool", "fill", "kakurasu/5x5", "--per-level", "20", "--seed", "7"},
		{"import", "--genre", "sudoku", bench(t)},
		{"replay", "--pool", "sudoku/classic", "--profile", profile(t), "--dry-run"},
		{"replay", "--pool", "sudoku/classic", "--profile", profile(t)},
		{"replay", "--pool", "sudoku/classic", "--rater", "sudoku.canonical", "--dry-run"},
		{"compare", "--pool", "sudoku/classic", "sudoku.tiers", "sudoku.canonical"},
		{"pool", "fill", "sudoku/classic", "--per-level", "25"},
		{"freq", "sudoku/classic/medium"},
		{"funnel", "sudoku/classic"},
	} {
		args := append(args, "--json")
		want, wantErrs, code := here.run(t, "", args...)
		end := doomed()
		got, errs, gotCode := there.run(t, "", args...)
		end()
		if got != want || gotCode != code || !strings.HasSuffix(errs, wantErrs) || strings.Contains(errs, "lies") { // that it waited may come before
			t.Errorf("%v: exit %d, %s\nhere: exit %d, %s\n%s", args, gotCode, errs, code, wantErrs, firstDifference(got, want))
		}
	}
	if got, want := strings.Count(there.done(t, "export"), "\n"), strings.Count(here.done(t, "export"), "\n"); got != want {
		t.Errorf("%d events, here %d", got, want)
	}
	there.done(t, "verify")
}

// killAtWork kills a worker as soon as orders are worked on, or at the end.
func killAtWork(t testing.TB, r runner, w *worker) (end func()) {
	t.Helper()
	js := natstest.JetStream(t, r.vars["ASSAY_LOG"])
	ctx, stop := context.WithCancel(t.Context())
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		for worked := false; !worked && ctx.Err() == nil; {
			consumer, err := js.Consumer(ctx, "ASSAY-jobs", "workers")
			worked = err == nil && consumer.CachedInfo().NumAckPending > 0
		}
		w.kill()
	}()
	return func() {
		stop()
		<-killed
	}
}

// firstDifference returns the first lines that differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d: %.2000s\nhere:   %.2000s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, here %d", len(g), len(w))
}

// A worker that is told to end gives back what it has, and ends well; one without a log to work for says so.
func TestAWorkerEnds(t *testing.T) {
	r := newRunner(t).on(t, natstest.One(t).ClientURL(), "")
	w := startWorker(t, r)
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{{"worker"}, {"--workers", "rate", "--genre", "sudoku", "--in", bench(t)}} {
		if _, errs, code := newRunner(t).run(t, "", args...); code != exitInput || !strings.Contains(errs, "--log") {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
	for value, want := range map[string]string{"0": "", "false": "", "1": "--log", "maybe": "not true or false"} {
		r := newRunner(t)
		r.vars = map[string]string{"ASSAY_WORKERS": value}
		_, errs, code := r.run(t, "", "generate", "chain", "--no-record")
		if (code == exitInput) != (want != "") || !strings.Contains(errs, want) {
			t.Errorf("ASSAY_WORKERS=%s: exit %d, %s", value, code, errs)
		}
	}
	for _, args := range [][]string{{"--log-stream", "a.b"}, {"--nkey", "/none.nk"}, {"--tls-ca", "/none.pem"}} {
		for _, verb := range []string{"worker", "archive"} {
			if _, errs, code := newRunner(t).on(t, r.vars["ASSAY_LOG"], "").run(t, "", append(args, verb)...); code != exitInput {
				t.Errorf("%v %s: exit %d, %s", args, verb, code, errs)
			}
		}
	}
	if _, errs, code := newRunner(t).on(t, "nats://127.0.0.1:1", "").run(t, "", "worker"); code != exitCannot || !strings.Contains(errs, "no connection") {
		t.Errorf("no server: exit %d, %s", code, errs)
	}
}

// What submits no work does without workers, and without a queue.
func TestWorkersAreAskedForWorkAlone(t *testing.T) {
	server := natstest.One(t)
	for name, r := range map[string]runner{"directory": newRunner(t), "NATS": newRunner(t).on(t, server.ClientURL(), "")} {
		for _, args := range [][]string{{"archive"}, {"publish"}, {"rate", "--genre", "sudoku", strings.Repeat(".", 81)}, {"verify"}} {
			want, _, code := r.run(t, "", args...)
			if got, errs, gotCode := r.run(t, "", append([]string{"--workers"}, args...)...); gotCode != code || args[0] != "publish" && got != want {
				t.Errorf("%s: %v: exit %d, %s%s", name, args, gotCode, got, errs)
			}
		}
	}
	if _, err := natstest.JetStream(t, server.ClientURL()).Stream(t.Context(), "ASSAY-jobs"); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("a queue was made: %v", err)
	}
}

// The user of a forwarded command sees that it waits for workers.
func TestACarriedVerbWaitsForWorkers(t *testing.T) {
	r := newRunner(t).on(t, natstest.One(t).ClientURL(), "")
	r.vars["ASSAY_WORKERS"] = "1"
	s := serve(t, r)
	told := natstest.NewHeard()
	done := make(chan int)
	go func() { done <- Run(t.Context(), []string{"generate", "chain"}, r.env("", io.Discard, told)) }()
	told.Await(t, "waiting for workers (assay worker)")
	startWorker(t, r)
	if code := <-done; code != exitDone {
		t.Errorf("exit %d, %s", code, told.Text())
	}
	s.end(t)
}

// A replay that loses its connection on the way, for a minute in a full run, waits, says so, and goes on.
func TestAReplayLosesItsConnection(t *testing.T) {
	here := newRunner(t)
	here.done(t, "import", "--genre", "sudoku", bench(t))
	args := []string{"replay", "--pool", "sudoku/classic", "--rater", "sudoku.canonical", "--json"}
	want, _, _ := here.run(t, "", args...)

	server := natstest.One(t)
	proxy := natstest.StartProxy(t, strings.TrimPrefix(server.ClientURL(), "nats://"))
	there := newRunner(t).on(t, server.ClientURL(), "")
	there.done(t, "import", "--genre", "sudoku", bench(t))
	behind := there
	behind.vars = map[string]string{"ASSAY_LOG": "nats://" + proxy.Address(), "ASSAY_WORKERS": "1"}
	told := natstest.NewHeard()
	var out bytes.Buffer
	done := make(chan int)
	go func() { done <- Run(t.Context(), args, behind.env("", &out, told)) }()
	told.Await(t, "waiting for workers (assay worker)")
	proxy.Cut()
	startWorker(t, there) // its answers to the first orders get lost
	told.Await(t, "waiting for NATS servers")
	<-time.After(time.Duration(fullOr(60, 1)) * time.Second)
	proxy.Mend()
	if code := <-done; code != exitFinding || out.String() != want {
		t.Errorf("exit %d, %s", code, firstDifference(out.String(), want))
	}
	there.done(t, "verify")
}

// BenchmarkReplayOnWorkers compares a dry run over 200,000 sudoku on one worker of one core with one on two such
// workers, in turn, by the medians of seven: the server, the workers and who submits the work are processes of this
// machine. The puzzles are those of bench.sdm that have a level, in other orders; of the rater that files them two
// techniques change places, so that no level moves. Run it with -benchtime 1x.
func BenchmarkReplayOnWorkers(b *testing.B) {
	for _, c := range []struct{ rater, technique, after string }{
		{"sudoku.canonical", "pointing", "claiming"}, {"sudoku.tiers", "pointing", "box-line-reduction"},
	} {
		b.Run(c.rater, func(b *testing.B) {
			ids := natstest.MakeIdentities(b)
			url := natstest.DocumentedOne(b, ids).URL
			signer, bare := newRunner(b).on(b, url, ""), newRunner(b).on(b, url, "")
			signer.vars["ASSAY_NKEY"], bare.vars["ASSAY_NKEY"] = ids.Registry, ids.Worker
			signer.done(b, "adopt", "sudoku/classic", "--rater", c.rater, "--reason", "to be replayed")
			signer.done(b, "import", "--genre", "sudoku", variations(b, 200_000))
			profile := filepath.Join(b.TempDir(), "profile.toml")
			swap := strings.NewReplacer(strconv.Quote(c.technique), strconv.Quote(c.after), strconv.Quote(c.after), strconv.Quote(c.technique))
			writeFile(b, profile, swap.Replace(signer.done(b, "profile", "show", c.rater)))
			signer.vars["ASSAY_WORKERS"] = "1"
			startWorker(b, bare)
			for b.Loop() {
				var one, two []time.Duration
				for range 7 {
					one = append(one, dryRun(b, signer, profile))
					second := startWorker(b, bare)
					two = append(two, dryRun(b, signer, profile))
					second.kill()
				}
				b.ReportMetric(median(one).Seconds(), "one-s")
				b.ReportMetric(median(two).Seconds(), "two-s")
				b.ReportMetric(median(two).Seconds()/median(one).Seconds(), "two/one")
			}
		})
	}
}

// dryRun times a dry run that is a process.
func dryRun(b *testing.B, r runner, profile string) time.Duration {
	cmd := r.process(b, "replay", "--pool", "sudoku/classic", "--dry-run", "--profile", profile)
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil || !strings.Contains(string(out), "200,000 puzzles") {
		b.Fatalf("%v: %s", err, out)
	}
	return took
}

// variations writes n puzzles that are bench's, in other orders.
func variations(t testing.TB, n int) string {
	t.Helper()
	text, err := os.ReadFile(bench(t))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); len(line) == 81 && len(lines) < 900 {
			lines = append(lines, line)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	var out bytes.Buffer
	for i := range n {
		rows, columns, digits := order(random), order(random), random.Perm(9)
		for cell := range 81 {
			c := lines[i%len(lines)][9*rows[cell/9]+columns[cell%9]]
			if c != '.' && c != '0' {
				c = "123456789"[digits[c-'1']]
			}
			out.WriteByte(c)
		}
		out.WriteByte('\n')
	}
	file := filepath.Join(t.TempDir(), "variations.sdm")
	writeFile(t, file, out.String())
	return file
}

// order returns the nine rows, or columns, in another order that keeps the bands.
func order(random *rand.Rand) (list []int) {
	for _, band := range random.Perm(3) {
		for _, row := range random.Perm(3) {
			list = append(list, 3*band+row)
		}
	}
	return list
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
