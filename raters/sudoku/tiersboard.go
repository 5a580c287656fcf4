package sudoku

import (
	"assay/raters/deduce"
	"assay/raters/logic"
)

// The techniques of sudoku.tiers on a grid of any shape. They take the steps that those of classic grids take (techniques.go),
// with these additions:
//
//   - extra houses come after boxes; a line is a row, a column or a diagonal, in pointing and box/line too.
//   - a naked pair or triple is of a house that holds each digit, and leaves all houses and cages that hold its cells.
//   - an X-Wing and a Swordfish are of rows or columns.
//   - strong links are in houses that hold each digit; cells of a cage are peers.
//   - cage combinations, by cage: what is in no assignment of different candidates to the open cells of a cage, to what is left
//     of its sum, goes from all of them. A cage without a sum tells only that its cells are peers.
//   - rule of 45, by region, innies before outies (ruleof45.go): a region is a row, a column, a box, in this order, then
//     two rows beside one another, two columns, three rows, three columns. What is in no assignment of candidates to at
//     most three innies, or outies, in which peers differ, goes from all of them.
//
// Bookkeeping is that the peers of a written digit lose it; it is no step.

// tierTechnique is a technique, its tier, and what it needs of a variant.
type tierTechnique struct {
	name  string
	tier  int
	rule  func(s *shape) deduce.Rule
	needs need
}

// rectangleName is the technique that takes the puzzle to have one solution.
const rectangleName = "unique-rectangle"

// need is what a technique needs of a variant.
type need uint8

const (
	needsNothing need = iota
	needsCages
	needsPlain // no rule says more than that rows, columns and regular boxes hold each digit
)

// tierTechniques is the order of the techniques.
var tierTechniques = []tierTechnique{
	{"naked-single", 1, (*shape).nakedSingle, needsNothing},
	{"hidden-single", 1, (*shape).firstHiddenSingle, needsNothing},
	{"cage-combinations", 1, (*shape).cageCombinations, needsCages},
	{"pointing", 2, func(s *shape) deduce.Rule { return s.lockedIn("pointing", s.boxes) }, needsNothing},
	{"box-line-reduction", 2, func(s *shape) deduce.Rule { return s.lockedIn("box-line-reduction", s.lines) }, needsNothing},
	{"naked-pair", 2, func(s *shape) deduce.Rule { return s.nakedSet("naked-pair", 2) }, needsNothing},
	{"hidden-pair", 2, (*shape).hiddenPair, needsNothing},
	{"naked-triple", 3, func(s *shape) deduce.Rule { return s.nakedSet("naked-triple", 3) }, needsNothing},
	{"x-wing", 3, func(s *shape) deduce.Rule { return s.firstFish("x-wing", 2) }, needsNothing},
	{"rule-of-45", 3, (*shape).ruleOf45, needsCages},
	{"swordfish", 4, func(s *shape) deduce.Rule { return s.firstFish("swordfish", 3) }, needsNothing},
	{"xy-wing", 4, (*shape).xyWing, needsNothing},
	{"simple-coloring", 4, (*shape).firstColoring, needsNothing},
	{rectangleName, evil, (*shape).uniqueRectangle, needsPlain},
}

// tiersTechniques returns those of tierTechniques on a shape. A profile says which of them a variant uses.
func (s *shape) tiersTechniques() []deduce.Technique {
	all := make([]deduce.Technique, len(tierTechniques))
	for i := range tierTechniques {
		all[i].Rule = tierTechniques[i].rule(s)
	}
	return all
}

func (s *shape) newTiersTopology() *deduce.Topology {
	peers := s.peersOfWritten()
	peers.Prove = provePeersAndCage
	return deduce.NewTopology(deduce.Spec{
		Variables: s.cells(), Values: s.size,
		Bookkeeping: []deduce.Rule{peers},
		Techniques:  s.tiersTechniques(),
		Naming:      s.naming,
	})
}

// firstHiddenSingle has an instance for each house that holds all digits.
func (s *shape) firstHiddenSingle() deduce.Rule {
	return deduce.Rule{
		Name: "hidden-single", Instances: s.full, Wakes: s.wakesFull, Minimal: true, Prove: s.proveSingleIn,
		Where: s.whereHouse,
		Find: func(p *deduce.Position, h int, f *deduce.Finding) bool {
			b := on(p)
			first, digit := s.size, 0
			for d, m := range b.places[h][:s.size] {
				if m != 0 && m&(m-1) == 0 && lowest(m) < first && !p.Written(s.cell(h, lowest(m))) {
					first, digit = lowest(m), d
				}
			}
			if first == s.size {
				return false
			}
			f.Place(logic.Lit(s.cell(h, first), digit))
			return true
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			cell, digit := c.Placed[0].Variable(), c.Placed[0].Value()
			return s.linked(to, p, c.Instance, digit, cell, cell)
		},
	}
}

// whereHouse names an instance that is a house.
func (s *shape) whereHouse(h int, _ []uint16) string { return s.houseName(h) }

// lockedIn is pointing, or box/line reduction, with the house as its instance. One place is enough, where an operator's
// profile does not have it written before.
func (s *shape) lockedIn(name string, houses []uint8) deduce.Rule {
	r := s.locked(name, houses)
	r.Find = func(p *deduce.Position, i int, f *deduce.Finding) bool {
		b, h, d := on(p), int(houses[i/s.size]), i%s.size
		m := b.places[h][d]
		return m != 0 && b.leaveOther(h, d, m, f)
	}
	r.Where = func(i int, _ []uint16) string { return s.houseName(int(houses[i/s.size])) }
	return r
}
