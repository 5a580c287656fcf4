package sudoku

import "math/bits"

// rules are those that a sheet is closed under, beside singles and the exact sums of cages.
type rules uint8

const (
	pairRule   rules = 1 << iota // pointing, box/line reduction, naked pairs
	hiddenRule                   // hidden pairs; only with pairRule
	sumRule                      // the rule of 45
	tripleRule                   // naked triples
	fishRule                     // X-wings
	colorRule                    // swordfish, XY-wings, simple coloring
)

// tierRules gives the techniques of sudoku.tiers up to a tier. None of them takes the solution to be unique, and each
// concludes as much or more where there are fewer candidates. So it does not matter in which order they are tried: a
// puzzle is of the lowest tier whose rules finish it.
var tierRules = [evil]rules{
	1: 0,
	2: pairRule | hiddenRule,
	3: pairRule | hiddenRule | sumRule | tripleRule | fishRule,
	4: pairRule | hiddenRule | sumRule | tripleRule | fishRule | colorRule,
}

// earned gives the lowest tier whose rules fill the grid; evil when none does.
func (s *sheet) earned() int {
	for tier := 1; tier < evil; tier++ {
		if s.close(tierRules[tier]) && s.solved() {
			return tier
		}
	}
	return evil
}

// close applies rules until nothing changes, or until one of the goals, sets of cells, is written. It reports false when
// the position has no solution.
func (s *sheet) close(under rules, goals ...boardSet) bool {
	for {
		for !s.single.empty() {
			if s.broken {
				return false
			}
			if met(s.open.less(s.single), goals) {
				return true
			}
			c := s.single.first()
			s.single = s.single.less(oneCell[c&255])
			if s.open.has(c) {
				s.write(c, int(s.digit[c]))
			}
		}
		if s.broken {
			return false
		}
		if s.solved() {
			return s.cages == nil || s.cages.met(s)
		}
		if met(s.open, goals) || !s.advance(under) {
			return !s.broken
		}
	}
}

// met reports whether no cell of some goal is open.
func met(open boardSet, goals []boardSet) bool {
	for _, g := range goals {
		if g.and(open).empty() {
			return true
		}
	}
	return false
}

// advance applies rules until one of them leaves something to do for those before it, and reports whether one did.
func (s *sheet) advance(under rules) bool {
	for s.dirty != 0 && s.calm() {
		g := lowest64(s.dirty)
		s.combine(g)
		s.dirty &^= 1 << g
	}
	if under == 0 || !s.calm() {
		return !s.calm()
	}
	s.lookAtHouses(under)
	s.nakedPairs()
	if s.stirred() {
		return true
	}
	for under&sumRule != 0 && s.regions != 0 {
		i := lowest64(s.regions)
		s.balance(i)
		s.regions &^= 1 << i
		if s.stirred() {
			return true
		}
	}
	return under&fishRule != 0 && s.catchFish(2) || under&tripleRule != 0 && s.nakedTriples() ||
		under&colorRule != 0 && (s.xyWings() || s.color() || s.catchFish(3))
}

// calm reports whether there is no single and no contradiction.
func (s *sheet) calm() bool { return s.single.empty() && !s.broken }

// stirred reports whether there is something to do for the first rules.
func (s *sheet) stirred() bool {
	return !s.calm() || s.changed != 0 || !s.pairs.empty() || s.dirty != 0
}

// lookAtHouses looks for locked digits and hidden pairs where digits have lost places.
func (s *sheet) lookAtHouses(under rules) {
	for s.changed != 0 && s.calm() {
		h := lowest64(s.changed) & (maxFull - 1)
		s.changed &= s.changed - 1
		s.triples |= 1 << h
		s.work++
		news := s.news[h]
		s.news[h] = 0
		for ; news != 0; news &= news - 1 {
			if d := lowest(news); !lone(s.where[h][d]) {
				s.confined(h, d, under)
			}
		}
	}
}

// confined applies what the places of a digit in a house, two or more, say.
func (s *sheet) confined(h, d int, under rules) {
	m := s.where[h][d&15]
	n := bits.OnesCount16(m)
	if n <= s.most[h] {
		for i := range s.crossings[h] {
			x := &s.crossings[h][i]
			if m&^x.mine == 0 {
				if gone := x.rest.and(s.at[d&15]); !gone.empty() {
					s.remove(gone, d)
				}
				break
			}
		}
	}
	if n == 2 && under&hiddenRule != 0 {
		s.hiddenPair(h, d, m)
	}
}

// hiddenPair leaves the two places of a digit that another digit shares nothing else.
func (s *sheet) hiddenPair(h, d int, places uint16) {
	for e := range s.size {
		if e != d && s.where[h][e&15] == places {
			both := uint16(1)<<d | 1<<e
			for m := places; m != 0; m &= m - 1 {
				s.keep(int(s.cellAt[h][lowest(m)&15]), both)
			}
			return
		}
	}
}

// nakedPairs looks for the partners of cells that came down to two candidates.
func (s *sheet) nakedPairs() {
	for !s.pairs.empty() && s.calm() {
		c := s.pairs.first()
		s.pairs = s.pairs.less(oneCell[c&255])
		m := s.cand[c]
		if !isPair(m) {
			continue
		}
		s.work++
		x, y := lowest(m), lowest(m&(m-1))
		for other := range s.at[x].and(s.at[y]).and(s.peers[c]).all {
			if s.cand[other] == m {
				s.leaveRest(oneCell[c].or(oneCell[other]), m, s.in[c]&s.in[other])
			}
		}
	}
}

// leaveRest takes the digits of a naked set from the rest of its houses.
func (s *sheet) leaveRest(set boardSet, digits uint16, houses uint64) {
	var rest boardSet
	for m := houses; m != 0; m &= m - 1 {
		rest = rest.or(s.cellsIn[lowest64(m)])
	}
	rest = rest.less(set)
	for m := digits; m != 0; m &= m - 1 {
		d := lowest(m)
		if gone := rest.and(s.at[d]); !gone.empty() {
			s.remove(gone, d)
		}
	}
}
