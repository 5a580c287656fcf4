package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/registry"
)

// deeds are what is done to one file of a directory. Each gives the file as it is then, or false for none.
var deeds = map[string]func(f image, older []image) (image, bool){
	"removed": func(image, []image) (image, bool) { return image{}, false },
	"emptied": func(f image, _ []image) (image, bool) {
		f.data, f.size = nil, 0
		return f, true
	},
	"cut in half": func(f image, _ []image) (image, bool) {
		f.data = f.data[:len(f.data)/2]
		f.size = int64(len(f.data))
		return f, true
	},
	"older copy": func(f image, older []image) (image, bool) {
		if i := slices.IndexFunc(older, func(o image) bool { return o.name == f.name }); i >= 0 {
			return older[i], true
		}
		return image{}, false
	},
}

// TestFaultFiles takes each file of a directory away, or its end, or puts an older copy in its place.
func TestFaultFiles(t *testing.T) {
	type round struct {
		s    subject
		file int
		deed string
	}
	var rounds []round
	for _, s := range subjects(t) {
		for i := range s.files {
			for _, deed := range slices.Sorted(maps.Keys(deeds)) {
				rounds = append(rounds, round{s, i, deed})
			}
		}
	}
	rand.New(rand.NewPCG(7, 8)).Shuffle(len(rounds), func(i, j int) { rounds[i], rounds[j] = rounds[j], rounds[i] })
	results := tally{counts: map[string]map[string]int{}}
	inParallel(min(len(rounds), fullOr(len(rounds), 40)), func(i int) {
		s, f, deed := rounds[i].s, rounds[i].s.files[rounds[i].file], rounds[i].deed
		changed, there := deeds[deed](f, s.older)
		files := slices.Delete(slices.Clone(s.files), rounds[i].file, rounds[i].file+1)
		if there {
			files = append(files, changed)
		}
		outcome := s.with(files).outcome(t)
		results.add(kindOf(f.name)+" "+deed, outcome)
		if outcome != reported && outcome != harmless {
			t.Errorf("%s: %s %s: %.1500s", s.how, f.name, deed, outcome)
		}
	})
	t.Logf("one file changed:\n%v", &results)
}

// under returns the files of some folders, or the files so named.
func under(files []image, names ...string) (found []image) {
	for _, f := range files {
		for _, name := range names {
			if f.name == name || strings.HasPrefix(f.name, name+"/") {
				found = append(found, f)
			}
		}
	}
	return found
}

// mixed replaces folders of the files by those of others.
func mixed(files, others []image, names ...string) (all []image) {
	replaced := under(files, names...)
	for _, f := range files {
		if !slices.ContainsFunc(replaced, func(r image) bool { return r.name == f.name }) {
			all = append(all, f)
		}
	}
	return append(all, under(others, names...)...)
}

// A log with a shorter history than the signed one is never served as whole, and neither is a log that nobody signed. A
// missing part never makes a signed log pass for a shorter one.
//
// With ASSAY_FULL=1 the test also uses the directory that was closed cleanly.
func TestFaultFolders(t *testing.T) {
	for _, s := range subjects(t)[fullOr(0, 1):] {
		for name, c := range map[string]struct {
			files []image
			says  string // "" when nothing is lost
		}{
			"the log as it was before":      {mixed(s.files, s.older, "log"), "events are vouched for, but the last is"},
			"no log":                        {mixed(s.files, nil, "log"), "events are vouched for, but the last is 0"},
			"the ledger as it was before":   {mixed(s.files, s.older, "ledger"), "no verifiable signatures"},
			"ledger and keys as before":     {mixed(s.files, s.older, "ledger", "keys"), "are not vouched for, more than the last append"},
			"no ledger":                     {mixed(s.files, nil, "ledger"), "the checkpoints are missing"},
			"no checkpoints":                {mixed(s.files, nil, "ledger/checkpoints"), "the checkpoints are missing"},
			"no ledger, as if it were new":  {mixed(s.files, nil, "ledger", "format"), "neither format nor ledger, ledger/checkpoints"},
			"nothing but the keys":          {under(s.files, "keys"), "neither format nor ledger, without which"},
			"no hashes":                     {mixed(s.files, nil, "ledger/hashes"), "they are missing"},
			"no signing key":                {mixed(s.files, nil, "keys/log.key"), "signing key"},
			"the key as it was before":      {mixed(s.files, s.older, "keys"), "no verifiable signatures"},
			"no format":                     {mixed(s.files, nil, "format"), ""},
			"no tables":                     {mixed(s.files, nil, "tables"), ""},
			"the tables as they were":       {mixed(s.files, s.older, "tables"), ""},
			"the tables of a log that grew": {mixed(s.older, s.files, "tables"), "was built from another log|the log ends before it"},
		} {
			t.Run(s.how+" "+name, func(t *testing.T) {
				damaged := s.with(c.files)
				if c.says == "" {
					if outcome := damaged.outcome(t); outcome != harmless {
						t.Fatal(outcome)
					}
					return
				}
				r := damaged.restore(t)
				out, errs, code := r.child(t, "verify")
				if code != exitFinding && code != exitCannot || !saysOne(out+errs, c.says) {
					t.Errorf("verify: exit %d: %s%s", code, out, errs)
				}
				if !strings.Contains(c.says, "another log") {
					checkRefused(t, r, c.says)
				}
			})
		}
	}
}

func saysOne(text, alternatives string) bool {
	return slices.ContainsFunc(strings.Split(alternatives, "|"), func(s string) bool { return strings.Contains(text, s) })
}

