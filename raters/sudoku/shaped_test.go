package sudoku

import (
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

// allFillings returns up to limit solutions of givens by trying everything, in random order. It knows the houses, the cages and
// their sums, and nothing that follows from them.
func allFillings(r *seedrand.Rand, s *shape, cells []uint8, limit int) (all [][]uint8) {
	at, digits := -1, []uint8(nil)
	for c, v := range cells {
		if v != 0 {
			continue
		}
		if d := free(s, cells, c); at < 0 || len(d) < len(digits) {
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
			all = append(all, allFillings(r, s, cells, limit-len(all))...)
			cells[at] = 0
		}
	}
	return all
}

// free returns the digits that a cell may hold beside those of its houses and cages.
func free(s *shape, cells []uint8, cell int) (digits []uint8) {
	for d := uint8(1); int(d) <= s.size; d++ {
		fits := true
		for h := range s.houses {
			x := &s.houses[h]
			if !slices.Contains(x.cells, uint8(cell)) {
				continue
			}
			sum, empty := int(d), 0
			for _, c := range x.cells {
				fits = fits && (int(c) == cell || cells[c] != d)
				sum += int(cells[c])
				if cells[c] == 0 && int(c) != cell {
					empty++
				}
			}
			fits = fits && (x.sum == 0 || sum <= x.sum && (empty > 0 || sum == x.sum))
		}
		if fits {
			digits = append(digits, d)
		}
	}
	return digits
}

// randomCages lays cages of one to most cells, which hang together, on a part of a solution; some have no sum.
func randomCages(r *seedrand.Rand, size, most int, solution []uint8) (cages []house) {
	taken := make([]bool, size*size)
	for c := range taken {
		if taken[c] || r.IntN(8) == 0 {
			continue
		}
		cage := house{kind: cageKind, cells: []uint8{uint8(c)}}
		digits := map[uint8]bool{solution[c]: true}
		taken[c] = true
		for n := r.Between(1, most); len(cage.cells) < n; {
			var next []int
			for o := range taken {
				if !taken[o] && !digits[solution[o]] && beside(o, size, func(c int) bool { return slices.Contains(cage.cells, uint8(c)) }) {
					next = append(next, o)
				}
			}
			if len(next) == 0 {
				break
			}
			o := next[r.IntN(len(next))]
			taken[o], digits[solution[o]] = true, true
			cage.cells = append(cage.cells, uint8(o))
		}
		slices.Sort(cage.cells)
		for d := range digits {
			cage.sum += int(d)
		}
		if r.IntN(10) == 0 {
			cage.sum = 0
		}
		cages = append(cages, cage)
	}
	return cages
}

// tiersOn is a board of sudoku.tiers, and one that looks everywhere after each step.
type tiersOn struct {
	looking, rescanning board
	engine, everywhere  *deduce.Engine
	order               *deduce.Order
	seen                map[string]int
}

func newTiersOn(s *shape, techniques ...string) *tiersOn {
	b := &tiersOn{seen: map[string]int{}}
	b.engine, b.everywhere = deduce.New(s.tiered(), &b.looking), deduce.New(s.tiered(), &b.rescanning)
	b.everywhere.Rescan, b.rescanning.tallies.everything = true, true
	p := raters.Profile{Rater: TiersName, Version: TiersVersion}
	for _, t := range tierTechniques {
		if len(techniques) == 0 || slices.Contains(techniques, t.name) {
			p.Techniques = append(p.Techniques, logic.Technique{Name: t.name, Level: levels[t.tier], Tier: t.tier})
		}
	}
	b.order = deduce.NewOrder(s.tiersTechniques(), p, p)
	return b
}

// sound are the techniques that hold whatever the number of solutions.
func sound() (names []string) {
	for _, t := range tierTechniques {
		if t.name != rectangleName {
			names = append(names, t.name)
		}
	}
	return names
}

func startOf(b *board, s *shape, cells []uint8) deduce.Start {
	start := deduce.Start{Candidates: slices.Repeat([]uint16{s.all()}, s.cells())}
	b.start(s, cells, &start)
	return start
}

// check rates a puzzle: each step agrees with all these solutions and is proved by its reasons alone, and looking
// everywhere finds the same ones.
func (b *tiersOn) check(t *testing.T, s *shape, cells []uint8, solutions [][]uint8) raters.Rating {
	t.Helper()
	b.engine.Use(s.tiered())
	b.everywhere.Use(s.tiered())
	got, err := b.engine.Rate(t.Context(), b.order, startOf(&b.looking, s, cells), rateBudget)
	if err != nil {
		t.Fatalf("%v: %v", cells, err)
	}
	again, err := b.everywhere.Rate(t.Context(), b.order, startOf(&b.rescanning, s, cells), rateBudget)
	if err != nil {
		t.Fatalf("%v: %v", cells, err)
	}
	steps, others := got.Steps(), again.Steps()
	for n, step := range steps {
		b.seen[step.Technique]++
		if n >= len(others) || step.Text(got.Naming) != others[n].Text(got.Naming) {
			t.Fatalf("%v: %s, and looking everywhere something else", cells, step.Text(got.Naming))
		}
		for _, full := range solutions {
			grid := [maxCells]uint8{}
			copy(grid[:], full)
			checkConclusion(t, got.Naming, step, &grid)
		}
		if !b.engine.Prove(got.Solve, n+1, step.Because) {
			t.Fatalf("%v %+v: %s: not proved by %v, cages %+v", cells, step, step.Text(got.Naming), names(got.Naming, step.Because), s.cages())
		}
	}
	if len(steps) != len(others) {
		t.Fatalf("%v: %d steps, looking everywhere %d", cells, len(steps), len(others))
	}
	return got
}

func names(n logic.Naming, all []logic.Literal) (out []string) {
	for _, l := range all {
		out = append(out, n.Text(l))
	}
	return out
}

// On small boards of every sort, with any number of solutions, the techniques remove nothing that is so in one of them.
func TestTiersAgreeWithTryingEverything(t *testing.T) {
	for _, c := range []struct {
		name        string
		base        *shape
		caged       bool
		boards      int
		least, most int // givens
	}{
		{"mini4", newShape(2, 2), false, size(400, 20_000), 2, 8},
		{"mini6", newShape(2, 3), false, size(200, 10_000), 6, 16},
		{"diagonal 4×4", newShape(2, 2, diagonals(4)...), false, size(200, 10_000), 0, 6},
		{"diagonal 6×6", newShape(2, 3, diagonals(6)...), false, size(100, 5000), 5, 12},
		{"jigsaw 5×5", newShapeOf([]uint8{0, 0, 0, 1, 1, 0, 2, 0, 1, 1, 2, 2, 2, 1, 3, 4, 4, 2, 3, 3, 4, 4, 4, 3, 3}), false, size(300, 10_000), 3, 10},
		{"killer 4×4", newShape(2, 2), true, size(600, 30_000), 0, 5},
		{"killer 6×6", newShape(2, 3), true, size(400, 20_000), 0, 6},
		{"killer 9×9", newShape(3, 3), true, size(40, 2000), 15, 40},
		{"diagonal killer 6×6", newShape(2, 3, diagonals(6)...), true, size(100, 5000), 0, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, r, unique := newTiersOn(c.base, sound()...), seedrand.New(18), 0
			for range c.boards {
				full := allFillings(r, c.base, make([]uint8, c.base.cells()), 1)[0]
				s, cells := c.base, make([]uint8, len(full))
				for _, cell := range permutation(r, len(cells))[:r.Between(c.least, c.most)] {
					cells[cell] = full[cell]
				}
				if c.caged {
					s = s.withCages(randomCages(r, s.size, r.Between(2, min(5, s.size)), full))
				}
				all := allFillings(r, s, slices.Clone(cells), 300)
				got := b.check(t, s, cells, all)
				if len(all) == 1 {
					unique++
				}
				if got.Outcome == raters.Rated && len(all) != 1 {
					t.Fatalf("%v: rated, with %d solutions", cells, len(all))
				}
			}
			t.Logf("%d of %d boards unique, %v", unique, c.boards, b.seen)
			if unique == 0 || unique == c.boards {
				t.Error("no boards with one solution, or no others")
			}
			if c.caged && c.base.size < 9 && (b.seen["cage-combinations"] == 0 || b.seen["rule-of-45"] == 0) {
				t.Error("a technique of cages was not used")
			}
		})
	}
}

