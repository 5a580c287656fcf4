package sudoku

// colors are the cells of one component of the strong links of a digit: houses where it has two places. They
// have two colors in turn, so that the digit stands in all cells of one color and in none of the other.
type colors struct {
	color [2]cellSet
	seen  [2]cellSet // cells that see a cell of the color
}

// coloring is a component with its links.
type coloring struct {
	colors
	digit  int
	parent [81]uint8 // the cell from which a cell was reached; the first cell's is itself
	via    [81]uint8 // the house of that link
	depth  [81]uint8
}

// simpleColoring: the digit cannot stand twice in a house, so that a color with two cells in a house is
// removed (wrap); else a cell that sees both colors loses the digit (trap). By the component's first
// cell, digit; the color of the first cell first.
func simpleColoring(s *state) bool {
	s.count()
	s.byCell()
	news := s.newsOf(ofColoring)
	open, all := s.linked(*news)
	for c := range all.all {
		for m := s.cand[c] & *news; m != 0; m &= m - 1 {
			d := lowest(m)
			if !open[d].has(int(c)) {
				continue
			}
			g := s.colorsFrom(c, d)
			if g.wrapped() || !g.trapped(&s.where[0][d]).empty() {
				s.removeColored(c, d)
				return true
			}
			open[d] = open[d].less(g.color[0]).less(g.color[1])
		}
	}
	*news = 0
	return false
}

// linked gives the cells at the ends of the strong links of each of these digits, and of all.
func (s *state) linked(digits uint16) (ends [9]cellSet, all cellSet) {
	for m := digits; m != 0; m &= m - 1 {
		d := lowest(m)
		ends[d] = rows(s.twice[0][d]).or(columns(s.twice[1][d])).or(boxes(s.twice[2][d])).and(s.where[0][d])
		all = all.or(ends[d])
	}
	return ends, all
}

// colorsFrom reaches the cells of a component, those of each color in turn.
func (s *state) colorsFrom(first uint8, d int) (g colors) {
	var ends cellSet
	ends.add(int(first))
	for k := 0; !ends.empty(); k = 1 - k {
		g.color[k] = g.color[k].or(ends)
		var next cellSet
		for c := range ends.all {
			g.seen[k] = g.seen[k].or(sees[c])
			for i, h := range &houseOf[c] {
				linked := -uint64(s.twice[i][d] >> (h - uint8(9*i)) & 1) // all ones or none, which could not be predicted
				next.top |= cellsOf[h].top & linked
				next.low |= cellsOf[h].low & linked
			}
		}
		ends = next.and(s.where[0][d]).less(g.color[0]).less(g.color[1])
	}
	return g
}

// wrapped tells whether a color has two cells in a house.
func (g *colors) wrapped() bool {
	return !g.color[0].and(g.seen[0]).empty() || !g.color[1].and(g.seen[1]).empty()
}

// trapped gives the places of the digit that see both colors.
func (g *colors) trapped(places *cellSet) cellSet {
	return g.seen[0].and(g.seen[1]).and(*places).less(g.color[0]).less(g.color[1])
}

// removeColored notes what the component of a cell removes.
func (s *state) removeColored(first uint8, d int) {
	g := coloring{digit: d}
	g.grow(s, first)
	if g.wrapped() {
		s.wrap(&g)
	} else {
		s.trap(&g)
	}
	s.found.pattern = onePattern('c', first)
}

// grow reaches the cells of the component breadth first. What is left of another component is not looked at.
func (g *coloring) grow(s *state, first uint8) {
	g.join(first, first, 0)
	var queue [81]uint8
	queue[0] = first
	for head, tail := 0, 1; head < tail; head++ {
		c := queue[head]
		for i, h := range &houseOf[c] {
			if s.twice[i][g.digit]>>(h%9)&1 == 0 {
				continue
			}
			other := houses[h][lowest(s.places(h, g.digit)&^(1<<placeOf[c][i]))]
			if g.has(other) {
				continue
			}
			g.depth[other] = g.depth[c] + 1
			g.join(other, c, h)
			queue[tail] = other
			tail++
		}
	}
}

func (g *coloring) has(c uint8) bool { return g.color[0].has(int(c)) || g.color[1].has(int(c)) }

func (g *coloring) join(c, parent, via uint8) {
	k := g.depth[c] & 1
	g.color[k].add(int(c))
	g.seen[k] = g.seen[k].or(sees[c])
	g.parent[c], g.via[c] = parent, via
}

// wrap removes the color that has two cells in a house.
func (s *state) wrap(g *coloring) {
	for k, color := range g.color {
		twice := color.and(g.seen[k])
		if twice.empty() {
			continue
		}
		var links cellSet
		for c := range color.all {
			s.found.removed = append(s.found.removed, literal(c, g.digit))
			g.path(uint8(twice.first()), c, &links)
		}
		s.linkReasons(g, links)
		return
	}
}

// trap removes the digit from cells that see both colors.
func (s *state) trap(g *coloring) {
	var links cellSet
	for c := range g.trapped(&s.where[0][g.digit]).all {
		s.found.removed = append(s.found.removed, literal(c, g.digit))
		g.path(uint8(g.color[0].and(sees[c]).first()), uint8(g.color[1].and(sees[c]).first()), &links)
	}
	s.linkReasons(g, links)
}

// path adds the links between two cells, each named by its farther end.
func (g *coloring) path(a, b uint8, links *cellSet) {
	for a != b {
		if g.depth[a] < g.depth[b] {
			a, b = b, a
		}
		links.add(int(a))
		a = g.parent[a]
	}
}

// linkReasons notes, for each link, that the digit has no other place in its house.
func (s *state) linkReasons(g *coloring, links cellSet) {
	var gone cellSet
	for c := range links.all {
		for _, x := range &houses[g.via[c]] {
			if x != c && x != g.parent[c] {
				gone.add(int(x))
			}
		}
	}
	for row := range uint8(9) {
		if places := gone.row(row); places != 0 {
			s.found.confined(row, g.digit, nine&^places)
		}
	}
}