// checkRefused tries to serve a directory, which must say why not before it listens.
func checkRefused(t *testing.T, r runner, says string) {
	t.Helper()
	cmd := r.process(t, "serve", "--addr", "127.0.0.1:0")
	var errs strings.Builder
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if lines := bufio.NewScanner(stdout); lines.Scan() {
		t.Errorf("it serves: %s", lines.Text())
		cmd.Process.Kill()
	}
	cmd.Wait() // its status is looked at
	if code := cmd.ProcessState.ExitCode(); code != exitFinding && code != exitCannot || !strings.Contains(errs.String(), says) {
		t.Errorf("serve: exit %d: %s", code, errs.String())
	}
}

// Tree hashes that were lost or damaged come back from the log, which has to be the one that was signed.
func TestFaultHashesComeBack(t *testing.T) {
	s := subjects(t)[1]
	lost := s.with(mixed(s.files, nil, "ledger/hashes")).restore(t)
	if out, errs, code := lost.child(t, "rebuild", "--ledger"); code != exitDone {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if out := lost.done(t, "verify"); !strings.HasPrefix(out, "ok: ") || lost.done(t, "export") != s.export {
		t.Errorf("rebuilt: %s", out)
	}
	other := s.with(mixed(mixed(s.files, s.older, "log"), nil, "ledger/hashes")).restore(t)
	if out, errs, code := other.child(t, "rebuild", "--ledger"); code != exitFinding || !strings.Contains(errs, "the newest checkpoint") {
		t.Errorf("of a log that lost its end: exit %d: %s%s", code, out, errs)
	}
	if _, err := os.Stat(filepath.Join(other.dir, "ledger", "hashes")); !os.IsNotExist(err) {
		t.Errorf("hashes of a log that lost its end: %v", err)
	}
}

// verified verifies the directory as a process of its own.
func (r runner) verified(t *testing.T) {
	t.Helper()
	if out, errs, code := r.child(t, "verify"); code != exitDone {
		t.Fatalf("verify: exit %d: %s%s", code, out, errs)
	}
}

// An import, which records up to a thousand events at a time, is killed again and again, each time with more puzzles:
// as soon as it has begun, in the middle of recording, or once something is on record. There it waits for more puzzles at
// its input. Each time the log is whole; what was told of as new is known at the end; and the import that is let alone ends
// with every puzzle on record.
func TestFaultKillingAnImportLosesNothing(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "raters", "sudoku", "testdata", "bench.sdm"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	r := newRunner(t)
	file := filepath.Join(t.TempDir(), "puzzles")
	told := map[string]bool{}
	var cut cuts
	for i := range kills() {
		if err := os.WriteFile(file, []byte(strings.Join(lines[:len(lines)*(i+1)/kills()], "")), 0o600); err != nil {
			t.Fatal(err)
		}
		d, hashes := r.doom(t, "import", "--json", "--genre", "sudoku", file, "-"), r.hashes()
		points := []func() bool{
			func() bool { return d.records(t) },
			func() bool { return r.hashes() > hashes },
			func() bool { return true },
		}
		d.await(points[i%len(points)])
		cutOff, recorded, out := d.end(t, os.Kill)
		cut.count(cutOff, recorded)
		imported(strings.Join(out, "\n"), registry.New, told)
		r.verified(t)
	}
	cut.check(t)
	fresh, known := map[string]bool{}, map[string]bool{}
	imported(r.done(t, "import", "--json", "--genre", "sudoku", file), registry.New, fresh)
	imported(r.done(t, "import", "--json", "--genre", "sudoku", file), registry.Known, known)
	for id := range told {
		if fresh[id] || !known[id] {
			t.Errorf("told and lost: %s", id)
		}
	}
	if n := strings.Count(r.done(t, "export"), `"kind":"imported/1"`); n != len(known) || n < 900 {
		t.Errorf("%d puzzles on record, %d known", n, len(known))
	}
}

// imported takes in the puzzles that the lines of an import tell of with a status.
func imported(lines, status string, ids map[string]bool) {
	for line := range strings.Lines(lines) {
		var result registry.Imported
		if json.Unmarshal([]byte(line), &result) == nil && result.Status == status {
			ids[result.ID] = true
		}
	}
}

// A clock that goes backwards changes no order: what is recorded later stands later.
func TestFaultClockBackwards(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	before := strings.Count(r.done(t, "export"), "\n")
	r.now = "2001-02-03T04:05:06Z"
	if out, errs, code := r.run(t, "79 160 3 +65 -28 +55 +54 -36\n", "import", "--genre", "chain", "-", "--catch-up"); code != exitDone {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	lines := strings.Split(strings.TrimSpace(r.done(t, "export")), "\n")
	if len(lines) != before+2 || !strings.Contains(lines[before], `"time":"2001-02-03`) || !strings.Contains(lines[before-1], `"time":"2026-12-01`) {
		t.Errorf("%d events after %d, the new one is %s", len(lines), before, lines[before])
	}
	r.now = testNow
	r.done(t, "publish", "--ahead", "4", "--catch-up")
	r.done(t, "verify")
}

// When two processes publish into one directory at a time, each publishes or reports which process has locked it.
func TestFaultTwoWriters(t *testing.T) {
	r := newRunner(t)
	var group sync.WaitGroup
	for writer := range 4 {
		group.Go(func() {
			_, errs, code := r.child(t, "publish", "--ahead", fmt.Sprint(20+writer))
			if code != exitDone && (code != exitCannot || !strings.Contains(errs, "is held by ")) {
				t.Errorf("writer %d: exit %d: %s", writer, code, errs)
			}
		})
	}
	group.Wait()
	r.done(t, "publish", "--ahead", "30")
	if n := strings.Count(r.done(t, "archive", "--json"), "\n"); n != 31 {
		t.Errorf("%d days", n)
	}
	r.done(t, "verify")
}
