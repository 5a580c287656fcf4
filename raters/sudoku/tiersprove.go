package sudoku

import (
	"math/bits"
	"slices"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// The verifiers of the techniques of sudoku.tiers that have none of sudoku.canonical (boardprove.go). They too know the
// puzzle, the facts they are given, and what a step says of its instance, and use nothing that the finders use.

// gridOf returns the shape of the puzzle, with its cages.
func gridOf(f *deduce.Facts) *shape { return f.Board().(*board).shape }

func provePeersAndCage(f *deduce.Facts, c *deduce.Claim) bool { return gridOf(f).provePeers(f, c) }

func (s *shape) proveSingleIn(f *deduce.Facts, c *deduce.Claim) bool {
	if len(c.Placed) != 1 {
		return false
	}
	own := *c
	own.Instance = c.Instance*s.size + c.Placed[0].Value()
	return s.proveHiddenSingle(f, &own)
}

// proveNakedSet: the cells of the instance hold k digits between them, and each removed literal is of one of these and of
// another cell of a house with all of them.
func proveNakedSet(k int) func(*deduce.Facts, *deduce.Claim) bool {
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		s, digits, union := gridOf(f), c.Detail[1], uint16(0)
		var cells []int
		for i, cell := range s.houses[c.Instance].cells {
			if c.Detail[0]>>i&1 != 0 {
				cells = append(cells, int(cell))
				union |= f.Left(int(cell))
			}
		}
		for _, l := range c.Removed {
			if digits>>l.Value()&1 == 0 || slices.Contains(cells, l.Variable()) || !s.oneHouse(append(cells[:len(cells):len(cells)], l.Variable())) {
				return false
			}
		}
		return union&^digits == 0 && len(cells) == k && bits.OnesCount16(digits) == k && len(c.Placed) == 0
	}
}

// oneHouse reports whether cells are all in one house or cage.
func (s *shape) oneHouse(cells []int) bool {
	return slices.ContainsFunc(s.houses, func(h house) bool {
		return !slices.ContainsFunc(cells, func(c int) bool { return !slices.Contains(h.cells, uint8(c)) })
	})
}

func (s *shape) proveFirstFish(k int) func(*deduce.Facts, *deduce.Claim) bool {
	prove := s.proveFish(k)
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		own := *c
		own.Instance, own.Detail = c.Instance*s.size+int(c.Detail[0]), c.Detail[1:]
		return prove(f, &own)
	}
}

// proveXYWing: whichever digit the pivot holds, one of the two cells holds the digit that goes.
func proveXYWing(f *deduce.Facts, c *deduce.Claim) bool { return gridOf(f).proveWing(2)(f, c) }

func proveFirstColoring(f *deduce.Facts, c *deduce.Claim) bool {
	links, digit := colored(c)
	own := *c
	own.Instance, own.Detail = digit, append([]uint16{c.Detail[0]}, links...)
	return gridOf(f).proveColoring(f, &own)
}

// proveRectangle: were the four cells, none of which is given, to hold two digits alone, these could change places.
func proveRectangle(f *deduce.Facts, c *deduce.Claim) bool {
	s, given := gridOf(f), f.Board().(*board).given
	q, pair := c.Detail[1:5], uint16(1)<<c.Detail[5]|uint16(1)<<c.Detail[6]
	rows, columns, boxes := map[int]bool{}, map[int]bool{}, map[uint8]bool{}
	var bare, others []int
	for _, cell := range q {
		at := int(cell)
		rows[at/s.size], columns[at%s.size], boxes[s.boxOf[at]] = true, true, true
		if given.has(at) || len(s.of[at]) != 3 {
			return false
		}
		if f.Left(at) == pair {
			bare = append(bare, at)
		} else {
			others = append(others, at)
		}
	}
	if len(rows) != 2 || len(columns) != 2 || len(boxes) != 2 || bits.OnesCount16(pair) != 2 || len(c.Placed) > 0 {
		return false
	}
	switch {
	case c.Detail[0] == 1 && len(bare) == 3:
		return onlyFrom(c, others, pair)
	case len(bare) != 2 || !s.inOneLine(bare[0], bare[1]):
		return false
	case c.Detail[0] == 2:
		extra := (f.Left(others[0]) | f.Left(others[1])) &^ pair
		return bits.OnesCount16(extra) == 1 && s.seenBy(c, bits.TrailingZeros16(extra), others...)
	}
	house, digit := int(c.Detail[7]), int(c.Detail[8])
	return c.Detail[0] == 4 && pair>>digit&1 != 0 && s.hasOnly(f, house, digit, others[0], others[1]) &&
		onlyFrom(c, others, pair&^(1<<digit))
}

