package sudoku

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

var diagonalShape = newShape(3, 3, diagonals(9)...)

// plain tries everything, by the words of the rules: the digits of a house differ, and those of a cage make its sum. It
// shares nothing with the solver.
type plain struct {
	size   int
	houses []house
	loose  bool // cells of a cage may hold the same digit
	of     [maxCells][]int
}

func newPlain(s *shape) *plain {
	p := &plain{size: s.size, houses: s.houses}
	for h, x := range s.houses {
		for _, c := range x.cells {
			p.of[c] = append(p.of[c], h)
		}
	}
	return p
}

// allowed tells whether a cell may hold a digit beside what the others hold.
func (p *plain) allowed(cells []uint8, cell int, v uint8) bool {
	for _, h := range p.of[cell] {
		x := &p.houses[h]
		sum, empty := int(v), 0
		for _, c := range x.cells {
			switch {
			case int(c) == cell:
			case cells[c] == 0:
				empty++
			case cells[c] == v && (x.kind != cageKind || !p.loose):
				return false
			}
			if int(c) != cell {
				sum += int(cells[c])
			}
		}
		if x.sum > 0 && (sum+empty > x.sum || empty == 0 && sum != x.sum) {
			return false
		}
	}
	return true
}

// consistent tells whether each digit on the board is allowed beside the others.
func (p *plain) consistent(cells []uint8) bool {
	for c, v := range cells {
		if v != 0 && !p.allowed(cells, c, v) {
			return false
		}
	}
	return true
}

// solutions gives up to limit fillings of cells that are consistent.
func (p *plain) solutions(cells []uint8, limit int) (all [][]uint8) {
	at, digits := -1, []uint8(nil)
	for c, v := range cells {
		if v != 0 {
			continue
		}
		var may []uint8
		for d := uint8(1); int(d) <= p.size; d++ {
			if p.allowed(cells, c, d) {
				may = append(may, d)
			}
		}
		if at < 0 || len(may) < len(digits) {
			at, digits = c, may
		}
	}
	if at < 0 {
		return [][]uint8{slices.Clone(cells)}
	}
	for _, d := range digits {
		cells[at] = d
		all = append(all, p.solutions(cells, limit-len(all))...)
		cells[at] = 0
		if len(all) >= limit {
			break
		}
	}
	return all
}

// checkVerdict compares the solver with the plain search, and gives the verdict.
func checkVerdict(t *testing.T, s *shape, givens []uint8) raters.Verdict {
	t.Helper()
	p := newPlain(s)
	var want [][]uint8
	if p.consistent(givens) {
		want = p.solutions(slices.Clone(givens), 2)
	}
	got, err := s.solve(t.Context(), givens, shapeBudget)
	if err != nil {
		t.Fatal(err)
	}
	if verdict := verdicts[len(want)]; got.Verdict != verdict || len(got.Solutions) != len(want) {
		t.Fatalf("%s: %s with %d solutions, want %s\n%v", cellText(givens), got.Verdict, len(got.Solutions), verdict, s.houses[s.full:])
	}
	for i, text := range got.Solutions {
		full := valuesOf(text)
		if !p.consistent(full) || slices.Contains(full, 0) || i > 0 && text == got.Solutions[0] {
			t.Fatalf("%s: no solution, or one twice: %s", cellText(givens), text)
		}
		for c, v := range givens {
			if v != 0 && full[c] != v {
				t.Fatalf("%s: a solution without given %d: %s", cellText(givens), c, text)
			}
		}
	}
	if got.Reason != "" && got.Verdict != raters.None {
		t.Fatalf("%s is %s, with a reason for none: %s", cellText(givens), got.Verdict, got.Reason)
	}
	return got.Verdict
}

// valuesOf reads a full grid.
func valuesOf(text string) (cells []uint8) {
	for _, ch := range text {
		cells = append(cells, uint8(strings.IndexRune(symbols, ch)))
	}
	return cells
}

// scatter draws givens that do not clash.
func scatter(r *seedrand.Rand, p *plain, givens int) []uint8 {
	cells := make([]uint8, p.size*p.size)
	for tries := 0; givens > 0 && tries < 1000; tries++ {
		c, v := r.IntN(len(cells)), uint8(1+r.IntN(p.size))
		if cells[c] == 0 && p.allowed(cells, c, v) {
			cells[c] = v
			givens--
		}
	}
	return cells
}

// emptied takes so many cells of a full grid, and perhaps changes one of the others.
func emptied(r *seedrand.Rand, grid []uint8, open, size int) []uint8 {
	cells := slices.Clone(grid)
	order := permutation(r, len(cells))
	for _, c := range order[:open] {
		cells[c] = 0
	}
	if r.IntN(4) == 0 {
		cells[order[open]] = uint8(1 + r.IntN(size))
	}
	return cells
}

