package sudoku

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// toyVariant is a sudoku with one more house, the main diagonal, and one cage of three cells across two boxes.
type toyVariant struct {
	*shape
	peers [][]int // of a cell, by the words of the rules
}

func newToyVariant(boxRows, boxColumns int) *toyVariant {
	n := boxRows * boxColumns
	diagonal, cage := house{kind: diagonalKind}, house{kind: cageKind, sum: 6}
	for i := range n {
		diagonal.cells = append(diagonal.cells, uint8(i*(n+1)))
	}
	cage.cells = []uint8{uint8(boxColumns - 1), uint8(boxColumns), uint8(n + boxColumns)}
	y := &toyVariant{shape: newShape(boxRows, boxColumns, diagonal, cage), peers: make([][]int, n*n)}
	base := grids{n, boxRows, boxColumns}
	both := func(cells []uint8, a, b int) bool {
		return a != b && slices.Contains(cells, uint8(a)) && slices.Contains(cells, uint8(b))
	}
	for a := range n * n {
		for b := range n * n {
			if base.clash(a, b) || both(diagonal.cells, a, b) || both(cage.cells, a, b) {
				y.peers[a] = append(y.peers[a], b)
			}
		}
	}
	return y
}

// digits gives those that a cell may hold beside its peers.
func (y *toyVariant) digits(cells []uint8, cell int) (all []uint8) {
	used := [maxSize + 1]bool{}
	for _, p := range y.peers[cell] {
		used[cells[p]] = true
	}
	for d := uint8(1); int(d) <= y.size; d++ {
		if !used[d] {
			all = append(all, d)
		}
	}
	return all
}

// solutions gives up to limit fillings, trying each digit of the cell with the fewest, in random order. The cage may add
// up to anything.
func (y *toyVariant) solutions(r *seedrand.Rand, cells []uint8, limit int) (all [][]uint8) {
	at, digits := -1, []uint8(nil)
	for c, v := range cells {
		if v != 0 {
			continue
		}
		if d := y.digits(cells, c); at < 0 || len(d) < len(digits) {
			at, digits = c, d
		}
	}
	if at < 0 {
		return [][]uint8{slices.Clone(cells)}
	}
	r.Shuffle(len(digits), func(i, j int) { digits[i], digits[j] = digits[j], digits[i] })
	for _, d := range digits {
		if len(all) < limit {
			cells[at] = d
			all = append(all, y.solutions(r, cells, limit-len(all))...)
			cells[at] = 0
		}
	}
	return all
}

// minimal gives a puzzle without any clue that it does not need, and its solution.
func (y *toyVariant) minimal(r *seedrand.Rand) (cells, solution []uint8) {
	solution = y.solutions(r, make([]uint8, y.cells()), 1)[0]
	cells = slices.Clone(solution)
	for _, c := range permutation(r, len(cells)) {
		cells[c] = 0
		if len(y.solutions(r, slices.Clone(cells), 2)) > 1 {
			cells[c] = solution[c]
		}
	}
	return cells, solution
}

// On boards with any number of solutions the techniques remove nothing that is so in one of them, each step is proved by
// its reasons and not without any, and looking everywhere finds the same steps.
func TestOneMoreHouseAndACageAgreeWithTryingEverything(t *testing.T) {
	for _, c := range []struct {
		boxRows, boxColumns, boards, least, most int // digits that are left
	}{{2, 2, size(600, 20_000), 3, 9}, {2, 3, size(400, 10_000), 6, 16}} {
		t.Run(fmt.Sprintf("%dx%d", c.boxRows, c.boxColumns), func(t *testing.T) {
			y := newToyVariant(c.boxRows, c.boxColumns)
			b, again := newBoard(y.shape), newBoard(y.shape)
			again.engine.Rescan = true
			r, unique, used := seedrand.New(18), 0, map[string]int{}
			for range c.boards {
				cells := y.solutions(r, make([]uint8, y.cells()), 1)[0]
				for _, cell := range permutation(r, len(cells))[:len(cells)-r.Between(c.least, c.most)] {
					cells[cell] = 0
				}
				all := y.solutions(r, slices.Clone(cells), 500)
				got := checkBoard(t, b, again, cells, all, used)
				if len(all) == 1 {
					unique++
				} else if got.Outcome == raters.Rated {
					t.Fatalf("%v: rated, with %d solutions", cells, len(all))
				}
			}
			t.Logf("%d of %d boards unique, %v", unique, c.boards, used)
			if unique < c.boards/10 || unique == c.boards {
				t.Errorf("%d of %d boards have one solution", unique, c.boards)
			}
		})
	}
}

