package sudoku

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/raters/logic"
)

const lessons = "../../docs/techniques"

var (
	lessonGrid = regexp.MustCompile("(?s)```\n(.*?)```")
	lessonStep = regexp.MustCompile("(?m)^Next step: `(.*)`$")
)

func lesson(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(lessons, name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// ofCages are the techniques that only puzzles with cages have, with their lessons.
func ofCages(t *testing.T) (v *variant, all map[string]logic.Technique, place map[string]int) {
	t.Helper()
	v, all, place = named(t, "killer"), map[string]logic.Technique{}, map[string]int{}
	for i, q := range v.tiersProfile().Techniques {
		if !slices.ContainsFunc(tiers, func(u technique) bool { return u.name == q.Name }) {
			all[q.Name], place[q.Name] = q, i+1
		}
	}
	return v, all, place
}

// A lesson of killer shows the text of a puzzle, in which its technique is the next step, and its drawing.
func TestLessonsOfCagesShowTheirTechnique(t *testing.T) {
	v, all, place := ofCages(t)
	n := len(v.tiersProfile().Techniques)
	if len(all) != 2 {
		t.Fatalf("techniques of cages: %v", all)
	}
	for name, q := range all {
		doc := lesson(t, name)
		puzzle, err := reader{}.Read(v.name, strings.TrimSuffix(lessonGrid.FindStringSubmatch(doc)[1], "\n"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := newShapedTiers(v).Rate(t.Context(), puzzle)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		first := got.Steps()[0]
		if said := lessonStep.FindStringSubmatch(doc)[1]; first.Technique != name || first.Text(got.Naming) != said {
			t.Errorf("%s: the next step is %s", name, first.Text(got.Naming))
		}
		if head := fmt.Sprintf("\nTier %d (%s), tried in place %d of %d in killer.\n", q.Tier, q.Level, place[name], n); !strings.Contains(doc, head) {
			t.Errorf("%s: the lesson does not say %q", name, strings.TrimSpace(head))
		}
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %d \| \[[^]]+\]\(%s\.md\) \| %d \| %s \|$`, place[name], name, q.Tier, q.Level))
		if !row.MatchString(lesson(t, "README")) {
			t.Errorf("%s is not listed in place %d", name, place[name])
		}
	}
}

// The grid of a lesson is a puzzle in which the lesson's technique is the next step, and the step is the one
// that the lesson shows.
func TestLessonsShowTheirTechnique(t *testing.T) {
	for i, q := range tiers {
		doc := lesson(t, q.name)
		grid, step := lessonGrid.FindStringSubmatch(doc), lessonStep.FindStringSubmatch(doc)
		if grid == nil || step == nil {
			t.Errorf("%s: no grid or no step", q.name)
			continue
		}
		p, err := documented(grid[1])
		if err != nil {
			t.Errorf("%s: %v", q.name, err)
			continue
		}
		got, err := tiersRater.Rate(t.Context(), p)
		if err != nil || got.Steps()[0].Technique != q.name || got.Steps()[0].Text(got.Naming) != step[1] {
			t.Errorf("%s: the next step is %q, %v", q.name, got.Steps()[0].Text(got.Naming), err)
		}
		if head := fmt.Sprintf("\nTier %d (%s), tried in place %d of %d.\n", q.tier, levels[q.tier], i+1, len(tiers)); !strings.Contains(doc, head) {
			t.Errorf("%s: the lesson does not say %q", q.name, strings.TrimSpace(head))
		}
	}
}

// The cells that a lesson's explanation names are cells of its step's instance, reasons or conclusions.
func TestLessonsNameCellsOfTheStep(t *testing.T) {
	cell := regexp.MustCompile(`r[1-9]c[1-9]`)
	for _, q := range tiers {
		doc := lesson(t, q.name)
		p, err := documented(lessonGrid.FindStringSubmatch(doc)[1])
		if err != nil {
			t.Fatal(err)
		}
		got, err := tiersRater.Rate(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		known := stepCells(got.Steps()[0])
		for _, c := range cell.FindAllString(doc, -1) {
			if !known[c] {
				t.Errorf("%s: %s has no part in the step", q.name, c)
			}
		}
	}
}

func stepCells(s logic.Step) map[string]bool {
	known := map[string]bool{}
	for _, list := range [][]logic.Literal{s.Placed, s.Removed, s.Because} {
		for _, l := range list {
			known[cellNames[l.Variable()]] = true
		}
	}
	for _, c := range strings.Fields(s.Instance) {
		known[c] = true
	}
	for h, name := range houseNames {
		for _, c := range houses[h] {
			known[cellNames[c]] = known[cellNames[c]] || name == s.Instance
		}
	}
	return known
}

func TestLessonsAreListed(t *testing.T) {
	list := lesson(t, "README")
	for i, q := range tiers {
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %d \| \[[^]]+\]\(%s\.md\) \| %d \| %s \|$`, i+1, q.name, q.tier, levels[q.tier]))
		if !row.MatchString(list) {
			t.Errorf("%s is not listed in place %d", q.name, i+1)
		}
	}
	files, err := filepath.Glob(filepath.Join(lessons, "*.md"))
	_, more, _ := ofCages(t)
	if err != nil || len(files) != len(tiers)+len(more)+1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
