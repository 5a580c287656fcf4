package sudoku

import (
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

// Killers have no givens. Their cages cover the grid, are of two to five cells that hang together, and hold no digit twice.
func TestKillersAreCagesAlone(t *testing.T) {
	v := named(t, "killer")
	for seed := range uint64(size(60, 2000)) {
		for tier := 1; tier <= v.tiers; tier++ {
			m := v.candidate(seed, tier)
			if m.puzzle == nil {
				continue
			}
			if m.puzzle.clues() != 0 {
				t.Fatalf("%s has givens", m.puzzle.text())
			}
			var covered [81]bool
			for _, x := range m.puzzle.cages() {
				checkCage(t, x, m.solution, &covered)
			}
			if slices.Contains(covered[:], false) {
				t.Fatalf("%s: a cell without a cage", m.puzzle.text())
			}
		}
	}
}

func checkCage(t *testing.T, x house, solution []uint8, covered *[81]bool) {
	t.Helper()
	sum, digits := 0, map[uint8]bool{}
	var set boardSet
	for _, c := range x.cells {
		if covered[c] {
			t.Fatalf("cell %d is in two cages", c)
		}
		covered[c] = true
		sum += int(solution[c])
		digits[solution[c]] = true
		set.add(int(c))
	}
	if n := len(x.cells); n < 2 || n > 5 || len(digits) != n || sum != x.sum || !connected(set) {
		t.Fatalf("cage %v of %d over %v", x.cells, x.sum, solution)
	}
}

// No two cages side by side can be one: then the killer has more solutions, or takes techniques above the cap.
func TestNoTwoCagesCanBeOne(t *testing.T) {
	v := named(t, "killer")
	rater, many, harder := newShapedTiers(v), 0, 0
	for seed := range uint64(size(3, 200)) {
		for tier := 1; tier <= v.tiers; tier++ {
			m := v.candidate(seed, tier)
			if m.puzzle == nil {
				continue
			}
			for _, cages := range merged(m.puzzle.cages(), m.solution) {
				q := *m.puzzle
				q.shape = v.base().withCages(cages)
				proof, err := q.shape.solve(t.Context(), q.givens, shapeBudget)
				if err != nil || proof.Verdict == raters.None {
					t.Fatalf("%s: %s, error %v", q.text(), proof.Verdict, err)
				}
				if proof.Verdict == raters.Multiple {
					many++
				} else if got, err := rater.rate(t.Context(), &q); err != nil || got.Tier <= tier {
					t.Fatalf("%s under %s: %s, error %v", q.text(), levels[tier], got.Level, err)
				} else {
					harder++
				}
			}
		}
	}
	t.Logf("%d with more solutions, %d harder", many, harder)
	if many == 0 || harder == 0 {
		t.Error("too few of a kind")
	}
}

// merged gives the cages with each two made one that may be.
func merged(cages []house, solution []uint8) (all [][]house) {
	for i, x := range cages {
		for j, y := range cages[:i] {
			both := house{kind: cageKind, cells: slices.Concat(y.cells, x.cells), sum: x.sum + y.sum}
			slices.Sort(both.cells)
			digits := map[uint8]bool{}
			var set boardSet
			for _, c := range both.cells {
				digits[solution[c]] = true
				set.add(int(c))
			}
			if len(both.cells) <= 5 && len(digits) == len(both.cells) && connected(set) {
				rest := slices.Delete(slices.Clone(cages), i, i+1)
				rest[j] = both
				all = append(all, rest)
			}
		}
	}
	return all
}

// What is found early is right: a merge is kept when the cells of one of the two are found, and then the whole grid is.
func TestCagesThatAreKeptFindTheGrid(t *testing.T) {
	var k cager
	for seed := range uint64(size(20, 1000)) {
		for tier := 1; tier <= 3; tier++ {
			if !k.cover(classicShape.ground(), seedrand.New(seed), tierRules[tier]) {
				continue
			}
			k.begin()
			var full [maxCells]uint8
			if !k.s.close(tierRules[tier]) || !k.s.solved() {
				t.Fatalf("seed %d, tier %d: the rules do not find the grid", seed, tier)
			}
			if k.s.fill(&full); full != k.grid {
				t.Fatalf("seed %d, tier %d: another grid", seed, tier)
			}
		}
	}
}
