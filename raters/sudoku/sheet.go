package sudoku

import "math/bits"

// maxFull keeps houses that hold each digit in one word.
const maxFull = 64

// ground is what a sheet asks of a shape: its houses that hold each digit, and where they cross.
type ground struct {
	*shape
	in        [maxCells]uint64   // cell: its houses, as a set
	outline   [maxCells]boardSet // cell: its peers, those of cages apart
	crossings [maxFull][]crossing
	most      [maxFull]int // house: the cells of its largest crossing
	blank     sheet        // of a grid without givens
}

// crossing is what a box shares with a line: two cells or more.
type crossing struct {
	mine uint16 // the places of the house that it shares
	rest boardSet
}

// newGround gives the ground of a shape. It panics where the shape has too many houses.
func newGround(s *shape) *ground {
	if s.full > maxFull {
		panic("sudoku: too many houses")
	}
	g := &ground{shape: s}
	for c := range s.cells() {
		for _, m := range s.fullOf[c] {
			g.in[c] |= 1 << m.house
			g.outline[c] = g.outline[c].or(s.cellsIn[m.house])
		}
		g.outline[c] = g.outline[c].less(setOf(c))
	}
	for _, b := range s.boxes {
		for _, l := range s.lines {
			g.cross(b, l)
			g.cross(l, b)
		}
	}
	g.blank.start(g)
	return g
}

// cross notes what a house has to do with another one.
func (g *ground) cross(house, other uint8) {
	x := crossing{rest: g.cellsIn[other].less(g.cellsIn[house])}
	for i, c := range g.houses[house].cells {
		if g.cellsIn[other].has(int(c)) {
			x.mine |= 1 << i
		}
	}
	if n := bits.OnesCount16(x.mine); n > 1 {
		g.crossings[house] = append(g.crossings[house], x)
		g.most[house] = max(g.most[house], n)
	}
}

// oneCell gives a set of one; with a table there is no branch.
var oneCell = func() (all [maxCells]boardSet) {
	for c := range all {
		all[c] = setOf(c)
	}
	return all
}()

// sheet is a position of a search, and of a solve by techniques that keeps no steps, on any shape. A written cell keeps
// its digit as its one candidate.
type sheet struct {
	*ground
	cages *cages                   // nil without any
	peers *[maxCells]boardSet      // those of the cages too
	cand  [maxCells]uint16         // cell: its candidates
	where [maxFull][maxSize]uint16 // house, digit: its places
	at    [maxSize]boardSet        // digit: its cells
	open  boardSet                 // cells not written
	left  [mostCages]uint8         // cage: what its open cells add up to

	// What changed and is not looked at yet.
	single  boardSet        // cells that a digit must go into
	digit   [maxCells]uint8 // which
	pairs   boardSet        // cells down to two candidates
	changed uint64          // houses
	news    [maxFull]uint16 // house: digits
	triples uint64          // houses, for naked triples
	dirty   uint64          // cages
	regions uint64
	moved   uint16    // digits
	fish    [2]uint16 // digits, for fish of two lines and of three
	colors  uint16    // digits, for simple coloring
	wings   boardSet  // cells with two candidates when there was no XY-wing

	broken bool   // there is no solution
	work   uint64 // units: digits written, houses, cages and regions looked at
}

// start lets each cell hold each digit.
func (s *sheet) start(g *ground) {
	*s = sheet{ground: g, peers: &g.outline, open: g.allCells, changed: 1<<g.full - 1, triples: 1<<g.full - 1, moved: g.all()}
	for c := range g.cells() {
		s.cand[c] = g.all()
	}
	for d := range g.size {
		s.at[d] = g.allCells
	}
	for h := range g.full {
		s.where[h] = g.allPlaces[h]
		s.news[h] = g.all()
	}
}

