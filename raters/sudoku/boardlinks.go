package sudoku

import (
	"fmt"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// skyscraper has an instance for each kind of line and digit; the detail is the two lines and the two cells of
// which one holds the digit.
func (s *shape) skyscraper() deduce.Rule {
	return deduce.Rule{
		Name: "skyscraper", Instances: 2 * s.size, Wakes: s.wakesLines, Minimal: true, Prove: s.proveSkyscraper,
		Where: func(i int, d []uint16) string {
			return s.linesName(kind(i/s.size), 1<<(s.houses[d[0]].number-1)|1<<(s.houses[d[1]].number-1))
		},
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool { return on(p).findSkyscraper(i, f) },
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			return s.becausePairs(p, c.Instance%s.size, c.Detail[:2], to)
		},
	}
}

// becausePairs: a digit has no other places in these houses than those it has.
func (s *shape) becausePairs(p *deduce.Past, digit int, houses []uint16, to []logic.Literal) []logic.Literal {
	for _, h := range houses {
		to = s.confined(to, p, int(h), digit, 0)
	}
	return to
}

func (b *board) findSkyscraper(i int, f *deduce.Finding) bool {
	of, d := b.byLine(i)
	lines := b.across(of, d)
	for x, m := range lines[:b.size] {
		for y := x + 1; y < b.size && isPair(m); y++ {
			shared := m & lines[y]
			if !isPair(lines[y]) || shared == 0 || isPair(shared) {
				continue
			}
			low, high := b.line(of, x), b.line(of, y)
			u, v := b.cell(low, lowest(m&^shared)), b.cell(high, lowest(lines[y]&^shared))
			if cells := b.seeBoth(u, v, d); !cells.empty() {
				f.Detail(uint16(low), uint16(high), uint16(u), uint16(v))
				removeFrom(f, cells, d)
				return true
			}
		}
	}
	return false
}

// kite has an instance for each digit; the detail is the row, the column, their cells in the box, the row's first,
// and the cells of which one holds the digit, in the same order.
func (s *shape) kite() deduce.Rule {
	return deduce.Rule{
		Name: "two-string-kite", Instances: s.size, Wakes: wakesDigit, Minimal: true, Prove: s.proveKite,
		Where: func(_ int, d []uint16) string {
			return fmt.Sprintf("%s and %s", s.houseName(int(d[0])), s.houseName(int(d[1])))
		},
		Find: func(p *deduce.Position, d int, f *deduce.Finding) bool { return on(p).findKite(d, f) },
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			return s.becausePairs(p, c.Instance, c.Detail[:2], to)
		},
	}
}

func (b *board) findKite(d int, f *deduce.Finding) bool {
	for i := range b.size {
		row := b.line(rowKind, i)
		for j := 0; j < b.size && isPair(b.places[row][d]); j++ {
			if column := b.line(columnKind, j); isPair(b.places[column][d]) && b.fly(row, column, d, f) {
				return true
			}
		}
	}
	return false
}

// fly concludes what a kite of a row and a column removes, if they are one.
func (b *board) fly(row, column, d int, f *deduce.Finding) bool {
	r, k := [2]int{}, [2]int{}
	r[0], r[1] = b.twoCells(row, b.places[row][d])
	k[0], k[1] = b.twoCells(column, b.places[column][d])
	if r[0] == k[0] || r[0] == k[1] || r[1] == k[0] || r[1] == k[1] {
		return false
	}
	for i, x := range r {
		for j, y := range k {
			if b.boxOf[x] != b.boxOf[y] {
				continue
			}
			u, v := r[1-i], k[1-j]
			if cells := b.seeBoth(u, v, d); !cells.empty() {
				f.Detail(uint16(row), uint16(column), uint16(x), uint16(y), uint16(u), uint16(v))
				removeFrom(f, cells, d)
				return true
			}
		}
	}
	return false
}

