package sudoku

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"assay/raters"
)

// solveBudget bounds the positions one search visits. The slowest of the hardest puzzles known takes
// some hundreds, and 373,755 images of these at most 1,247; positions that no puzzle would have stay bounded by it.
const solveBudget = 1 << 23

// The plain search is fast, and gets lost where few givens contradict one another out of the sight of its branches.
// After lost positions the careful one is asked. What that finds stands, except that the positions of a puzzle with
// one solution are those of the plain search, as they are on record, if these are no more than plainBudget.
const (
	lost        = 1 << 12
	plainBudget = 1 << 20
)

// solver counts solutions up to two. It implements raters.Solver.
type solver struct {
	budget uint64 // positions
}

// Solve gives the verdict on a canonical text.
func (s solver) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	cells, err := parse(p)
	if err != nil {
		return raters.Solution{}, err
	}
	return s.solve(ctx, &cells)
}

func (s solver) solve(ctx context.Context, cells *[81]uint8) (raters.Solution, error) {
	var q search
	if err := s.search(ctx, cells, &q); err != nil {
		return raters.Solution{}, err
	}
	out := raters.Solution{Verdict: [3]raters.Verdict{raters.None, raters.Unique, raters.Multiple}[q.count], Nodes: q.nodes}
	for i := range q.count {
		out.Solutions = append(out.Solutions, text(&q.found[i]))
	}
	if q.nodes == 0 {
		out.Reason = clash(cells)
	}
	return out, nil
}

// search looks for two solutions. It visits no position when the givens contradict one another.
func (s solver) search(ctx context.Context, cells *[81]uint8, q *search) error {
	*q = search{ctx: ctx, budget: min(s.budget, lost), limit: 2}
	var b bands
	if !b.start(cells) {
		return ctx.Err()
	}
	if err := q.run(&b); err == nil || s.budget <= lost || !errors.Is(err, raters.ErrBudget) {
		return err
	}
	return s.searchCarefully(ctx, cells, q, plainBudget)
}

// searchCarefully goes on where the plain search is lost. That one has so many positions for a puzzle with one solution.
func (s solver) searchCarefully(ctx context.Context, cells *[81]uint8, q *search, budget uint64) error {
	var b bands
	b.start(cells)
	*q = search{ctx: ctx, budget: s.budget, limit: 2, nodes: lost, careful: true}
	if err := q.run(&b); err != nil || q.count != 1 {
		return err
	}
	b = bands{}
	b.start(cells)
	plain := search{ctx: ctx, budget: min(s.budget, budget), limit: 2}
	switch err := plain.run(&b); {
	case err == nil:
		*q = plain
	case !errors.Is(err, raters.ErrBudget):
		return err
	}
	return nil
}

// prove reports why the givens have not exactly one solution.
func (s solver) prove(ctx context.Context, cells *[81]uint8) error {
	var q search
	switch err := s.search(ctx, cells, &q); {
	case err != nil:
		return err
	case q.nodes == 0:
		return &raters.NoSolutionError{Reason: clash(cells)}
	case q.count == 0:
		return &raters.NoSolutionError{}
	case q.count > 1:
		return &raters.NotUniqueError{Solutions: [2]string{text(&q.found[0]), text(&q.found[1])}}
	}
	return nil
}

// clash names two peers that hold the same given: "5 twice in row 1: r1c1 and r1c5".
func clash(cells *[81]uint8) string {
	for h := range houses {
		var at [10]int
		for _, c := range &houses[h] {
			v := cells[c]
			if v != 0 && at[v] != 0 {
				return fmt.Sprintf("%d twice in %s: %s and %s", v, houseNames[h], cellNames[at[v]-1], cellNames[c])
			}
			at[v] = int(c) + 1
		}
	}
	return ""
}

// search is one depth-first search for up to limit solutions.
type search struct {
	ctx     context.Context
	budget  uint64
	nodes   uint64
	limit   int
	count   int
	found   [2][81]uint8
	careful bool // look at houses, too (careful.go)
}

// checkEvery is how many positions go by between two looks at the context.
const checkEvery = 1 << 10

