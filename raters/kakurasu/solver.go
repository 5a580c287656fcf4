package kakurasu

import (
	"context"
	"fmt"
	"math/bits"

	"assay/raters"
)

// solveBudget limits the positions of a proof.
const solveBudget = 1 << 20

// solver proves by search. It implements raters.Solver.
type solver struct{ budget uint64 }

// Solve counts the solutions up to two. Reason is set when the clues alone show that there is none.
func (s solver) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	g, err := parse(p)
	if err != nil {
		return raters.Solution{}, err
	}
	return s.solve(ctx, &g)
}

func (s solver) solve(ctx context.Context, g *grid) (raters.Solution, error) {
	if err := ctx.Err(); err != nil {
		return raters.Solution{}, err
	}
	out := raters.Solution{Verdict: raters.None, Nodes: 1}
	if out.Reason = g.contradiction(); out.Reason != "" {
		return out, nil
	}
	found, nodes, err := s.search(ctx, g)
	if err != nil {
		return raters.Solution{}, err
	}
	out.Nodes = nodes
	for i := range found {
		out.Solutions = append(out.Solutions, found[i].text(g.rows, g.columns))
	}
	out.Verdict = [...]raters.Verdict{raters.None, raters.Unique, raters.Multiple}[len(found)]
	return out, nil
}

// contradiction says what is wrong with the clues alone: one is more than all cells of its line, or the rows and the
// columns do not agree. Multiply each clue by the number of its line: the sum over the rows must equal the sum over the
// columns, because each shaded cell adds its row's number times its column's number to both.
func (g *grid) contradiction() string {
	var sum [2]int // of the rows, of the columns
	for line, clue := range g.clue[:g.lines()] {
		if most := len(fits()[g.size(line)]) - 1; clue > most {
			return fmt.Sprintf("%s: the clue %d is more than all its cells, %d", g.lineName(line), clue, most)
		}
		if line < g.rows {
			sum[0] += (line + 1) * clue
		} else {
			sum[1] += (line - g.rows + 1) * clue
		}
	}
	if sum[0] != sum[1] {
		return fmt.Sprintf("each clue taken as many times as its line's number says, the rows make %d and the columns %d", sum[0], sum[1])
	}
	return ""
}

// search finds the first two solutions, in order of lines with few ways, and counts the positions.
func (s solver) search(ctx context.Context, g *grid) ([]shading, uint64, error) {
	q := search{grid: g, ctx: ctx, budget: s.budget}
	q.visit(lines{}, 1<<g.lines()-1)
	return q.found, q.nodes, q.err
}

// search is a walk through positions, depth first.
type search struct {
	*grid
	ctx    context.Context
	budget uint64
	nodes  uint64
	found  []shading
	err    error
}

// lines is a position: the cells of each line that are shaded, and those that are not.
type lines struct {
	on, off [maxLines]uint16
}

// visit settles a position after the lines in the set have changed, and tries the ways of the line with the fewest.
func (q *search) visit(p lines, changed uint32) {
	if q.nodes++; q.nodes > q.budget {
		q.err = raters.ErrBudget
		return
	}
	if q.nodes%256 == 0 {
		if q.err = q.ctx.Err(); q.err != nil {
			return
		}
	}
	if !q.settle(&p, changed) {
		return
	}
	line := q.fewest(&p)
	if line < 0 {
		var s shading
		copy(s[:], p.on[:q.rows])
		q.found = append(q.found, s)
		return
	}
	for _, fit := range q.fitsOf(line) {
		if fit&p.off[line] != 0 || p.on[line]&^fit != 0 {
			continue
		}
		next := p
		changed := q.set(&next, line, fit, ^fit)
		if q.visit(next, changed); len(q.found) > 1 || q.err != nil {
			return
		}
	}
}

// settle fixes the cells that are the same in all ways of a line, until nothing changes. It reports whether each line
// has a way left.
func (q *search) settle(p *lines, changed uint32) bool {
	for changed != 0 {
		line := bits.TrailingZeros32(changed)
		changed &^= 1 << line
		on, off := p.on[line], p.off[line]
		all, any := ^uint16(0), uint16(0)
		for _, fit := range q.fitsOf(line) {
			if fit&off == 0 && on&^fit == 0 {
				all &= fit
				any |= fit
			}
		}
		if all&^any != 0 {
			return false
		}
		changed |= q.set(p, line, all, ^any) &^ (1 << line)
	}
	return true
}

// set fixes cells of a line, and returns the lines that this changes.
func (q *search) set(p *lines, line int, on, off uint16) (changed uint32) {
	full := uint16(1)<<q.size(line) - 1
	on, off = on&full&^p.on[line], off&full&^p.off[line]
	p.on[line] |= on
	p.off[line] |= off
	first, own := q.rows, line
	if line >= q.rows {
		first, own = 0, line-q.rows
	}
	for m := on; m != 0; m &= m - 1 {
		other := first + bits.TrailingZeros16(m)
		p.on[other] |= 1 << own
		changed |= 1 << other
	}
	for m := off; m != 0; m &= m - 1 {
		other := first + bits.TrailingZeros16(m)
		p.off[other] |= 1 << own
		changed |= 1 << other
	}
	return changed | 1<<line
}

// fewest returns the open line with the fewest ways, or -1 when no line is open.
func (q *search) fewest(p *lines) int {
	best, least := -1, 1<<MaxSize+1
	for line := range q.lines() {
		on, off := p.on[line], p.off[line]
		if on|off == uint16(1)<<q.size(line)-1 {
			continue
		}
		n := 0
		for _, fit := range q.fitsOf(line) {
			if fit&off == 0 && on&^fit == 0 {
				n++
			}
		}
		if n < least {
			best, least = line, n
		}
	}
	return best
}