// partners goes through the strong links of a cell by a digit: the house, and the cell at the other end.
func (b *board) partners(cell, digit int) func(yield func(house, other int) bool) {
	return func(yield func(house, other int) bool) {
		for _, x := range b.fullOf[cell] {
			h := int(x.house)
			m := b.places[h][digit]
			if isPair(m) && !yield(h, b.cell(h, lowest(m&^(1<<x.place)))) {
				return
			}
		}
	}
}

// linkEnds gives the cells at the ends of the strong links by a digit.
func (b *board) linkEnds(digit int) (ends boardSet) {
	for h := range b.full {
		if m := b.places[h][digit]; isPair(m) {
			x, y := b.twoCells(h, m)
			ends.add(x)
			ends.add(y)
		}
	}
	return ends
}

// component is a component of the strong links of a digit, as a tree from its first cell.
type component struct {
	color  [2]boardSet
	parent [maxCells]uint8
	via    [maxCells]uint8 // the house of that link
	depth  [maxCells]uint8
}

// grow reaches the cells of the component of a cell breadth first, houses of a cell in order.
func (b *board) grow(g *component, first, digit int) {
	g.color = [2]boardSet{setOf(first)}
	g.depth[first] = 0
	queue := append(b.walked.queue[:0], uint8(first))
	for head := 0; head < len(queue); head++ {
		c := int(queue[head])
		for h, other := range b.partners(c, digit) {
			if g.color[0].or(g.color[1]).has(other) {
				continue
			}
			g.depth[other] = g.depth[c] + 1
			g.parent[other], g.via[other] = uint8(c), uint8(h)
			g.color[g.depth[other]&1].add(other)
			queue = append(queue, uint8(other))
		}
	}
	b.walked.queue = queue
}

// coloring has an instance for each digit; the detail is the first cell of the component, and the links that are
// used: a cell, another, the house.
func (s *shape) coloring() deduce.Rule {
	return deduce.Rule{
		Name: "simple-coloring", Instances: s.size, Wakes: wakesDigit, Prove: s.proveColoring,
		Where: func(_ int, d []uint16) string { return s.cellName(int(d[0])) },
		Find: func(p *deduce.Position, d int, f *deduce.Finding) bool {
			b := on(p)
			g := &b.walked.component
			for left := b.linkEnds(d); !left.empty(); left = left.less(g.color[0]).less(g.color[1]) {
				b.grow(g, left.first(), d)
				if b.wrap(g, d, f) || b.trap(g, d, f) {
					return true
				}
			}
			return false
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for l := c.Detail[1:]; len(l) > 0; l = l[3:] {
				to = s.linked(to, p, int(l[2]), c.Instance, int(l[0]), int(l[1]))
			}
			return to
		},
	}
}

// wrap removes a color of which two cells see each other.
func (b *board) wrap(g *component, digit int, f *deduce.Finding) bool {
	for _, color := range g.color {
		for c := range color.all {
			if color.and(b.peers[c]).empty() {
				continue
			}
			removeFrom(f, color, digit)
			var used boardSet
			for other := range color.all {
				g.path(c, other, &used)
			}
			g.note(f, used)
			return true
		}
	}
	return false
}

// trap removes the digit from what sees both colors.
func (b *board) trap(g *component, digit int, f *deduce.Finding) bool {
	var used, trapped boardSet
	for c := range b.at[digit].less(g.color[0]).less(g.color[1]).all {
		x, y := g.color[0].and(b.peers[c]), g.color[1].and(b.peers[c])
		if !x.empty() && !y.empty() {
			trapped.add(c)
			g.path(x.first(), y.first(), &used)
		}
	}
	if trapped.empty() {
		return false
	}
	removeFrom(f, trapped, digit)
	g.note(f, used)
	return true
}

// path adds the links between two cells, each named by its farther end.
func (g *component) path(x, y int, links *boardSet) {
	for x != y {
		if g.depth[x] < g.depth[y] {
			x, y = y, x
		}
		links.add(x)
		x = int(g.parent[x])
	}
}

func (g *component) note(f *deduce.Finding, links boardSet) {
	f.Detail(uint16(g.color[0].first()))
	for c := range links.all {
		f.Detail(uint16(c), uint16(g.parent[c]), uint16(g.via[c]))
	}
}
