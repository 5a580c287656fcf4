//go:build strace

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This test makes system calls of another process fail, with strace: go test -tags strace -run TestFaultCreation.

// created finds the calls that make a file, in what strace writes.
var created = regexp.MustCompile(`openat\([^,]*, "([^"]+)", [A-Z_|]*O_CREAT`)

// traced returns the program as a process of its own under strace, which looks at what is opened.
func (r runner) traced(t *testing.T, options []string, args ...string) *exec.Cmd {
	t.Helper()
	plain := r.process(t, args...)
	cmd := exec.Command("strace", slices.Concat([]string{"-f", "-qq", "-e", "trace=openat"}, options, plain.Args)...)
	cmd.Env = plain.Env
	return cmd
}

// Each file that an import makes cannot be made, by each of four errors, once or for good. The import makes every kind:
// in opening, in writing the memtables as tables, in a compaction, and in switching to what that made. It is done or
// refused, by a message, and nothing that stood is lost.
func TestFaultCreation(t *testing.T) {
	whole := newRunner(t)
	puzzles := strings.Fields(readFile(t, manyPuzzles(t, 40)))
	whole.done(t, "publish", "--ahead", "5")
	for _, puzzle := range puzzles[:15] { // a compaction is due after the next one
		whole.done(t, "import", "--genre", "sudoku", fileOf(t, puzzle))
	}
	s := subject{runner: whole, files: takeImage(t, whole.dir)}
	before, more := whole.done(t, "export"), fileOf(t, strings.Join(puzzles[15:], "\n"))
	calm := s.restore(t)
	out, err := calm.traced(t, nil, "import", "--genre", "sudoku", more).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var paths []string
	for _, call := range created.FindAllStringSubmatch(string(out), -1) {
		if path, ok := strings.CutPrefix(call[1], calm.dir); ok && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if !slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, "/log/MANIFEST") }) || len(paths) < 12 {
		t.Fatalf("it made only %q", paths)
	}
	runs, refused := 0, 0
	for i, path := range paths {
		for j, failure := range []string{"EMFILE", "ENOSPC", "EIO", "EACCES"} {
			for k, when := range []string{":when=1", ""} {
				if fullOr(0, (i+j+k)%3) != 0 {
					continue // a third of them
				}
				r := s.restore(t)
				options := []string{"-o", "/dev/null", "-P", r.dir + path, "-e", "inject=openat:error=" + failure + when}
				runs++
				if r.runFailing(t, fmt.Sprintf("%s, %s%s", path, failure, when), r.traced(t, options, "import", "--genre", "sudoku", more), before) {
					refused++
				}
			}
		}
	}
	t.Logf("%d files, %d runs, %d refused", len(paths), runs, refused)
	if refused == 0 {
		t.Error("nothing was refused: no failure reached the program")
	}
}

// runFailing runs an import that may fail, and looks that nothing was lost. It reports whether the import failed.
func (r runner) runFailing(t *testing.T, how string, cmd *exec.Cmd, before string) (refused bool) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if said := string(out); strings.Contains(said, "panic:") || strings.Contains(said, "goroutine ") || err != nil && !strings.Contains(said, "assay: ") {
		t.Fatalf("%s: it ended by %v, %s", how, err, said)
	}
	r.verified(t)
	after := r.done(t, "export")
	if !strings.HasPrefix(after, before) {
		t.Fatalf("%s: what stood before is gone", how)
	}
	if n := strings.Count(after[len(before):], `"kind":"imported/1"`); err == nil && n != 25 {
		t.Fatalf("%s: it was done, and %d puzzles are on record", how, n)
	}
	return err != nil
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fileOf(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
