package sudoku

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
	if err != nil || len(files) != len(tiers)+1 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
