package ratertest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// fake is an engine whose version and output a test can change apart.
type fake struct {
	version int
	output  string
}

func (f fake) Name() string    { return "fake.score" }
func (f fake) Version() string { return strconv.Itoa(f.version) }

// maker is the fake as a generator.
type maker struct{ fake }

func (m maker) Version() int { return m.version }

func (f fake) Generate(_ context.Context, r raters.Request) (raters.Generated, error) {
	p := raters.Puzzle{Genre: "fake", Variant: r.Variant, Text: f.output}
	return raters.Generated{Puzzle: p, Solution: "s", Attempts: []raters.Attempt{{N: 1, Outcome: "accepted"}}}, nil
}

func (f fake) Rate(_ context.Context, p raters.Puzzle) (raters.Rating, error) {
	return raters.Rating{
		Outcome:    raters.Rated,
		Techniques: []raters.TechniqueUse{{Name: "single", Level: "easy", Uses: 1, Removed: 2, Placed: 1}},
		Terms:      []raters.Term{{Name: f.output, Value: len(p.Text)}},
		Solve: raters.Steps{{
			Technique: "single", Level: "easy", Instance: "row 1", Placed: []logic.Literal{logic.Lit(0, 1)},
			Removed: []logic.Literal{logic.Lit(0, 0), logic.Lit(1, 1)}, Because: []logic.Literal{logic.Lit(2, 1)}, From: []uint16{1},
		}},
		Naming: logic.Naming{Columns: 2, Values: []string{"1", "2"}},
	}, nil
}

// verify locks the engine to the directory as LockGenerator and LockRater do.
func (f fake) verify(t *testing.T, dir string, write bool) [2]error {
	t.Helper()
	made, err := generations(t.Context(), maker{f}, []raters.Request{{Variant: "daily", Seed: 7}, {Variant: "daily", Cap: "hard", Seed: 8}})
	if err != nil {
		t.Fatal(err)
	}
	rated := ratings(t.Context(), f, []raters.Puzzle{{Genre: "fake", Variant: "daily", Text: "1 2\n3 4"}})
	return [2]error{
		Lock{"generator", f.Version(), "fake.GeneratorVersion (generate.go)"}.verify(dir, made, write),
		Lock{"rater fake.score", f.Version(), "fake.ScoreVersion (score.go)"}.verify(dir, rated, write),
	}
}

func TestLockLetsNoOutputChangeUnderItsVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "golden")
	wantErrors(t, fake{1, "a"}.verify(t, dir, false), "generator version 1 has no golden file", "rater fake.score version 1 has no golden file")
	wantNone(t, fake{1, "a"}.verify(t, dir, true))
	wantNone(t, fake{1, "a"}.verify(t, dir, false))
	before := read(t, dir)

	for _, write := range []bool{false, true} {
		wantErrors(t, fake{1, "b"}.verify(t, dir, write),
			"output changed under generator version 1: raise fake.GeneratorVersion (generate.go) or undo the change",
			"output changed under rater fake.score version 1: raise fake.ScoreVersion (score.go) or undo the change")
	}
	if after := read(t, dir); after != before {
		t.Errorf("-update wrote over a file of the same version:\n%s", after)
	}

	wantNone(t, fake{2, "b"}.verify(t, dir, true))
	wantNone(t, fake{2, "b"}.verify(t, dir, false))
	if after := read(t, dir); !strings.HasPrefix(after, before) {
		t.Errorf("raising the version changed the files of the old one:\n%s", after)
	}
}

func TestLockNamesTheFirstDifference(t *testing.T) {
	dir := t.TempDir()
	l := Lock{"generator", "1", "x.V (x.go)"}
	if err := l.verify(dir, "one\ntwo\n", true); err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		"one\n2\n":         `line 5: "two", now "2"`,
		"one\n":            `line 5: "two", now ""`,
		"one\ntwo":         `line 6: "", now nothing`,
		"one\ntwo\nmore\n": `line 6: "", now "more"`,
	} {
		if err := l.verify(dir, output, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", output, err, want)
		}
	}
}

// A file that is there but cannot be read is no missing file: nothing is written.
func TestLockReportsAnUnreadableFile(t *testing.T) {
	dir := t.TempDir()
	l := Lock{"generator", "1", "x.V (x.go)"}
	if err := os.Mkdir(l.file(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := l.verify(dir, "one\n", true); err == nil || !strings.Contains(err.Error(), "reading the golden file") {
		t.Errorf("error %v", err)
	}
}

func TestOutputIsWrittenOut(t *testing.T) {
	dir := t.TempDir()
	wantNone(t, fake{1, "a"}.verify(t, dir, true))
	want := `# What generator version 1 puts out, written by go test -update. It stands for ever:
# other output is another version.

# variant daily, rater "", level "", seed 7
puzzle a
solution s
level ""
nodes 0
attempt 1 accepted

# variant daily, rater "", cap "hard", seed 8
puzzle a
solution s
level ""
nodes 0
attempt 1 accepted

# What rater fake.score version 1 puts out, written by go test -update. It stands for ever:
# other output is another version.

# variant daily
puzzle
  1 2
  3 4
outcome rated
level ""
tier 0
hardest ""
clues 0
technique single level easy uses 1 removed 2 placed 1
term a 7
step 1 single level easy, row 1: placed [r1c1=2] removed [r1c1=1 r1c2=2] because [r2c1=2] from [1]

`
	if got := read(t, dir); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func wantNone(t *testing.T, errs [2]error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func wantErrors(t *testing.T, errs [2]error, want ...string) {
	t.Helper()
	for i, err := range errs {
		if err == nil || !strings.Contains(err.Error(), want[i]) {
			t.Errorf("error %v, want %q", err, want[i])
		}
	}
}

// read returns the files of a directory, version 1 before version 2, one after the other.
func read(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	for _, pattern := range []string{"*-v1.txt", "*-v2.txt"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}
