package sudoku

import (
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// The verifiers know the shape, the facts they are given, and what a step says of its instance. They use nothing
// that the finders use.

// left gives the cells of a house that may hold a digit.
func (s *shape) left(f *deduce.Facts, house, digit int) (cells []int) {
	for _, c := range s.houses[house].cells {
		if !f.Gone(logic.Lit(int(c), digit)) {
			cells = append(cells, int(c))
		}
	}
	return cells
}

// hasOnly tells whether a digit has just these two cells left in a house that holds it.
func (s *shape) hasOnly(f *deduce.Facts, house, digit, x, y int) bool {
	cells := s.left(f, house, digit)
	return house < s.full && len(cells) == 2 && (cells[0] == x && cells[1] == y || cells[0] == y && cells[1] == x)
}

// allOf tells whether a step places nothing, and of each removed literal whether it is of the digit and its cell is
// as wanted.
func allOf(c *deduce.Claim, digit int, wanted func(cell int) bool) bool {
	for _, l := range c.Removed {
		if l.Value() != digit || !wanted(l.Variable()) {
			return false
		}
	}
	return len(c.Placed) == 0
}

// seenBy tells whether a step removes a digit from cells that see all these.
func (s *shape) seenBy(c *deduce.Claim, digit int, cells ...int) bool {
	return allOf(c, digit, func(cell int) bool {
		for _, x := range cells {
			if !s.shareHouse(cell, x) {
				return false
			}
		}
		return true
	})
}

// shareHouse tells whether two cells are different and in one house.
func (s *shape) shareHouse(x, y int) bool {
	for _, a := range s.of[x] {
		for _, b := range s.of[y] {
			if a.house == b.house {
				return x != y
			}
		}
	}
	return false
}

// inHouse tells whether a cell is in a house.
func (s *shape) inHouse(cell, house int) bool { return s.placeIn(house, cell) >= 0 }

// inLine tells whether a cell is in one of some rows, or columns.
func (s *shape) inLine(of kind, lines uint16, cell int) bool {
	i := cell / s.size
	if of == columnKind {
		i = cell % s.size
	}
	return lines>>i&1 != 0
}

func (s *shape) provePeers(f *deduce.Facts, c *deduce.Claim) bool {
	digit, written := f.Written(c.Instance)
	return written && s.seenBy(c, digit, c.Instance)
}

func proveNakedSingle(f *deduce.Facts, c *deduce.Claim) bool {
	return len(c.Placed) == 1 && len(c.Removed) == 0 && c.Placed[0].Variable() == c.Instance && f.Left(c.Instance) == 1<<c.Placed[0].Value()
}

func (s *shape) proveHiddenSingle(f *deduce.Facts, c *deduce.Claim) bool {
	cells := s.left(f, c.Instance/s.size, c.Instance%s.size)
	if len(cells) != 1 || len(c.Placed) != 1 || c.Placed[0] != logic.Lit(cells[0], c.Instance%s.size) {
		return false
	}
	for _, l := range c.Removed {
		if l.Variable() != cells[0] || l == c.Placed[0] {
			return false
		}
	}
	return true
}

// proveLocked: the other house has all that is left of the digit in the house of the instance.
func (s *shape) proveLocked(houses []uint8) func(*deduce.Facts, *deduce.Claim) bool {
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		house, digit, other := int(houses[c.Instance/s.size]), c.Instance%s.size, int(c.Detail[0])
		for _, cell := range s.left(f, house, digit) {
			if !s.inHouse(cell, other) {
				return false
			}
		}
		return other < s.full && allOf(c, digit, func(cell int) bool { return s.inHouse(cell, other) && !s.inHouse(cell, house) })
	}
}

func (s *shape) proveNaked(k int) func(*deduce.Facts, *deduce.Claim) bool {
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		places, digits, union := c.Detail[0], c.Detail[1], uint16(0)
		for i, cell := range s.houses[c.Instance].cells {
			if places>>i&1 != 0 {
				union |= f.Left(int(cell))
			}
		}
		for _, l := range c.Removed {
			cell := l.Variable()
			if place := s.placeIn(c.Instance, cell); place < 0 || places>>place&1 != 0 || digits>>l.Value()&1 == 0 {
				return false
			}
		}
		return union&^digits == 0 && bits.OnesCount16(places) == k && bits.OnesCount16(digits) == k && len(c.Placed) == 0
	}
}

