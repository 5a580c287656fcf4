package sudoku

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"

	"assay/raters"
	"assay/raters/seedrand"
)

// shapeBudget bounds the work of one search in units of a sheet. Of thousands of random grids of every kind, only outlines
// that have no filling at all take more than a quarter of it.
const shapeBudget = 1 << 22

// lookEvery is how many units of work go by between two looks at the context.
const lookEvery = 1 << 10

// provingRules are those that each position of a search is closed under.
const provingRules = pairRule | hiddenRule | sumRule

// proof is one depth-first search of a shape for up to limit solutions. Its room is kept for the next one.
type proof struct {
	ctx    context.Context
	budget uint64 // units of work
	under  rules
	random *seedrand.Rand // the order of choices, if it is not that of cells and digits
	limit  int

	work   uint64
	looked uint64
	nodes  uint64
	count  int
	found  [2][maxCells]uint8
	stack  []*sheet
	cages  cages
}

var proofs = sync.Pool{New: func() any { return new(proof) }}

// solve looks for two solutions of givens, 0 for an empty cell. Solutions are full grids, row by row.
func (s *shape) solve(ctx context.Context, givens []uint8, budget uint64) (out raters.Solution, err error) {
	q := proofs.Get().(*proof)
	defer func() {
		q.ctx = nil
		proofs.Put(q)
	}()
	if err := q.solve(ctx, s, givens, budget); err != nil {
		return out, err
	}
	out = raters.Solution{Verdict: [3]raters.Verdict{raters.None, raters.Unique, raters.Multiple}[q.count], Nodes: q.nodes}
	for i := range q.count {
		out.Solutions = append(out.Solutions, cellText(q.found[i][:s.cells()]))
	}
	if q.count == 0 {
		out.Reason = s.clash(givens)
	}
	return out, nil
}

// prove reports why the givens have not exactly one solution.
func (s *shape) prove(ctx context.Context, givens []uint8, budget uint64) error {
	switch found, err := s.solve(ctx, givens, budget); {
	case err != nil:
		return err
	case found.Verdict == raters.None:
		return &raters.NoSolutionError{Reason: found.Reason}
	case found.Verdict == raters.Multiple:
		return &raters.NotUniqueError{Solutions: [2]string(found.Solutions)}
	}
	return nil
}

// firstTry is the work after which a search begins anew, with choices in another order, and may take twice as long.
// Most grids with much room that get one order lost do not get the next one lost.
const firstTry = 1 << 12

// solve searches from the givens.
func (q *proof) solve(ctx context.Context, s *shape, givens []uint8, budget uint64) error {
	q.reset(ctx, provingRules, 2, 0)
	if len(s.cages()) > 0 {
		q.cages.take(s)
	}
	for most := uint64(firstTry); ; most *= 2 {
		if !q.begin(s, givens) {
			return ctx.Err()
		}
		q.count, q.budget = 0, min(budget, q.work+most)
		if err := q.run(); !errors.Is(err, raters.ErrBudget) || q.budget == budget {
			return err
		}
		if q.random == nil {
			q.random = seedrand.New(1)
		}
	}
}

// begin sets up the first position, and reports false when two givens exclude each other.
func (q *proof) begin(s *shape, givens []uint8) bool {
	first := q.sheet(0)
	first.copyFrom(&s.ground().blank)
	if len(s.cages()) > 0 {
		q.cages.begin(first)
	}
	for c, v := range givens {
		if v != 0 && !first.give(c, int(v-1)) {
			return false
		}
	}
	return true
}

// give writes a given, and reports false where its peers exclude it.
func (s *sheet) give(c, d int) bool {
	if s.cand[c]>>d&1 == 0 {
		return false
	}
	s.write(c, d)
	return true
}

func (q *proof) reset(ctx context.Context, under rules, limit int, budget uint64) {
	q.ctx, q.budget, q.under, q.limit, q.random = ctx, budget, under, limit, nil
	q.work, q.looked, q.nodes, q.count = 0, 0, 0, 0
}

// sheet gives the position at a depth.
func (q *proof) sheet(depth int) *sheet {
	if depth == len(q.stack) {
		q.stack = append(q.stack, new(sheet))
	}
	return q.stack[depth]
}

