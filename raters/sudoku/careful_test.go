package sudoku

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"assay/raters"
)

// cover counts the solutions of a grid up to limit. It tries, of all cells and all digits in houses, what is possible
// where the fewest things are. It shares nothing with the solver.
func cover(g *reference, limit int) int {
	var least []refLit
	narrower := func(list []refLit) {
		if least == nil || len(list) < len(least) {
			least = append([]refLit{}, list...)
		}
	}
	full := true
	for c := range 81 {
		if g.digit[c] == 0 {
			full = false
			var list []refLit
			for _, d := range g.digits(c) {
				list = append(list, refLit{c, d})
			}
			narrower(list)
		}
	}
	for _, unit := range refUnits {
		for d := 1; d <= 9; d++ {
			var list []refLit
			written := false
			for _, c := range unit {
				written = written || g.digit[c] == d
				if g.can[c][d] {
					list = append(list, refLit{c, d})
				}
			}
			if !written {
				narrower(list)
			}
		}
	}
	if full {
		return 1
	}
	count := 0
	for _, l := range least {
		below := *g
		below.take(refMove{place: &l})
		if count += cover(&below, limit-count); count >= limit {
			break
		}
		g.can[l.cell][l.digit] = false
	}
	return count
}

// The plain search leaves these without a verdict after 1,048,576 positions, or is about to: few givens contradict one
// another, or have many solutions that are not where it looks.
var getLost = []string{
	".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
	"....2........3...2......9.3.3.9.2.......................2...3.99....32.....2.....",
	".....2.....2.73...............8................5..........3..7.6..4....87........",
	"..9.......5................7...6.......9......6.......19.67.5...........67519....",
	".5......9........4...4.....9.5..4.......6...5.........5.6.49......6.....4.9..5..6",
	"..8..................1..8....4.....8..1.4..........1..............8.4.1.....1.48.",
	"......2.....2..63.5..63.....2.3.6....5...........5....2..56.3...35....6...6...52.",
	".........1..8.....8...........97.18........7....1.8..9............7.1.989......17",
	"..2...8....5........8..2.......2................58..2.............85.2.....2..58.",
	"3...6..2.....2....2......6.....3..............6.2...3...36.2...62.3..............",
	"......5........4.......4..3.....................8.3.4....3458....3...........8.54",
	"2...1...5....95...........19...51...1....9...........95.....91............2......",
	"...............................5........6...565.2.....5....26.3..........63...52.",
	"....7..............57................75.4......4.....5........................574",
	"591............591................5..............1...9.............5.9....5.9....",
}

func TestGridsThatGetThePlainSearchLost(t *testing.T) {
	seen := map[raters.Verdict]int{}
	for _, text := range getLost {
		cells, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		want := verdicts[cover(newReference(&cells), 2)]
		got := solve(t, &cells)
		if got.Verdict != want || got.Nodes <= lost || got.Nodes > lost+100 {
			t.Errorf("%s: %s after %d positions, want %s", text, got.Verdict, got.Nodes, want)
		}
		for i, s := range got.Solutions {
			if !solves(&cells, s) || i > 0 && s == got.Solutions[0] {
				t.Errorf("%s: no solution, or one twice: %s", text, s)
			}
		}
		seen[got.Verdict]++
	}
	if seen[raters.None] < 3 || seen[raters.Multiple] < 3 {
		t.Errorf("verdicts %v: too few of a kind", seen)
	}
}

// sparse draws givens of a few digits that do not clash. Few digits in many cells get a search lost.
func sparse(random *rand.Rand, givens int) (cells [81]uint8) {
	digits := random.Perm(9)[:3+random.IntN(7)]
	for tries := 0; givens > 0 && tries < 1000; tries++ {
		c, d := random.IntN(81), uint8(digits[random.IntN(len(digits))]+1)
		if cells[c] == 0 && allowed(&cells, c, d) {
			cells[c] = d
			givens--
		}
	}
	return cells
}

// By itself the careful search finds what trying everything finds.
func TestCarefulVerdictIsThatOfANaiveSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var seen [3]int
	for range size(600, 20_000) {
		cells := sparse(random, 10+random.IntN(22))
		if random.IntN(3) == 0 {
			cells = candidate(random.Uint64(), 5).clues
			cells[random.IntN(81)] = 0
		}
		want := cover(newReference(&cells), 2)
		var b bands
		q := search{ctx: context.Background(), budget: solveBudget, limit: 2, careful: true}
		if !b.start(&cells) {
			t.Fatalf("%s: two equal digits in a house", text(&cells))
		}
		if err := q.visit(&b); err != nil || q.count != want {
			t.Fatalf("%s: %d solutions, want %d, error %v", text(&cells), q.count, want, err)
		}
		for i := range q.count {
			if !solves(&cells, text(&q.found[i])) || i > 0 && q.found[0] == q.found[1] {
				t.Fatalf("%s: no solution, or one twice: %s", text(&cells), text(&q.found[i]))
			}
		}
		seen[want]++
	}
	if min(seen[0], seen[1], seen[2]) < 10 {
		t.Errorf("none %d, one %d, many %d: too few of a kind", seen[0], seen[1], seen[2])
	}
}

// Where there is one solution the positions are those of the plain search, as long as that finishes.
func TestCarefulSearchCountsThePositionsOfThePlainOne(t *testing.T) {
	_, hard := readBench(t)
	s := solver{budget: solveBudget}
	for i := range hard {
		var plain, again, alone search
		if err := errors.Join(s.search(t.Context(), &hard[i], &plain), s.searchCarefully(t.Context(), &hard[i], &again, plainBudget),
			s.searchCarefully(t.Context(), &hard[i], &alone, 1)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(plain.found, again.found) || again.nodes != plain.nodes {
			t.Fatalf("%s: %d positions, the plain search takes %d", text(&hard[i]), again.nodes, plain.nodes)
		}
		if alone.count != 1 || alone.found != plain.found || alone.nodes <= lost {
			t.Fatalf("%s: without the plain search %d solutions after %d positions", text(&hard[i]), alone.count, alone.nodes)
		}
	}
}

func TestCarefulSearchEndsWithItsBudgetAndItsContext(t *testing.T) {
	cells := [81]uint8{} // whose first solution is some 60 positions away
	var q search
	if err := (solver{budget: lost + 10}).searchCarefully(t.Context(), &cells, &q, plainBudget); !errors.Is(err, raters.ErrBudget) {
		t.Errorf("10 positions: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (solver{budget: solveBudget}).searchCarefully(ctx, &cells, &q, plainBudget); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
