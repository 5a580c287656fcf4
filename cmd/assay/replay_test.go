package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/raters"
	"assay/registry"
	"assay/registry/engine"

	"github.com/google/go-cmp/cmp"
)

const (
	xyWingHard = "../../docs/profiles/xywing-hard.toml"
)

// A replay is killed ten times: as soon as it has begun, in the middle of recording, and once something is on record.
// It tells of more changes than a pipe holds, so that it waits there. The run that is let alone leaves the keys and
// bodies of one that was not disturbed, and another one adds nothing.
func TestKillingAReplayLosesNothing(t *testing.T) {
	calm, killed := newRunner(t), newRunner(t)
	verb := []string{"replay", "--pool", "sudoku/classic", "--profile", absolute(t, xyWingHard)}
	puzzles := variations(t, 2500)
	for _, r := range []runner{calm, killed} {
		r.done(t, "import", "--genre", "sudoku", puzzles)
	}
	if _, _, code := calm.run(t, "", verb...); code != exitFinding {
		t.Fatalf("exit %d", code)
	}
	var cut cuts
	for i := range 10 {
		d := killed.doom(t, append(verb, "--json")...)
		hashes := killed.hashes()
		points := []func([]string) bool{
			func([]string) bool { return true },
			func([]string) bool { return killed.hashes() > hashes },
			func([]string) bool { return d.records(t) },
		}
		d.read(points[i%len(points)])
		cutOff, recorded, _ := d.end(t, os.Kill)
		cut.count(cutOff, recorded)
		killed.verified(t)
	}
	cut.check(t)
	killed.run(t, "", verb...)
	want, got := factsOf(t, calm), factsOf(t, killed)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	report, _, _ := killed.run(t, "", append(verb, "--json")...)
	if !strings.Contains(report, `"recorded":0`) || len(factsOf(t, killed)) != len(want) {
		t.Errorf("once more: %s", report)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	full, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// factsOf returns the bodies on record by their keys.
func factsOf(t *testing.T, r runner) map[string]string {
	t.Helper()
	facts := map[string]string{}
	for line := range strings.Lines(r.done(t, "export")) {
		var e struct {
			Key  string          `json:"key"`
			Body json.RawMessage `json:"body"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		facts[e.Key] = string(e.Body)
	}
	return facts
}

func TestCausesAreToldApart(t *testing.T) {
	v := registry.Replay{Changed: 1203, Causes: map[string]int{"together: pointing removed, tier of hidden-pair": 3, "pointing removed": 1200}}
	if got, want := movedText(v), "1,203 levels move, cause: pointing removed (1,200); together: pointing removed, tier of hidden-pair (3)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The profiles that the documents show are what they say.
func TestShownProfiles(t *testing.T) {
	files, err := filepath.Glob("../../docs/profiles/*.toml")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	v, err := engine.Find((&app{}).genres(), "sudoku", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rater, err := engine.RaterChoice{Profile: text}.Choose(v)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		comment, canonical, _ := strings.Cut(string(text), "\n")
		if !strings.HasPrefix(comment, "# ") || canonical != rater.(raters.Profiled).Profile().Text() {
			t.Errorf("%s is not a comment and a profile in its canonical form", file)
		}
	}
}

// A summary names the causes of most changes, and says how many others there are.
func TestManyCausesAreSummedUp(t *testing.T) {
	counts := map[string]int{"f removed": 1, "a removed": 2, "b removed": 2, "c removed": 9, "d removed": 3, "e removed": 1, "tier of g": 1}
	if got := causesText(counts); got != "c removed (9); d removed (3); a removed (2); b removed (2); e removed (1); 2 more causes" {
		t.Error(got)
	}
	if got := causesText(map[string]int{"version": 3}); got != "version (3)" {
		t.Error(got)
	}
}