func (q *search) run(s *bands) error {
	if err := q.ctx.Err(); err != nil {
		return err
	}
	return q.visit(s)
}

// visit settles a position and searches below it.
func (q *search) visit(s *bands) error {
	q.nodes++
	if q.nodes > q.budget {
		return raters.ErrBudget
	}
	if q.nodes%checkEvery == 0 {
		if err := q.ctx.Err(); err != nil {
			return err
		}
	}
	var pairs [3]uint32
	if !s.settle(&pairs) {
		return nil
	}
	if s.solved() {
		s.fill(&q.found[q.count])
		q.count++
		return nil
	}
	if q.careful {
		return q.tryNarrowest(s)
	}
	band, cell := s.branch(&pairs)
	return q.try(s, band, cell)
}

// try assumes each digit of the cell in turn; what is refuted first is gone for the next.
func (q *search) try(s *bands, band int, cell uint32) error {
	var below bands // outside of the loop, or it would be allocated
	digits := s.digits(band, cell)
	for ; digits != 0; digits &= digits - 1 {
		d := bits.TrailingZeros16(digits)
		if digits&(digits-1) == 0 {
			s.assume(d, band, cell)
			return q.visit(s)
		}
		below = *s
		below.assume(d, band, cell)
		if err := q.visit(&below); err != nil || q.count == q.limit {
			return err
		}
		s.digit[d].may[band] &^= cell
	}
	return nil
}

// branch picks the cell to try: of those with two digits the best by pairBranch, else the first with the
// fewest digits.
func (s *bands) branch(pairs *[3]uint32) (band int, cell uint32) {
	if pairs[0]|pairs[1]|pairs[2] != 0 {
		return s.pairBranch(pairs)
	}
	fewest := 10
	for b := range 3 {
		for open := s.open[b]; open != 0; open &= open - 1 {
			c := open & -open
			if n := bits.OnesCount16(s.digits(b, c)); n < fewest {
				fewest, band, cell = n, b, c
			}
		}
	}
	return band, cell
}

// pairBranch picks the cell with two digits whose peers hold these digits most often, peers with two
// digits counting twice. On the 100 hard puzzles of testdata/bench.sdm this visits 242 positions a
// puzzle, the first such cell 521 (BenchmarkSolve).
func (s *bands) pairBranch(pairs *[3]uint32) (band int, cell uint32) {
	var score [3][32]uint8
	best := uint8(0)
	for d := range s.digit {
		m := &s.digit[d].may
		two := [3]uint32{m[0] & pairs[0], m[1] & pairs[1], m[2] & pairs[2]}
		for b, left := range two {
			all, both := around(m, b), around(&two, b)
			for ; left != 0; left &= left - 1 {
				i := bits.TrailingZeros32(left) & 31
				v := score[b][i] + 1 + uint8(bits.OnesCount64(all&reach[i])+bits.OnesCount64(both&reach[i]))
				score[b][i] = v
				if v > best {
					best, band, cell = v, b, left&-left
				}
			}
		}
	}
	return band, cell
}

// around lays a band, one of the others, and the columns of the third side by side, as reach does.
func around(m *[3]uint32, band int) uint64 {
	third := m[next[next[band]]]
	return uint64(m[band]) | uint64(m[next[band]])<<27 | uint64((third|third>>9|third>>18)&511)<<54
}

var next = [3]int{1, 2, 0}

// digits gives the digits that the cell of a band may still hold.
func (s *bands) digits(band int, cell uint32) uint16 {
	var out uint16
	for d := range 9 {
		if s.digit[d].may[band]&cell != 0 {
			out |= 1 << d
		}
	}
	return out
}

func (s *bands) solved() bool { return s.open[0]|s.open[1]|s.open[2] == 0 }

// fill writes out a solved position.
func (s *bands) fill(grid *[81]uint8) {
	for d := range s.digit {
		for b, m := range s.digit[d].may {
			for ; m != 0; m &= m - 1 {
				grid[27*b+bits.TrailingZeros32(m)] = uint8(d + 1)
			}
		}
	}
}