// Over generated puzzles of each variant every step agrees with the proven solution and is proved by its reasons alone,
// looking everywhere finds the same ones, and the level is the one that the generator says.
func TestTheStepsOfGeneratedPuzzles(t *testing.T) {
	for _, v := range shaped() {
		t.Run(v.name, func(t *testing.T) {
			var techniques []string
			for _, q := range v.tiersProfile().Techniques {
				techniques = append(techniques, q.Name)
			}
			b, rater := newTiersOn(v.base(), techniques...), newShapedTiers(v)
			for seed, n := uint64(0), 0; n < size(60, 2000); seed++ {
				m := v.candidate(seed, 1+n%v.tiers)
				if m.puzzle == nil {
					continue
				}
				n++
				q := m.puzzle
				got := b.check(t, q.shape, q.givens, [][]uint8{m.solution})
				rated, err := rater.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: v.name, Text: q.text()})
				if err != nil || rated.Level != m.level || got.Level != m.level || rated.Clues != q.clues() {
					t.Fatalf("%s: %s, and the board %s, made as %s, error %v", q.text(), rated.Level, got.Level, m.level, err)
				}
			}
			t.Log(b.seen)
		})
	}
}

// The same of sudoku.canonical, with nothing but singles before each technique in turn.
func TestCanonicalStepsOfGeneratedPuzzles(t *testing.T) {
	for _, v := range shaped() {
		if v.canonical == 0 {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			r, used, rater := seedrand.New(4), map[string]int{}, newShapedCanonical(v)
			for seed := range uint64(size(40, 2000)) {
				m := v.candidate(seed, v.tiers)
				b, again := newBoard(m.puzzle.shape), newBoard(m.puzzle.shape)
				again.engine.Rescan = true
				checkBoard(t, b, again, m.puzzle.givens, [][]uint8{m.solution}, used)
				technique := canonicalProfile.Techniques[r.IntN(len(canonicalProfile.Techniques))].Name
				got, err := b.engine.Rate(t.Context(), orderOf(t, preferring(technique)), b.position(m.puzzle.givens), rateBudget)
				if err != nil {
					t.Fatal(err)
				}
				checkStepsOf(t, b.engine, technique, got, m.solution, used)
				if rated, err := rater.Rate(t.Context(), m.puzzle.puzzle()); err != nil || rated.Outcome == raters.Rated && rated.Level == "" {
					t.Fatalf("%s: %+v, error %v", m.puzzle.text(), rated, err)
				}
			}
			t.Log(used)
		})
	}
}