func (s *shape) proveHidden(k int) func(*deduce.Facts, *deduce.Claim) bool {
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		digits, places := c.Detail[0], c.Detail[1]
		for d := range s.size {
			for _, cell := range s.left(f, c.Instance, d) {
				if digits>>d&1 != 0 && places>>s.placeIn(c.Instance, cell)&1 == 0 {
					return false
				}
			}
		}
		for _, l := range c.Removed {
			cell := l.Variable()
			if place := s.placeIn(c.Instance, cell); place < 0 || places>>place&1 == 0 || digits>>l.Value()&1 != 0 {
				return false
			}
		}
		return bits.OnesCount16(places) == k && bits.OnesCount16(digits) == k && len(c.Placed) == 0
	}
}

func (s *shape) proveFish(k int) func(*deduce.Facts, *deduce.Claim) bool {
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		of, digit := s.byLine(c.Instance)
		lines, across := c.Detail[0], c.Detail[1]
		line := func(cell int) bool { return s.inLine(of, lines, cell) }
		cover := func(cell int) bool { return s.inLine(columnKind-of, across, cell) }
		for cell := range s.cells() {
			if line(cell) && !cover(cell) && !f.Gone(logic.Lit(cell, digit)) {
				return false
			}
		}
		return bits.OnesCount16(lines) == k && bits.OnesCount16(across) == k &&
			allOf(c, digit, func(cell int) bool { return !line(cell) && cover(cell) })
	}
}

// proveWing: whatever the pivot holds, it or one of the two cells holds the digit that goes.
func (s *shape) proveWing(pivot int) func(*deduce.Facts, *deduce.Claim) bool {
	return func(f *deduce.Facts, c *deduce.Claim) bool {
		p, x, y := int(c.Detail[0]), int(c.Detail[1]), int(c.Detail[2])
		z := c.Removed[0].Value()
		mp, mx, my, mz := f.Left(p), f.Left(x), f.Left(y), uint16(1)<<z
		if bits.OnesCount16(mp) != pivot || bits.OnesCount16(mx) != 2 || bits.OnesCount16(my) != 2 || mx&mz == 0 || my&mz == 0 {
			return false
		}
		if mx == my || (mx|my)&^mz != mp&^mz || !s.shareHouse(p, x) || !s.shareHouse(p, y) {
			return false
		}
		if mp&mz != 0 {
			return s.seenBy(c, z, p, x, y)
		}
		return s.seenBy(c, z, x, y)
	}
}

// proveWWing: if neither cell held z, both would hold the digit, and its house had no place for it.
func (s *shape) proveWWing(f *deduce.Facts, c *deduce.Claim) bool {
	x, y, d, z := int(c.Detail[0]), int(c.Detail[1]), int(c.Detail[2]), c.Removed[0].Value()
	both := uint16(1)<<d | uint16(1)<<z
	cells := s.left(f, int(c.Detail[3]), d)
	if int(c.Detail[3]) >= s.full || d == z || f.Left(x) != both || f.Left(y) != both || len(cells) != 2 {
		return false
	}
	u, v := cells[0], cells[1]
	joined := s.shareHouse(u, x) && s.shareHouse(v, y) || s.shareHouse(u, y) && s.shareHouse(v, x)
	return joined && s.seenBy(c, z, x, y)
}

// proveSkyscraper: the other two of four cells share a house, so that one of these two holds the digit.
func (s *shape) proveSkyscraper(f *deduce.Facts, c *deduce.Claim) bool {
	low, high, u, v := int(c.Detail[0]), int(c.Detail[1]), int(c.Detail[2]), int(c.Detail[3])
	of, d := s.byLine(c.Instance)
	x, y := s.otherOf(f, low, d, u), s.otherOf(f, high, d, v)
	return s.houses[low].kind == of && s.houses[high].kind == of && low != high && x >= 0 && y >= 0 &&
		s.shareHouse(x, y) && s.seenBy(c, d, u, v)
}

