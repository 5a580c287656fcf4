package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/registry/integrity"
)

// The tests of this file damage a directory and run assay verify on it, as a process of its own, since damage
// may end a process. Whatever is done, it is told, or nothing was lost.

// image is a file of a directory, without the zeros at its end, which the store's files have many of.
type image struct {
	name string // relative to the directory
	data []byte
	size int64
	mode fs.FileMode
}

// subject is a directory to be damaged.
type subject struct {
	runner
	how    string
	files  []image
	older  []image // as they were some appends before
	export string  // what it says while it is whole
}

// takeImage copies all files of a directory, also while a process holds it: as after a kill.
func takeImage(t *testing.T, dir string) (files []image) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files = append(files, image{name, bytes.Clone(bytes.TrimRight(data, "\x00")), int64(len(data)), info.Mode()})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (f image) write(dir string) error {
	path := filepath.Join(dir, f.name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path, f.data, f.mode), os.Truncate(path, f.size))
}

// restore writes the subject's files into a new directory, and gives a runner on it.
func (s subject) restore(t *testing.T) runner {
	t.Helper()
	r := s.runner
	r.dir = filepath.Join(t.TempDir(), "data")
	for _, f := range s.files {
		if err := f.write(r.dir); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// with is the subject with other files.
func (s subject) with(files []image) subject {
	s.files = files
	return s
}

// subjectsMade are the subjects, once made.
var subjectsMade []subject

func subjects(t *testing.T) []subject {
	t.Helper()
	if subjectsMade == nil {
		subjectsMade = makeSubjects(t)
	}
	return subjectsMade
}

// makeSubjects makes directories that hold every kind of record and of file: one that was closed, and one as a
// killed process leaves it, with its newest events in write-ahead logs.
func makeSubjects(t *testing.T) []subject {
	t.Helper()
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "20") // keeps the secret it was given
	r.secret = ""
	older := takeImage(t, r.dir)
	r.done(t, "pool", "fill", "sudoku/classic", "--per-level", "3", "--seed", "1")
	r.run(t, "79 160 3 +65 -28 +55 +54 -36\n", "import", "--genre", "chain", "-")
	r.done(t, "withdraw", "2026-12-10", "--reason", "a test")
	r.done(t, "keys", "rotate")
	r.done(t, "publish", "--ahead", "25")
	closed := subject{r, "closed", takeImage(t, r.dir), older, r.done(t, "export")}

	publishAndKillAfter(t, r, 15)
	killed := subject{runner: r, how: "killed", files: takeImage(t, r.dir), older: older}
	killed.export = killed.restore(t).done(t, "export")
	return []subject{closed, killed}
}

// publishAndKillAfter kills a publisher when it has printed this many more days.
func publishAndKillAfter(t *testing.T, r runner, days int) {
	t.Helper()
	cmd := r.process(t, "publish", "--from", "2027-02-01", "--to", "2027-12-31", "--json")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for range days {
		if !lines.Scan() {
			t.Fatal("the publisher ended by itself")
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // tells that it was killed
}

// place is a part of a file where a bit is flipped.
type place struct {
	subject    *subject
	file       int
	from, size int
	kind       string
}

// kindOf names the kind of a file: its folder, and its name without a number.
func kindOf(name string) string {
	base := filepath.Base(name)
	if i := strings.IndexByte(base, '.'); i > 0 && strings.Trim(base[:i], "0123456789") == "" {
		base = "*" + base[i:]
	}
	return filepath.Join(filepath.Dir(name), base)
}

// places returns the written part of every file, and for every kind of event one record where a file of the log
// holds it.
func places(t *testing.T, s *subject) (all []place) {
	t.Helper()
	records := recordsByKind(t, s)
	for i, f := range s.files {
		if len(f.data) == 0 {
			continue
		}
		where := s.how + " " + kindOf(f.name)
		all = append(all, place{s, i, 0, len(f.data), where})
		for _, kind := range slices.Sorted(maps.Keys(records)) {
			for _, raw := range records[kind] {
				if at := bytes.Index(f.data, raw); at >= 0 {
					all = append(all, place{s, i, at, len(raw), where + " " + kind})
					break
				}
			}
		}
	}
	return all
}

// recordsByKind returns the stored records of a subject.
func recordsByKind(t *testing.T, s *subject) map[string][][]byte {
	t.Helper()
	h := s.restore(t).open(t, "test")
	defer h.Close()
	records := map[string][][]byte{}
	for e, err := range h.Registry(time.Now).Log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		kind := e.Body.Kind()
		records[kind] = append([][]byte{e.Raw}, records[kind]...) // the newest first
	}
	return records
}

// What became of a damaged directory.
const (
	reported = "reported"
	harmless = "harmless"
)

// outcome verifies a damaged directory: what is wrong is told, or it is whole and says all that it said. Any
// other outcome names what went wrong.
func (s subject) outcome(t *testing.T) string {
	r := s.restore(t)
	defer os.RemoveAll(r.dir)
	out, errs, code := r.child(t, "verify", "--json")
	if strings.Contains(errs, "goroutine ") {
		return "trace: " + errs
	}
	var v integrity.Verification
	switch {
	case code == exitFinding && json.Unmarshal([]byte(out), &v) == nil && !v.OK && len(v.Problems) > 0:
		return reported
	case code == exitCannot && strings.HasPrefix(errs, "assay: "):
		return reported
	case code != exitDone || json.Unmarshal([]byte(out), &v) != nil || !v.OK:
		return fmt.Sprintf("exit %d: %s%s", code, out, errs)
	}
	out, errs, code = r.child(t, "export")
	if code != exitDone || out != s.export {
		return fmt.Sprintf("SILENT: verified, but export ends with %d and other events: %s", code, errs)
	}
	return harmless
}

// child runs the program as a process of its own.
func (r runner) child(t *testing.T, args ...string) (stdout, stderr string, code int) {
	cmd := r.process(t, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// tally counts outcomes by kind of place.
type tally struct {
	mu     sync.Mutex
	counts map[string]map[string]int
}

func (y *tally) add(kind, outcome string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.counts[kind] == nil {
		y.counts[kind] = map[string]int{}
	}
	y.counts[kind][outcome]++
}

func (y *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-36s %8s %9s\n", "", reported, harmless)
	for _, kind := range slices.Sorted(maps.Keys(y.counts)) {
		fmt.Fprintf(&b, "%-36s %8d %9d\n", kind, y.counts[kind][reported], y.counts[kind][harmless])
	}
	return b.String()
}

// TestFaultFlippedBits flips one bit at a time, in every kind of file and of record.
func TestFaultFlippedBits(t *testing.T) {
	all := map[string][]place{}
	for _, s := range subjects(t) {
		for _, p := range places(t, &s) {
			all[p.kind] = append(all[p.kind], p)
		}
	}
	kinds := slices.Sorted(maps.Keys(all))
	results := tally{counts: map[string]map[string]int{}}
	inParallel(fullOr(1000, 30), func(i int) {
		random := rand.New(rand.NewPCG(5, uint64(i)))
		kind := all[kinds[i%len(kinds)]]
		p := kind[random.IntN(len(kind))]
		at, bit := p.from+random.IntN(p.size), random.IntN(8)
		outcome := p.flip(t, at, bit)
		results.add(p.kind, outcome)
		if outcome != reported && outcome != harmless {
			t.Errorf("%s: bit %d of byte %d of %s: %.1500s", p.subject.how, bit, at, p.subject.files[p.file].name, outcome)
		}
	})
	t.Logf("one bit flipped in each of so many places:\n%v", &results)
}

func (p place) flip(t *testing.T, at, bit int) string {
	files := slices.Clone(p.subject.files)
	f := &files[p.file]
	f.data = bytes.Clone(f.data)
	f.data[at] ^= 1 << bit
	return p.subject.with(files).outcome(t)
}

// inParallel runs n rounds, two at a time: each waits for the disk much of its time.
func inParallel(n int, round func(i int)) {
	var group sync.WaitGroup
	rounds := make(chan int)
	for range 2 {
		group.Go(func() {
			for i := range rounds {
				round(i)
			}
		})
	}
	for i := range n {
		rounds <- i
	}
	close(rounds)
	group.Wait()
}

// fullOr is the full count when ASSAY_FULL is set, else the short one.
func fullOr(full, short int) int {
	if os.Getenv("ASSAY_FULL") != "" {
		return full
	}
	return short
}
