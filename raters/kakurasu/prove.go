package kakurasu

import "assay/raters/deduce"

// The verifiers of the rules use only the facts they receive and the clues. They add up weights and enumerate by
// themselves, and share no code with the finders.

// bounds returns the least and the most that the shaded cells of a line can add up to.
func (g *grid) bounds(f *deduce.Facts, line int) (least, most int) {
	for i := range g.size(line) {
		switch f.Left(g.cell(line, i)) {
		case 1 << shaded:
			least += i + 1
			most += i + 1
		case 1<<shaded | 1<<unshaded:
			most += i + 1
		}
	}
	return least, most
}

// weight returns how much a cell counts in a line.
func (g *grid) weight(line, cell int) int {
	if line < g.rows {
		return cell%g.columns + 1
	}
	return cell/g.columns + 1
}

func (g *grid) proveReached(f *deduce.Facts, c *deduce.Claim) bool {
	least, _ := g.bounds(f, c.Instance)
	for _, l := range c.Removed {
		if l.Value() != shaded {
			return false
		}
	}
	return least == g.clue[c.Instance]
}

func (g *grid) proveBounds(f *deduce.Facts, c *deduce.Claim) bool {
	least, most := g.bounds(f, c.Instance)
	for _, l := range c.Removed {
		w := g.weight(c.Instance, l.Variable())
		if l.Value() == shaded && least+w <= g.clue[c.Instance] || l.Value() == unshaded && most-w >= g.clue[c.Instance] {
			return false
		}
	}
	return true
}

func (g *grid) provePassed(f *deduce.Facts, c *deduce.Claim) bool {
	least, _ := g.bounds(f, c.Instance)
	return least > g.clue[c.Instance]
}

func (g *grid) proveOutOfReach(f *deduce.Facts, c *deduce.Claim) bool {
	_, most := g.bounds(f, c.Instance)
	return most < g.clue[c.Instance]
}

func (g *grid) proveFew(f *deduce.Facts, c *deduce.Claim) bool {
	return g.ways(f, c.Instance).n <= few && g.proveCombinations(f, c)
}

func (g *grid) proveCombinations(f *deduce.Facts, c *deduce.Claim) bool {
	w := g.ways(f, c.Instance)
	for _, l := range c.Removed {
		if w.with[l.Value()]>>(g.weight(c.Instance, l.Variable())-1)&1 != 0 {
			return false
		}
	}
	return w.n > 0
}

// ways is how a line can be filled: the number of ways, and which cells are shaded, or not, in some of them.
type ways struct {
	n    int
	with [2]uint16
}

// ways counts by trying each cell of the line in turn, heaviest first.
func (g *grid) ways(f *deduce.Facts, line int) (w ways) {
	var left [MaxSize]uint16
	for i := range g.size(line) {
		left[i] = f.Left(g.cell(line, i))
	}
	w.fill(&left, g.size(line), g.clue[line], 0, uint16(1)<<g.size(line)-1)
	return w
}

// fill counts the ways to reach a sum with the first n cells; the cells in on are shaded already.
func (w *ways) fill(left *[MaxSize]uint16, n, sum int, on, full uint16) {
	if sum < 0 || sum > n*(n+1)/2 {
		return
	}
	if n == 0 {
		w.n++
		w.with[shaded] |= on
		w.with[unshaded] |= full &^ on
		return
	}
	if left[n-1]>>shaded&1 != 0 {
		w.fill(left, n-1, sum-n, on|1<<(n-1), full)
	}
	if left[n-1]>>unshaded&1 != 0 {
		w.fill(left, n-1, sum, on, full)
	}
}
