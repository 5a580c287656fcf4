package sudoku

import "math/bits"

// nakedPair: two cells of a house have the same two candidates, which leave the house's other cells; both
// houses', when they share two. By house, cells.
func nakedPair(s *state) bool {
	s.sizes()
	var cells [81]uint8
	first, at := uint8(27), [2]uint8{}
	for _, a := range cells[:s.two.list(cells[:])] {
		x, y := &s.where[0][lowest(s.cand[a])], &s.where[0][lowest(s.cand[a]&(s.cand[a]-1))]
		twins := x.and(*y).and(s.two).and(sees[a])
		for b := range twins.all {
			h, seen := shared(a, b), sees[a].and(sees[b])
			if a < b && h < first && !seen.and(x.or(*y)).empty() {
				first, at = h, [2]uint8{a, b}
			}
		}
	}
	return first < 27 && s.nakedSet(first, s.cand[at[0]], at[0], at[1])
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
	for h := range uint8(27) {
		var in [9]uint8
		n := s.twoOrThree.and(cellsOf[h]).list(in[:])
		for i, a := range in[:n] {
			for j, b := range in[i+1 : n] {
				ab := s.cand[a] | s.cand[b]
				if bits.OnesCount16(ab) <= 3 && s.thirdOf(h, a, b, in[i+j+2:n]) {
					return true
				}
			}
		}
	}
	return false
}

func (s *state) thirdOf(h, a, b uint8, rest []uint8) bool {
	for _, c := range rest {
		abc := s.cand[a] | s.cand[b] | s.cand[c]
		if bits.OnesCount16(abc) == 3 && s.nakedSet(h, abc, a, b, c) {
			return true
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
	for c := range seen.all {
		f.dropFrom(c, s.cand[c]&digits)
	}
	if len(f.removed) == 0 {
		return false
	}
	for _, c := range cells {
		f.only(c, digits)
	}
	f.pattern = onePattern('h', h)
	return true
}

// hiddenPair: two digits have the same two places in a house, so that these cells lose all others. By
// house, cells; two pairs of one house share no cell.
func hiddenPair(s *state) bool {
	s.count()
	for kind := range 3 {
		h, pair := uint8(27), uint16(0)
		for d := range 9 {
			for e := d + 1; e < 9; e++ {
				twice := s.twice[kind][d] & s.twice[kind][e]
				if twice == 0 {
					continue
				}
				for m := twice & s.where[kind][d].sameRows(&s.where[kind][e]); m != 0; m &= m - 1 {
					h, pair = s.earlierPair(h, pair, uint8(9*kind+lowest(m)), 1<<d|1<<e)
				}
			}
		}
		if pair != 0 {
			s.hiddenSet(h, s.places(h, lowest(pair)), pair)
			return true
		}
	}
	return false
}

// earlierPair gives the first of two hidden pairs, each a house and digits, of which the second counts only
// when it removes something.
func (s *state) earlierPair(h uint8, pair uint16, h2 uint8, pair2 uint16) (uint8, uint16) {
	places := s.places(h2, lowest(pair2))
	earlier := h2 < h || h2 == h && lowest(places) < lowest(s.places(h, lowest(pair)))
	if earlier && s.others(h2, places, pair2) {
		return h2, pair2
	}
	return h, pair
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
