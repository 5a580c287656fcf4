package sudoku

import "assay/raters/seedrand"

// thinner takes clues from a full grid of any shape without cages. Its room is kept for the next grid.
type thinner struct {
	proof proof
	grid  [maxCells]uint8
	clues [maxCells]uint8
	order [maxCells]uint8 // in which clues are tried
	used  [maxFull]uint16 // house: digits that are given
	base  sheet           // of the clues: peers of a given have lost its digit, and nothing else is concluded
	try   sheet
}

// deal begins with a full grid, and an order in which its clues are tried. It reports false when it finds no filling.
func (t *thinner) deal(g *ground, r *seedrand.Rand) bool {
	if !t.proof.deal(g, r, &t.grid) {
		return false
	}
	t.clues = t.grid
	order := t.order[:g.cells()]
	for i := range order {
		order[i] = uint8(i)
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	t.start(g)
	return true
}

// start sets up the position of all clues.
func (t *thinner) start(g *ground) {
	b := &t.base
	b.copyFrom(&g.blank)
	b.open = boardSet{}
	clear(b.at[:g.size])
	clear(t.used[:g.full])
	for c, v := range t.grid[:g.cells()] {
		d := int(v - 1)
		b.cand[c] = 1 << d
		b.at[d].add(c)
		for _, m := range g.fullOf[c] {
			t.used[m.house] |= 1 << d
			b.where[m.house][d] = 1 << m.place
		}
	}
}

// thin removes clues in order while the rules still find each from the rest. One pass is enough: with fewer clues the
// rules never conclude more, so that a clue refused once stays so. The rules are sound whether or not the solution is
// unique. So when they win the clue back every solution has it, and what they then know is what they know of the puzzle
// with it: it still is finished, and has one solution.
func (t *thinner) thin(under rules) {
	for _, c := range t.order[:t.base.cells()] {
		d := int(t.clues[c] - 1)
		t.ungive(int(c), d)
		if !t.winsBack(int(c), d, under) {
			t.giveBack(int(c), d)
		}
	}
}

// ungive takes a clue.
func (t *thinner) ungive(c, d int) {
	b := &t.base
	t.clues[c] = 0
	for _, m := range b.fullOf[c] {
		t.used[m.house] &^= 1 << d
	}
	b.open = b.open.or(oneCell[c])
	t.admit(c, t.free(c)&^(1<<d))
	for p := range b.peers[c].and(b.open).all {
		if t.free(p)>>d&1 != 0 {
			t.admit(p, 1<<d)
		}
	}
}

// free gives the digits that no given peer of a cell holds.
func (t *thinner) free(c int) uint16 {
	b := &t.base
	var used uint16
	for _, m := range b.fullOf[c] {
		used |= t.used[m.house&(maxFull-1)]
	}
	return b.all() &^ used
}

// admit gives an open cell these candidates too.
func (t *thinner) admit(c int, digits uint16) {
	b := &t.base
	b.cand[c] |= digits
	for ; digits != 0; digits &= digits - 1 {
		d := lowest(digits)
		b.at[d] = b.at[d].or(oneCell[c])
		for _, m := range b.fullOf[c] {
			b.where[m.house&(maxFull-1)][d] |= 1 << m.place
		}
	}
}

// giveBack gives a clue that was taken last.
func (t *thinner) giveBack(c, d int) {
	b := &t.base
	t.clues[c] = uint8(d + 1)
	for _, m := range b.fullOf[c] {
		t.used[m.house] |= 1 << d
	}
	b.open = b.open.less(oneCell[c])
	t.expel(c, b.cand[c]&^(1<<d))
	for p := range b.peers[c].and(b.at[d]).all {
		t.expel(p, 1<<d)
	}
}

// expel takes candidates from a cell.
func (t *thinner) expel(c int, digits uint16) {
	b := &t.base
	b.cand[c] &^= digits
	for ; digits != 0; digits &= digits - 1 {
		d := lowest(digits)
		b.at[d] = b.at[d].less(oneCell[c])
		for _, m := range b.fullOf[c] {
			b.where[m.house&(maxFull-1)][d] &^= 1 << m.place
		}
	}
}

// winsBack reports whether the rules find the digit of a cell.
func (t *thinner) winsBack(c, d int, under rules) bool {
	b := &t.base
	if lone(b.cand[c]) {
		return true
	}
	for _, m := range b.fullOf[c] {
		if lone(b.where[m.house&(maxFull-1)][d]) {
			return true
		}
	}
	t.begin()
	t.try.close(under, oneCell[c])
	return !t.try.open.less(t.try.single).has(c)
}

// begin takes the position of the clues to conclude from.
func (t *thinner) begin() {
	s := &t.try
	s.copyFrom(&t.base)
	for c := range s.open.all {
		switch m := s.cand[c]; {
		case lone(m):
			s.force(c, lowest(m))
		case isPair(m):
			s.pairs = s.pairs.or(oneCell[c])
		}
	}
	for h := range s.full {
		for m := s.all() &^ t.used[h]; m != 0; m &= m - 1 {
			d := lowest(m)
			if p := s.where[h][d]; lone(p) {
				s.force(s.cell(h, lowest(p)), d)
			}
		}
	}
}

// earned gives the lowest tier whose rules finish the puzzle.
func (t *thinner) earned() int {
	t.begin()
	return t.try.earned()
}
