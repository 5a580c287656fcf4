package sudoku

import (
	"fmt"
	"math/bits"
	"sync"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// xyWing has one instance, since cages say what sees what; the detail is the pivot and the two cells.
func (s *shape) xyWing() deduce.Rule {
	return deduce.Rule{
		Name: "xy-wing", Instances: 1, Because: becauseCells, Minimal: true, Prove: proveXYWing,
		Where: func(_ int, detail []uint16) string { return s.cellNames(detail...) },
		Find: func(p *deduce.Position, _ int, f *deduce.Finding) bool {
			b := on(p)
			pairs := b.pairs()
			for pivot := range pairs.all {
				near := pairs.and(b.peers[pivot])
				for x := range near.all {
					for y := range near.all {
						if x < y && b.spread(pivot, x, y, f) {
							return true
						}
					}
				}
			}
			return false
		},
	}
}

// firstColoring has one instance; the detail is the first cell of the component, the links that are used, each a cell, another
// and the house, and the digit.
func (s *shape) firstColoring() deduce.Rule {
	return deduce.Rule{
		Name: "simple-coloring", Instances: 1, Minimal: true, Prove: proveFirstColoring,
		Where: func(_ int, detail []uint16) string { return s.cellName(int(detail[0])) },
		Find:  func(p *deduce.Position, _ int, f *deduce.Finding) bool { return on(p).colorFirst(f) },
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			links, digit := colored(c)
			for ; len(links) > 0; links = links[3:] {
				to = s.linked(to, p, int(links[2]), digit, int(links[0]), int(links[1]))
			}
			return to
		},
	}
}

// colored returns the links of a coloring, and its digit.
func colored(c *deduce.Claim) (links []uint16, digit int) {
	last := len(c.Detail) - 1
	return c.Detail[1:last], int(c.Detail[last])
}

// colorFirst takes the component whose first cell comes first, then the digit.
func (b *board) colorFirst(f *deduce.Finding) bool {
	var left [maxSize]boardSet // digit: ends of its links, without those of components that were looked at
	var all boardSet
	for d := range b.size {
		left[d] = b.linkEnds(d)
		all = all.or(left[d])
	}
	g := &b.walked.component
	for c := range all.all {
		for m := b.p.Mask(c); m != 0; m &= m - 1 {
			d := lowest(m)
			if !left[d].has(c) {
				continue
			}
			b.grow(g, c, d)
			if b.wrap(g, d, f) || b.trap(g, d, f) {
				f.Detail(uint16(d))
				return true
			}
			left[d] = left[d].less(g.color[0]).less(g.color[1])
		}
	}
	return false
}

// quad is a rectangle: top left, top right, bottom left, bottom right.
type quad [4]uint8

// quads lists the rectangles of two rows, two columns and two boxes, in order of their cells.
func (s *shape) quads() (all []quad) {
	n := s.size
	for c := range s.cells() {
		r, k := c/n, c%n
		for k2 := k + 1; k2 < n; k2++ {
			for r2 := r + 1; r2 < n; r2++ {
				q := quad{uint8(c), uint8(r*n + k2), uint8(r2*n + k), uint8(r2*n + k2)}
				if s.inTwoBoxes(&q) {
					all = append(all, q)
				}
			}
		}
	}
	return all
}

func (s *shape) inTwoBoxes(q *quad) bool {
	a, b, c, d := s.boxOf[q[0]], s.boxOf[q[1]], s.boxOf[q[2]], s.boxOf[q[3]]
	return a == b && c == d && a != c || a == c && b == d && a != b
}

// uniqueRectangle has one instance; the detail is the type, the cells, the digits, and of type 4 the house and the digit that
// has no other place there.
func (s *shape) uniqueRectangle() deduce.Rule {
	quads := sync.OnceValue(s.quads)
	return deduce.Rule{
		Name: rectangleName, Instances: 1, Minimal: true, Prove: proveRectangle,
		Where: func(_ int, d []uint16) string { return fmt.Sprintf("type %d %s", d[0], s.cellNames(d[1:5]...)) },
		Find: func(p *deduce.Position, _ int, f *deduce.Finding) bool {
			b := on(p)
			for i := range quads() {
				if b.findRectangle(&quads()[i], f) {
					return true
				}
			}
			return false
		},
		Because: becauseRectangle,
	}
}

// becauseRectangle: the bare corners are bare; of type 2 the others have one digit more, of type 4 a digit has no other place.
func becauseRectangle(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
	s := p.Board().(*board).shape
	pair := uint16(1)<<c.Detail[5] | uint16(1)<<c.Detail[6]
	for _, cell := range c.Detail[1:5] {
		if c.Detail[0] == 2 || p.Mask(int(cell)) == pair {
			to = p.AppendGone(to, int(cell))
		}
	}
	if c.Detail[0] == 4 {
		to = s.confined(to, p, int(c.Detail[7]), int(c.Detail[8]), 0)
	}
	return to
}

// findRectangle tries all pairs of digits that the four cells, which are not written, have in common.
func (b *board) findRectangle(q *quad, f *deduce.Finding) bool {
	common := b.all()
	for _, c := range q {
		if b.p.Written(int(c)) {
			return false
		}
		common &= b.p.Mask(int(c))
	}
	for m := common; m != 0; m &= m - 1 {
		for rest := m & (m - 1); rest != 0; rest &= rest - 1 {
			if b.rectangle(q, lowest(m), lowest(rest), f) {
				return true
			}
		}
	}
	return false
}

func (b *board) rectangle(q *quad, x, y int, f *deduce.Finding) bool {
	pair, bare := uint16(1)<<x|uint16(1)<<y, uint(0)
	for i, c := range q {
		if b.p.Mask(int(c)) == pair {
			bare |= 1 << i
		}
	}
	say := func(kind int, more ...uint16) {
		f.Detail(uint16(kind), uint16(q[0]), uint16(q[1]), uint16(q[2]), uint16(q[3]), uint16(x), uint16(y))
		f.Detail(more...)
	}
	if bits.OnesCount(bare) == 3 {
		f.RemoveMask(int(q[bits.TrailingZeros(^bare)]), pair)
		say(1)
		return true
	}
	at := floors[bare&15]
	if at[0] == at[1] {
		return false
	}
	u, v := int(q[at[2]]), int(q[at[3]])
	if b.oneMore(u, v, pair, f) {
		say(2)
		return true
	}
	if h, d := b.boundTo(u, v, pair); h >= 0 {
		f.RemoveMask(u, pair&^(1<<d))
		f.RemoveMask(v, pair&^(1<<d))
		say(4, uint16(h), uint16(d))
		return true
	}
	return false
}

// oneMore removes the one digit more that two cells have from what sees both.
func (b *board) oneMore(u, v int, pair uint16, f *deduce.Finding) bool {
	extra := b.p.Mask(u) &^ pair
	if b.p.Mask(u) != b.p.Mask(v) || extra == 0 || extra&(extra-1) != 0 {
		return false
	}
	cells := b.seeBoth(u, v, lowest(extra))
	removeFrom(f, cells, lowest(extra))
	return !cells.empty()
}

// boundTo returns the first house, and digit of the pair, that has no other place there than two cells; −1 when there is none.
func (b *board) boundTo(u, v int, pair uint16) (house, digit int) {
	for m := pair; m != 0; m &= m - 1 {
		d := lowest(m)
		for _, x := range b.fullOf[u] {
			h := int(x.house)
			if place := b.placeIn(h, v); place >= 0 && b.places[h][d] == 1<<x.place|1<<place {
				return h, d
			}
		}
	}
	return -1, 0
}
