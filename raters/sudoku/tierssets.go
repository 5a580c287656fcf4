package sudoku

import (
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// nakedSet has an instance for each house that holds all digits; the detail is the places and the digits.
func (s *shape) nakedSet(name string, k int) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: s.full, Wakes: s.wakesFull, Minimal: true, Prove: proveNakedSet(k), Where: s.whereHouse,
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			b := on(p)
			n := nakedSearch{board: b, f: f, house: h, k: k, cells: b.candidates(h)}
			usable := uint16(0)
			for i, m := range n.cells[:s.size] {
				if c := bits.OnesCount16(m); c >= 2 && c <= k {
					usable |= 1 << i
				}
			}
			return n.choose(usable, 0, 0)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.onlyThese(to, p, s.cell(c.Instance, lowest(m)), c.Detail[1])
			}
			return to
		},
	}
}

// nakedSearch is a search for k cells of a house that have k digits between them.
type nakedSearch struct {
	*board
	f     *deduce.Finding
	house int
	k     int
	cells [maxSize]uint16 // place: candidates
}

// choose completes a choice of places, and the digits there, with usable places.
func (n *nakedSearch) choose(usable, places, digits uint16) bool {
	missing := n.k - bits.OnesCount16(places)
	if missing == 0 {
		return n.conclude(places, digits)
	}
	for ; bits.OnesCount16(usable) >= missing; usable &= usable - 1 {
		i := lowest(usable)
		all := digits | n.cells[i]
		if bits.OnesCount16(all) <= n.k && n.choose(usable&(usable-1), places|1<<i, all) {
			return true
		}
	}
	return false
}

// conclude removes the digits from the rest of all houses and cages that hold the cells.
func (n *nakedSearch) conclude(places, digits uint16) bool {
	removes := false
	for c := range n.around(n.house, places).all {
		if n.p.Mask(c)&digits != 0 && !n.p.Written(c) {
			n.f.RemoveMask(c, digits)
			removes = true
		}
	}
	if removes {
		n.f.Detail(places, digits)
	}
	return removes
}

// around returns the other cells of all houses and cages that hold these places of a house.
func (s *shape) around(house int, places uint16) (around boardSet) {
	var cells boardSet
	for m := places; m != 0; m &= m - 1 {
		cells.add(s.cell(house, lowest(m)))
	}
	for _, m := range s.of[cells.first()] {
		if all := s.cellsIn[m.house]; cells.less(all).empty() {
			around = around.or(all)
		}
	}
	return around.less(cells)
}

// hiddenPair has an instance for each house that holds all digits; the detail is the digits and the places.
func (s *shape) hiddenPair() deduce.Rule {
	return deduce.Rule{
		Name: "hidden-pair", Instances: s.full, Wakes: s.wakesFull, Minimal: true, Prove: s.proveHidden(2), Where: s.whereHouse,
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			b := on(p)
			places, digits := b.firstHiddenPair(h)
			f.Detail(digits, places)
			for m := places; m != 0; m &= m - 1 {
				f.RemoveMask(s.cell(h, lowest(m)), s.all()&^digits)
			}
			return places != 0
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for m := c.Detail[0]; m != 0; m &= m - 1 {
				to = s.confined(to, p, c.Instance, lowest(m), c.Detail[1])
			}
			return to
		},
	}
}

// firstHiddenPair returns two digits that share their two places in a house, where there are others: those whose first
// place comes first.
func (b *board) firstHiddenPair(h int) (places, digits uint16) {
	at := &b.places[h]
	for d := range b.size {
		m := at[d]
		if !isPair(m) || places != 0 && lowest(m) >= lowest(places) {
			continue
		}
		for e := d + 1; e < b.size; e++ {
			if at[e] == m && b.others(h, m, 1<<d|1<<e) {
				places, digits = m, 1<<d|1<<e
				break
			}
		}
	}
	return places, digits
}

// others reports whether cells of a house have candidates beside these digits.
func (b *board) others(h int, places, digits uint16) bool {
	for ; places != 0; places &= places - 1 {
		if b.p.Mask(b.cell(h, lowest(places)))&^digits != 0 {
			return true
		}
	}
	return false
}

// firstFish has an instance for rows and one for columns; the detail is the digit, the lines and the places across.
func (s *shape) firstFish(name string, k int) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: 2, Minimal: true, Prove: s.proveFirstFish(k),
		Where: func(i int, detail []uint16) string { return s.linesName(kind(i), detail[1]) },
		Find: func(p *deduce.Position, i int, f *deduce.Finding) bool {
			return on(p).findFish(kind(i), k, f)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for m := c.Detail[1]; m != 0; m &= m - 1 {
				to = s.confined(to, p, s.line(kind(c.Instance), lowest(m)), int(c.Detail[0]), c.Detail[2])
			}
			return to
		},
	}
}

// findFish takes the fish whose lines come first, then the digit.
func (b *board) findFish(of kind, k int, f *deduce.Finding) bool {
	digit, lines, places := 0, uint16(0), uint16(0)
	var across [maxSize]uint16 // of that digit
	for d := range b.size {
		along, over := b.across(of, d), b.across(acrossOf(of), d)
		g := grouping{k, &along, &over}
		if l, m := g.find(b.size); l != 0 && (lines == 0 || comesBefore(l, lines)) {
			digit, lines, places, across = d, l, m, over
		}
	}
	if lines == 0 {
		return false
	}
	f.Detail(uint16(digit), lines, places)
	for m := places; m != 0; m &= m - 1 {
		cover := b.line(acrossOf(of), lowest(m))
		for rest := across[lowest(m)] &^ lines; rest != 0; rest &= rest - 1 {
			f.Remove(logic.Lit(b.cell(cover, lowest(rest)), digit))
		}
	}
	return true
}