// copyFrom takes another position of the same puzzle.
func (s *sheet) copyFrom(t *sheet) {
	n, full := t.cells(), t.full
	s.ground, s.cages, s.peers = t.ground, t.cages, t.peers
	copy(s.cand[:n], t.cand[:n])
	copy(s.where[:full], t.where[:full])
	copy(s.at[:t.size], t.at[:t.size])
	copy(s.digit[:n], t.digit[:n])
	copy(s.news[:full], t.news[:full])
	s.open, s.single, s.pairs, s.changed, s.triples = t.open, t.single, t.pairs, t.changed, t.triples
	s.moved, s.fish, s.colors, s.wings, s.broken, s.work = t.moved, t.fish, t.colors, t.wings, t.broken, t.work
	s.dirty, s.regions = t.dirty, t.regions
	if s.cages != nil {
		s.left = t.left
	}
}

// write puts a digit that is a candidate into an open cell.
func (s *sheet) write(c, d int) {
	s.work++
	one := oneCell[c&255]
	s.open = s.open.less(one)
	others := s.cand[c] &^ (1 << d)
	s.cand[c] = 1 << d
	for m := others; m != 0; m &= m - 1 {
		e := lowest(m)
		s.at[e] = s.at[e].less(one)
		s.leave(c, e)
	}
	gone := s.at[d&15].and(s.peers[c&255])
	s.at[d&15] = s.at[d&15].less(gone)
	s.strike(gone, d)
	if s.cages != nil {
		s.cages.written(s, c, d)
	}
}

// remove takes a digit from cells that have it as a candidate.
func (s *sheet) remove(cells boardSet, d int) {
	s.at[d&15] = s.at[d&15].less(cells)
	s.strike(cells, d)
}

// strike does so but for at.
func (s *sheet) strike(cells boardSet, d int) {
	for m := cells.a; m != 0; m &= m - 1 {
		s.lose(bits.TrailingZeros64(m), d)
	}
	for m := cells.b; m != 0; m &= m - 1 {
		s.lose(64+bits.TrailingZeros64(m), d)
	}
	if cells.c|cells.d == 0 {
		return
	}
	for m := cells.c; m != 0; m &= m - 1 {
		s.lose(128+bits.TrailingZeros64(m), d)
	}
	for m := cells.d; m != 0; m &= m - 1 {
		s.lose(192+bits.TrailingZeros64(m), d)
	}
}

// keep leaves a cell only these candidates.
func (s *sheet) keep(c int, digits uint16) {
	for m := s.cand[c] &^ digits; m != 0; m &= m - 1 {
		d := lowest(m)
		s.at[d] = s.at[d].less(oneCell[c&255])
		s.lose(c, d)
	}
}

// lose notes that a cell has lost a candidate.
func (s *sheet) lose(c, d int) {
	m := s.cand[c&255] &^ (1 << d)
	s.cand[c&255] = m
	rest := m & (m - 1)
	switch {
	case m == 0:
		s.broken = true
	case rest == 0:
		s.force(c, lowest(m))
	case rest&(rest-1) == 0:
		s.pairs = s.pairs.or(oneCell[c&255])
	}
	s.leave(c, d)
	if s.cages != nil {
		s.cages.lost(s, c)
	}
}

// leave notes that a digit has lost a place.
func (s *sheet) leave(c, d int) {
	bit := uint16(1) << d
	s.moved |= bit
	s.changed |= s.in[c&255]
	for _, m := range s.fullOf[c&255] {
		h := m.house & (maxFull - 1)
		p := s.where[h][d&15] &^ (1 << m.place)
		s.where[h][d&15] = p
		s.news[h] |= bit
		if p&(p-1) != 0 {
			continue
		}
		if p == 0 {
			s.broken = true
			return
		}
		s.force(int(s.cellAt[h][lowest(p)&15]), d)
	}
}

// force notes that a digit must go into a cell.
func (s *sheet) force(c, d int) {
	s.single = s.single.or(oneCell[c&255])
	s.digit[c&255] = uint8(d)
}

// solved reports whether each cell is written.
func (s *sheet) solved() bool { return s.open.empty() }

// fill writes out a solved position, digits from 1.
func (s *sheet) fill(to *[maxCells]uint8) {
	for c := range s.cells() {
		to[c] = uint8(lowest(s.cand[c]) + 1)
	}
}
