package sudoku

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

// solving is a board of a shape and its engine.
type solving struct {
	board
	of     *shape
	engine *deduce.Engine
}

func newBoard(s *shape) *solving {
	b := &solving{of: s}
	b.engine = deduce.New(s.topology(), &b.board)
	return b
}

func (b *solving) position(cells []uint8) deduce.Start {
	s := deduce.Start{Candidates: slices.Repeat([]uint16{b.of.all()}, b.of.cells())}
	b.start(b.of, cells, &s)
	return s
}

// grids is a size of grid in the words of the rules, for trying everything.
type grids struct{ size, boxRows, boxColumns int }

// clash tells whether two cells may not hold the same digit.
func (g grids) clash(a, b int) bool {
	r, q := a/g.size, b/g.size
	c, k := a%g.size, b%g.size
	return a != b && (r == q || c == k || r/g.boxRows == q/g.boxRows && c/g.boxColumns == k/g.boxColumns)
}

// solutions gives up to limit fillings, trying in the first empty cell each digit in turn.
func (g grids) solutions(cells []uint8, limit int) (all [][]uint8) {
	at := slices.Index(cells, 0)
	if at < 0 {
		return [][]uint8{slices.Clone(cells)}
	}
	for d := uint8(1); int(d) <= g.size && len(all) < limit; d++ {
		free := true
		for c, v := range cells {
			free = free && (v != d || !g.clash(at, c))
		}
		if free {
			cells[at] = d
			all = append(all, g.solutions(cells, limit-len(all))...)
			cells[at] = 0
		}
	}
	return all
}

// shuffled gives the pattern grid of a size with digits, rows in bands and columns in stacks in random order.
func (g grids) shuffled(r *seedrand.Rand) []uint8 {
	order := func(n, in int) (out []int) {
		for i := range n {
			out = append(out, i)
		}
		for i := 0; i < n; i += in {
			part := out[i : i+in]
			r.Shuffle(in, func(i, j int) { part[i], part[j] = part[j], part[i] })
		}
		return out
	}
	rows, columns, digits := order(g.size, g.boxRows), order(g.size, g.boxColumns), order(g.size, g.size)
	cells := make([]uint8, g.size*g.size)
	for i, row := range rows {
		for j, column := range columns {
			cells[i*g.size+j] = uint8(digits[(row%g.boxRows*g.boxColumns+row/g.boxRows+column)%g.size] + 1)
		}
	}
	return cells
}

// The same code solves grids of other sizes: on boards with any number of solutions it removes nothing that is so in
// one of them, each step is proved by its reasons and not without any, and looking everywhere finds the same steps.
func TestOtherSizesAgreeWithTryingEverything(t *testing.T) {
	for _, c := range []struct {
		grids
		boards, least, most int // digits that are left
	}{
		{grids{4, 2, 2}, size(1500, 40_000), 4, 9},
		{grids{6, 2, 3}, size(800, 20_000), 9, 18},
		{grids{6, 3, 2}, size(300, 5000), 9, 18},
	} {
		t.Run(fmt.Sprintf("%dx%d", c.boxRows, c.boxColumns), func(t *testing.T) {
			s := newShape(c.boxRows, c.boxColumns)
			b, again := newBoard(s), newBoard(s)
			again.engine.Rescan = true
			r, unique, finished, used := seedrand.New(9), 0, 0, map[string]int{}
			for range c.boards {
				cells := c.shuffled(r)
				for _, cell := range permutation(r, len(cells))[:len(cells)-r.Between(c.least, c.most)] {
					cells[cell] = 0
				}
				all := c.solutions(slices.Clone(cells), 500)
				got := checkBoard(t, b, again, cells, all, used)
				if len(all) == 1 {
					unique++
				}
				if got.Outcome == raters.Rated {
					finished++
				}
				if got.Outcome == raters.Rated && len(all) != 1 {
					t.Fatalf("%v: rated, with %d solutions", cells, len(all))
				}
			}
			t.Logf("%d boards, %d unique, %d finished, %v", c.boards, unique, finished, used)
			if unique < c.boards/10 || unique == c.boards || finished < unique*9/10 {
				t.Errorf("%d boards with one solution, %d finished", unique, finished)
			}
		})
	}
}

