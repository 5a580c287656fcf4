package ratertest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/raters"
)

var update = flag.Bool("update", false, "write the golden file of each engine version that has none")

// golden is the folder of the files, relative to the package under test.
const golden = "testdata/golden"

// Lock compares the output of one version of an engine with a golden file of the package under test,
// testdata/golden/<engine>-v<version>.txt.
type Lock struct {
	Engine   string // "generator" or "rater " and the rater's name, with a purpose if there are several
	Version  string
	Constant string // the constant to raise when the output changes, and its file: "chain.GeneratorVersion (generate.go)"
}

// Check fails the test unless the golden file of this version has this output, commented text of whole lines. With
// -update it writes the file of a version that has none; it never overwrites one.
func (l Lock) Check(t testing.TB, output string) {
	t.Helper()
	if err := l.verify(golden, output, *update); err != nil {
		t.Error(err)
	}
}

// LockGenerator checks the puzzles that a generator makes of fixed requests, with their attempts.
func LockGenerator(t testing.TB, constant string, g raters.Generator, requests []raters.Request) {
	t.Helper()
	lockGenerator(t, "", constant, g, requests)
}

// lockGenerator adds the purpose of the requests to the name of the golden file, so that a generator may have several;
// "" is the first.
func lockGenerator(t testing.TB, purpose, constant string, g raters.Generator, requests []raters.Request) {
	t.Helper()
	output, err := generations(t.Context(), g, requests)
	if err != nil {
		t.Fatal(err)
	}
	Lock{Engine: strings.TrimSpace("generator " + purpose), Version: strconv.Itoa(g.Version()), Constant: constant}.Check(t, output)
}

// LockRater checks the ratings of fixed puzzles. An error is a result, too.
func LockRater(t testing.TB, constant string, r raters.Rater, puzzles []raters.Puzzle) {
	t.Helper()
	lockRater(t, "", constant, r, puzzles)
}

// lockRater adds the purpose of the puzzles to the name of the golden file, so that a rater may have several; "" is the
// first.
func lockRater(t testing.TB, purpose, constant string, r raters.Rater, puzzles []raters.Puzzle) {
	t.Helper()
	output := ratings(t.Context(), r, puzzles)
	Lock{Engine: strings.TrimSpace("rater " + r.Name() + " " + purpose), Version: r.Version(), Constant: constant}.Check(t, output)
}

func (l Lock) file(dir string) string {
	return filepath.Join(dir, fmt.Sprintf("%s-v%s.txt", strings.ReplaceAll(l.Engine, " ", "-"), l.Version))
}

func (l Lock) verify(dir, output string, write bool) error {
	want := fmt.Sprintf("# What %s version %s puts out, written by go test -update. It stands for ever:\n"+
		"# other output is another version.\n\n%s", l.Engine, l.Version, output)
	path := l.file(dir)
	got, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && write:
		return writeNew(path, want)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s version %s has no golden file %s: run this package's tests with -update",
			l.Engine, l.Version, path)
	case err != nil:
		return fmt.Errorf("reading the golden file: %w", err)
	case string(got) != want:
		return fmt.Errorf("output changed under %s version %s: raise %s or undo the change\n%s, %s",
			l.Engine, l.Version, l.Constant, path, firstDifference(string(got), want))
	}
	return nil
}

func writeNew(path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("writing the golden file: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("writing the golden file: %w", err)
	}
	_, err = f.WriteString(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("writing the golden file: %w", err)
	}
	return nil
}

func firstDifference(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return fmt.Sprintf("line %d: %s, now %s", n+1, lineAt(a, n), lineAt(b, n))
}

func lineAt(lines []string, n int) string {
	if n >= len(lines) {
		return "nothing"
	}
	return fmt.Sprintf("%q", lines[n])
}
