package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// backedUp returns a backup and the keys of a small registry, and what it exports.
func backedUp(t *testing.T) (r runner, backup, keys, export string) {
	t.Helper()
	r = newRunner(t)
	r.done(t, "publish", "--ahead", "20") // keeps the secret it was given
	r.secret = ""
	r.done(t, "keys", "rotate")
	r.done(t, "publish", "--ahead", "25")
	folder := t.TempDir()
	backup, keys = filepath.Join(folder, "backup"), filepath.Join(folder, "keys")
	r.done(t, "backup", backup)
	r.done(t, "keys", "export", keys)
	return r, backup, keys, r.done(t, "export")
}

// A backup with a flipped bit, or cut off, is refused whole and leaves nothing behind, unless what is restored is
// what was backed up.
func TestFaultDamagedBackups(t *testing.T) {
	r, backup, keys, export := backedUp(t)
	whole, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	results := tally{counts: map[string]map[string]int{}}
	inParallel(fullOr(400, 20), func(i int) {
		random := rand.New(rand.NewPCG(11, uint64(i)))
		damaged, kind := bytes.Clone(whole), "a bit flipped"
		if i%5 == 4 {
			damaged, kind = damaged[:random.IntN(len(damaged))], "cut off"
		} else {
			damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
		}
		folder := t.TempDir()
		defer os.RemoveAll(folder)
		into := r
		into.dir = filepath.Join(folder, "restored")
		file := filepath.Join(folder, "damaged")
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Error(err)
			return
		}
		out, errs, code := into.child(t, "restore", file, "--keys", keys)
		left, err := os.ReadDir(folder)
		switch {
		case err != nil || strings.Contains(errs, "goroutine "):
			t.Error(err, errs)
		case code == exitDone && into.done(t, "export") == export:
			results.add(kind, harmless)
		case code != exitDone && out+errs != "" && len(left) == 1:
			results.add(kind, reported)
		default:
			t.Errorf("%s: exit %d, %d files left: %s%s", kind, code, len(left), out, errs)
		}
	})
	t.Logf("of a backup of %d bytes:\n%v", len(whole), &results)
}

// A backup that is made while the registry is served, and while it publishes, restores to what the log was then.
func TestBackupWhileServing(t *testing.T) {
	r := newRunner(t)
	s := serve(t, r)
	folder := t.TempDir()
	published := make(chan string)
	go func() {
		var out, errs bytes.Buffer
		Run(t.Context(), []string{"publish", "--ahead", "120"}, r.env("", &out, &errs))
		published <- errs.String()
	}()
	for i := range 3 {
		r.done(t, "backup", filepath.Join(folder, fmt.Sprint("backup", i)))
	}
	if errs := <-published; errs != "" {
		t.Error(errs)
	}
	r.done(t, "keys", "export", filepath.Join(folder, "keys"))
	s.end(t)
	export := r.done(t, "export")
	for i := range 3 {
		into := r
		into.dir = filepath.Join(folder, fmt.Sprint("restored", i))
		into.done(t, "restore", filepath.Join(folder, fmt.Sprint("backup", i)), "--keys", filepath.Join(folder, "keys"))
		if then := into.done(t, "export"); !strings.HasPrefix(export, then) || strings.Count(then, "\n") < 95 {
			t.Errorf("backup %d holds %d events that are not the first of the log", i, strings.Count(then, "\n"))
		}
	}
}
