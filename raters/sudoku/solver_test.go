package sudoku

import (
	"context"
	"errors"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"

	"pgregory.net/rapid"
)

// naive counts solutions up to limit. It shares nothing with the solver.
func naive(cells *[81]uint8, limit int) int {
	for c, d := range cells {
		if d != 0 && !allowed(cells, c, d) {
			return 0
		}
	}
	return backtrack(cells, limit)
}

// backtrack tries, in the empty cell with the fewest possible digits, each of them.
func backtrack(cells *[81]uint8, limit int) int {
	best, digits := -1, []uint8(nil)
	for c, v := range cells {
		if v != 0 {
			continue
		}
		var can []uint8
		for d := uint8(1); d <= 9; d++ {
			if allowed(cells, c, d) {
				can = append(can, d)
			}
		}
		if best < 0 || len(can) < len(digits) {
			best, digits = c, can
		}
	}
	if best < 0 {
		return 1
	}
	count := 0
	for _, d := range digits {
		cells[best] = d
		count += backtrack(cells, limit-count)
		cells[best] = 0
		if count >= limit {
			break
		}
	}
	return count
}

// allowed tells whether no cell but c itself in its row, column and box holds the digit.
func allowed(cells *[81]uint8, c int, d uint8) bool {
	for o, v := range cells {
		same := o/9 == c/9 || o%9 == c%9 || o/27 == c/27 && o%9/3 == c%9/3
		if o != c && same && v == d {
			return false
		}
	}
	return true
}

// solves tells whether a text is a full valid grid that keeps the givens.
func solves(cells *[81]uint8, solution string) bool {
	full, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: solution})
	for c, v := range full {
		if v == 0 || cells[c] != 0 && cells[c] != v || !allowed(&full, c, v) {
			return false
		}
	}
	return err == nil
}

func solve(t interface{ Fatal(...any) }, cells *[81]uint8) raters.Solution {
	got, err := solver{budget: solveBudget}.solve(context.Background(), cells)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var verdicts = [3]raters.Verdict{raters.None, raters.Unique, raters.Multiple}

// Grids with clues taken out at random have one solution or many; with a digit changed, mostly none.
func TestVerdictIsThatOfANaiveSearch(t *testing.T) {
	r := seedrand.New(1)
	var seen [3]int
	for range 3000 {
		cells := fullGrid(r)
		for n := 40 + r.IntN(16); n > 0; n-- {
			cells[r.IntN(81)] = 0
		}
		if r.IntN(3) == 0 {
			cells[r.IntN(81)] = uint8(1 + r.IntN(9))
		}
		count := naive(&cells, 2)
		seen[count]++
		got := solve(t, &cells)
		if got.Verdict != verdicts[count] || len(got.Solutions) != count {
			t.Fatalf("%s: %v, want %s", text(&cells), got, verdicts[count])
		}
		for _, s := range got.Solutions {
			if !solves(&cells, s) {
				t.Fatalf("%s: no solution: %s", text(&cells), s)
			}
		}
		if count == 2 && got.Solutions[0] == got.Solutions[1] {
			t.Fatal("the same solution twice")
		}
	}
	if slices.Min(seen[:]) < 300 {
		t.Fatalf("too few of a kind: none %d, one %d, many %d", seen[0], seen[1], seen[2])
	}
}

// Placements straight from the generator of tests, contradictory or not.
func TestVerdictOfAnyGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var cells [81]uint8
		for c, d := range rapid.MapOfN(rapid.IntRange(0, 80), rapid.Uint8Range(1, 9), 0, 40).Draw(t, "givens") {
			cells[c] = d
		}
		for c, d := range cells {
			if d != 0 && !allowed(&cells, c, d) {
				if got := solve(t, &cells); got.Verdict != raters.None || got.Reason == "" {
					t.Fatalf("two equal digits in a house: %v", got)
				}
				return
			}
		}
		if got, want := solve(t, &cells), verdicts[naive(&cells, 2)]; got.Verdict != want {
			t.Fatalf("%s: %s, want %s", text(&cells), got.Verdict, want)
		}
	})
}

// Two grids known to have two and three solutions.
func TestKnownCounts(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"....4..67..2...8......7..4..8...92........916..5......19.5.7..4...8...5..7.1.46.8", 2},
		{"..5..47.23..1.........8.36....75.6...9.....7...7.62....46.3.........1...9.38..5..", 3},
	} {
		p := raters.Puzzle{Genre: Name, Variant: Variant, Text: c.text}
		cells, err := parse(p)
		if err != nil {
			t.Fatal(err)
		}
		if n := naive(&cells, 100); n != c.want {
			t.Errorf("%s: %d solutions by naive search, want %d", c.text, n, c.want)
		}
		if got := solve(t, &cells); got.Verdict != raters.Multiple || len(got.Solutions) != 2 {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

func TestBenchPuzzlesAreUnique(t *testing.T) {
	shelves, hard := readBench(t)
	for _, cells := range append(shelves, hard...) {
		if got := solve(t, &cells); got.Verdict != raters.Unique || !solves(&cells, got.Solutions[0]) {
			t.Fatalf("%s: %v", text(&cells), got)
		}
	}
}

func TestEmptyGridHasManySolutionsAtOnce(t *testing.T) {
	var cells [81]uint8
	if got := solve(t, &cells); got.Verdict != raters.Multiple || got.Nodes > 200 {
		t.Fatalf("%v", got)
	}
}

func TestTwoEqualDigitsAreNamed(t *testing.T) {
	for want, at := range map[string][2]int{
		"5 twice in row 1: r1c1 and r1c5":    {0, 4},
		"5 twice in column 2: r1c2 and r9c2": {1, 73},
		"5 twice in box 9: r7c8 and r9c9":    {61, 80},
	} {
		var cells [81]uint8
		cells[at[0]], cells[at[1]] = 5, 5
		if got := solve(t, &cells); got.Verdict != raters.None || got.Reason != want {
			t.Errorf("%v, want %q", got, want)
		}
	}
}

func TestBudgetAndContextEndASearch(t *testing.T) {
	_, hard := readBench(t)
	if _, err := (solver{budget: 5}).solve(context.Background(), &hard[0]); !errors.Is(err, raters.ErrBudget) {
		t.Errorf("budget of 5 positions: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (solver{budget: solveBudget}).solve(ctx, &hard[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestStrictText(t *testing.T) {
	for _, in := range []string{"", sample[:80], sample + "1", "0" + sample[1:], "x" + sample[1:]} {
		_, err := solver{budget: solveBudget}.Solve(context.Background(), raters.Puzzle{Genre: Name, Variant: Variant, Text: in})
		var s *raters.SyntaxError
		if !errors.As(err, &s) {
			t.Errorf("%q: %v", in, err)
		}
	}
}
