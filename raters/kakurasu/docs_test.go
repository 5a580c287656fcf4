package kakurasu

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// example is a board of the page on the genre, and the first step from it as the page tells it, chain included.
type example struct {
	technique, board string
	told             []string
}

// examples reads those of the page: indented blocks with an arrow, below the heading of a technique.
func examples(t *testing.T) (all []example) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "genres", "kakurasu.md"))
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile("^### `([a-z0-9-]+)`")
	for _, section := range strings.Split(string(page), "\n\n### ")[1:] {
		section = "### " + section
		name := heading.FindStringSubmatch(section)
		if name == nil {
			t.Fatalf("no technique: %q", section)
		}
		for _, block := range strings.Split(section, "\n\n") {
			board, told, found := strings.Cut(block, "\n    → ")
			if !found {
				continue
			}
			e := example{technique: name[1], board: strings.ReplaceAll(board, "    ", "")}
			for line := range strings.Lines(told) {
				e.told = append(e.told, strings.TrimSpace(line))
			}
			all = append(all, e)
		}
	}
	return all
}

// first returns the text of the first step of a technique from a board. It must come before all other counted steps.
func first(t *testing.T, e example) (told []string) {
	t.Helper()
	g, _, err := readText(e.board)
	if err != nil {
		t.Fatalf("%s: %v", e.board, err)
	}
	marks, err := g.marks(e.board)
	if err != nil {
		t.Fatalf("%s: %v", e.board, err)
	}
	if err := canonical.Prove(t.Context(), &g); err != nil {
		t.Fatalf("%s: %v", e.board, err)
	}
	engine, start := canonical.On(&g)
	defer canonical.Free(engine)
	for _, l := range marks {
		start.Candidates[l.Variable()] &^= 1 << l.Value()
	}
	rating, err := engine.Rate(t.Context(), canonical.Order, start, rateBudget)
	if err != nil {
		t.Fatalf("%s: %v", e.board, err)
	}
	steps := rating.Steps()
	n := slices.IndexFunc(steps, func(s logic.Step) bool { return s.Level != "" || s.Technique == e.technique })
	if n < 0 {
		t.Fatalf("%s: no step counts", e.board)
	}
	told = append(told, steps[n].Text(rating.Naming))
	for _, s := range steps[n].Chain {
		told = append(told, strings.TrimSpace(s.Text(rating.Naming)))
	}
	return told
}

func TestThePageTellsEachTechnique(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range examples(t) {
		if got := first(t, e); !slices.Equal(got, e.told) {
			t.Errorf("the page tells of\n%s\n%q, and it is %q", e.board, e.told, got)
		}
		if !strings.HasPrefix(e.told[0], e.technique+", ") {
			t.Errorf("%s has an example of %q", e.technique, e.told[0])
		}
		seen[e.technique] = true
	}
	for _, u := range append(builtIn.Techniques, logic.Technique{Name: "reached-clue"}) {
		if !seen[u.Name] {
			t.Errorf("the page has no example of %s", u.Name)
		}
	}
}

// The page's puzzle is the sample, and its solution is the one.
func TestThePageShowsAPuzzle(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "genres", "kakurasu.md"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := reader{}.Read("5x5", sample)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := solver{budget: solveBudget}.Solve(t.Context(), p)
	if err != nil || proof.Verdict != raters.Unique {
		t.Fatalf("%+v, error %v", proof, err)
	}
	for _, text := range []string{p.Text, proof.Solutions[0]} {
		if indented := "\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"; !strings.Contains(string(page), indented) {
			t.Errorf("the page does not show\n%s", text)
		}
	}
}
