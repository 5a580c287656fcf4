package sudoku

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// GeneratorVersion is the version of the generator; HISTORY.md says what each one was.
const GeneratorVersion = 1

// maxAttempts bounds the candidates of one puzzle. The scarcest level, hard, is earned by about one
// candidate in a hundred.
const maxAttempts = 20_000

// generator takes clues from a random full grid: for sudoku.tiers while the techniques up to a level still solve
// the puzzle, for sudoku.canonical (bylevel.go) while it has one solution. It implements raters.Generator.
type generator struct{}

// Version gives GeneratorVersion.
func (generator) Version() int { return GeneratorVersion }

// Generate makes candidates of the seed, attempt by attempt, until one earns the level asked for. With a cap, or
// without a level (which is a cap of evil), the first candidate for sudoku.tiers is the puzzle.
func (generator) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	if r.Variant != "" && r.Variant != Variant {
		return raters.Generated{}, &raters.RequestError{Reason: fmt.Sprintf("sudoku has no variant %q; offered: %s", r.Variant, Variant)}
	}
	if r.Rater == CanonicalName {
		return byLevel(ctx, r)
	}
	if r.Rater != "" && r.Rater != TiersName {
		return raters.Generated{}, &raters.RequestError{Reason: fmt.Sprintf("sudoku has no rater %q; offered: %s, %s", r.Rater, TiersName, CanonicalName)}
	}
	most, err := deduce.Most(r, Name+" "+Variant, levels[1:])
	if err != nil {
		return raters.Generated{}, err
	}
	tier := slices.Index(levels[:], most)
	return generate(ctx, r, func(n uint64) (made, string, error) {
		m := candidate(seedrand.Sub(r.Seed, "sudoku", 0, n), tier)
		outcome, err := deduce.Earned(r.Level, m.level, nil)
		return m, outcome, err
	})
}

// generate tries candidates until one is accepted.
func generate(ctx context.Context, r raters.Request, try func(n uint64) (m made, outcome string, err error)) (out raters.Generated, err error) {
	var last made
	attempts, err := deduce.Attempts(ctx, r, maxAttempts, func(n uint64) (outcome string, err error) {
		last, outcome, err = try(n)
		return outcome, err
	})
	if err != nil {
		return out, err
	}
	proof, err := solver{budget: solveBudget}.solve(ctx, &last.clues)
	if err != nil {
		return out, err
	}
	p := raters.Puzzle{Genre: Name, Variant: Variant, Text: text(&last.clues)}
	return raters.Generated{Puzzle: p, Solution: text(&last.solution), Level: last.level, Attempts: attempts, Nodes: proof.Nodes}, nil
}

// made is a candidate.
type made struct {
	clues    [81]uint8
	solution [81]uint8
	tier     int    // earned, of sudoku.tiers
	level    string // earned
}

// candidate makes the puzzle of one sub-seed under a cap.
func candidate(seed uint64, tier int) made {
	var c carver
	c.deal(seedrand.New(seed))
	c.used = usedBy(&c.clues)
	c.carve(tier)
	tier = c.earned()
	return made{c.clues, c.grid, tier, levels[tier]}
}

