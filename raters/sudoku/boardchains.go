package sudoku

import (
	"slices"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// walked is the work space of coloring and chains. What is kept of a cell is right for those that were reached.
//
// Chains are followed breadth first. A cell is reached from the first cell, in order, that leads to it by a chain that
// has not come through it.
type walked struct {
	component
	queue   []uint8
	toNot   [maxCells]uint8             // x-chain: the cell from which this one was found not to hold the digit
	toIs    [maxCells]uint8             // x-chain: the cell from which this one was found to hold it
	house   [maxCells]uint8             // x-chain: the house of that link
	wayNot  [maxCells]boardSet          // x-chain: the cells of the chain to where this one does not hold the digit
	wayIs   [maxCells]boardSet          // x-chain: the cells of the chain to where it does
	toLack  [maxCells][maxSize]uint8    // xy-chain: the cell from which this one was found not to hold a digit
	wayLack [maxCells][maxSize]boardSet // xy-chain: the cells of the chain to there
	detail  []uint16
}

// xChain has an instance for each digit; the detail is, from the end to the beginning, the cells of each strong link
// and its house.
func (s *shape) xChain() deduce.Rule {
	return deduce.Rule{
		Name: "x-chain", Instances: s.size, Wakes: wakesDigit, Minimal: true, Prove: s.proveXChain,
		Where: func(_ int, detail []uint16) string { return s.cellNames(xChainCells(detail)...) },
		Find: func(p *deduce.Position, d int, f *deduce.Finding) bool {
			b := on(p)
			ends := b.linkEnds(d)
			for first := range ends.all {
				if b.xChainFrom(first, d, ends, f) {
					return true
				}
			}
			return false
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for l := c.Detail; len(l) > 0; l = l[3:] {
				to = s.linked(to, p, int(l[2]), c.Instance, int(l[0]), int(l[1]))
			}
			return to
		},
	}
}

// xChainCells gives the cells from the beginning to the end.
func xChainCells(detail []uint16) (cells []uint16) {
	for l := detail; len(l) > 0; l = l[3:] {
		cells = append(cells, l[0], l[1])
	}
	slices.Reverse(cells)
	return cells
}

// xChainFrom follows the digit from a cell that does not hold it, by one link more at a time.
func (b *board) xChainFrom(first, d int, ends boardSet, f *deduce.Finding) bool {
	not, is := setOf(first), setOf(first) // reached
	b.walked.wayNot[first] = setOf(first)
	for now, links := setOf(first), 1; ; links++ {
		holding := b.strong(now, d, &is)
		for last := range holding.all {
			if cells := b.seeBoth(first, last, d); links > 1 && !cells.empty() {
				b.noteXChain(first, last, f)
				removeFrom(f, cells, d)
				return true
			}
		}
		if now = b.weak(holding, ends, &not); now.empty() {
			return false
		}
	}
}

// strong gives the cells that hold the digit since these do not, without those reached before.
func (b *board) strong(from boardSet, digit int, reached *boardSet) (found boardSet) {
	w := &b.walked
	for c := range from.all {
		way := w.wayNot[c]
		for h, other := range b.partners(c, digit) {
			if !reached.or(way).has(other) {
				reached.add(other)
				found.add(other)
				w.toIs[other], w.house[other], w.wayIs[other] = uint8(c), uint8(h), way.or(setOf(other))
			}
		}
	}
	return found
}

// weak gives those of the ends that do not hold the digit since these do, without those reached before.
func (b *board) weak(from, ends boardSet, reached *boardSet) (found boardSet) {
	w := &b.walked
	for c := range from.all {
		way := w.wayIs[c]
		fresh := ends.and(b.peers[c]).less(*reached).less(way)
		for other := range fresh.all {
			w.toNot[other], w.wayNot[other] = uint8(c), way.or(setOf(other))
		}
		*reached, found = reached.or(fresh), found.or(fresh)
	}
	return found
}

func (b *board) noteXChain(first, last int, f *deduce.Finding) {
	w := &b.walked
	for c := last; ; {
		before := int(w.toIs[c])
		f.Detail(uint16(c), uint16(before), uint16(w.house[c]))
		if before == first {
			return
		}
		c = int(w.toNot[before])
	}
}

// xyChain has one instance; the detail is the cells, from the first to the last.
func (s *shape) xyChain() deduce.Rule {
	return deduce.Rule{
		Name: "xy-chain", Instances: 1, Because: becauseCells, Minimal: true, Prove: s.proveXYChain,
		Where: func(_ int, detail []uint16) string { return s.cellNames(detail...) },
		Find: func(p *deduce.Position, _ int, f *deduce.Finding) bool {
			b := on(p)
			for first := range b.pairs().all {
				for m := p.Mask(first); m != 0; m &= m - 1 {
					if b.xyChainFrom(first, lowest(m), f) {
						return true
					}
				}
			}
			return false
		},
	}
}

// digitSets is a set of cells for each digit, and which of them are not empty.
type digitSets struct {
	cells [maxSize]boardSet
	some  uint16
}

func (s *digitSets) add(cell, digit int) {
	s.cells[digit].add(cell)
	s.some |= 1 << digit
}

// xyChainFrom follows what is so if a cell does not hold z, by one cell more at a time.
func (b *board) xyChainFrom(first, z int, f *deduce.Finding) bool {
	var not [maxSize]boardSet // reached: cells that do not hold a digit
	now := new(digitSets)
	now.add(first, lowest(b.p.Mask(first)&^(1<<z)))
	b.walked.wayLack[first][z] = setOf(first)
	free := b.pairs().less(setOf(first))
	for n := 2; now.some != 0; n++ {
		next := b.step(now, free, &not)
		for last := range next.cells[z].all {
			if cells := b.seeBoth(first, last, z); n > 2 && !cells.empty() {
				b.noteXYChain(first, last, z, f)
				removeFrom(f, cells, z)
				return true
			}
		}
		now = next
	}
	return false
}

// step gives what the free cells with two candidates hold since others hold what they do.
func (b *board) step(now *digitSets, free boardSet, not *[maxSize]boardSet) *digitSets {
	next, w := new(digitSets), &b.walked
	for m := now.some; m != 0; m &= m - 1 {
		d := lowest(m)
		for c := range now.cells[d].all {
			way := w.wayLack[c][lowest(b.p.Mask(c)&^(1<<d))]
			fresh := free.and(b.at[d]).and(b.peers[c]).less(not[d]).less(way)
			not[d] = not[d].or(fresh)
			for other := range fresh.all {
				w.toLack[other][d], w.wayLack[other][d] = uint8(c), way.or(setOf(other))
				next.add(other, lowest(b.p.Mask(other)&^(1<<d)))
			}
		}
	}
	return next
}

func (b *board) noteXYChain(first, last, z int, f *deduce.Finding) {
	b.walked.detail = append(b.walked.detail[:0], uint16(last))
	for c, holds := last, z; c != first; {
		lacks := lowest(b.p.Mask(c) &^ (1 << holds))
		c, holds = int(b.walked.toLack[c][lacks]), lacks
		b.walked.detail = append(b.walked.detail, uint16(c))
	}
	slices.Reverse(b.walked.detail)
	f.Detail(b.walked.detail...)
}
