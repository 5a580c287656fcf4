package sudoku

import (
	"slices"

	"assay/raters/seedrand"
)

// Cages are drawn of two cells, and one of so many of three. None gets larger than killerMost.
const (
	drawnCages = 9
	killerMost = 5
)

// drawTries bounds how many times cages are drawn over one grid. Of those on grids without givens some 2 % are easy, and a
// third medium.
const drawTries = 400

// cager covers full grids with cages, until techniques find the grid from the sums alone. Its room is kept for the next
// grid.
type cager struct {
	ground *ground
	proof  proof
	grid   [maxCells]uint8
	cages  cages
	s      sheet
}

// cover draws a grid, and cages from whose sums rules find it, as few as they can do with. It reports false where it
// drew in vain.
//
// Rules that find the grid prove that there is no other solution. So no two cells can change places, either.
func (k *cager) cover(g *ground, r *seedrand.Rand, under rules) bool {
	k.ground = g
	if !k.proof.deal(g, r, &k.grid) {
		return false
	}
	for range drawTries {
		if k.draw(r) && k.finishes(under) {
			k.merge(r, under)
			return true
		}
	}
	return false
}

// draw covers the grid with cages of different digits, and reports whether it could. Cells with few neighbours left come
// first, or they would be left over.
func (k *cager) draw(r *seedrand.Rand) bool {
	k.cages.list = k.cages.list[:0]
	for left := k.ground.allCells; !left.empty(); {
		want := 2
		if r.IntN(drawnCages) == 0 {
			want = 3
		}
		first := loneliest(r, left)
		cells := oneCell[first&255]
		for n := 1; n < want; n++ {
			near := k.apart(touching(cells).and(left).less(cells), cells)
			if near.empty() {
				break
			}
			cells.add(drawn(r, near))
		}
		left = left.less(cells)
		if cells != oneCell[first&255] {
			k.cages.list = append(k.cages.list, cage{cells, k.sum(cells)})
		} else if !k.join(r, first) {
			return false
		}
	}
	return true
}

// loneliest draws one of the cells with the fewest neighbours left.
func loneliest(r *seedrand.Rand, left boardSet) int {
	var loneliest boardSet
	fewest := 5
	for c := range left.all {
		n := besides[c].and(left).count()
		if n < fewest {
			fewest, loneliest = n, boardSet{}
		}
		if n == fewest {
			loneliest.add(c)
		}
	}
	return drawn(r, loneliest)
}

// apart gives those of some cells whose digits are none of a set's.
func (k *cager) apart(cells, set boardSet) boardSet {
	used := k.digits(set)
	for c := range cells.all {
		if used>>k.grid[c]&1 != 0 {
			cells = cells.less(oneCell[c&255])
		}
	}
	return cells
}

// digits gives those of some cells.
func (k *cager) digits(cells boardSet) (digits uint16) {
	for c := range cells.all {
		digits |= 1 << k.grid[c]
	}
	return digits
}

func (k *cager) sum(cells boardSet) (sum int) {
	for c := range cells.all {
		sum += int(k.grid[c])
	}
	return sum
}

// join puts a cell that is left over into a cage beside it, and reports whether there is one for it.
func (k *cager) join(r *seedrand.Rand, cell int) bool {
	var fit []int
	for i, x := range k.cages.list {
		if k.canMerge(x.cells, oneCell[cell&255]) && !x.cells.and(besides[cell]).empty() {
			fit = append(fit, i)
		}
	}
	if len(fit) == 0 {
		return false
	}
	x := &k.cages.list[fit[r.IntN(len(fit))]]
	x.cells.add(cell)
	x.sum += int(k.grid[cell])
	return true
}

// canMerge reports whether two sets of cells may be one cage.
func (k *cager) canMerge(a, b boardSet) bool {
	return a.or(b).count() <= killerMost && k.digits(a)&k.digits(b) == 0
}

// finishes reports whether rules find the whole grid, or at least all cells of one of the goals.
func (k *cager) finishes(under rules, goals ...boardSet) bool {
	k.begin()
	k.s.close(under, goals...)
	return k.s.solved() || met(k.s.open.less(k.s.single), goals)
}

// begin sets up the position of the cages.
func (k *cager) begin() {
	k.cages.link(k.ground)
	k.s.copyFrom(&k.ground.blank)
	k.cages.begin(&k.s)
}

// borders are the pairs of cells side by side.
var borders = func() (all [][2]int) {
	for a := range 81 {
		for b := range besides[a].all {
			if a < b {
				all = append(all, [2]int{a, b})
			}
		}
	}
	return all
}()

// merge makes one cage of two neighbours, in random order, wherever the rules still find the grid, in passes until there
// are no such two: the cells of a larger cage differ from more others, so that once in a while a merge opens another.
//
// When the rules find all cells of one of the two, the rest of the sum is the sum of the other, and they know as much as
// when the two were apart, or more. So they find the whole grid.
func (k *cager) merge(r *seedrand.Rand, under rules) {
	order := slices.Clone(borders)
	for again := true; again; {
		again = false
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var refused []boardSet
		for _, b := range order {
			i, j := k.cageOf(b[0]), k.cageOf(b[1])
			x, y := k.cages.list[i].cells, k.cages.list[j].cells
			if i == j || !k.canMerge(x, y) || slices.Contains(refused, x.or(y)) {
				continue
			}
			if k.tryMerge(min(i, j), max(i, j), under) {
				again = true
			} else {
				refused = append(refused, x.or(y))
			}
		}
	}
}

// cageOf gives the cage of a cell.
func (k *cager) cageOf(cell int) int {
	return slices.IndexFunc(k.cages.list, func(x cage) bool { return x.cells.has(cell) })
}

// tryMerge makes one cage of two, the first of which comes first, if the rules still find the grid.
func (k *cager) tryMerge(i, j int, under rules) bool {
	list := k.cages.list
	last := len(list) - 1
	x, y, moved := list[i], list[j], list[last]
	list[i], list[j] = cage{x.cells.or(y.cells), x.sum + y.sum}, moved
	k.cages.list = list[:last]
	if k.finishes(under, x.cells, y.cells) {
		return true
	}
	list[last], list[j], list[i] = moved, y, x
	k.cages.list = list
	return false
}

// earned gives the lowest tier whose rules find the grid.
func (k *cager) earned() int {
	k.begin()
	return k.s.earned()
}

// houses gives the cages in order of their first cells.
func (k *cager) houses() (all []house) {
	slices.SortFunc(k.cages.list, func(x, y cage) int { return x.cells.first() - y.cells.first() })
	for _, x := range k.cages.list {
		h := house{kind: cageKind, sum: x.sum}
		for c := range x.cells.all {
			h.cells = append(h.cells, uint8(c))
		}
		all = append(all, h)
	}
	return all
}
