package sudoku

import (
	"fmt"

	"assay/raters"
	"assay/raters/deduce"
)

func (b *board) findPeers(p *deduce.Position, cell int, f *deduce.Finding) bool {
	if !p.Written(cell) {
		return false
	}
	d := p.Value(cell)
	removeFrom(f, b.peers[cell].and(b.at[d]), d)
	return true
}

func becausePeers(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
	return append(to, raters.Lit(c.Instance, lowest(p.Mask(c.Instance))))
}

func (b *board) nakedSingle() deduce.Rule {
	return deduce.Rule{
		Name: "naked-single", Instances: b.cells(), Where: b.whereCell, Wakes: b.wakesCell, Minimal: true, Prove: proveNakedSingle,
		Find: func(p *deduce.Position, cell int, f *deduce.Finding) bool {
			if m := p.Mask(cell); m&(m-1) != 0 || m == 0 || p.Written(cell) {
				return false
			}
			f.Place(raters.Lit(cell, p.Value(cell)))
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
			return p.AppendGone(to, c.Instance)
		},
	}
}

// hiddenSingle has an instance for each house and digit.
func (b *board) hiddenSingle() deduce.Rule {
	s := b.shape
	return deduce.Rule{
		Name: "hidden-single", Instances: 3 * s.size * s.size, Minimal: true, Prove: s.proveHiddenSingle,
		Where: func(i int, _ []uint16) string { return s.houseName(i / s.size) },
		Wakes: func(l raters.Literal, to []int) []int {
			for _, h := range s.houseOf[l.Variable()] {
				to = append(to, int(h)*s.size+l.Value())
			}
			return to
		},
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			h, d := i/s.size, i%s.size
			m := b.places[h][d]
			if m == 0 || m&(m-1) != 0 {
				return false
			}
			f.Place(raters.Lit(int(s.house[h][lowest(m)]), d))
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
			h, cell := c.Instance/s.size, c.Placed[0].Variable()
			return s.linked(to, p, h, c.Instance%s.size, cell, cell)
		},
	}
}

// pointing has an instance for each box and digit, claiming one for each line and digit; the detail is the other
// house.
func (b *board) pointing() deduce.Rule {
	return b.locked("pointing", 2*b.size, b.size, func(cell int) []uint8 { return b.houseOf[cell][:2] })
}

func (b *board) claiming() deduce.Rule {
	return b.locked("claiming", 0, 2*b.size, func(cell int) []uint8 { return b.houseOf[cell][2:] })
}

// locked makes the rule of a digit that has all its places in a house, of so many from the first on, in another
// house as well, one of those across a cell.
func (b *board) locked(name string, first, count int, across func(cell int) []uint8) deduce.Rule {
	s := b.shape
	return deduce.Rule{
		Name: name, Instances: count * s.size, Minimal: true, Prove: s.proveLocked(first),
		Where: func(i int, detail []uint16) string {
			return fmt.Sprintf("%s and %s", s.houseName(first+i/s.size), s.houseName(int(detail[0])))
		},
		Wakes: func(l raters.Literal, to []int) []int {
			for _, h := range s.houseOf[l.Variable()] {
				if i := int(h) - first; i >= 0 && i < count {
					to = append(to, i*s.size+l.Value())
				}
			}
			return to
		},
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			h, d := first+i/s.size, i%s.size
			m := b.places[h][d]
			if m&(m-1) == 0 {
				return false
			}
			own := b.at[d].and(s.in[h])
			for _, other := range across(int(s.house[h][lowest(m)])) {
				if own.less(s.in[other]).empty() {
					f.Detail(uint16(other))
					removeFrom(f, b.at[d].and(s.in[other]).less(own), d)
				}
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
			h, d, other := first+c.Instance/s.size, c.Instance%s.size, int(c.Detail[0])
			for _, cell := range s.house[h][:s.size] {
				if l := raters.Lit(int(cell), d); !s.in[other].has(int(cell)) && p.Gone(l) {
					to = append(to, l)
				}
			}
			return to
		},
	}
}
