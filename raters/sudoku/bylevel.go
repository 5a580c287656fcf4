package sudoku

import (
	"context"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// byLevel makes candidates for sudoku.canonical until one has the level asked for; under a cap, or without a level
// (which is a cap of expert), until one needs no more. Attempt n of a seed is drawn from the sub-seed (seed,
// "sudoku.canonical", 0, n) and from nothing else: a full grid that loses clues, in random order, for as long as it
// has one solution.
func byLevel(ctx context.Context, r raters.Request) (raters.Generated, error) {
	order, err := canonicalRater.Asked(r, CanonicalName, canonicalProfile.Levels())
	if err != nil {
		return raters.Generated{}, err
	}
	return generate(ctx, r, func(n uint64) (m made, outcome string, err error) {
		m = minimal(seedrand.Sub(r.Seed, CanonicalName, 0, n))
		m.level, err = canonicalRater.Grade(ctx, order, &m.clues, rateBudget)
		outcome, err = deduce.Earned(r.Level, m.level, err)
		return m, outcome, err
	})
}

// minimal makes the puzzle of one sub-seed: without any clue it has more than one solution. One pass is enough, for
// with fewer clues there are never fewer solutions.
func minimal(seed uint64) made {
	r := seedrand.New(seed)
	var c carver
	c.deal(r)
	for _, cell := range c.order {
		digit := c.clues[cell]
		c.clues[cell] = 0
		if !c.without(cell, digit) {
			c.clues[cell] = digit
		}
	}
	return made{clues: c.clues, solution: c.grid}
}
