package sudoku

import (
	"fmt"
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// wakesSeeing wakes a cell and its peers.
func (s *shape) wakesSeeing(l logic.Literal, to []int) []int {
	to = append(to, l.Variable())
	for c := range s.peers[l.Variable()].all {
		to = append(to, c)
	}
	return to
}

// becauseCells: the cells of the detail have no other digits.
func becauseCells(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
	for _, cell := range c.Detail {
		to = p.AppendGone(to, int(cell))
	}
	return to
}

// wing makes the rule of a pivot with so many candidates and two cells that it sees, which share the digit that
// goes. It has an instance for each pivot; the detail is the pivot and the two cells.
func (s *shape) wing(name string, pivot int) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: s.cells(), Wakes: s.wakesSeeing, Because: becauseCells, Minimal: true, Prove: s.proveWing(pivot),
		Where: func(_ int, detail []uint16) string { return s.cellNames(detail...) },
		Find: func(p *deduce.Position, cell int, f *deduce.Finding) bool {
			if bits.OnesCount16(p.Mask(cell)) != pivot {
				return false
			}
			b := on(p)
			near := b.pairs().and(s.peers[cell])
			for x := range near.all {
				for y := range near.all {
					if x < y && b.spread(cell, x, y, f) {
						return true
					}
				}
			}
			return false
		},
	}
}

// spread concludes what a wing of these cells removes, if it is one.
func (b *board) spread(pivot, x, y int, f *deduce.Finding) bool {
	m, mx, my := b.p.Mask(pivot), b.p.Mask(x), b.p.Mask(y)
	shared := mx & my
	if mx == my || shared == 0 || (mx|my)&^shared != m&^shared || bits.OnesCount16(mx|my|m) != 3 {
		return false
	}
	z := lowest(shared)
	cells := b.seeBoth(x, y, z)
	if m&shared != 0 {
		cells = cells.and(b.peers[pivot])
	}
	if cells.empty() {
		return false
	}
	removeFrom(f, cells, z)
	f.Detail(uint16(pivot), uint16(x), uint16(y))
	return true
}

// wWing has one instance; the detail is the two cells, the digit that links them, and the house.
func (s *shape) wWing() deduce.Rule {
	return deduce.Rule{
		Name: "w-wing", Instances: 1, Minimal: true, Prove: s.proveWWing,
		Where: func(_ int, d []uint16) string {
			return fmt.Sprintf("%s, %s in %s", s.cellNames(d[:2]...), s.naming.Values[d[2]], s.houseName(int(d[3])))
		},
		Find: func(p *deduce.Position, _ int, f *deduce.Finding) bool {
			b := on(p)
			pairs := b.pairs()
			for x := range pairs.all {
				for y := range pairs.less(s.peers[x]).all {
					if x < y && p.Mask(x) == p.Mask(y) && b.bridge(x, y, f) {
						return true
					}
				}
			}
			return false
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			x, y, d, h := int(c.Detail[0]), int(c.Detail[1]), int(c.Detail[2]), int(c.Detail[3])
			to = p.AppendGone(p.AppendGone(to, x), y)
			return s.confined(to, p, h, d, 0)
		},
	}
}

// bridge concludes what two cells with the same two digits remove, if one of the digits links them.
func (b *board) bridge(x, y int, f *deduce.Finding) bool {
	both := b.p.Mask(x)
	for m := both; m != 0; m &= m - 1 {
		d := lowest(m)
		z := lowest(both &^ (1 << d))
		cells := b.seeBoth(x, y, z)
		if cells.empty() {
			continue
		}
		for h := range b.full {
			if b.joins(h, d, x, y) {
				f.Detail(uint16(x), uint16(y), uint16(d), uint16(h))
				removeFrom(f, cells, z)
				return true
			}
		}
	}
	return false
}

// joins tells whether a house has two places for a digit, one of which a cell sees, and another cell the other.
func (b *board) joins(house, digit, x, y int) bool {
	m := b.places[house][digit]
	if !isPair(m) {
		return false
	}
	u, v := b.twoCells(house, m)
	return b.sees(u, x) && b.sees(v, y) || b.sees(u, y) && b.sees(v, x)
}

// twoCells gives the cells of two places of a house.
func (s *shape) twoCells(house int, places uint16) (first, second int) {
	return s.cell(house, lowest(places)), s.cell(house, lowest(places&(places-1)))
}
