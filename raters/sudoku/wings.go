package sudoku

// xyWing: a pivot with candidates xy sees two wings with xz and yz; a cell that sees both wings loses z.
// By pivot, first wing, second wing.
func xyWing(s *state) bool {
	s.sizes()
	if s.two.less(s.wingsSeen).empty() {
		return false
	}
	for p := range s.two.all {
		var wings [20]uint8
		x, y := s.where[0][lowest(s.cand[p])], s.where[0][lowest(s.cand[p]&(s.cand[p]-1))]
		n := s.two.and(sees[p]).and(x.xor(y)).list(wings[:])
		for i, a := range wings[:n] {
			for _, b := range wings[i+1 : n] {
				if s.cand[a]^s.cand[b] == s.cand[p] && s.wing(p, a, b) {
					return true
				}
			}
		}
	}
	s.wingsSeen = s.two
	return false
}

func (s *state) wing(pivot, a, b uint8) bool {
	f, z := &s.found, s.cand[a]&s.cand[b]
	for c := range sees[a].and(sees[b]).all {
		f.dropFrom(c, s.cand[c]&z)
	}
	if len(f.removed) == 0 {
		return false
	}
	f.only(pivot, s.cand[pivot])
	f.only(a, s.cand[a])
	f.only(b, s.cand[b])
	f.pattern = newPattern('c', []uint8{pivot, a, b})
	return true
}
