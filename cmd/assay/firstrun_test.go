package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/events/natslog/natstest"
)

// made are the steps of a first run, in order: what each of them leaves.
var made = [][]string{
	{"keys/"},
	{"lock"},
	{"ledger/"},
	{"keys/log.key.new"},
	{"keys/log.key"},
	{"ledger/checkpoints.new"},
	{"ledger/checkpoints"},
	{"ledger/hashes"},
	{"log/"},
	{"log/FORMAT.new"},
	{"log/FORMAT"},
	{"log/KEYREGISTRY", "log/MANIFEST", "log/DISCARD", "log/000001.vlog", "log/00001.mem", "log/000001.sst"},
	{"tables/"},
	{"tables/KEYREGISTRY", "tables/MANIFEST", "tables/DISCARD", "tables/000001.vlog", "tables/00001.mem"},
	{"format.new"},
	{"format"},
}

// copyStep copies what a step leaves, as far as the whole directory has it still. A draft is half of its file.
func copyStep(t *testing.T, whole, to string, step []string) {
	t.Helper()
	for _, name := range step {
		if strings.HasSuffix(name, "/") {
			if err := os.Mkdir(filepath.Join(to, name), 0o700); err != nil {
				t.Fatal(err)
			}
			continue
		}
		file := strings.TrimSuffix(strings.TrimSuffix(name, ".new"), ".tmp")
		data, err := os.ReadFile(filepath.Join(whole, file))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if file != name {
			data = data[:len(data)/2]
		}
		writeFile(t, filepath.Join(to, name), string(data))
	}
}