// filledAtRandom fills a grid of a shape at random; nil for an outline that has none.
func filledAtRandom(s *shape, r *seedrand.Rand) []uint8 {
	var q proof
	var to [maxCells]uint8
	if !q.deal(s.ground(), r, &to) {
		return nil
	}
	return to[:s.cells()]
}

// wantEach checks that each verdict came up.
func wantEach(t *testing.T, seen map[raters.Verdict]int, least int) {
	t.Helper()
	t.Log(seen)
	for _, v := range verdicts {
		if seen[v] < least {
			t.Errorf("verdict %s %d times: too few", v, seen[v])
		}
	}
}

func TestVerdictsOnSmallGridsAreThoseOfTryingEverything(t *testing.T) {
	for _, c := range []struct {
		name         string
		s            *shape
		n, low, high int // grids; givens
	}{{"4x4", newShape(2, 2), size(3000, 100_000), 3, 8}, {"6x6", newShape(2, 3), size(2000, 50_000), 7, 16}} {
		t.Run(c.name, func(t *testing.T) {
			r, seen := seedrand.New(4), map[raters.Verdict]int{}
			for i := range c.n {
				givens := scatter(r, newPlain(c.s), r.Between(c.low, c.high))
				if i%2 == 0 {
					givens = emptied(r, filledAtRandom(c.s, r), c.s.cells()-r.Between(c.low, c.high), c.s.size)
				}
				seen[checkVerdict(t, c.s, givens)]++
			}
			wantEach(t, seen, c.n/20)
		})
	}
}

func TestVerdictsOnDiagonalsAndJigsawsAreThoseOfTryingEverything(t *testing.T) {
	for name, draw := range map[string]func(r *seedrand.Rand) *shape{
		"diagonal": func(*seedrand.Rand) *shape { return diagonalShape },
		"jigsaw": func(r *seedrand.Rand) *shape {
			o := randomOutline(r)
			return o.shape()
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := size(600, 20_000)
			r, seen := seedrand.New(9), map[raters.Verdict]int{}
			for range n {
				s := draw(r)
				grid := filledAtRandom(s, r)
				if grid == nil {
					continue
				}
				seen[checkVerdict(t, s, emptied(r, grid, r.Between(25, 54), 9))]++
			}
			wantEach(t, seen, n/20)
		})
	}
}

// looseCages draws cages of one to six cells, with no digit twice, over most of a grid.
func looseCages(r *seedrand.Rand, grid []uint8) (all []house) {
	left := classicShape.allCells
	for _, first := range permutation(r, 81) {
		if !left.has(first) || r.IntN(8) == 0 {
			continue
		}
		set, used := oneCell[first], uint16(1)<<grid[first]
		for range r.IntN(6) {
			near := touching(set).and(left).less(set)
			for c := range near.all {
				if used>>grid[c]&1 != 0 {
					near = near.less(oneCell[c])
				}
			}
			if near.empty() {
				break
			}
			c := drawn(r, near)
			set.add(c)
			used |= 1 << grid[c]
		}
		left = left.less(set)
		x := house{kind: cageKind}
		for c := range set.all {
			x.cells = append(x.cells, uint8(c))
			x.sum += int(grid[c])
		}
		all = append(all, x)
	}
	return all
}

func TestVerdictsOnKillersAreThoseOfTryingEverything(t *testing.T) {
	n := size(2000, 50_000)
	r, seen := seedrand.New(45), map[raters.Verdict]int{}
	for range n {
		grid := filledAtRandom(classicShape, r)
		cages := looseCages(r, grid)
		if r.IntN(4) == 0 { // one more and one less
			cages[r.IntN(len(cages))].sum++
			if x := &cages[r.IntN(len(cages))]; x.sum > 1 {
				x.sum--
			}
		}
		seen[checkVerdict(t, classicShape.withCages(cages), emptied(r, grid, r.Between(30, 60), 9))]++
	}
	wantEach(t, seen, n/20)
}

// Two digits of a cage differ across boxes, too. This cage is a bend around a corner of four boxes: r3c3, r3c4, r4c4. Read
// more loosely, as a sum and nothing else, the killer has more than one solution.
func TestCellsOfACageDifferAcrossBoxes(t *testing.T) {
	cells := "93..4...8....784.3.4...159.1.3.9....6824.3.7..958..6....91.....3.4789....18..4.5."
	cages := []byte(strings.Repeat(".", 81))
	for _, c := range []int{20, 21, 30} {
		cages[c] = 'a'
	}
	q, err := parsePuzzle(raters.Puzzle{Genre: Name, Variant: "killer", Text: cells + " " + string(cages) + " 15"})
	if err != nil {
		t.Fatal(err)
	}
	if got := checkVerdict(t, q.shape, q.givens); got != raters.Unique {
		t.Errorf("%s, want unique", got)
	}
	loose := newPlain(q.shape)
	loose.loose = true
	for _, full := range loose.solutions(slices.Clone(q.givens), 2) {
		if sum := full[20] + full[21] + full[30]; sum != 15 {
			t.Errorf("%s holds %d in the cage", cellText(full), sum)
		} else if full[20] == full[30] {
			return
		}
	}
	t.Error("the looser reading has no other solution")
}

