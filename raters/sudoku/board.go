package sudoku

import (
	"math/bits"
	"slices"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// The techniques of sudoku.canonical, in the order of its built-in profile, and the order of the patterns of each.
// Cells go row by row; houses by rows, columns, boxes; sets of members by their least member that differs.
//
//	naked-single      a cell has one candidate left. By cell.
//	hidden-single     a digit has one place left in a house. By house, digit.
//	pointing          in a box a digit has places in one line only; it leaves the rest of the line. By box, digit.
//	claiming          in a line a digit has places in one box only; it leaves the rest of the box. By line, digit.
//	naked-pair        k cells of a house have k digits between them, 2 to k each; these leave the rest of the house.
//	                  By house, cells. The same: naked-triple, naked-quad
//	hidden-pair       k digits of a house have k cells between them, 2 to k each; these hold nothing else.
//	                  By house, digits. The same: hidden-triple, hidden-quad
//	x-wing            in k rows a digit has k columns between them, 2 to k places each; it leaves the rest of these
//	                  columns; or with rows and columns exchanged. By rows before columns, digit, lines.
//	                  The same: swordfish, jellyfish (three and four lines)
//	xy-wing           a pivot xy sees a cell xz and a cell yz: what sees both is not z. By pivot, cells.
//	xyz-wing          a pivot xyz sees a cell xz and a cell yz: what sees all three is not z. By pivot, cells.
//	w-wing            two cells xy that do not see each other; a house has two places for x, and each sees one of
//	                  them: what sees both cells is not y. By cells, x, house.
//	skyscraper        two rows have two places each for a digit, one pair of them in one column: what sees both
//	                  others loses it; or with rows and columns exchanged. By rows before columns, digit, lines.
//	two-string-kite   a row and a column have two places each for a digit, one pair of them in one box: what sees
//	                  both others loses it. By digit, row, column, the cell of the row in the box, that of the column.
//	simple-coloring   the cells that houses with two places for a digit link have two colors in turn. A color with
//	                  cells that see each other loses the digit; else what sees both colors does. By digit, first
//	                  cell of the component, the color of that cell first.
//	x-chain           if not the first cell, then the last: strong and weak links of one digit in turn, at least two
//	                  strong ones; what sees both ends loses the digit. By digit, first cell, length, last cell.
//	xy-chain          cells with two candidates, each of which sees the next and shares a digit with it: if the first
//	                  is not z, then the last is; what sees both is not z. At least three cells. By first cell,
//	                  z, length, last cell.
//
// Two cells are strongly linked by a digit in a house where it has no other place. No chain comes through a cell
// twice. Bookkeeping: the peers of a written digit lose it, by cell. No rule of Spec.Broken is needed: only puzzles
// with a solution are rated, and nothing is supposed.

// board is what the rules ask of a puzzle: where each digit may be. It implements deduce.Board.
type board struct {
	*shape
	places [][maxSize]uint16 // house, digit: places where it may be
	at     [maxSize]boardSet // digit: cells where it may be
	p      *deduce.Position

	bivalue   boardSet // cells with two candidates, at the version
	bivalueAt uint64

	walked walked

	given   boardSet // cells
	tallies tallies  // of a shape with cages
}

// on gives the board of a position.
func on(p *deduce.Position) *board { return p.Board().(*board) }

func (s *shape) newTopology() *deduce.Topology {
	return deduce.NewTopology(deduce.Spec{
		Variables: s.cells(), Values: s.size,
		Bookkeeping: []deduce.Rule{s.peersOfWritten()},
		Techniques:  s.techniques(),
		Naming:      s.naming,
	})
}

// peersOfWritten is the bookkeeping: the peers of a written digit lose it.
func (s *shape) peersOfWritten() deduce.Rule {
	return deduce.Rule{
		Name: "peers", Instances: s.cells(), Where: s.whereCell, Wakes: wakesCell,
		At:   func(cell int) logic.Literal { return logic.Lit(cell, 0) },
		Find: findPeers, Because: becausePeers, Minimal: true, Prove: s.provePeers,
	}
}

// canonicalProfile is the built-in profile of version 1.
var canonicalProfile = raters.Profile{Rater: CanonicalName, Version: CanonicalVersion, Techniques: []logic.Technique{
	{Name: "naked-single", Level: "easy"},
	{Name: "hidden-single", Level: "easy"},
	{Name: "pointing", Level: "medium"},
	{Name: "claiming", Level: "medium"},
	{Name: "naked-pair", Level: "medium"},
	{Name: "hidden-pair", Level: "hard"},
	{Name: "naked-triple", Level: "hard"},
	{Name: "hidden-triple", Level: "hard"},
	{Name: "naked-quad", Level: "hard"},
	{Name: "hidden-quad", Level: "hard"},
	{Name: "x-wing", Level: "expert"},
	{Name: "swordfish", Level: "expert"},
	{Name: "jellyfish", Level: "expert"},
	{Name: "xy-wing", Level: "expert"},
	{Name: "xyz-wing", Level: "expert"},
	{Name: "w-wing", Level: "expert"},
	{Name: "skyscraper", Level: "expert"},
	{Name: "two-string-kite", Level: "expert"},
	{Name: "simple-coloring", Level: "expert"},
	{Name: "x-chain", Level: "expert"},
	{Name: "xy-chain", Level: "expert"},
}}

// techniques lists what the profile names.
func (s *shape) techniques() []deduce.Technique {
	rules := []deduce.Rule{
		s.nakedSingle(), s.hiddenSingle(),
		s.pointing(), s.claiming(), s.naked("naked-pair", 2),
		s.hidden("hidden-pair", 2), s.naked("naked-triple", 3), s.hidden("hidden-triple", 3), s.naked("naked-quad", 4), s.hidden("hidden-quad", 4),
		s.fish("x-wing", 2), s.fish("swordfish", 3), s.fish("jellyfish", 4),
		s.wing("xy-wing", 2), s.wing("xyz-wing", 3), s.wWing(),
		s.skyscraper(), s.kite(), s.coloring(), s.xChain(), s.xyChain(),
	}
	all := make([]deduce.Technique, len(rules))
	for i := range rules {
		all[i].Rule = rules[i]
	}
	return all
}

// start puts a puzzle of a shape on the board, and its givens, 0 for an empty cell, into the start.
func (b *board) start(s *shape, cells []uint8, to *deduce.Start) {
	b.shape, b.given = s, boardSet{}
	for c, v := range cells {
		if v != 0 {
			b.given.add(c)
			to.Candidates[c] = 1 << (v - 1)
			to.Written = append(to.Written, c)
		}
	}
}

// Start begins a puzzle.
func (b *board) Start(p *deduce.Position) {
	b.p, b.places = p, append(b.places[:0], b.allPlaces...)
	for d := range b.size {
		b.at[d] = b.allCells
	}
	for v := range p.Variables() {
		for gone := b.all() &^ p.Mask(v); gone != 0; gone &= gone - 1 {
			b.change(v, bits.TrailingZeros16(gone))
		}
	}
	if b.caged != nil {
		b.tallies.begin(b.shape, p)
	}
}

// Removed notes that a digit may no longer be in a cell.
func (b *board) Removed(l logic.Literal) {
	b.change(l.Variable(), l.Value())
	if b.caged != nil {
		b.tallies.touch(b.shape, l.Variable())
	}
}

// Restored takes it back, which touches the same.
func (b *board) Restored(l logic.Literal) { b.Removed(l) }

// Written says something new of cages alone: a digit that is written may be in its cell.
func (b *board) Written(l logic.Literal, yes bool) {
	if b.caged != nil {
		b.tallies.write(b.shape, l, yes)
	}
}

func (b *board) change(cell, digit int) {
	for _, m := range b.of[cell] {
		b.places[m.house][digit] ^= 1 << m.place
	}
	b.at[digit].toggle(cell)
}

// pairs gives the cells with two candidates.
func (b *board) pairs() boardSet {
	if v := b.p.Version(); v != b.bivalueAt {
		b.bivalue, b.bivalueAt = boardSet{}, v
		for c := range b.cells() {
			if bits.OnesCount16(b.p.Mask(c)) == 2 {
				b.bivalue.add(c)
			}
		}
	}
	return b.bivalue
}

// seeBoth gives the cells that see two others and may hold a digit.
func (b *board) seeBoth(x, y, digit int) boardSet {
	return b.peers[x].and(b.peers[y]).and(b.at[digit])
}

// removeFrom concludes that none of the cells holds the digit.
func removeFrom(f *deduce.Finding, cells boardSet, digit int) {
	for c := range cells.all {
		f.Remove(logic.Lit(c, digit))
	}
}

// isPair tells whether a set has two members.
func isPair(set uint16) bool {
	rest := set & (set - 1)
	return rest != 0 && rest&(rest-1) == 0
}

func (s *shape) whereCell(cell int, _ []uint16) string { return s.cellName(cell) }

func wakesCell(l logic.Literal, to []int) []int { return append(to, l.Variable()) }

// wakesDigit wakes what is numbered by digit.
func wakesDigit(l logic.Literal, to []int) []int { return append(to, l.Value()) }

// confined appends that a digit has only these places in a house.
func (s *shape) confined(to []logic.Literal, p *deduce.Past, house, digit int, places uint16) []logic.Literal {
	for m := s.all() &^ places; m != 0; m &= m - 1 {
		if l := logic.Lit(s.cell(house, lowest(m)), digit); p.Gone(l) {
			to = append(to, l)
		}
	}
	return to
}

// linked appends that a digit has no place but two cells in a house.
func (s *shape) linked(to []logic.Literal, p *deduce.Past, house, digit, x, y int) []logic.Literal {
	return s.confined(to, p, house, digit, 1<<s.placeIn(house, x)|1<<s.placeIn(house, y))
}

// placeIn gives the place of a cell in a house of its.
func (s *shape) placeIn(house, cell int) int { return slices.Index(s.houses[house].cells, uint8(cell)) }