// deal begins with a full grid, and an order in which its clues are tried.
func (c *carver) deal(r *seedrand.Rand) {
	c.grid = fullGrid(r)
	c.clues = c.grid
	for i := range c.order {
		c.order[i] = uint8(i)
	}
	r.Shuffle(len(c.order), func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
}

// fullGrid fills the three boxes of the diagonal at random and completes them with digits in random
// order.
func fullGrid(r *seedrand.Rand) (grid [81]uint8) {
	digits := [9]uint8{1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, box := range [3]int{0, 4, 8} {
		r.Shuffle(9, func(i, j int) { digits[i], digits[j] = digits[j], digits[i] })
		for i, c := range &houses[boxHouse+box] {
			grid[c] = digits[i]
		}
	}
	var s bands
	s.start(&grid)
	complete(&s, r, &grid)
	return grid
}

func complete(s *bands, r *seedrand.Rand, grid *[81]uint8) bool {
	var pairs [3]uint32
	if !s.settle(&pairs) {
		return false
	}
	if s.solved() {
		s.fill(grid)
		return true
	}
	band, cell := s.branch(&pairs)
	var digits []int
	for m := s.digits(band, cell); m != 0; m &= m - 1 {
		digits = append(digits, bits.TrailingZeros16(m))
	}
	r.Shuffle(len(digits), func(i, j int) { digits[i], digits[j] = digits[j], digits[i] })
	var below bands
	for _, d := range digits {
		below = *s
		below.assume(d, band, cell)
		if complete(&below, r, grid) {
			return true
		}
	}
	return false
}

// carver takes clues from a full grid.
type carver struct {
	grid  [81]uint8
	clues [81]uint8
	order [81]uint8 // in which clues are tried
	used  [27]uint16
	base  state // of the clues
	s     state // the solve of a try
}

// verdict says what became of a clue.
type verdict int

const (
	removed verdict = iota
	refused         // for now: the techniques cannot do without it
	needed          // for good
)

// carve removes clues in order until none can go. Below evil one pass is enough: with fewer clues the
// techniques never conclude more, so that a clue refused once stays so. A unique rectangle breaks this
// (a clue fewer may open one), hence passes.
func (c *carver) carve(tier int) {
	left := c.order[:]
	for again := true; again; {
		again = false
		kept := left[:0]
		for _, cell := range left {
			switch c.try(cell, tier) {
			case removed:
				again = tier == evil
			case refused:
				kept = append(kept, cell)
			}
		}
		left = kept
	}
}

// try removes one clue if the puzzle still has one solution and the techniques up to tier still find it.
//
// The techniques below evil are sound whether or not the solution is unique. So when they win the clue
// back, every solution has it, and what they then know is what they know of the puzzle with it: the
// removal stands. Otherwise they do not finish either, except with the help of a unique rectangle.
func (c *carver) try(cell uint8, tier int) verdict {
	digit, before := c.clues[cell], c.base.position
	c.take(cell)
	c.s.position = c.base.position
	sound := upTo(min(tier, evil-1))
	for {
		if c.s.forces(cell, int(digit-1)) {
			return removed
		}
		if find(&c.s, sound) < 0 {
			break
		}
		c.s.take()
	}
	v := needed
	if tier == evil && c.without(cell, digit) {
		if c.finish() {
			return removed
		}
		v = refused
	}
	c.put(cell, digit, &before)
	return v
}

func (c *carver) take(cell uint8) {
	digit := c.clues[cell]
	c.clues[cell] = 0
	for _, h := range &houseOf[cell] {
		c.used[h] &^= 1 << (digit - 1)
	}
	c.base.ungive(cell, int(digit-1), &c.used)
	c.base.byCell() // once, not by each solve that begins there
}

func (c *carver) put(cell, digit uint8, before *position) {
	c.clues[cell] = digit
	for _, h := range &houseOf[cell] {
		c.used[h] |= 1 << (digit - 1)
	}
	c.base.position = *before
}

// upTo gives the techniques up to a tier.
func upTo(tier int) []technique {
	n := slices.IndexFunc(tiers, func(t technique) bool { return t.tier > tier })
	if n < 0 {
		n = len(tiers)
	}
	return tiers[:n]
}

// without tells whether every solution has the digit in the cell, which holds no clue.
func (c *carver) without(cell, digit uint8) bool {
	var s bands
	s.start(&c.clues)
	s.digit[digit-1].may[cell/27] &^= 1 << (cell % 27)
	q := search{ctx: context.Background(), budget: solveBudget, limit: 1}
	return q.run(&s) == nil && q.count == 0
}

// finish tells whether all techniques together fill the grid from where they stand.
func (c *carver) finish() bool {
	for !c.s.open.empty() && find(&c.s, tiers) >= 0 {
		c.s.take()
	}
	return c.s.open.empty()
}

// earned grades the puzzle.
func (c *carver) earned() int {
	c.s.position = c.base.position
	tier := 1
	for !c.s.open.empty() {
		i := find(&c.s, tiers)
		if i < 0 {
			return evil
		}
		tier = max(tier, tiers[i].tier)
		c.s.take()
	}
	return tier
}
