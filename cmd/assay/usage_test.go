package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What was asked for and cannot be has exit status 2, what is damaged 1, and both say what to do.
func TestStatuses(t *testing.T) {
	whole := newRunner(t)
	whole.done(t, "publish", "--ahead", "2")
	files := takeImage(t, whole.dir)
	for name, c := range map[string]struct {
		spoil func(r *runner) error
		args  []string
		code  int
		says  string
	}{
		"an address without a port": {nil, []string{"serve", "--addr", "localhost"}, exitInput, "no address with a port"},
		"a port that is none":       {nil, []string{"serve", "--addr", "localhost:99999"}, exitInput, `"99999" is no port`},
		"a folder of puzzles":       {nil, []string{"import", "--genre", "sudoku", t.TempDir()}, exitInput, "is a directory"},
		"a folder as checkpoint":    {nil, []string{"proof", "--since", t.TempDir()}, exitInput, "is a directory"},
		"no directory":              {nil, []string{"--dir", "", "archive"}, exitInput, "--dir is empty"},
		"another log's checkpoint":  {nil, []string{"proof", "--since", checkpointElsewhere(t)}, exitInput, "no checkpoint that a key of this log has signed"},
		"a clock ten years behind":  {func(r *runner) error { r.now = "2016-12-01T09:00:00Z"; return nil }, []string{"publish", "--ahead", "1"}, exitInput, "say --catch-up"},
		"a format that is none":     {func(r *runner) error { return os.WriteFile(filepath.Join(r.dir, "log", "FORMAT"), []byte("x"), 0o600) }, []string{"verify"}, exitFinding, "not assay-log/"},
		"hashes without a log":      {func(r *runner) error { return os.RemoveAll(filepath.Join(r.dir, "log")) }, []string{"rebuild", "--ledger"}, exitFinding, "restore a backup"},
	} {
		r := subject{runner: whole, files: files}.restore(t)
		if c.spoil != nil {
			if err := c.spoil(&r); err != nil {
				t.Fatal(err)
			}
		}
		before := len(takeImage(t, r.dir))
		out, errs, code := r.run(t, "", c.args...)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s: exit %d: %s%s", name, code, out, errs)
		}
		if after := len(takeImage(t, r.dir)); c.code == exitFinding && after != before {
			t.Errorf("%s: there are %d files, and before %d", name, after, before)
		}
	}
}

// checkpointElsewhere makes a file of the checkpoint of another log.
func checkpointElsewhere(t *testing.T) string {
	t.Helper()
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	path := filepath.Join(t.TempDir(), "checkpoint")
	writeFile(t, path, r.done(t, "checkpoint"))
	return path
}
