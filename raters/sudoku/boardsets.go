package sudoku

import (
	"fmt"
	"math/bits"

	"assay/raters"
	"assay/raters/deduce"
)

// grouping is a search for k items that have k members between them. Cells of a house have digits, digits of a house
// have places, lines have places across: a naked set, a hidden set and a fish are one pattern.
type grouping struct {
	k       int
	items   *[maxSize]uint16 // item: its members
	members *[maxSize]uint16 // member: its items
}

// find gives the first k items with k members between them, 2 to k each, of which a member has an item beside.
func (g *grouping) find(size int) (chosen, members uint16) {
	usable := uint16(0)
	for i, m := range g.items[:size] {
		if n := bits.OnesCount16(m); n >= 2 && n <= g.k {
			usable |= 1 << i
		}
	}
	return g.choose(usable, 0, 0)
}

// choose completes a choice with usable items.
func (g *grouping) choose(usable, chosen, members uint16) (uint16, uint16) {
	missing := g.k - bits.OnesCount16(chosen)
	if missing == 0 {
		if g.beside(chosen, members) {
			return chosen, members
		}
		return 0, 0
	}
	for ; bits.OnesCount16(usable) >= missing; usable &= usable - 1 {
		i := lowest(usable)
		if all := members | g.items[i]; bits.OnesCount16(all) <= g.k {
			if c, m := g.choose(usable&(usable-1), chosen|1<<i, all); c != 0 {
				return c, m
			}
		}
	}
	return 0, 0
}

// beside tells whether a member has an item that is not chosen.
func (g *grouping) beside(chosen, members uint16) bool {
	for ; members != 0; members &= members - 1 {
		if g.members[lowest(members)]&^chosen != 0 {
			return true
		}
	}
	return false
}

// wakesHouses wakes the houses of a cell.
func (s *shape) wakesHouses(l raters.Literal, to []int) []int {
	for _, h := range s.houseOf[l.Variable()] {
		to = append(to, int(h))
	}
	return to
}

// candidates gives those of the cells of a house, none for one that is written.
func (b *board) candidates(house int) (masks [maxSize]uint16) {
	for i, c := range b.house[house][:b.size] {
		if !b.p.Written(int(c)) {
			masks[i] = b.p.Mask(int(c))
		}
	}
	return masks
}

// naked has an instance for each house; the detail is the places and the digits.
func (b *board) naked(name string, k int) deduce.Rule {
	s := b.shape
	return deduce.Rule{
		Name: name, Instances: 3 * s.size, Wakes: s.wakesHouses, Minimal: true, Prove: s.proveNaked(k),
		Where: func(h int, detail []uint16) string {
			var cells []uint16
			for m := detail[0]; m != 0; m &= m - 1 {
				cells = append(cells, uint16(s.house[h][lowest(m)]))
			}
			return fmt.Sprintf("%s in %s", s.cellNames(cells...), s.houseName(h))
		},
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			cells := b.candidates(h)
			g := grouping{k, &cells, &b.places[h]}
			places, digits := g.find(s.size)
			f.Detail(places, digits)
			for m := s.all() &^ places; places != 0 && m != 0; m &= m - 1 {
				f.RemoveMask(int(s.house[h][lowest(m)]), digits)
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.onlyThese(to, p, int(s.house[c.Instance][lowest(m)]), c.Detail[1])
			}
			return to
		},
	}
}

// onlyThese appends that a cell has only these digits.
func (s *shape) onlyThese(to []raters.Literal, p *deduce.Past, cell int, digits uint16) []raters.Literal {
	for m := s.all() &^ digits; m != 0; m &= m - 1 {
		if l := raters.Lit(cell, lowest(m)); p.Gone(l) {
			to = append(to, l)
		}
	}
	return to
}

// hidden has an instance for each house; the detail is the digits and the places.
func (b *board) hidden(name string, k int) deduce.Rule {
	s := b.shape
	return deduce.Rule{
		Name: name, Instances: 3 * s.size, Wakes: s.wakesHouses, Minimal: true, Prove: s.proveHidden(k),
		Where: func(h int, detail []uint16) string {
			var digits []string
			for m := detail[0]; m != 0; m &= m - 1 {
				digits = append(digits, s.naming.Values[lowest(m)])
			}
			return fmt.Sprintf("%s in %s", listed(digits), s.houseName(h))
		},
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			cells := b.candidates(h)
			g := grouping{k, &b.places[h], &cells}
			digits, places := g.find(s.size)
			f.Detail(digits, places)
			for m := places; m != 0; m &= m - 1 {
				f.RemoveMask(int(s.house[h][lowest(m)]), s.all()&^digits)
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.confined(to, p, c.Instance, lowest(m), c.Detail[1])
			}
			return to
		},
	}
}

// wakesLines wakes what is numbered by kind of line, rows before columns, and digit.
func (s *shape) wakesLines(l raters.Literal, to []int) []int {
	return append(to, l.Value(), s.size+l.Value())
}

// across gives the places of a digit in the rows, or the columns.
func (b *board) across(kind, digit int) (lines [maxSize]uint16) {
	for i := range b.size {
		lines[i] = b.places[kind*b.size+i][digit]
	}
	return lines
}

// fish has an instance for each kind of line and digit; the detail is the lines and the places across.
func (b *board) fish(name string, k int) deduce.Rule {
	s := b.shape
	return deduce.Rule{
		Name: name, Instances: 2 * s.size, Wakes: s.wakesLines, Minimal: true, Prove: s.proveFish(k),
		Where: func(i int, detail []uint16) string { return s.linesName(i/s.size, detail[0]) },
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			kind, d := i/s.size, i%s.size
			along, across := b.across(kind, d), b.across(1-kind, d)
			g := grouping{k, &along, &across}
			lines, places := g.find(s.size)
			f.Detail(lines, places)
			for m := places; m != 0; m &= m - 1 {
				cover := (1-kind)*s.size + lowest(m)
				for rest := across[lowest(m)] &^ lines; rest != 0; rest &= rest - 1 {
					f.Remove(raters.Lit(int(s.house[cover][lowest(rest)]), d))
				}
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []raters.Literal) []raters.Literal {
			kind, d := c.Instance/s.size, c.Instance%s.size
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.confined(to, p, kind*s.size+lowest(m), d, c.Detail[1])
			}
			return to
		},
	}
}
