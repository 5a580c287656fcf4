package sudoku

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

func genrePage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "genres", "sudoku.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// shown is an example of the page: a grid, and the steps that it tells.
type shown struct {
	technique, explanation, grid string
	told                         []string
}

// examplesOf reads the examples of the page, one below the heading of each technique.
func examplesOf(t *testing.T) (all []shown) {
	t.Helper()
	heading := regexp.MustCompile("^`([a-z-]+)`\n\n([^\n]+)\n\n((?:    [^→\n]+\n)+)((?:    → [^\n]+\n)+)")
	for _, section := range strings.Split(genrePage(t), "\n#### ")[1:] {
		m := heading.FindStringSubmatch(section + "\n")
		if m == nil {
			t.Fatalf("no example: %q", section)
		}
		e := shown{technique: m[1], explanation: m[2], grid: m[3]}
		for line := range strings.Lines(m[4]) {
			e.told = append(e.told, strings.TrimSpace(strings.TrimPrefix(line, "    → ")))
		}
		all = append(all, e)
	}
	return all
}

// toFirst gives the steps that count from a grid up to the first of a technique.
func toFirst(t *testing.T, e shown) (steps []logic.Step) {
	t.Helper()
	p, err := documented(e.grid)
	if err != nil {
		t.Fatalf("%s: %v", e.technique, err)
	}
	got, err := canonicalRater.Rate(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", e.technique, err)
	}
	for _, s := range got.Steps() {
		if s.Level != "" {
			steps = append(steps, s)
		}
		if s.Technique == e.technique {
			return steps
		}
	}
	t.Fatalf("%s has no part in the solve of\n%s", e.technique, e.grid)
	return nil
}

func TestThePageTellsEachTechnique(t *testing.T) {
	var names []string
	for _, e := range examplesOf(t) {
		var got []string
		for _, s := range toFirst(t, e) {
			got = append(got, s.Text(naming))
		}
		if !slices.Equal(got, e.told) {
			t.Errorf("the page tells of %s\n%q, and it is\n%q", e.technique, e.told, got)
		}
		names = append(names, e.technique)
	}
	for i, q := range canonicalProfile.Techniques {
		if i >= len(names) || names[i] != q.Name {
			t.Fatalf("the examples are of %v, without %s in place %d", names, q.Name, i+1)
		}
		if row := fmt.Sprintf("\n| %s | `%s` | ", q.Level, q.Name); !strings.Contains(genrePage(t), row) {
			t.Errorf("the table of the page has no row %q", row)
		}
	}
}

// The cells that an explanation names are cells of the step, or of a house that its instance names.
func TestThePageNamesCellsOfTheStep(t *testing.T) {
	for _, e := range examplesOf(t) {
		steps := toFirst(t, e)
		last := steps[len(steps)-1]
		known := stepCells(last)
		for _, h := range housesNamed(last.Instance) {
			for _, c := range houses[h] {
				known[cellNames[c]] = true
			}
		}
		for _, c := range regexp.MustCompile(`r[1-9]c[1-9]`).FindAllString(e.explanation, -1) {
			if !known[c] && !strings.Contains(last.Instance, c) {
				t.Errorf("%s: %s has no part in the step", e.technique, c)
			}
		}
	}
}

// housesNamed reads "9 in row 7", "row 3 and column 4", "columns 1, 4 and 7".
func housesNamed(instance string) (all []int) {
	kind := -1
	for _, w := range regexp.MustCompile(`[a-z]+|[0-9]|r[1-9]c[1-9]`).FindAllString(instance, -1) {
		switch strings.TrimSuffix(w, "s") {
		case "row":
			kind = 0
		case "column":
			kind = 9
		case "box":
			kind = 18
		case "and":
		default:
			if kind >= 0 && w[0] >= '1' && w[0] <= '9' {
				all = append(all, kind+int(w[0]-'1'))
			}
		}
	}
	return all
}

// The page says what each shelf of bench.sdm is to the other rater.
func TestThePageComparesTheRaters(t *testing.T) {
	shelves, _ := readBench(t)
	counts := map[string]map[string]int{}
	for i := range shelves {
		got, err := canonicalRater.Rate(t.Context(), puzzle(&shelves[i]))
		if err != nil {
			t.Fatal(err)
		}
		level := got.Level
		if got.Outcome == raters.Unrated {
			level = "unrated"
		}
		tier := levels[i%5+1]
		if counts[tier] == nil {
			counts[tier] = map[string]int{}
		}
		counts[tier][level]++
	}
	for _, tier := range levels[1:] {
		var is []string
		for _, level := range append(canonicalProfile.Levels(), "unrated") {
			if n := counts[tier][level]; n > 0 {
				is = append(is, fmt.Sprintf("%d %s", n, level))
			}
		}
		if row := fmt.Sprintf("\n| %s | %s |\n", tier, strings.Join(is, ", ")); !strings.Contains(genrePage(t), row) {
			t.Errorf("the page does not say %q", row)
		}
	}
}

// A full run makes the 100,000 minimal puzzles that the page counts; a quick one holds a few to the same shares.
func TestThePageCountsMinimalPuzzles(t *testing.T) {
	n := size(2000, 100_000)
	b, by, uses := newBoard(classicShape), map[string]int{}, map[string]int{}
	for seed := range uint64(n) {
		m := minimal(seed)
		got, err := b.engine.Rate(t.Context(), canonicalRater.Order, b.position(m.clues[:]), rateBudget)
		if err != nil {
			t.Fatal(err)
		}
		by[got.Level]++
		for _, u := range got.Techniques {
			uses[u.Name]++
		}
	}
	if full() {
		said := fmt.Sprintf("Among 100,000 minimal puzzles %s are easy, %s medium, %s hard, %s expert, and %s unrated. Hidden quads are used in %d of them, jellyfish in %d, naked quads in %d.",
			thousands(by["easy"]), thousands(by["medium"]), thousands(by["hard"]), thousands(by["expert"]), thousands(by[""]), uses["hidden-quad"], uses["jellyfish"], uses["naked-quad"])
		if !strings.Contains(genrePage(t), said) {
			t.Errorf("the page does not say %q", said)
		}
	}
	for level, share := range map[string]int{"easy": 415, "medium": 166, "hard": 23, "expert": 241, "": 156} {
		if got := by[level] * 1000 / n; got < share*8/10-5 || got > share*12/10+5 {
			t.Errorf("%d of 1,000 are %q, not about %d", got, level, share)
		}
	}
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
