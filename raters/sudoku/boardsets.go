package sudoku

import (
	"fmt"
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// grouping is a search for k items that have k members between them. Cells of a house have digits, digits of a house
// have places, lines have places across: a naked set, a hidden set and a fish are one pattern.
type grouping struct {
	k       int
	items   *[maxSize]uint16 // item: its members
	members *[maxSize]uint16 // member: its items
}

// find gives the first k items, of so many, with k members between them, 2 to k each, of which a member has an item
// beside.
func (g *grouping) find(items int) (chosen, members uint16) {
	usable := uint16(0)
	for i, m := range g.items[:items] {
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
func (s *shape) wakesHouses(l logic.Literal, to []int) []int {
	for _, m := range s.of[l.Variable()] {
		to = append(to, int(m.house))
	}
	return to
}

// candidates gives those of the cells of a house, none for one that is written.
func (b *board) candidates(house int) (masks [maxSize]uint16) {
	for i, c := range b.houses[house].cells {
		if !b.p.Written(int(c)) {
			masks[i] = b.p.Mask(int(c))
		}
	}
	return masks
}

// naked has an instance for each house; the detail is the places and the digits.
func (s *shape) naked(name string, k int) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: len(s.houses), Wakes: s.wakesHouses, Minimal: true, Prove: s.proveNaked(k),
		Where: func(h int, detail []uint16) string {
			var cells []uint16
			for m := detail[0]; m != 0; m &= m - 1 {
				cells = append(cells, uint16(s.cell(h, lowest(m))))
			}
			return fmt.Sprintf("%s in %s", s.cellNames(cells...), s.houseName(h))
		},
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			b := on(p)
			cells := b.candidates(h)
			g := grouping{k, &cells, &b.places[h]}
			in := s.houses[h].cells
			places, digits := g.find(len(in))
			f.Detail(places, digits)
			for i, cell := range in {
				if places != 0 && places>>i&1 == 0 {
					f.RemoveMask(int(cell), digits)
				}
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.onlyThese(to, p, s.cell(c.Instance, lowest(m)), c.Detail[1])
			}
			return to
		},
	}
}

// onlyThese appends that a cell has only these digits.
func (s *shape) onlyThese(to []logic.Literal, p *deduce.Past, cell int, digits uint16) []logic.Literal {
	for m := s.all() &^ digits; m != 0; m &= m - 1 {
		if l := logic.Lit(cell, lowest(m)); p.Gone(l) {
			to = append(to, l)
		}
	}
	return to
}

// hidden has an instance for each house that holds all digits; the detail is the digits and the places.
func (s *shape) hidden(name string, k int) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: s.full, Wakes: s.wakesFull, Minimal: true, Prove: s.proveHidden(k),
		Where: func(h int, detail []uint16) string {
			var digits []string
			for m := detail[0]; m != 0; m &= m - 1 {
				digits = append(digits, s.naming.Values[lowest(m)])
			}
			return fmt.Sprintf("%s in %s", listed(digits), s.houseName(h))
		},
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			b := on(p)
			cells := b.candidates(h)
			g := grouping{k, &b.places[h], &cells}
			digits, places := g.find(s.size)
			f.Detail(digits, places)
			for m := places; m != 0; m &= m - 1 {
				f.RemoveMask(s.cell(h, lowest(m)), s.all()&^digits)
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.confined(to, p, c.Instance, lowest(m), c.Detail[1])
			}
			return to
		},
	}
}

// wakesFull wakes those that hold all digits.
func (s *shape) wakesFull(l logic.Literal, to []int) []int {
	for _, m := range s.fullOf[l.Variable()] {
		to = append(to, int(m.house))
	}
	return to
}

// wakesLines wakes what is numbered by kind of line, rows before columns, and digit.
func (s *shape) wakesLines(l logic.Literal, to []int) []int {
	return append(to, l.Value(), s.size+l.Value())
}

// across gives the places of a digit in the rows, or the columns.
func (b *board) across(of kind, digit int) (lines [maxSize]uint16) {
	for i := range b.size {
		lines[i] = b.places[b.line(of, i)][digit]
	}
	return lines
}

// acrossOf gives the kind of the lines across rows, or columns.
func acrossOf(of kind) kind { return columnKind - of }

// byLine reads what is numbered by kind of line and digit.
func (s *shape) byLine(i int) (of kind, digit int) { return kind(i / s.size), i % s.size }

// fish has an instance for each kind of line and digit; the detail is the lines and the places across.
func (s *shape) fish(name string, k int) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: 2 * s.size, Wakes: s.wakesLines, Minimal: true, Prove: s.proveFish(k),
		Where: func(i int, detail []uint16) string { return s.linesName(kind(i/s.size), detail[0]) },
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			b := on(p)
			of, d := s.byLine(i)
			along, across := b.across(of, d), b.across(acrossOf(of), d)
			g := grouping{k, &along, &across}
			lines, places := g.find(s.size)
			f.Detail(lines, places)
			for m := places; m != 0; m &= m - 1 {
				cover := s.line(acrossOf(of), lowest(m))
				for rest := across[lowest(m)] &^ lines; rest != 0; rest &= rest - 1 {
					f.Remove(logic.Lit(s.cell(cover, lowest(rest)), d))
				}
			}
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			of, d := s.byLine(c.Instance)
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.confined(to, p, s.line(of, lowest(m)), d, c.Detail[1])
			}
			return to
		},
	}
}
