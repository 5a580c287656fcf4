package kakurasu

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

// all4x4 gives for each vector of clues of 4×4 all shadings that add up to it. Every one of the 65,536 shadings is
// added up.
var all4x4 = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for m := range 1 << 16 {
		s := shading{uint16(m & 15), uint16(m >> 4 & 15), uint16(m >> 8 & 15), uint16(m >> 12)}
		g := s.clued(4, 4)
		if !sumsAre(&g, m) {
			panic(fmt.Sprintf("the clues of shading %x are %q", m, g.text()))
		}
		all[g.text()] = append(all[g.text()], draught(&g, m))
	}
	return all
})

// naive finds all solutions of a 4×4 puzzle.
func naive(p raters.Puzzle) []string { return all4x4()[p.Text] }

func sumsAre(g *grid, m int) bool {
	var rows, columns [MaxSize]int
	for r := range g.rows {
		for c := range g.columns {
			if m>>(r*g.columns+c)&1 != 0 {
				rows[r] += c + 1
				columns[c] += r + 1
			}
		}
	}
	return slices.Equal(rows[:g.rows], g.clue[:g.rows]) && slices.Equal(columns[:g.columns], g.clue[g.rows:g.lines()])
}

// draught writes a shading as a solution is written.
func draught(g *grid, m int) string {
	var rows []string
	for r := range g.rows {
		cells := make([]string, g.columns)
		for c := range cells {
			cells[c] = "."
			if m>>(r*g.columns+c)&1 != 0 {
				cells[c] = "#"
			}
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "\n")
}

// Every shading of 4×4 belongs to one vector of clues: all vectors that have a solution are proven at once.
func TestSolverKnowsAll4x4(t *testing.T) {
	counts := map[raters.Verdict]int{}
	for text, all := range all4x4() {
		got, err := solver{budget: solveBudget}.Solve(t.Context(), raters.Puzzle{Genre: Name, Variant: "4x4", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		want := raters.Unique
		if len(all) > 1 {
			want = raters.Multiple
		}
		if got.Verdict != want || len(got.Solutions) != min(2, len(all)) || got.Nodes == 0 {
			t.Fatalf("%q has %d solutions, and the solver says %+v", text, len(all), got)
		}
		for i, s := range got.Solutions {
			if !slices.Contains(all, s) || i > 0 && s == got.Solutions[0] {
				t.Fatalf("%q: %q is no solution, or the first one again", text, s)
			}
		}
		counts[want]++
	}
	t.Log(counts)
	if counts[raters.Unique] < 1000 || counts[raters.Multiple] < 500 {
		t.Errorf("%v: too few to check", counts)
	}
}

func TestBudgetIsNeverAVerdict(t *testing.T) {
	var p raters.Puzzle
	var want raters.Solution
	for seed := uint64(0); want.Nodes < 10; seed++ {
		var err error
		p = generate(t, raters.Request{Variant: "9x9", Level: "expert", Seed: seed}).Puzzle
		if want, err = (solver{budget: solveBudget}).Solve(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	for budget := range want.Nodes {
		if got, err := (solver{budget: budget}).Solve(t.Context(), p); !errors.Is(err, raters.ErrBudget) || got.Verdict != "" {
			t.Fatalf("with %d of %d positions: %+v, error %v", budget, want.Nodes, got, err)
		}
	}
	if got, err := (solver{budget: want.Nodes}).Solve(t.Context(), p); err != nil || got.Verdict != raters.Unique {
		t.Errorf("with just enough: %+v, error %v", got, err)
	}
}

func TestCluesBeyondTheirLineAreNamed(t *testing.T) {
	got, err := solver{budget: solveBudget}.Solve(t.Context(), raters.Puzzle{Genre: Name, Variant: "4x5", Text: "4 5\n1 11 3 4 5\n6 7 8 9"})
	if err != nil || got.Verdict != raters.None || got.Reason != "column 2: the clue 11 is more than all its cells, 10" || got.Nodes == 0 {
		t.Errorf("%+v, error %v", got, err)
	}
}

// A search is cancelled on its way.
func TestSearchesLookAtTheirContext(t *testing.T) {
	r := seedrand.New(1)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for long := 0; long < 5; {
		g := grid{rows: 12, columns: 12}
		for i := range g.lines() {
			g.clue[i] = r.Between(20, 40)
		}
		_, nodes, err := solver{budget: 2000}.search(t.Context(), &g)
		if nodes < 256 {
			continue
		}
		long++
		if _, _, stopped := (solver{budget: 2000}).search(gone, &g); !errors.Is(stopped, context.Canceled) {
			t.Fatalf("%q: error %v after a search that ended with %v", g.text(), stopped, err)
		}
	}
}

// Unsolvable boards that a search gets lost in: the clues of a shading with some moved from line to line. Where rows and
// columns do not agree no search is needed.
func TestRowsAndColumnsThatDoNotAgreeHaveNoSolution(t *testing.T) {
	for seed := range uint64(300) {
		r := seedrand.New(seed)
		side := r.Between(MinSize, MaxSize)
		shaded := draw(side, side, seed)
		g := shaded.clued(side, side)
		if reason := g.contradiction(); reason != "" {
			t.Fatalf("%q has a solution, and is said to have none: %s", g.text(), reason)
		}
		from, to := r.IntN(side), r.IntN(side)
		if from == to || g.clue[from] == 0 {
			continue
		}
		g.clue[from]--
		g.clue[to]++
		got, err := solver{budget: 0}.solve(t.Context(), &g)
		if err != nil || got.Verdict != raters.None || got.Nodes != 1 || got.Reason == "" {
			t.Fatalf("%q: %+v, error %v", g.text(), got, err)
		}
	}
}