// Every technique, in 9×9 puzzles of which nothing but singles comes before it, agrees with the solution and is proved
// by its reasons alone. The diagonal takes part in what is hidden, locked, naked and linked.
func TestEveryTechniqueKnowsOneMoreHouseAndACage(t *testing.T) {
	y, r := newToyVariant(3, 3), seedrand.New(45)
	b, again := newBoard(y.shape), newBoard(y.shape)
	again.engine.Rescan = true
	var puzzles, solutions [][]uint8
	for range size(30, 300) {
		cells, solution := y.minimal(r)
		puzzles, solutions = append(puzzles, cells), append(solutions, solution)
	}
	seen := map[string]int{}
	for _, q := range canonicalProfile.Techniques {
		order := orderOf(t, preferring(q.Name))
		for i, cells := range puzzles {
			got, err := b.engine.Rate(t.Context(), order, b.position(cells), rateBudget)
			if err != nil {
				t.Fatal(err)
			}
			everywhere, err := again.engine.Rate(t.Context(), order, again.position(cells), rateBudget)
			if err != nil || !reflect.DeepEqual(everywhere.Steps(), got.Steps()) {
				t.Fatalf("%v: looking everywhere finds other steps, error %v", cells, err)
			}
			checkStepsOf(t, b.engine, q.Name, got, solutions[i], seen)
		}
		if seen[q.Name] == 0 && q.Name != "jellyfish" && q.Name != "hidden-quad" {
			t.Errorf("%s was not used", q.Name)
		}
	}
	t.Log(seen)
	for _, name := range []string{
		"hidden-single, diagonal 1", "pointing, diagonal 1", "claiming, diagonal 1", "naked-triple, diagonal 1", "w-wing, diagonal 1",
	} {
		if seen[name] == 0 {
			t.Errorf("no step of %s", name)
		}
	}
}

// checkStepsOf checks the steps of a technique, and counts them, those of the diagonal and the cage by themselves too.
func checkStepsOf(t *testing.T, e *deduce.Engine, technique string, got raters.Rating, full []uint8, seen map[string]int) {
	t.Helper()
	solution := [maxCells]uint8{}
	copy(solution[:], full)
	for n, s := range got.Steps() {
		if s.Technique != technique {
			continue
		}
		seen[technique]++
		for _, name := range []string{"diagonal 1", "cage 1"} {
			if strings.Contains(s.Instance, name) {
				seen[technique+", "+name]++
			}
		}
		checkConclusion(t, got.Naming, s, &solution)
		checkProof(t, e, got, n+1, s)
	}
}

// A cage excludes equal digits and nothing else: of its three cells two that hold the same two digits leave the third,
// and no digit need be in it.
func TestACageIsAHouseThatExcludesEqualDigits(t *testing.T) {
	y := newToyVariant(3, 3)
	a, between, c := 2, 3, 12 // r1c3, r1c4 and r2c4
	if !y.sees(a, c) || classicShape.sees(a, c) || !y.shareHouse(a, c) {
		t.Error("cells of a cage are no peers")
	}
	h := len(y.houses) - 1
	if got := y.houseName(h) + ", " + y.houseName(h-1); got != "cage 1, diagonal 1" || y.full != h || y.houses[h].sum != 6 {
		t.Errorf("%s, of which %d hold all digits", got, y.full)
	}
	b := newBoard(y.shape)
	start := b.position(make([]uint8, 81))
	start.Candidates[a], start.Candidates[c] = 0b11, 0b11
	got, err := b.engine.Rate(t.Context(), canonicalRater.Order, start, rateBudget)
	if err != nil {
		t.Fatal(err)
	}
	steps := got.Steps()
	want := "naked-pair, r1c3 r2c4 in cage 1: not r1c4=1, not r1c4=2"
	if said := steps[0].Text(got.Naming); len(steps) != 1 || said != want || steps[0].Removed[0].Variable() != between {
		t.Errorf("%d steps, the first %s", len(steps), said)
	}
	checkProof(t, b.engine, got, 1, steps[0])
}

func TestHousesThatAreNonePanic(t *testing.T) {
	cells := make([]uint8, 10)
	for name, others := range map[string][]house{
		"a diagonal of 8 cells":   {{kind: diagonalKind, cells: cells[:8]}},
		"a cage of 10 cells":      {{kind: cageKind, cells: cells}},
		"a diagonal after a cage": {{kind: cageKind, cells: cells[:2]}, {kind: diagonalKind, cells: cells[:9]}},
		"more than 256 houses":    slices.Repeat([]house{{kind: cageKind, cells: cells[:1]}}, 230),
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.HasPrefix(said, "sudoku: house ") {
					t.Errorf("%s: %s", name, said)
				}
			}()
			newShape(3, 3, others...)
		}()
	}
}