func permutation(r *seedrand.Rand, n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// checkBoard rates a board and checks all that is said against these solutions of it.
func checkBoard(t *testing.T, b, again *solving, cells []uint8, solutions [][]uint8, used map[string]int) raters.Rating {
	t.Helper()
	got, err := b.engine.Rate(t.Context(), canonicalRater.Order, b.position(cells), rateBudget)
	if err != nil {
		t.Fatal(err)
	}
	everywhere, err := again.engine.Rate(t.Context(), canonicalRater.Order, again.position(cells), rateBudget)
	if err != nil {
		t.Fatal(err)
	}
	steps, others := got.Steps(), everywhere.Steps()
	if len(steps) != len(others) {
		t.Fatalf("%v: %d steps, looking everywhere %d", cells, len(steps), len(others))
	}
	for n, s := range steps {
		used[s.Technique]++
		if s.Text(got.Naming) != others[n].Text(got.Naming) {
			t.Fatalf("%v: %s, looking everywhere %s", cells, s.Text(got.Naming), others[n].Text(got.Naming))
		}
		for _, full := range solutions {
			grid := [maxCells]uint8{}
			copy(grid[:], full)
			checkConclusion(t, got.Naming, s, &grid)
		}
		checkProof(t, b.engine, got, n+1, s)
	}
	return got
}

func checkConclusion(t *testing.T, naming logic.Naming, s logic.Step, solution *[maxCells]uint8) {
	t.Helper()
	for _, l := range s.Removed {
		if int(solution[l.Variable()])-1 == l.Value() {
			t.Fatalf("%s: %s is so", s.Text(naming), naming.Text(l))
		}
	}
	for _, l := range s.Placed {
		if int(solution[l.Variable()])-1 != l.Value() {
			t.Fatalf("%s: %s is not so", s.Text(naming), naming.Text(l))
		}
	}
}

func checkProof(t *testing.T, e *deduce.Engine, of raters.Rating, n int, s logic.Step) {
	t.Helper()
	if !e.Prove(of.Solve, n, s.Because) {
		t.Fatalf("%s: not proved", s.Text(of.Naming))
	}
	for i, l := range s.Because {
		if e.Prove(of.Solve, n, slices.Delete(slices.Clone(s.Because), i, i+1)) {
			t.Fatalf("%s: proved without %s", s.Text(of.Naming), of.Naming.Text(l))
		}
	}
}

// The largest grids use all bits of a mask and all words of a set. Too large to try everything, they are checked
// against the grid from which the digits were taken, which is one of the solutions.
func TestGridsOfSixteenAgreeWithTheGridTheyComeFrom(t *testing.T) {
	g := grids{16, 4, 4}
	s := newShape(4, 4)
	b, again := newBoard(s), newBoard(s)
	again.engine.Rescan = true
	r, used, finished := seedrand.New(16), map[string]int{}, 0
	for range size(30, 500) {
		full := g.shuffled(r)
		for c := range full {
			for d := range full {
				if g.clash(c, d) && full[c] == full[d] {
					t.Fatalf("no grid: %v", full)
				}
			}
		}
		cells := slices.Clone(full)
		for _, cell := range permutation(r, 256)[:r.Between(100, 140)] {
			cells[cell] = 0
		}
		if got := checkBoard(t, b, again, cells, [][]uint8{full}, used); got.Outcome == raters.Rated {
			finished++
		}
	}
	t.Log(finished, used)
	for _, name := range []string{"hidden-single", "pointing", "claiming", "hidden-pair", "xy-chain"} {
		if used[name] == 0 {
			t.Errorf("%s was not used", name)
		}
	}
	if finished == 0 {
		t.Error("no grid was finished")
	}
}

func TestShapesAreWhatTheRulesSay(t *testing.T) {
	for _, g := range []grids{{4, 2, 2}, {6, 2, 3}, {6, 3, 2}, {9, 3, 3}, {16, 4, 4}} {
		s := newShape(g.boxRows, g.boxColumns)
		for a := range s.cells() {
			for b := range s.cells() {
				if s.sees(a, b) != g.clash(a, b) || s.shareHouse(a, b) != g.clash(a, b) {
					t.Fatalf("%+v: cells %d and %d", g, a, b)
				}
			}
		}
		for h := range s.houses {
			for i, c := range s.houses[h].cells {
				if !s.inHouse(int(c), h) || !slices.Contains(s.of[c], member{uint8(h), uint8(i)}) || !s.cellsIn[h].has(int(c)) {
					t.Fatalf("%+v: cell %d, place %d of %s", g, c, i, s.houseName(h))
				}
			}
		}
	}
	if got := newShape(4, 4).naming.Text(logic.Lit(255, 15)); got != "r16c16=G" {
		t.Errorf("the last digit of the last cell is %s", got)
	}
}

// Positions that no puzzle leads to, of digits that clash, end somehow, and in no panic.
func TestAnyPositionEnds(t *testing.T) {
	b := newBoard(classicShape)
	broken := 0
	for seed := range uint64(size(2000, 50_000)) {
		r := seedrand.New(seed)
		cells := make([]uint8, 81)
		for range r.Between(0, 60) {
			cells[r.IntN(81)] = uint8(r.Between(1, 9))
		}
		_, err := b.engine.Rate(t.Context(), canonicalRater.Order, b.position(cells), rateBudget)
		var e *deduce.BrokenError
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("%v: %v", cells, err)
		}
		if err != nil {
			broken++
		}
	}
	if broken == 0 {
		t.Error("no position was broken")
	}
	if _, err := b.engine.Rate(t.Context(), canonicalRater.Order, b.position(make([]uint8, 81)), rateBudget); err != nil {
		t.Error(err)
	}
}

func TestSetsOfABoard(t *testing.T) {
	r := seedrand.New(3)
	for range 200 {
		var s boardSet
		var want []int
		for c := range maxCells {
			if r.IntN(5) == 0 {
				s.add(c)
				want = append(want, c)
			}
		}
		if got := slices.Collect(s.all); !slices.Equal(got, want) || len(want) > 0 && s.first() != want[0] || s.empty() != (len(want) == 0) {
			t.Fatalf("%v is %v", want, got)
		}
		for c := range maxCells {
			if s.has(c) != slices.Contains(want, c) {
				t.Fatalf("%v: %d", want, c)
			}
		}
	}
	for c := range maxCells {
		if s := setOf(c); s.first() != c || !s.has(c) || !s.less(setOf(c)).empty() {
			t.Fatalf("the set of %d is %v", c, s)
		}
	}
}
