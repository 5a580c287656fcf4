package sudoku

// coloring is one component of the strong links of a digit: houses where it has two places. Its cells
// have two colors in turn, so that the digit stands in all cells of one color and in none of the other.
type coloring struct {
	digit  int
	color  [2]cellSet
	seen   [2]cellSet // cells that see a cell of the color
	parent [81]uint8  // the cell from which a cell was reached; the first cell's is itself
	via    [81]uint8  // the house of that link
	depth  [81]uint8
}

// simpleColoring: the digit cannot stand twice in a house, so that a color with two cells in a house is
// removed (wrap); else a cell that sees both colors loses the digit (trap). By the component's first
// cell, digit; the color of the first cell first.
func simpleColoring(s *state) bool {
	s.count()
	news := s.newsOf(ofColoring)
	open, all := s.linked(*news)
	var g coloring
	for c := range all.all {
		for m := s.cand[c] & *news; m != 0; m &= m - 1 {
			d := lowest(m)
			if !open[d].has(int(c)) {
				continue
			}
			g.digit = d
			g.grow(s, c)
			open[d] = open[d].less(g.color[0]).less(g.color[1])
			if s.wrap(&g) || s.trap(&g) {
				s.found.pattern = onePattern('c', c)
				return true
			}
		}
	}
	*news = 0
	return false
}

// linked gives the cells at the ends of the strong links of each of these digits, and of all.
func (s *state) linked(digits uint16) (ends [9]cellSet, all cellSet) {
	for m := digits; m != 0; m &= m - 1 {
		d := lowest(m)
		for k := range s.twice {
			for t := s.twice[k][d]; t != 0; t &= t - 1 {
				ends[d] = ends[d].or(cellsOf[9*k+lowest(t)])
			}
		}
		ends[d] = ends[d].and(s.where[0][d])
		all = all.or(ends[d])
	}
	return ends, all
}

// grow reaches the cells of the component breadth first. What is left of another component is not looked at.
func (g *coloring) grow(s *state, first uint8) {
	g.color, g.seen, g.depth[first] = [2]cellSet{}, [2]cellSet{}, 0
	g.join(first, first, 0)
	var queue [81]uint8
	queue[0] = first
	for head, tail := 0, 1; head < tail; head++ {
		c := queue[head]
		for i, h := range houseOf[c] {
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

func (s *state) wrap(g *coloring) bool {
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
		return true
	}
	return false
}

func (s *state) trap(g *coloring) bool {
	trapped := g.seen[0].and(g.seen[1])
	trapped = trapped.and(s.where[0][g.digit]).less(g.color[0].or(g.color[1]))
	var links cellSet
	for c := range trapped.all {
		s.found.removed = append(s.found.removed, literal(c, g.digit))
		g.path(uint8(g.color[0].and(sees[c]).first()), uint8(g.color[1].and(sees[c]).first()), &links)
	}
	if trapped.empty() {
		return false
	}
	s.linkReasons(g, links)
	return true
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
		for _, x := range houses[g.via[c]] {
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
