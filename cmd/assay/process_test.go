package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"assay/events"
	"assay/registry"
	"assay/registry/home"
)

const testNow = "2026-12-01T09:00:00Z"

// socketName is the socket in the directory while a process serves it.
const socketName = "serve.sock"

// runner runs the program in this process, on one directory.
type runner struct {
	dir    string
	secret string
	now    string
	vars   map[string]string // of the surroundings, besides
}

func newRunner(t testing.TB) runner {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(testSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	return runner{dir: filepath.Join(t.TempDir(), "data"), secret: secret, now: testNow}
}

func (r runner) env(stdin string, stdout, stderr io.Writer) Env {
	vars := map[string]string{"ASSAY_NOW": r.now, "ASSAY_SECRET_FILE": r.secret, "ASSAY_DIR": r.dir}
	maps.Copy(vars, r.vars)
	return Env{Stdin: strings.NewReader(stdin), Stdout: stdout, Stderr: stderr, Getenv: func(n string) string { return vars[n] }, Dir: "/"}
}

func (r runner) run(t testing.TB, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Run(t.Context(), args, r.env(stdin, &out, &errs))
	return out.String(), errs.String(), code
}

func (r runner) done(t testing.TB, args ...string) string {
	t.Helper()
	out, errs, code := r.run(t, "", args...)
	if code != exitDone {
		t.Fatalf("assay %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// open opens the directory in this process, for a verb.
func (r runner) open(t testing.TB, verb string) *home.Home {
	t.Helper()
	h, err := home.Place{Dir: r.dir, Secret: r.secret, Warn: io.Discard}.Open(t.Context(), verb)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// process returns the program as a process of its own.
func (r runner) process(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "ASSAY_TEST_MAIN=1", "ASSAY_NOW="+r.now, "ASSAY_SECRET_FILE="+r.secret, "ASSAY_DIR="+r.dir)
	for name, value := range r.vars {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}

// archiveDigest is that of a table with the times of publications: the clock of a server runs on.
var archiveDigest = regexp.MustCompile(`(archive +\d+ events, digest )[0-9a-f]{64}`)

// same leaves out of an output what differs from one registry to another of the same content.
func same(out string) string {
	return archiveDigest.ReplaceAllString(origins.ReplaceAllString(out, "its log"), "$1")
}

// kills is how many times a killing test kills: 200 when ASSAY_FULL is set.
func kills() int { return fullOr(200, 8) }

// A publisher of 365 days is killed after it has told of some days, again and again. What it told of stands, nothing
// stands twice, and the run that is let alone ends with the days of an undisturbed one.
func TestKillingAPublisherLosesNothing(t *testing.T) {
	calm, killed := newRunner(t), newRunner(t)
	calm.done(t, "publish", "--ahead", "364")
	want := calm.done(t, "archive", "--json")
	random := rand.New(rand.NewPCG(1, 2))
	var cut cuts
	for range kills() {
		told := publishAndKill(t, killed, random.IntN(60), &cut)
		killed.verified(t)
		archive := killed.done(t, "archive", "--json")
		for _, day := range told {
			if !strings.Contains(archive, day) {
				t.Fatalf("told and lost: %s", day)
			}
		}
	}
	cut.check(t)
	killed.done(t, "publish", "--ahead", "364")
	if got := killed.done(t, "archive", "--json"); got != want {
		t.Fatal("the days differ from those of an undisturbed run")
	}
	checkOnce(t, killed)
}

// publishAndKill kills a publisher once it has told of some days, and gives what it told.
func publishAndKill(t *testing.T, r runner, days int, cut *cuts) (told []string) {
	t.Helper()
	d := r.doom(t, "publish", "--ahead", "364", "--json")
	told = d.read(func(lines []string) bool { return len(lines) == days })
	cutOff, recorded, rest := d.end(t, os.Kill)
	cut.count(cutOff, recorded)
	told = append(told, rest...)
	for i, line := range told {
		var day registry.Day
		if json.Unmarshal([]byte(line), &day) != nil {
			return told[:i] // cut off in the middle
		}
	}
	return told
}

// checkOnce reads the whole log: no gap, and no key twice.
func checkOnce(t *testing.T, r runner) {
	t.Helper()
	h := r.open(t, "test")
	defer h.Close()
	seen := map[events.Key]events.Seq{}
	for e, err := range h.Registry(time.Now).Log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if at, twice := seen[e.Key]; twice {
			t.Fatalf("%s stands at %d and %d", e.Key, at, e.Seq)
		}
		if seen[e.Key] = e.Seq; e.Seq != events.Seq(len(seen)) {
			t.Fatalf("event %d after %d", e.Seq, len(seen)-1)
		}
	}
	maps.DeleteFunc(seen, func(key events.Key, _ events.Seq) bool { return key.Segments()[0] == "recovered" }) // one for a kill, or none
	if len(seen) != 2+3*365 {
		t.Fatalf("%d events", len(seen))
	}
}

// A second process is told who holds the directory.
func TestAHeldDirectoryNamesItsHolder(t *testing.T) {
	r := newRunner(t)
	r.done(t, "init")
	defer r.open(t, "import").Close()
	_, errs, code := r.run(t, "", "publish")
	want := fmt.Sprintf("is held by process %d (assay import, since ", os.Getpid())
	if code != exitCannot || !strings.Contains(errs, want) || !strings.Contains(errs, "use another --dir") {
		t.Fatalf("exit %d: %s", code, errs)
	}
}

// served is a serving process, run in this one.
type served struct {
	first string // the first line that it printed
	runner
	url  string
	stop context.CancelFunc
	code chan int
	errs *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func serve(t *testing.T, r runner, flags ...string) *served {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	s := &served{runner: r, stop: stop, code: make(chan int, 1), errs: &lockedBuffer{}}
	go func() {
		s.code <- Run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0"}, flags...), r.env("", in, s.errs))
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no address: %v, exit %d: %s", err, <-s.code, s.errs)
	}
	s.first = line
	s.url = strings.TrimSpace(line[strings.Index(line, "http://"):])
	return s
}

func (s *served) end(t *testing.T) {
	t.Helper()
	s.stop()
	if code := <-s.code; code != exitDone {
		t.Errorf("serving ended with %d: %s", code, s.errs)
	}
	if strings.Contains(s.errs.String(), testSecret) {
		t.Error("the secret is in the log of the server")
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

func TestServingAnEmptyDirectory(t *testing.T) {
	s := serve(t, newRunner(t))
	status, body := get(t, s.url+"/v1/series/daily/2026-12-01")
	var day map[string]any
	if err := json.Unmarshal([]byte(body), &day); status != http.StatusOK || err != nil {
		t.Fatalf("status %d: %s", status, body)
	}
	var fields []string
	for name := range day {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	if want := []string{"board", "date", "hand", "id", "label", "label_name", "moves", "revision", "schema", "series", "start", "target"}; !slices.Equal(fields, want) {
		t.Errorf("the public sees %v, want %v", fields, want)
	}
	page, text := get(t, s.url+"/")
	if page != http.StatusOK || !strings.Contains(text, "Tuesday 1 December 2026") || !strings.Contains(text, day["id"].(string)) {
		t.Errorf("the page: %d, %s", page, text)
	}
	picture, text := get(t, s.url+"/days/2026-12-01/board.svg")
	if picture != http.StatusOK || !strings.HasPrefix(text, "<svg ") || !strings.Contains(text, "<title>Tuesday 1 December 2026 · ") {
		t.Errorf("the picture: %d, %s", picture, text)
	}
	s.end(t)
	if n := strings.Count(s.done(t, "archive", "--json"), "\n"); n != 31 {
		t.Errorf("%d days published", n)
	}
}

// Nothing of a day is told before its release instant, by whatever way it is asked for.
func TestNothingBeforeItsRelease(t *testing.T) {
	s := serve(t, newRunner(t))
	var ids, texts []string
	for line := range strings.Lines(s.done(t, "archive", "--json", "--from", "2026-12-02")) {
		var day registry.Day
		if err := json.Unmarshal([]byte(line), &day); err != nil {
			t.Fatal(err)
		}
		var rec struct{ Text string }
		if err := json.Unmarshal([]byte(s.done(t, "show", "--json", day.ID)), &rec); err != nil {
			t.Fatal(err)
		}
		ids, texts = append(ids, day.ID), append(texts, rec.Text)
	}
	if len(ids) != 30 {
		t.Fatalf("%d days to come", len(ids))
	}
	paths := []string{"/", "/?before=2027-01-01", "/days/2026-12-02", "/days/2026-12-02/board.svg", "/v1/series/daily", "/v1/series/daily?from=2026-12-02&limit=1000", "/v1/series/daily/2026-12-02", "/openapi.json", "/v1/series/daily/" + ids[0]}
	for _, path := range paths {
		_, body := get(t, s.url+path)
		for i := range ids {
			if strings.Contains(body, ids[i]) && path != "/v1/series/daily/"+ids[0] || strings.Contains(body, texts[i]) {
				t.Errorf("%s tells of a day to come", path)
			}
		}
		if strings.Contains(body, "2026-12-03") {
			t.Errorf("%s names a date to come", path)
		}
	}
	_, tomorrow := get(t, s.url+"/v1/series/daily/2026-12-02")
	_, never := get(t, s.url+"/v1/series/daily/2036-12-02")
	if strings.ReplaceAll(never, "2036", "2026") != tomorrow {
		t.Errorf("a day to come is told from none: %s, %s", tomorrow, never)
	}
	s.end(t)
}

// A verb beside a serving process answers as if it were alone.
func TestAVerbIsCarriedToTheServingProcess(t *testing.T) {
	r := newRunner(t)
	s := serve(t, r)
	verbs := [][]string{
		{"archive", "--json"}, {"audit", "2026-12-25"}, {"series", "show"}, {"rebuild"}, {"show", "--seed", "chain/daily/g1/1"}, {"audit", "yesterday"}, {},
	}
	type answer struct {
		out, errs string
		code      int
	}
	ask := func() (answers []answer) {
		for _, verb := range verbs {
			out, errs, code := r.run(t, "", verb...)
			answers = append(answers, answer{out, errs, code})
		}
		return answers
	}
	out, errs, code := r.run(t, "79 160 3 +65 -28 +55 +54 -36\nx\n", "import", "--genre", "chain", "-")
	if code != exitInput || !strings.Contains(out, "1 new, 0 known, 1 refused") {
		t.Errorf("a forwarded import: exit %d, %s%s", code, out, errs)
	}
	carried := ask()
	if _, errs, code := r.run(t, "", "serve"); code != exitCannot || !strings.Contains(errs, "assay serve, since") {
		t.Errorf("a second server: exit %d, %s", code, errs)
	}
	other := r
	other.now = "2026-12-11T09:00:00Z" // the clock travels with the verb
	if out := other.done(t, "publish", "--ahead", "30"); !strings.Contains(out, "10 of 41 days new") {
		t.Errorf("a forwarded publish: %s", out)
	}
	s.end(t)
	if _, err := os.Stat(filepath.Join(r.dir, socketName)); !os.IsNotExist(err) {
		t.Errorf("the socket of a server that has ended: %v", err)
	}
	alone := newRunner(t)
	alone.done(t, "publish", "--actor", registry.ActorSystem)
	alone.run(t, "79 160 3 +65 -28 +55 +54 -36\n", "import", "--genre", "chain", "-")
	for i, want := range carried {
		out, errs, code := alone.run(t, "", verbs[i]...)
		want.out = same(want.out)
		out = same(strings.ReplaceAll(out, alone.dir, r.dir))
		if got := (answer{out, errs, code}); got != want {
			t.Errorf("%v\nforwarded: %+v\nalone:   %+v", verbs[i], want, got)
		}
	}
}

// A forwarded verb cannot ask for workers that the serving process does not know.
func TestCarryingAsksForNoWorkers(t *testing.T) {
	r := newRunner(t)
	s := serve(t, r)
	asking := r
	asking.vars = map[string]string{"ASSAY_WORKERS": "1"}
	if _, errs, code := asking.run(t, "", "generate", "chain"); code != exitInput || !strings.Contains(errs, "knows no workers") {
		t.Errorf("workers that the serving process does not know: exit %d, %s", code, errs)
	}
	asking.done(t, "archive") // submits no work
	s.end(t)
}

func TestServingLeavesNoGoroutine(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"), goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"))
	s := serve(t, newRunner(t))
	s.done(t, "archive")
	s.end(t)
}