// run searches from the first position.
func (q *proof) run() error {
	if err := q.ctx.Err(); err != nil {
		return err
	}
	return q.visit(0)
}

// visit closes a position and searches below it.
func (q *proof) visit(depth int) error {
	q.nodes++
	s := q.stack[depth]
	possible := s.close(q.under)
	if err := q.spend(s); err != nil || !possible {
		return err
	}
	if s.solved() {
		s.fill(&q.found[q.count])
		q.count++
		return nil
	}
	return q.try(depth)
}

// spend adds the work of a position to that of the search.
func (q *proof) spend(s *sheet) error {
	q.work += s.work + 1
	s.work = 0
	if q.work > q.budget {
		return raters.ErrBudget
	}
	if q.work-q.looked < lookEvery {
		return nil
	}
	q.looked = q.work
	return q.ctx.Err()
}

// try writes what the smallest choice offers in turn. What is refuted first is gone for the next.
func (q *proof) try(depth int) error {
	s := q.stack[depth]
	var room [maxSize]option
	options := s.smallest(room[:0])
	if q.random != nil {
		q.random.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	}
	last := len(options) - 1
	for _, o := range options[:last] {
		below := q.sheet(depth + 1)
		below.copyFrom(s)
		below.write(o.cell, o.digit)
		if err := q.visit(depth + 1); err != nil || q.count == q.limit {
			return err
		}
		s.remove(oneCell[o.cell], o.digit)
	}
	o := options[last]
	s.write(o.cell, o.digit)
	return q.visit(depth)
}

// option is a digit that may go into a cell.
type option struct{ cell, digit int }

// smallest gives the digits of the cell with the fewest candidates, or the cells of a digit in a house where it has
// fewer places. Of several choices the first counts, cells before houses.
func (s *sheet) smallest(to []option) []option {
	cell, fewest := -1, maxSize+1
	for c := range s.open.all {
		if n := bits.OnesCount16(s.cand[c]); n < fewest {
			cell, fewest = c, n
			if n == 2 {
				break
			}
		}
	}
	if fewest > 2 {
		if h, d := s.narrowest(fewest); h >= 0 {
			for m := s.where[h][d]; m != 0; m &= m - 1 {
				to = append(to, option{s.cell(h, lowest(m)), d})
			}
			return to
		}
	}
	for m := s.cand[cell]; m != 0; m &= m - 1 {
		to = append(to, option{cell, lowest(m)})
	}
	return to
}

// narrowest gives the house and digit with the fewest places, if they are at least two and less than so many; else −1.
func (s *sheet) narrowest(fewest int) (house, digit int) {
	house = -1
	for h := range s.full {
		for d := range s.size {
			if n := bits.OnesCount16(s.where[h][d]); n > 1 && n < fewest {
				house, digit, fewest = h, d, n
			}
		}
	}
	return house, digit
}

// clash names peers that hold the same given, "5 twice in row 1: r1c1 and r1c5", or a cage whose givens do not make its
// sum, "cage 2 of 7 holds 9: r1c1 r1c2"; "" when there is none.
func (s *shape) clash(givens []uint8) string {
	for h := range s.houses {
		var at [maxSize + 1]int
		for _, c := range s.houses[h].cells {
			v := givens[c]
			if v != 0 && at[v] != 0 {
				return fmt.Sprintf("%s twice in %s: %s and %s", s.naming.Values[v-1], s.houseName(h), s.cellName(at[v]-1), s.cellName(int(c)))
			}
			at[v] = int(c) + 1
		}
	}
	for h := s.full; h < len(s.houses); h++ {
		if reason := s.miscounts(h, givens); reason != "" {
			return reason
		}
	}
	return ""
}

// miscounts says what is wrong with the sum of a cage.
func (s *shape) miscounts(h int, givens []uint8) string {
	x := &s.houses[h]
	sum, empty := 0, 0
	var cells []uint16
	for _, c := range x.cells {
		if v := givens[c]; v != 0 {
			sum += int(v)
			cells = append(cells, uint16(c))
		} else {
			empty++
		}
	}
	if x.sum == 0 || sum == x.sum && empty == 0 || sum+empty <= x.sum && empty > 0 {
		return ""
	}
	return fmt.Sprintf("%s of %d holds %d: %s", s.houseName(h), x.sum, sum, s.cellNames(cells...))
}
