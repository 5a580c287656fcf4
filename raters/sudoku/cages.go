package sudoku

import "math/bits"

// cage is a cage of a puzzle.
type cage struct {
	cells boardSet
	sum   int // 0 when nothing is said of it
}

// cages are those of one puzzle, and the regions whose sums they tell.
type cages struct {
	list      []cage
	of        [maxCells]uint8 // cell: its cage, or uncaged
	peers     [maxCells]boardSet
	none      boardSet // cells without a sum
	regions   []region
	regionsOf [maxCells]uint64 // cell: the regions that its digit matters to
}

// take makes them those of a shape.
func (k *cages) take(s *shape) {
	k.list = k.list[:0]
	for i, h := range s.cages() {
		k.list = append(k.list, cage{s.cellsIn[s.full+i], h.sum})
	}
	k.link(s.ground())
}

// link works out the rest from the list.
func (k *cages) link(g *ground) {
	n := g.cells()
	for c := range n {
		k.of[c] = uncaged
	}
	copy(k.peers[:n], g.outline[:n])
	k.none = g.allCells
	for i, x := range k.list {
		for c := range x.cells.all {
			k.of[c] = uint8(i)
			k.peers[c] = k.peers[c].or(x.cells).less(oneCell[c&255])
		}
		if x.sum > 0 {
			k.none = k.none.less(x.cells)
		}
	}
	k.survey(g)
}

// begin puts the cages on a sheet without digits.
func (k *cages) begin(s *sheet) {
	s.cages, s.peers, s.dirty = k, &k.peers, 0
	for i := range k.list {
		s.left[i] = uint8(k.list[i].sum)
		if k.list[i].sum > 0 {
			s.dirty |= 1 << i
		}
	}
	s.regions = 1<<len(k.regions) - 1
}

// written notes that a cell holds a digit, from 0.
func (k *cages) written(s *sheet, c, d int) {
	s.regions |= k.regionsOf[c&255]
	if i := int(k.of[c&255]); i != uncaged && k.list[i].sum > 0 {
		if int(s.left[i]) < d+1 {
			s.broken = true
			return
		}
		s.left[i] -= uint8(d + 1)
		s.dirty |= 1 << i
	}
}

// lost notes that a cell has lost a candidate.
func (k *cages) lost(s *sheet, c int) {
	s.regions |= k.regionsOf[c&255]
	if i := int(k.of[c&255]); i != uncaged && k.list[i].sum > 0 {
		s.dirty |= 1 << i
	}
}

// met reports whether the digits of a full grid make the sums.
func (k *cages) met(s *sheet) bool {
	for i := range k.list {
		if k.list[i].sum > 0 && s.left[i] != 0 {
			return false
		}
	}
	return true
}

// combine leaves the open cells of a cage the candidates that some assignment of different digits has which adds up to
// what is left of the sum.
func (s *sheet) combine(i int) {
	s.work++
	var cells [cageDigits]uint8
	var a assignments
	for c := range s.cages.list[i].cells.and(s.open).all {
		cells[a.n], a.may[a.n] = uint8(c), s.cand[c]
		a.n++
	}
	if !a.exactly(int(s.left[i])) {
		s.broken = true
		return
	}
	for j, c := range cells[:a.n] {
		if a.some[j] != a.may[j] {
			s.keep(int(c), a.some[j])
		}
	}
}

// assignments are those of different digits to cells.
type assignments struct {
	n          int
	may        [cageDigits]uint16 // cell: its digits
	some       [cageDigits]uint16 // cell: those of an assignment
	fit        [cageDigits]uint16 // cell: those that are in any set with the sum
	seen, good [8]uint64          // sets of digits that the first cells can hold: looked at, and can be completed
}

// exactly finds the assignments that add up to a sum, and reports whether there are any.
func (a *assignments) exactly(sum int) bool {
	switch a.n {
	case 0:
		return sum == 0
	case 1:
		a.some[0] = a.may[0] & mirror(1, sum+1)
		return a.some[0] != 0
	case 2:
		a.some[0], a.some[1] = twoAddUp(a.may[0], a.may[1], sum, true)
		return a.some[0] != 0
	}
	usable := inSets(a.n, sum)
	all := usable
	for i, m := range a.may[:a.n] {
		a.fit[i] = m & usable
		all &= m
	}
	if all == usable { // each cell has them all, so that each set goes in any order
		copy(a.some[:a.n], a.fit[:])
		return usable != 0
	}
	return a.extend(0, 0, sum)
}

// extend assigns digits that are not used to the cells from i on.
func (a *assignments) extend(i int, used uint16, sum int) (found bool) {
	if i == a.n-2 {
		x, y := twoAddUp(a.fit[i]&^used, a.fit[i+1]&^used, sum, true)
		a.some[i] |= x
		a.some[i+1] |= y
		return x != 0
	}
	word, bit := used>>6&7, uint64(1)<<(used&63)
	if a.seen[word]&bit != 0 {
		return a.good[word]&bit != 0
	}
	a.seen[word] |= bit
	for m := a.fit[i] &^ used; m != 0; m &= m - 1 {
		if d := m & -m; a.extend(i+1, used|d, sum-lowest(d)-1) {
			a.some[i] |= d
			found = true
		}
	}
	if found {
		a.good[word] |= bit
	}
	return found
}

// mirror gives the digits that make up a sum with one of these.
func mirror(digits uint16, sum int) uint16 {
	if sum < 2 || sum > 2*maxSize {
		return 0
	}
	return uint16(uint64(bits.Reverse16(digits)) << 16 >> (33 - sum))
}

// twoAddUp gives the digits of two cells, different ones or not, that make up a sum.
func twoAddUp(x, y uint16, sum int, differ bool) (uint16, uint16) {
	p, q := x&mirror(y, sum), y&mirror(x, sum)
	if differ && sum&1 == 0 && sum > 0 {
		half := uint16(1) << (sum/2 - 1)
		p, q = p&^half, q&^half
	}
	return p, q
}
