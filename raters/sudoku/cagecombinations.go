package sudoku

import (
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// uncaged is the cage of a cell that has none.
const uncaged = 1 << 7

// mostCages keeps sets of cages within a word: the letters of a text name 52.
const mostCages = 64

// caged is what the cages of a shape say. Cages and regions go by number, from 0.
type caged struct {
	cageOf    [maxCells]uint8  // cell: its cage, or uncaged
	regionsOf [maxCells]uint64 // cell: the regions of the rule of 45 that have a cell of its cage, or else the cell itself
}

// newCaged works it out. It panics when there are more cages than may be, or digits than a family knows.
func (s *shape) newCaged() *caged {
	cages := s.cages()
	if len(cages) > mostCages || s.size > cageDigits {
		panic("sudoku: too many cages, or too large a grid")
	}
	g := new(caged)
	inRegions := s.inRegions()
	for c := range s.cells() {
		g.cageOf[c], g.regionsOf[c] = uncaged, inRegions[c]
	}
	for k := range cages {
		all := uint64(0)
		for _, c := range cages[k].cells {
			g.cageOf[c] = uint8(k)
			all |= inRegions[c]
		}
		for _, c := range cages[k].cells {
			g.regionsOf[c] = all
		}
	}
	return g
}

// tallies are what a board keeps of its cages and of the regions of the rule of 45. A cage or a region is looked at again
// when something changed that it speaks of.
type tallies struct {
	open       boardSet          // cells not written
	left       [mostCages]int16  // cage: what its open cells add up to
	leftIn     [maxRegions]int16 // region: the same
	cages      uint64            // to look at
	regions    uint64            // the same
	everything bool              // look at all of them every time, for tests
}

// begin starts a puzzle.
func (t *tallies) begin(s *shape, p *deduce.Position) {
	cages, regions := s.cages(), s.regions()
	t.open, t.cages, t.regions = s.allCells, 1<<len(cages)-1, 1<<len(regions)-1
	for k := range cages {
		t.left[k] = int16(cages[k].sum)
	}
	for r := range regions {
		t.leftIn[r] = int16(regions[r].sum)
	}
	for c := range s.cells() {
		if p.Written(c) {
			t.write(s, logic.Lit(c, p.Value(c)), true)
		}
	}
}

// write takes a digit that is written off what is left, or puts it back.
func (t *tallies) write(s *shape, l logic.Literal, yes bool) {
	cell, digit := l.Variable(), l.Value()+1
	if !yes {
		digit = -digit
	}
	t.open.toggle(cell)
	t.touch(s, cell)
	if k := s.caged.cageOf[cell]; k != uncaged {
		t.left[k] -= int16(digit)
	}
	for m := s.inRegions()[cell]; m != 0; m &= m - 1 {
		t.leftIn[lowest64(m)] -= int16(digit)
	}
}

// touch notes what speaks of a cell.
func (t *tallies) touch(s *shape, cell int) {
	if k := s.caged.cageOf[cell]; k != uncaged {
		t.cages |= 1 << k
	}
	t.regions |= s.caged.regionsOf[cell]
}

// lookAgain looks at those of n cages, or regions, that something changed in, in order, until one of them concludes something.
// That one is looked at again the next time.
func (b *board) lookAgain(changed *uint64, n int, look func(b *board, i int, f *deduce.Finding) bool, f *deduce.Finding) bool {
	if b.caged == nil {
		return false
	}
	if b.tallies.everything {
		*changed = 1<<n - 1
	}
	for ; *changed != 0; *changed &= *changed - 1 {
		if look(b, lowest64(*changed), f) {
			return true
		}
	}
	return false
}

// cageCombinations has one instance; the detail is the cage.
func (s *shape) cageCombinations() deduce.Rule {
	return deduce.Rule{
		Name: "cage-combinations", Instances: 1, Minimal: true, Prove: proveCageCombinations,
		Where: func(_ int, detail []uint16) string { return "the cage at " + s.cellName(int(detail[1])) },
		Find: func(p *deduce.Position, _ int, f *deduce.Finding) bool {
			b := on(p)
			return b.lookAgain(&b.tallies.cages, len(b.cages()), (*board).combine, f)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			b := p.Board().(*board)
			return b.becauseCage(p, int(c.Detail[0]), to)
		},
	}
}

// combine removes what is in no assignment of digits to the open cells of a cage. One without a sum tells nothing.
func (b *board) combine(cage int, f *deduce.Finding) bool {
	house := &b.cages()[cage]
	if house.sum == 0 {
		return false
	}
	var a assignments
	var cells [cageDigits]uint8
	for _, c := range house.cells {
		if b.tallies.open.has(int(c)) {
			cells[a.n], a.may[a.n] = c, b.p.Mask(int(c))
			a.n++
		}
	}
	a.exactly(int(b.tallies.left[cage]))
	removes := false
	for i, c := range cells[:a.n] {
		if gone := a.may[i] &^ a.some[i]; gone != 0 {
			f.RemoveMask(int(c), gone)
			removes = true
		}
	}
	if removes {
		f.Detail(uint16(cage), uint16(house.cells[0]))
	}
	return removes
}

// becauseCage: the digits that are written in the cage, and of the other cells those that are gone and in any set of as many
// digits as there are cells, and of their sum.
func (b *board) becauseCage(p *deduce.Past, cage int, to []logic.Literal) []logic.Literal {
	house := &b.cages()[cage]
	n, sum := 0, house.sum
	for _, c := range house.cells {
		if !p.Written(int(c)) {
			n++
			continue
		}
		d := lowest(p.Mask(int(c)))
		to = append(to, logic.Lit(int(c), d))
		sum -= d + 1
	}
	for _, c := range house.cells {
		if !p.Written(int(c)) {
			to = appendGone(to, p, int(c), inSets(n, sum))
		}
	}
	return to
}

// appendGone appends those of some digits that had gone from a cell.
func appendGone(to []logic.Literal, p *deduce.Past, cell int, digits uint16) []logic.Literal {
	for m := digits &^ p.Mask(cell); m != 0; m &= m - 1 {
		to = append(to, logic.Lit(cell, lowest(m)))
	}
	return to
}

// within holds the digits, from 0, that are in any set of so many digits with such a sum.
var within = func() (digits [cageDigits + 1][maxSum + 1]uint16) {
	for set := range uint16(1 << cageDigits) {
		sum := 0
		for m := set; m != 0; m &= m - 1 {
			sum += lowest(m) + 1
		}
		digits[bits.OnesCount16(set)][sum] |= set
	}
	return digits
}()

// cageDigits is how many digits there are, at most, in a grid with cages.
const cageDigits = 9

// maxSum is the sum of all digits.
const maxSum = cageDigits * (cageDigits + 1) / 2

// inSets is within, for any sum.
func inSets(n, sum int) uint16 {
	if sum < 0 || sum > maxSum {
		return 0
	}
	return within[n][sum]
}
