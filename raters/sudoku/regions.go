package sudoku

// region is a region of the rule of 45 as the cages of a puzzle divide it.
type region struct {
	cells    boardSet
	crossing uint64 // cages that have cells inside and outside
	sum      int    // of the cells that no cage inside holds
}

// survey finds the regions. Cages without a sum do not count.
func (k *cages) survey(g *ground) {
	k.regions = k.regions[:0]
	clear(k.regionsOf[:g.cells()])
	for i, of := range g.shape.regions() {
		r := region{cells: of.cells, sum: of.sum}
		parts := of.cells.and(k.none)
		for j := range k.list {
			x := &k.list[j]
			switch in := x.cells.and(r.cells); {
			case x.sum == 0 || in.empty():
			case in == x.cells:
				r.sum -= x.sum
			default:
				r.crossing |= 1 << j
				parts = parts.or(x.cells)
			}
		}
		k.regions = append(k.regions, r)
		for c := range parts.all {
			k.regionsOf[c] |= 1 << i
		}
	}
}

// balance applies the rule of 45 to a region. Innies are its open cells whose cage has an open cell outside, or that have
// no sum; outies are the open cells outside of cages with an open cell inside, if all cells without a sum are written.
// Written cells never count. At most three of a side are looked at.
func (s *sheet) balance(i int) {
	s.work++
	r := &s.cages.regions[i]
	loose := r.cells.and(s.cages.none)
	innies, outies := loose.and(s.open), boardSet{}
	sum, beyond := r.sum-s.total(loose.less(s.open)), 0
	for m := r.crossing; m != 0; m &= m - 1 {
		g := lowest64(m)
		x := &s.cages.list[g]
		open := x.cells.and(s.open)
		in, out := open.and(r.cells), open.less(r.cells)
		sum -= s.total(x.cells.and(r.cells).less(open))
		if out.empty() {
			sum -= int(s.left[g])
		} else if !in.empty() {
			innies, outies = innies.or(in), outies.or(out)
			beyond += int(s.left[g])
		}
	}
	s.addUp(innies, sum)
	if loose.and(s.open).empty() {
		s.addUp(outies, beyond-sum)
	}
}

// total adds up written cells.
func (s *sheet) total(cells boardSet) (sum int) {
	for c := range cells.all {
		sum += lowest(s.cand[c]) + 1
	}
	return sum
}

// addUp leaves up to three cells the digits that add up to a sum; peers among them differ.
func (s *sheet) addUp(set boardSet, sum int) {
	n := set.count()
	if n > maxSide {
		return
	}
	var cells [maxSide]int
	for i := range n {
		cells[i] = set.first()
		set = set.less(oneCell[cells[i]&255])
	}
	if n == 0 {
		s.broken = s.broken || sum != 0
		return
	}
	a, b, c := cells[0], cells[1], cells[2]
	may := [maxSide]uint16{s.cand[a], s.cand[b], s.cand[c]}
	some := fewAddUp(may, n, sum, s.differ(a, b), s.differ(a, c), s.differ(b, c))
	s.broken = s.broken || some[0] == 0
	for i, cell := range cells[:n] {
		s.keep(cell, some[i])
	}
}

// differ reports whether two cells are peers.
func (s *sheet) differ(a, b int) bool { return s.peers[a].has(b) }

// fewAddUp gives the digits of one to three cells that make a sum, where some two of the cells hold different ones.
func fewAddUp(may [maxSide]uint16, n, sum int, firstTwo, firstLast, lastTwo bool) (some [maxSide]uint16) {
	switch n {
	case 1:
		some[0] = may[0] & mirror(1, sum+1)
	case 2:
		some[0], some[1] = twoAddUp(may[0], may[1], sum, firstTwo)
	case 3:
		for m := may[0]; m != 0; m &= m - 1 {
			d := m & -m
			x, y := may[1], may[2]
			if firstTwo {
				x &^= d
			}
			if firstLast {
				y &^= d
			}
			if x, y = twoAddUp(x, y, sum-lowest(d)-1, lastTwo); x != 0 {
				some[0] |= d
				some[1] |= x
				some[2] |= y
			}
		}
	}
	return some
}
