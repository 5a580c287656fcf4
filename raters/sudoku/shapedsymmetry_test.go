package sudoku

import (
	"slices"
	"testing"

	"assay/raters/seedrand"
)

// moves are ways to carry the cells of a grid elsewhere: to a row and a column. Not each is a symmetry of each grid.
func moves(n int) (all [][]int) {
	move := func(to func(r, c int) (int, int)) {
		p := make([]int, n*n)
		for i := range p {
			r, c := to(i/n, i%n)
			p[i] = r*n + c
		}
		all = append(all, p)
	}
	swap := func(x, a, b int) int {
		switch x {
		case a:
			return b
		case b:
			return a
		}
		return x
	}
	move(func(r, c int) (int, int) { return c, r })
	move(func(r, c int) (int, int) { return n - 1 - r, c })
	move(func(r, c int) (int, int) { return r, n - 1 - c })
	for a := range n {
		for b := range a {
			move(func(r, c int) (int, int) { return swap(r, a, b), c })
			move(func(r, c int) (int, int) { return r, swap(c, a, b) })
		}
	}
	for rows := 2; rows < n; rows++ {
		for a := rows; a+rows <= n; a += rows {
			exchange := func(x int) int {
				switch {
				case x < rows:
					return x + a
				case x >= a && x < a+rows:
					return x - a
				}
				return x
			}
			move(func(r, c int) (int, int) { return exchange(r), c })
			move(func(r, c int) (int, int) { return r, exchange(c) })
		}
	}
	return all
}

// symmetries are the moves that make a house of each house. Irregular boxes and cages go along with the cells; there
// neighbours must stay neighbours.
func symmetries(v *variant) (all [][]int) {
	for _, p := range moves(v.size()) {
		if v.brings == ownCages || v.brings == ownBoxes {
			far := slices.ContainsFunc(borders, func(b [2]int) bool { return !besides[p[b[0]]].has(p[b[1]]) })
			if far {
				continue
			}
		}
		if !slices.ContainsFunc(v.base().houses, func(x house) bool {
			return (x.kind != boxKind || v.brings != ownBoxes) && !slices.Contains(v.base().cellsIn, imageOf(x.cells, p))
		}) {
			all = append(all, p)
		}
	}
	return all
}

func imageOf(cells []uint8, p []int) (set boardSet) {
	for _, c := range cells {
		set.add(p[c])
	}
	return set
}

// carried gives a puzzle with its cells elsewhere and its digits renamed; digits of cages are exchanged for 10 − d, if at all.
func carried(q *parsed, p []int, names []uint8, mirrored bool) *parsed {
	n := len(q.givens)
	to := &parsed{of: q.of, shape: q.of.base(), givens: make([]uint8, n)}
	for c, v := range q.givens {
		if v != 0 {
			to.givens[p[c]] = names[v-1]
		}
	}
	switch q.of.brings {
	case ownBoxes:
		var o outline
		for c := range o {
			o[p[c]] = q.boxOf[c] - q.boxes[0]
		}
		o = o.inOrder()
		to.shape = newShapeOf(o[:])
	case ownCages:
		var cages []house
		for _, x := range q.cages() {
			y := house{kind: cageKind, sum: x.sum}
			for c := range imageOf(x.cells, p).all {
				y.cells = append(y.cells, uint8(c))
			}
			if mirrored {
				y.sum = 10*len(x.cells) - x.sum
			}
			cages = append(cages, y)
		}
		slices.SortFunc(cages, func(x, y house) int { return int(x.cells[0]) - int(y.cells[0]) })
		to.shape = q.of.base().withCages(cages)
	}
	return to
}

// A puzzle and its image under the symmetries of its grid are of one tier, and so it is with digits renamed; in killer with
// 10 − d for each digit d.
func TestTierIsThatOfEveryImage(t *testing.T) {
	for _, v := range shaped() {
		t.Run(v.name, func(t *testing.T) {
			r, rater, all := seedrand.New(31), newShapedTiers(v), symmetries(v)
			seen := map[int]int{}
			for seed := range uint64(size(30, 1000)) {
				m := v.candidate(seed, 1+int(seed)%v.tiers)
				if m.puzzle == nil {
					continue
				}
				want, err := rater.rate(t.Context(), m.puzzle)
				if err != nil {
					t.Fatal(err)
				}
				q, mirrored := m.puzzle, false
				for range 5 {
					mirrored = r.IntN(2) == 0
					q = carried(q, all[r.IntN(len(all))], renaming(r, v.size()), mirrored)
					got, err := rater.rate(t.Context(), q)
					if err != nil || got.Tier != want.Tier || got.Outcome != want.Outcome {
						t.Fatalf("%s is of tier %d, its image %s of %d, error %v", m.puzzle.text(), want.Tier, q.text(), got.Tier, err)
					}
				}
				seen[want.Tier]++
			}
			t.Logf("%d moves, puzzles by tier: %v", len(all), seen)
			if len(all) < 2 {
				t.Error("no symmetries")
			}
		})
	}
}

// renaming gives the new name of each digit.
func renaming(r *seedrand.Rand, size int) (names []uint8) {
	for _, d := range permutation(r, size) {
		names = append(names, uint8(d+1))
	}
	return names
}