// The solver of all shapes gives the verdicts and the solutions that the one of 9×9 gives.
func TestBothSolversAgreeOnClassic(t *testing.T) {
	shelves, hard := readBench(t)
	all := slices.Concat(shelves, hard)
	for _, text := range getLost {
		cells, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cells)
	}
	for i := range all {
		want := solve(t, &all[i])
		got, err := classicShape.solve(t.Context(), all[i][:], shapeBudget)
		if err != nil || got.Verdict != want.Verdict || want.Verdict == raters.Unique && got.Solutions[0] != want.Solutions[0] {
			t.Fatalf("%s: %s, error %v, want %s", text(&all[i]), got.Verdict, err, want.Verdict)
		}
	}
}

func TestNamesWhatClashes(t *testing.T) {
	cage := func(sum int, cells ...uint8) house { return house{kind: cageKind, cells: cells, sum: sum} }
	killer := classicShape.withCages([]house{cage(8, 0, 1, 2), cage(7, 11, 21), cage(3, 20, 22)})
	for _, c := range []struct {
		s      *shape
		at     map[int]uint8
		reason string
	}{
		{newShape(4, 4), map[int]uint8{0: 16, 15: 16}, "G twice in row 1: r1c1 and r1c16"},
		{diagonalShape, map[int]uint8{0: 4, 40: 4}, "4 twice in diagonal 1: r1c1 and r5c5"},
		{diagonalShape, map[int]uint8{8: 4, 72: 4}, "4 twice in diagonal 2: r1c9 and r9c1"},
		{killer, map[int]uint8{11: 2, 21: 2}, "2 twice in cage 2: r2c3 and r3c4"},
		{killer, map[int]uint8{11: 2, 21: 6}, "cage 2 of 7 holds 8: r2c3 r3c4"},
		{killer, map[int]uint8{0: 3, 1: 5}, "cage 1 of 8 holds 8: r1c1 r1c2"},
		{killer, map[int]uint8{20: 1, 40: 2}, ""}, // r3c5 would be 2
	} {
		givens := make([]uint8, c.s.cells())
		for cell, v := range c.at {
			givens[cell] = v
		}
		got, err := c.s.solve(t.Context(), givens, shapeBudget)
		if err != nil || got.Verdict != raters.None || got.Reason != c.reason {
			t.Errorf("%s with %q, error %v; want %q", got.Verdict, got.Reason, err, c.reason)
		}
		var none *raters.NoSolutionError
		if err := c.s.prove(t.Context(), givens, shapeBudget); !errors.As(err, &none) || none.Reason != c.reason {
			t.Errorf("error %v, want %q", err, c.reason)
		}
	}
}

// Where there is much room the answer comes at once.
func TestGridsWithFewGivensHaveManySolutions(t *testing.T) {
	r := seedrand.New(17)
	for _, s := range []*shape{newShape(2, 2), newShape(2, 3), newShape(4, 4), diagonalShape, classicShape} {
		for n := range 5 {
			givens := make([]uint8, s.cells())
			for i := range min(n, s.size-1) {
				givens[i] = uint8(i + 1)
			}
			var many *raters.NotUniqueError
			if err := s.prove(t.Context(), givens, 1<<12); !errors.As(err, &many) || many.Solutions[0] == many.Solutions[1] {
				t.Errorf("%d givens of size %d: error %v", n, s.size, err)
			}
		}
	}
	for range size(300, 10_000) {
		givens := scatter(r, newPlain(classicShape), r.IntN(17))
		got, err := classicShape.solve(t.Context(), givens, 1<<14)
		if err != nil || got.Verdict == raters.Unique {
			t.Errorf("%s: %s, error %v", cellText(givens), got.Verdict, err)
		}
	}
}

// A search that its budget or its context ends has no verdict.
func TestSearchOfAShapeEndsWithItsBudgetAndItsContext(t *testing.T) {
	_, hard := readBench(t)
	got, err := classicShape.solve(t.Context(), hard[0][:], 500)
	if !errors.Is(err, raters.ErrBudget) || got.Verdict != "" || got.Solutions != nil {
		t.Errorf("%s, error %v", got.Verdict, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := classicShape.solve(ctx, hard[0][:], shapeBudget); !errors.Is(err, context.Canceled) || got.Verdict != "" {
		t.Errorf("%s, error %v", got.Verdict, err)
	}
	whileSearching := &countdown{Context: t.Context(), left: 2}
	if _, err := classicShape.solve(whileSearching, hard[0][:], shapeBudget); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while searching: error %v", err)
	}
}

// countdown is cancelled after so many looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
