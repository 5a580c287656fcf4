package kakurasu

import (
	"math/bits"

	"assay/raters/deduce"
	"assay/raters/logic"
)

// The techniques of kakurasu.canonical, in the order of its built-in profile. Instances are lines: rows, then
// columns.
//
//	weight-bounds      a cell that is too heavy for what the clue leaves; one without which the clue is not reached
//	few-combinations   what is the same in all ways to fill a line that has at most four
//	many-combinations  the same, with any number of ways
//	chain-6, chain-20  a cell that cannot be so, since the line bounds would lead to a broken clue
//
// Bookkeeping: a line whose clue is reached has no more shaded cells; lines go by their first cell, a row before a
// column. Broken: the shaded cells of a line are more than its clue, or all cells that can be shaded are less.

// The values of a cell.
const (
	shaded   = 0
	unshaded = 1
)

var valueNames = []string{shaded: "shaded", unshaded: "unshaded"}

// few is the largest number of ways to fill a line of few-combinations.
const few = 4

// board is what the rules read of a puzzle: its clues, and the state of each line. It implements deduce.Board.
type board struct {
	grid
	on   [maxLines]uint16 // shaded
	off  [maxLines]uint16 // not shaded
	sum  [maxLines]int    // of the shaded
	most [maxLines]int    // sum of the cells that are or can be shaded
}

// on returns the board of a position.
func on(p *deduce.Position) *board { return p.Board().(*board) }

// size is the outline of a puzzle: all of a size have the same lines.
type size struct{ rows, columns int }

var topologies = deduce.Topologies[size]{
	Most: (MaxSize - MinSize + 1) * (MaxSize - MinSize + 1),
	Make: func(s size) *deduce.Topology { return (&grid{rows: s.rows, columns: s.columns}).topology() },
}

// topology is that of a grid without clues.
func (g *grid) topology() *deduce.Topology {
	return deduce.NewTopology(deduce.Spec{
		Variables: g.rows * g.columns, Values: 2, AtOnce: true,
		Bookkeeping: []deduce.Rule{g.rule("reached-clue", findReached, (*grid).proveReached)},
		Techniques:  g.techniques(),
		Broken: []deduce.Rule{
			g.rule("clue-passed", findPassed, (*grid).provePassed),
			g.rule("clue-out-of-reach", findOutOfReach, (*grid).proveOutOfReach),
		},
		Naming: logic.Naming{Columns: g.columns, Values: valueNames},
	})
}

func (g *grid) techniques() []deduce.Technique {
	return []deduce.Technique{
		{Rule: g.rule("weight-bounds", findBounds, (*grid).proveBounds), Propagates: true},
		{Rule: g.rule("few-combinations", findFew, (*grid).proveFew)},
		{Rule: g.rule("many-combinations", findMany, (*grid).proveCombinations)},
		{Rule: deduce.Rule{Name: "chain-6"}, Suppose: &deduce.Trial{Steps: 6}},
		{Rule: deduce.Rule{Name: "chain-20"}, Suppose: &deduce.Trial{Steps: 20}},
	}
}

// rule makes a rule of lines, whose reasons are what is known of the line.
func (g *grid) rule(name string, find func(*deduce.Position, int, *deduce.Finding) bool, prove func(*grid, *deduce.Facts, *deduce.Claim) bool) deduce.Rule {
	return deduce.Rule{
		Name: name, Instances: g.lines(), Find: find,
		Prove: func(f *deduce.Facts, c *deduce.Claim) bool { return prove(&f.Board().(*board).grid, f, c) },
		Where: func(line int, _ []uint16) string { return g.lineName(line) },
		At:    func(line int) logic.Literal { return logic.Lit(g.cell(line, 0), shaded) },
		Wakes: func(l logic.Literal, to []int) []int {
			row, column := g.linesOf(l.Variable())
			return append(to, row, column)
		},
		Because: func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
			for i := range g.size(c.Instance) {
				to = p.AppendGone(to, g.cell(c.Instance, i))
			}
			return to
		},
	}
}

