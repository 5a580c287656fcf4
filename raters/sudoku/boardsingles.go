package sudoku

import (
	"fmt"
	"slices"

	"assay/raters/deduce"
	"assay/raters/logic"
)

func findPeers(p *deduce.Position, cell int, f *deduce.Finding) bool {
	if !p.Written(cell) {
		return false
	}
	b, d := on(p), p.Value(cell)
	removeFrom(f, b.peers[cell].and(b.at[d]), d)
	return true
}

func becausePeers(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
	return append(to, logic.Lit(c.Instance, lowest(p.Mask(c.Instance))))
}

func (s *shape) nakedSingle() deduce.Rule {
	return deduce.Rule{
		Name: "naked-single", Instances: s.cells(), Where: s.whereCell, Wakes: wakesCell, Minimal: true, Prove: proveNakedSingle,
		Find: func(p *deduce.Position, cell int, f *deduce.Finding) bool {
			if m := p.Mask(cell); m&(m-1) != 0 || m == 0 || p.Written(cell) {
				return false
			}
			f.Place(logic.Lit(cell, p.Value(cell)))
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			return p.AppendGone(to, c.Instance)
		},
	}
}

// hiddenSingle has an instance for each house that holds all digits, and digit.
func (s *shape) hiddenSingle() deduce.Rule {
	return deduce.Rule{
		Name: "hidden-single", Instances: s.full * s.size, Minimal: true, Prove: s.proveHiddenSingle,
		Where: func(i int, _ []uint16) string { return s.houseName(i / s.size) },
		Wakes: func(l logic.Literal, to []int) []int {
			for _, m := range s.fullOf[l.Variable()] {
				to = append(to, int(m.house)*s.size+l.Value())
			}
			return to
		},
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			h, d := i/s.size, i%s.size
			m := on(p).places[h][d]
			if m == 0 || m&(m-1) != 0 {
				return false
			}
			f.Place(logic.Lit(s.cell(h, lowest(m)), d))
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			h, cell := c.Instance/s.size, c.Placed[0].Variable()
			return s.linked(to, p, h, c.Instance%s.size, cell, cell)
		},
	}
}

// pointing has an instance for each box and digit, claiming one for each line and digit, a line being a house that holds
// all digits and is no box; the detail is the other house.
func (s *shape) pointing() deduce.Rule { return s.locked("pointing", s.boxes) }
func (s *shape) claiming() deduce.Rule { return s.locked("claiming", s.lines) }

// isBox tells whether a house is a box.
func (s *shape) isBox(house int) bool { return s.houses[house].kind == boxKind }

// locked makes the rule of a digit that has all its places in a house, one of these, in another as well: a line's in a
// box, a box's in a line.
func (s *shape) locked(name string, houses []uint8) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: len(houses) * s.size, Minimal: true, Prove: s.proveLocked(houses),
		Where: func(i int, detail []uint16) string {
			return fmt.Sprintf("%s and %s", s.houseName(int(houses[i/s.size])), s.houseName(int(detail[0])))
		},
		Wakes: func(l logic.Literal, to []int) []int {
			for _, m := range s.fullOf[l.Variable()] {
				if i := slices.Index(houses, m.house); i >= 0 {
					to = append(to, i*s.size+l.Value())
				}
			}
			return to
		},
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			return on(p).findLocked(int(houses[i/s.size]), i%s.size, f)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			h, d := int(houses[c.Instance/s.size]), c.Instance%s.size
			for cell := range s.cellsIn[h].less(s.cellsIn[c.Detail[0]]).all {
				if l := logic.Lit(cell, d); p.Gone(l) {
					to = append(to, l)
				}
			}
			return to
		},
	}
}

func (b *board) findLocked(h, d int, f *deduce.Finding) bool {
	m := b.places[h][d]
	return m&(m-1) != 0 && b.leaveOther(h, d, m, f)
}

// leaveOther takes a digit from the rest of the first house that has all its places in another, a line's in a box or a box's
// in a line.
func (b *board) leaveOther(h, d int, m uint16, f *deduce.Finding) bool {
	own := b.at[d].and(b.cellsIn[h])
	for _, o := range b.fullOf[b.cell(h, lowest(m))] {
		other := int(o.house)
		if b.isBox(other) == b.isBox(h) || !own.less(b.cellsIn[other]).empty() {
			continue
		}
		if rest := b.at[d].and(b.cellsIn[other]).less(own); !rest.empty() {
			f.Detail(uint16(other))
			removeFrom(f, rest, d)
			return true
		}
	}
	return false
}