// otherOf gives the only cell of a house beside one where a digit is left, or −1.
func (s *shape) otherOf(f *deduce.Facts, house, digit, cell int) int {
	cells := s.left(f, house, digit)
	switch {
	case len(cells) != 2:
		return -1
	case cells[0] == cell:
		return cells[1]
	case cells[1] == cell:
		return cells[0]
	}
	return -1
}

func (s *shape) proveKite(f *deduce.Facts, c *deduce.Claim) bool {
	row, column, u, v := int(c.Detail[0]), int(c.Detail[1]), int(c.Detail[4]), int(c.Detail[5])
	d := c.Instance
	x, y := s.otherOf(f, row, d, u), s.otherOf(f, column, d, v)
	return s.houses[row].kind == rowKind && s.houses[column].kind == columnKind && x >= 0 && y >= 0 && x != y &&
		s.boxOf[x] == s.boxOf[y] && s.seenBy(c, d, u, v)
}

// proveXChain: the digit is in one of the two cells of each link, and consecutive links have a cell each that see
// each other. All cells are different.
func (s *shape) proveXChain(f *deduce.Facts, c *deduce.Claim) bool {
	d, before, cells := c.Instance, -1, map[int]bool{}
	for l := c.Detail; len(l) > 0; l = l[3:] {
		x, y := int(l[0]), int(l[1])
		cells[x], cells[y] = true, true
		if !s.hasOnly(f, int(l[2]), d, x, y) || before >= 0 && !s.shareHouse(before, x) {
			return false
		}
		before = y
	}
	return len(c.Detail) > 3 && 3*len(cells) == 2*len(c.Detail) && s.seenBy(c, d, int(c.Detail[0]), before)
}

// proveXYChain: without z in the first cell each cell holds what it does not share with the one before, the last z. All cells
// are different.
func (s *shape) proveXYChain(f *deduce.Facts, c *deduce.Claim) bool {
	z := c.Removed[0].Value()
	holds, before, cells := z, -1, map[uint16]bool{}
	for _, cell := range c.Detail {
		m := f.Left(int(cell))
		cells[cell] = true
		if bits.OnesCount16(m) != 2 || m>>holds&1 == 0 || before >= 0 && !s.shareHouse(before, int(cell)) {
			return false
		}
		holds, before = bits.TrailingZeros16(m&^(1<<holds)), int(cell)
	}
	return len(c.Detail) > 2 && len(cells) == len(c.Detail) && holds == z && s.seenBy(c, z, int(c.Detail[0]), before)
}

// proveColoring colors afresh with those of the listed links that the facts prove. A literal goes when its cell sees
// both colors of a component, or its color has cells that see each other.
func (s *shape) proveColoring(f *deduce.Facts, c *deduce.Claim) bool {
	sides := map[int]side{}
	for l := c.Detail[1:]; len(l) > 0; l = l[3:] {
		if x, y := int(l[0]), int(l[1]); s.hasOnly(f, int(l[2]), c.Instance, x, y) {
			join(sides, x, y)
		}
	}
	return allOf(c, c.Instance, func(cell int) bool { return s.impossible(sides, cell) })
}

// side is a component, by a number, and one of its colors.
type side struct{ component, color int }

// join notes that two cells have different colors.
func join(sides map[int]side, x, y int) {
	for _, cell := range [2]int{x, y} {
		if _, known := sides[cell]; !known {
			sides[cell] = side{component: cell}
		}
	}
	a, b := sides[x], sides[y]
	if a.component == b.component {
		return
	}
	flip := 1 ^ a.color ^ b.color
	for cell, t := range sides {
		if t.component == b.component {
			sides[cell] = side{a.component, t.color ^ flip}
		}
	}
}

// impossible tells whether a cell cannot hold the digit.
func (s *shape) impossible(sides map[int]side, cell int) bool {
	for x, a := range sides {
		for y, b := range sides {
			if a.component != b.component {
				continue
			}
			trapped := a.color != b.color && s.shareHouse(cell, x) && s.shareHouse(cell, y)
			own, colored := sides[cell]
			if trapped || colored && own == a && own == b && s.shareHouse(x, y) {
				return true
			}
		}
	}
	return false
}