// Start begins a puzzle.
func (b *board) Start(p *deduce.Position) {
	for line := range b.lines() {
		n := b.size(line)
		b.on[line], b.off[line], b.sum[line], b.most[line] = 0, 0, 0, n*(n+1)/2
	}
	for v := range p.Variables() {
		for gone := 3 &^ p.Mask(v); gone != 0; gone &= gone - 1 {
			b.Removed(logic.Lit(v, bits.TrailingZeros16(gone)))
		}
	}
}

// Removed notes what is known of a cell's lines.
func (b *board) Removed(l logic.Literal) { b.change(l, 1) }

// Restored takes it back.
func (b *board) Restored(l logic.Literal) { b.change(l, -1) }

// Written says nothing new: a cell is written with what was removed.
func (b *board) Written(logic.Literal, bool) {}

func (b *board) change(l logic.Literal, sign int) {
	row, column := b.linesOf(l.Variable())
	if l.Value() == shaded {
		b.off[row] ^= 1 << (column - b.rows)
		b.off[column] ^= 1 << row
		b.most[row] -= sign * (column - b.rows + 1)
		b.most[column] -= sign * (row + 1)
		return
	}
	b.on[row] ^= 1 << (column - b.rows)
	b.on[column] ^= 1 << row
	b.sum[row] += sign * (column - b.rows + 1)
	b.sum[column] += sign * (row + 1)
}

// conclude shades cells of a line and keeps others unshaded.
func (b *board) conclude(f *deduce.Finding, line int, on, off uint16) bool {
	for m := (on | off) &^ (b.on[line] | b.off[line]); m != 0; m &= m - 1 {
		i := bits.TrailingZeros16(m)
		if on>>i&1 != 0 {
			f.Remove(logic.Lit(b.cell(line, i), unshaded))
		}
		if off>>i&1 != 0 {
			f.Remove(logic.Lit(b.cell(line, i), shaded))
		}
	}
	return true
}

func findReached(p *deduce.Position, line int, f *deduce.Finding) bool {
	b := on(p)
	return b.sum[line] == b.clue[line] && b.conclude(f, line, 0, uint16(1)<<b.size(line)-1)
}

func findBounds(p *deduce.Position, line int, f *deduce.Finding) bool {
	b := on(p)
	room, spare := b.clue[line]-b.sum[line], b.most[line]-b.clue[line]
	if room < 0 || spare < 0 {
		return false
	}
	full := uint16(1)<<b.size(line) - 1
	return b.conclude(f, line, heavier(spare)&full, heavier(room)&full)
}

// heavier returns the cells of a line that weigh more.
func heavier(weight int) uint16 {
	if weight >= 16 {
		return 0
	}
	return ^uint16(0) << weight
}

func findFew(p *deduce.Position, line int, f *deduce.Finding) bool {
	return on(p).findCombinations(line, f, few)
}

func findMany(p *deduce.Position, line int, f *deduce.Finding) bool {
	return on(p).findCombinations(line, f, 1<<MaxSize)
}

// findCombinations finds what is the same in all ways to fill a line, if these are no more than most.
func (b *board) findCombinations(line int, f *deduce.Finding, most int) bool {
	on, off := b.on[line], b.off[line]
	all, any, n := ^uint16(0), uint16(0), 0
	for _, fit := range b.fitsOf(line) {
		if fit&off == 0 && on&^fit == 0 {
			all &= fit
			any |= fit
			if n++; n > most {
				return false
			}
		}
	}
	return n > 0 && b.conclude(f, line, all, ^any&(uint16(1)<<b.size(line)-1))
}

func findPassed(p *deduce.Position, line int, _ *deduce.Finding) bool {
	b := on(p)
	return b.sum[line] > b.clue[line]
}

func findOutOfReach(p *deduce.Position, line int, _ *deduce.Finding) bool {
	b := on(p)
	return b.most[line] < b.clue[line]
}