// A first run that is ended at any step is gone on with.
func TestAFirstRunThatWasEndedOpens(t *testing.T) {
	whole := newRunner(t)
	whole.done(t, "init")
	left := takeImage(t, whole.dir)
	for _, f := range left {
		if !slices.ContainsFunc(made, func(step []string) bool { return slices.Contains(step, f.name) }) {
			t.Errorf("no step makes %s", f.name)
		}
	}
	for n := range len(made) + 1 {
		r := newRunner(t)
		if err := os.Mkdir(r.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, step := range made[:n] {
			copyStep(t, whole.dir, r.dir, step)
		}
		last := "nothing"
		if n > 0 {
			last = made[n-1][0]
		}
		if out, errs, code := r.run(t, "", "publish", "--ahead", "2"); code != exitDone || errs != "" {
			t.Errorf("ended after %s: exit %d: %s%s", last, code, out, errs)
			continue
		}
		r.done(t, "verify")
	}
}

// What is missing in the middle was lost, and is no first run.
func TestLostFoldersAreNoFirstRun(t *testing.T) {
	whole := newRunner(t)
	whole.done(t, "publish", "--ahead", "2")
	files := takeImage(t, whole.dir)
	for _, c := range []struct {
		gone []string
		says string
	}{
		{[]string{"log", "ledger", "tables", "format"}, "move keys/log.key away"},
		{[]string{"log", "ledger", "tables", "format", "lock"}, "move keys/log.key away"},
		{[]string{"ledger", "format"}, "neither format nor ledger, ledger/checkpoints"},
		{[]string{"ledger/checkpoints", "ledger/hashes", "format"}, "neither format nor ledger, ledger/checkpoints, ledger/hashes, without"},
		{[]string{"ledger/checkpoints", "ledger/hashes", "log", "format"}, "neither format nor ledger, ledger/checkpoints, ledger/hashes, log, without"},
		{[]string{"ledger/checkpoints", "log", "tables", "format"}, "neither format nor ledger/checkpoints, without"},
		{[]string{"log", "format"}, "neither format nor log"},
		{[]string{"log", "tables", "format"}, "events are vouched for, but the last is 0"},
		{[]string{"keys", "format"}, "neither format nor keys/log.key"},
	} {
		damaged := subject{runner: whole, files: mixed(files, nil, c.gone...)}.restore(t)
		for _, args := range [][]string{{"publish"}, {"verify"}, {"init"}} {
			out, errs, code := damaged.run(t, "", args...)
			if code != exitFinding || !strings.Contains(out+errs, c.says) {
				t.Errorf("without %v, %v: exit %d: %s%s", c.gone, args, code, out, errs)
			}
		}
		checkRefused(t, damaged, c.says)
		left := func(files []image) (names []string) {
			for _, f := range files {
				names = append(names, f.name)
			}
			slices.Sort(names)
			return slices.DeleteFunc(names, func(name string) bool { return name == "lock" })
		}
		before, after := left(mixed(files, nil, c.gone...)), left(takeImage(t, damaged.dir))
		if !strings.Contains(c.says, "vouched") && !slices.Equal(before, after) { // then the store is opened, and sees it
			t.Errorf("without %v there is %v, and when it was refused %v", c.gone, before, after)
		}
	}
}

// A ledger without its checkpoints is a first run only as long as nothing came after them.
func TestAnEmptiedLedgerIsNoFirstRun(t *testing.T) {
	whole := newRunner(t)
	whole.done(t, "publish", "--ahead", "2")
	for _, c := range []struct {
		folders []string
		code    int
	}{{[]string{"ledger"}, exitDone}, {[]string{"ledger", "log"}, exitFinding}, {[]string{"ledger", "tables"}, exitFinding}, {[]string{"log"}, exitFinding}} {
		r := subject{runner: whole, files: under(takeImage(t, whole.dir), "keys")}.restore(t)
		for _, folder := range c.folders {
			if err := os.Mkdir(filepath.Join(r.dir, folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if _, errs, code := r.run(t, "", "publish", "--ahead", "2"); code != c.code {
			t.Errorf("keys and empty %v: exit %d: %s", c.folders, code, errs)
		}
	}
}

// What the message says to do with keys that are left works: the backup comes back; or a new registry has the secrets and
// a signing key of its own.
func TestOnlyKeysAreLeft(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	backup, keys := filepath.Join(t.TempDir(), "backup"), filepath.Join(t.TempDir(), "keys")
	r.done(t, "backup", backup)
	r.done(t, "keys", "export", keys)
	signed, days := r.done(t, "keys", "show"), r.done(t, "archive", "--json")
	left := subject{runner: r, files: under(takeImage(t, r.dir), "keys")}.restore(t)
	left.secret = ""
	if _, errs, code := left.run(t, "", "publish", "--ahead", "2"); code != exitFinding || !strings.Contains(errs, "restore a backup") {
		t.Errorf("exit %d: %s", code, errs)
	}
	restored := newRunner(t)
	restored.done(t, "restore", backup, "--keys", keys)
	if restored.done(t, "keys", "show") != signed || restored.done(t, "archive", "--json") != days {
		t.Error("restored, it has another key or other days")
	}
	if err := os.Remove(filepath.Join(left.dir, "keys", "log.key")); err != nil {
		t.Fatal(err)
	}
	left.done(t, "publish", "--ahead", "2")
	if left.done(t, "keys", "show") == signed || left.done(t, "archive", "--json") != days {
		t.Error("the new registry has the old key or other days")
	}
	left.done(t, "verify")
}

// The keys of a log on NATS are enough to go on with it, and not to begin an empty one.
func TestOnlyKeysOfALogOnNATS(t *testing.T) {
	url, empty := natstest.One(t).ClientURL(), natstest.One(t).ClientURL()
	r := newRunner(t).on(t, url, "")
	r.done(t, "publish", "--ahead", "2")
	want := r.state(t)
	left := subject{runner: r, files: under(takeImage(t, r.dir), "keys")}.restore(t)
	elsewhere := subject{runner: r, files: under(takeImage(t, r.dir), "keys")}.restore(t)
	elsewhere.vars = map[string]string{"ASSAY_LOG": empty}
	if _, errs, code := elsewhere.run(t, "", "publish"); code != exitFinding || !strings.Contains(errs, "the log on NATS is empty") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if got := left.state(t); got != want {
		t.Errorf("of the keys\n%s\nwas\n%s", got, want)
	}
}
