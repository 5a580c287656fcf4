package sudoku

import "math/bits"

// nakedPair: two cells of a house have the same two candidates, which leave the house's other cells; both
// houses', when they share two. By house, cells.
func nakedPair(s *state) bool {
	s.sizes()
	first, at := uint8(27), [2]uint8{}
	for a := range s.two.less(s.pairsSeen).all {
		x, y := &s.where[0][lowest(s.cand[a])], &s.where[0][lowest(s.cand[a]&(s.cand[a]-1))]
		twins := x.and(*y).and(s.two).and(sees[a])
		for b := range twins.all {
			h, pair := shared(a, b), [2]uint8{min(a, b), max(a, b)}
			if (h < first || h == first && pair[0] < at[0]) && !sees[a].and(sees[b]).and(x.or(*y)).empty() {
				first, at = h, pair
			}
		}
	}
	if first == 27 {
		s.pairsSeen = s.two
		return false
	}
	return s.nakedSet(first, s.cand[at[0]], at[0], at[1])
}

// shared gives the first house of two peers.
func shared(a, b uint8) uint8 {
	p, q := &houseOf[a], &houseOf[b]
	for i, h := range p {
		if h == q[i] {
			return h
		}
	}
	return 27
}

// nakedTriple: three cells of a house have, together, three candidates. By house, cells.
func nakedTriple(s *state) bool {
	s.sizes()
	var changed cellSet
	for d, at := range &s.where[0] {
		changed = changed.or(at.xor(s.triplesSeen[d]))
	}
	changed = changed.and(s.twoOrThree)
	for h := range uint8(27) {
		if changed.and(cellsOf[h]).empty() {
			continue
		}
		var cells [9]uint8
		n := s.twoOrThree.and(cellsOf[h]).list(cells[:])
		if n >= 3 && s.tripleOf(h, cells[:n]) {
			return true
		}
	}
	s.triplesSeen = s.where[0]
	return false
}

// tripleOf finds the first triple of a house among these cells.
func (s *state) tripleOf(h uint8, cells []uint8) bool {
	var cand [9]uint16
	for i, c := range cells {
		cand[i] = s.cand[c]
	}
	n := len(cells)
	for i := range cand[:n] {
		for j := i + 1; j < n; j++ {
			ab := cand[i] | cand[j]
			for k := j + 1; k < n && bits.OnesCount16(ab) <= 3; k++ {
				abc := ab | cand[k]
				if bits.OnesCount16(abc) == 3 && s.nakedSet(h, abc, cells[i], cells[j], cells[k]) {
					return true
				}
			}
		}
	}
	return false
}

// nakedSet finds what the digits of as many cells of a house remove from the cells that see all of them:
// the rest of the house and, if the cells share another one, of that.
func (s *state) nakedSet(h uint8, digits uint16, cells ...uint8) bool {
	f := &s.found
	seen := sees[cells[0]]
	for _, c := range cells[1:] {
		seen = seen.and(sees[c])
	}
	if seen.and(s.holding(digits)).empty() {
		return false
	}
	for c := range seen.all {
		f.dropFrom(c, s.cand[c]&digits)
	}
	for _, c := range cells {
		f.only(c, digits)
	}
	f.pattern = onePattern('h', h)
	return true
}

// holding gives the cells that have any of these digits as a candidate.
func (s *state) holding(digits uint16) (cells cellSet) {
	for ; digits != 0; digits &= digits - 1 {
		cells = cells.or(s.where[0][lowest(digits)])
	}
	return cells
}

// hiddenPair: two digits have the same two places in a house, so that these cells lose all others. By
// house, cells; two pairs of one house share no cell.
func hiddenPair(s *state) bool {
	s.count()
	s.byCell()
	for kind := range 3 {
		var one, two, changed uint16 // houses with at least so many digits that have two places
		for d, houses := range &s.twice[kind] {
			two |= one & houses
			one |= houses
			changed |= houses &^ s.hiddenSeen[kind][d]
		}
		for two &= changed; two != 0; two &= two - 1 {
			if s.hiddenPairOf(kind, uint8(lowest(two))) {
				return true
			}
		}
	}
	s.hiddenSeen = s.twice
	return false
}

// hiddenPairOf finds the pair of a house whose first cell comes first.
func (s *state) hiddenPairOf(kind int, n uint8) bool {
	h, first, pair := uint8(9*kind)+n, uint16(1<<9), uint16(0)
	for m := having(&s.twice[kind], n); m != 0; m &= m - 1 {
		p := s.where[kind][lowest(m)].row(n)
		for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
			both := m&-m | rest&-rest
			if s.where[kind][lowest(rest)].row(n) == p && p&-p < first && s.others(h, p, both) {
				first, pair = p&-p, both
			}
		}
	}
	if pair == 0 {
		return false
	}
	s.hiddenSet(h, s.places(h, lowest(pair)), pair)
	return true
}

// having gives the digits whose sets hold n.
func having(sets *[9]uint16, n uint8) (digits uint16) {
	for d, set := range sets {
		digits |= set >> (n & 15) & 1 << d
	}
	return digits
}

// others tells whether cells of a house have candidates beside these digits.
func (s *state) others(h uint8, cells, digits uint16) bool {
	var all uint16
	for m := cells; m != 0; m &= m - 1 {
		all |= s.cand[houses[h][lowest(m)]]
	}
	return all&^digits != 0
}

func (s *state) hiddenSet(h uint8, cells, digits uint16) {
	f := &s.found
	for m := cells; m != 0; m &= m - 1 {
		c := houses[h][lowest(m)]
		f.dropFrom(c, s.cand[c]&^digits)
	}
	for m := digits; m != 0; m &= m - 1 {
		f.confined(h, lowest(m), cells)
	}
	f.pattern = onePattern('h', h)
}
