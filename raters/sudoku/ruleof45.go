package sudoku

import (
	"fmt"
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// maxRegions keeps sets of regions within a word: a grid of 9×9 has 57.
const maxRegions = 64

// sumRegion is what the rule of 45 looks at: a house, or two or three rows or columns beside one another. Each digit is in it
// once for each of these.
type sumRegion struct {
	name  string
	cells boardSet
	sum   int // of all its cells
}

// newRegions lists the regions: rows, columns, boxes; then two rows, two columns; then three.
func (s *shape) newRegions() (all []sumRegion) {
	sum := s.size * (s.size + 1) / 2
	for h := range s.houses[:s.full] {
		if s.houses[h].kind <= boxKind {
			all = append(all, sumRegion{s.houseName(h), s.cellsIn[h], sum})
		}
	}
	for n := 2; n <= 3; n++ {
		for _, of := range [2]kind{rowKind, columnKind} {
			for first := range s.size - n + 1 {
				r := sumRegion{sum: n * sum}
				for i := range n {
					r.cells = r.cells.or(s.cellsIn[s.line(of, first+i)])
				}
				r.name = s.linesName(of, (1<<n-1)<<first)
				all = append(all, r)
			}
		}
	}
	return all
}

func lowest64(set uint64) int { return bits.TrailingZeros64(set) }

// newInRegions returns the regions that each cell is in. It panics when there are too many.
func (s *shape) newInRegions() *[maxCells]uint64 {
	of, regions := new([maxCells]uint64), s.regions()
	if len(regions) > maxRegions {
		panic(fmt.Sprintf("sudoku: %d regions", len(regions)))
	}
	for r := range regions {
		for c := range regions[r].cells.all {
			of[c] |= 1 << r
		}
	}
	return of
}

// ruleOf45 has one instance; the detail is the region, 0 for innies and 1 for outies, their sum, and their cells. Innies are
// the open cells of a region without those of cages whose open cells are all in it; outies are the open cells beside it of
// cages that have others in it, when no other cell of the region is open.
func (s *shape) ruleOf45() deduce.Rule {
	return deduce.Rule{
		Name: "rule-of-45", Instances: 1, Minimal: true, Prove: proveRuleOf45,
		Where: func(_ int, detail []uint16) string {
			return fmt.Sprintf("%s of %s", [2]string{"innies", "outies"}[detail[1]], s.regions()[detail[0]].name)
		},
		Find: func(p *deduce.Position, _ int, f *deduce.Finding) bool {
			b := on(p)
			return b.lookAgain(&b.tallies.regions, len(s.regions()), (*board).balanceRegion, f)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			return p.Board().(*board).becauseRegion(p, c.Detail, to)
		},
	}
}

// maxSide is how many cells of a side the rule of 45 looks at.
const maxSide = 3

// flank is the innies of a region, or its outies.
type flank struct {
	n     int // more than maxSide: too many
	cells [maxSide]int
	sum   int
}

func (s *flank) add(cells boardSet) {
	for c := range cells.all {
		if s.n < maxSide {
			s.cells[s.n] = c
		}
		s.n++
	}
}

// sides returns the innies and the outies of a region.
func (b *board) sides(region int) (innies, outies flank) {
	t, in := &b.tallies, &b.regions()[region]
	left, crossing := int(t.leftIn[region]), 0
	loose := false
	for rest := t.open.and(in.cells); !rest.empty(); {
		c := rest.first()
		k := b.caged.cageOf[c]
		if k == uncaged || b.cages()[k].sum == 0 {
			loose = true
			innies.add(setOf(c))
			rest = rest.less(setOf(c))
			continue
		}
		cage := b.cellsIn[b.full+int(k)].and(t.open)
		rest = rest.less(cage)
		if beside := cage.less(in.cells); beside.empty() {
			left -= int(t.left[k])
		} else {
			crossing += int(t.left[k])
			innies.add(cage.and(in.cells))
			outies.add(beside)
		}
		if innies.n > maxSide && outies.n > maxSide {
			break
		}
	}
	innies.sum, outies.sum = left, crossing-left
	if loose {
		outies.n = 0
	}
	return innies, outies
}

// balanceRegion removes what is in no assignment of digits to the innies of a region, or else to its outies.
func (b *board) balanceRegion(region int, f *deduce.Finding) bool {
	innies, outies := b.sides(region)
	for i, s := range [2]*flank{&innies, &outies} {
		if s.n == 0 || s.n > maxSide || !b.balance(s, f) {
			continue
		}
		f.Detail(uint16(region), uint16(i), uint16(s.sum))
		for _, c := range s.cells[:s.n] {
			f.Detail(uint16(c))
		}
		return true
	}
	return false
}

// balance removes from the cells of a side what is in no assignment.
func (b *board) balance(s *flank, f *deduce.Finding) bool {
	var may [maxSide]uint16
	for i, c := range s.cells[:s.n] {
		may[i] = b.p.Mask(c)
	}
	x, y, z := s.cells[0], s.cells[1], s.cells[2]
	some := fewAddUp(may, s.n, s.sum, b.sees(x, y), b.sees(x, z), b.sees(y, z))
	removes := false
	for i, c := range s.cells[:s.n] {
		if gone := may[i] &^ some[i]; gone != 0 {
			f.RemoveMask(c, gone)
			removes = true
		}
	}
	return removes
}

// becauseRegion: the digits written in the region, and in the cages that have an open cell there; and of the cells of the side
// what is gone and not too much or too little for the sum.
func (b *board) becauseRegion(p *deduce.Past, detail []uint16, to []logic.Literal) []logic.Literal {
	var written boardSet
	for c := range b.regions()[detail[0]].cells.all {
		k := b.caged.cageOf[c]
		switch {
		case p.Written(c):
			written.add(c)
		case k != uncaged && b.cages()[k].sum > 0:
			written = written.or(b.cellsIn[b.full+int(k)])
		}
	}
	for c := range written.all {
		if p.Written(c) {
			to = append(to, logic.Lit(c, lowest(p.Mask(c))))
		}
	}
	cells, sum := detail[3:], int(detail[2])
	others := len(cells) - 1
	low, high := min(max(1, sum-b.size*others), b.size), max(min(b.size, sum-others), 0)
	for _, c := range cells {
		to = appendGone(to, p, int(c), b.all()&(1<<high-1)&^(1<<(low-1)-1))
	}
	return to
}