func (s *shape) inOneLine(x, y int) bool { return x/s.size == y/s.size || x%s.size == y%s.size }

// onlyFrom reports whether a step removes these digits, and from these cells, alone.
func onlyFrom(c *deduce.Claim, cells []int, digits uint16) bool {
	return !slices.ContainsFunc(c.Removed, func(l logic.Literal) bool {
		return !slices.Contains(cells, l.Variable()) || digits>>l.Value()&1 == 0
	})
}

// domain returns what a cell may hold by the facts.
func domain(f *deduce.Facts, cell int) uint16 {
	if d, written := f.Written(cell); written {
		return 1 << d
	}
	return f.Left(cell)
}

// addition is a list of cells that add up to a sum, 0 for any.
type addition struct {
	cells  []int
	sum    int
	differ func(x, y int) bool
}

// every calls with each assignment of digits, from 0, of the domains.
func (q *addition) every(f *deduce.Facts, yield func(digits []int)) {
	var digits []int
	var next func(sum int)
	next = func(sum int) {
		at := len(digits)
		if at == len(q.cells) {
			if q.sum == 0 || sum == q.sum {
				yield(digits)
			}
			return
		}
		for m := domain(f, q.cells[at]); m != 0; m &= m - 1 {
			d := bits.TrailingZeros16(m)
			free := true
			for i, e := range digits {
				free = free && (d != e || !q.differ(q.cells[i], q.cells[at]))
			}
			if free && (q.sum == 0 || sum+d+1 <= q.sum) {
				digits = append(digits, d)
				next(sum + d + 1)
				digits = digits[:at]
			}
		}
	}
	next(0)
}

// proves reports whether no assignment has what a step removes, and the step removes it from these cells.
func (q *addition) proves(f *deduce.Facts, c *deduce.Claim) bool {
	ok := onlyFrom(c, q.cells, 1<<maxSize-1) && len(c.Placed) == 0
	q.every(f, func(digits []int) {
		for i, d := range digits {
			ok = ok && !slices.Contains(c.Removed, logic.Lit(q.cells[i], d))
		}
	})
	return ok
}

func proveCageCombinations(f *deduce.Facts, c *deduce.Claim) bool {
	cage := gridOf(f).cages()[c.Detail[0]]
	q := addition{sum: cage.sum, differ: func(x, y int) bool { return true }}
	for _, cell := range cage.cells {
		q.cells = append(q.cells, int(cell))
	}
	return q.proves(f, c)
}

// proveRuleOf45 works out innies or outies afresh: of the cells that are not written by the facts.
func proveRuleOf45(f *deduce.Facts, c *deduce.Claim) bool {
	s := gridOf(f)
	region := &s.regions()[c.Detail[0]]
	inside := func(cell int) bool { return region.cells.has(cell) }
	q, left, crossing := addition{differ: s.shareHouse}, region.sum, 0
	outies := c.Detail[1] == 1
	caged := map[int]bool{}
	for _, cage := range s.cages() {
		in, out, sum := s.openOf(f, cage, inside)
		if cage.sum == 0 || len(in) == 0 {
			continue
		}
		for _, cell := range in {
			caged[cell] = true
		}
		switch {
		case len(out) == 0:
			left -= sum
		case outies:
			q.cells, crossing = append(q.cells, out...), crossing+sum
		default:
			q.cells = append(q.cells, in...)
		}
	}
	for cell := range s.cells() {
		d, written := f.Written(cell)
		switch {
		case !inside(cell):
		case written:
			left -= d + 1
		case !caged[cell] && outies:
			return false
		case !caged[cell]:
			q.cells = append(q.cells, cell)
		}
	}
	if q.sum = left; outies {
		q.sum = crossing - left
	}
	return q.sum > 0 && len(q.cells) <= 3 && q.proves(f, c)
}

// openOf returns the cells of a cage that are not written, inside and outside of a region, and what they add up to.
func (s *shape) openOf(f *deduce.Facts, cage house, inside func(int) bool) (in, out []int, sum int) {
	sum = cage.sum
	for _, c := range cage.cells {
		cell := int(c)
		d, written := f.Written(cell)
		switch {
		case written:
			sum -= d + 1
		case inside(cell):
			in = append(in, cell)
		default:
			out = append(out, cell)
		}
	}
	return in, out, sum
}
