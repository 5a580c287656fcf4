package sudoku

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
	"assay/raters/seedrand"
)

// tooHard is the outcome of an attempt that the techniques up to the level asked for do not finish; noVerdict that
// of one that takes too much work.
const (
	tooHard   = "beyond the level"
	noVerdict = "no verdict within the budget"
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
	b := boardOf(classicShape)
	defer boards.Put(b)
	var out raters.Generated
	for n := 1; n <= maxAttempts; n++ {
		if err := ctx.Err(); err != nil {
			return raters.Generated{}, err
		}
		m := minimal(seedrand.Sub(r.Seed, CanonicalName, 0, uint64(n)))
		level, err := b.engine.Grade(ctx, order, b.position(m.clues[:]), rateBudget)
		outcome := "accepted"
		switch {
		case errors.Is(err, raters.ErrBudget):
			outcome = noVerdict
		case err != nil:
			return raters.Generated{}, err
		case level == "":
			outcome = tooHard
		case r.Level != "" && level != r.Level:
			outcome = "earned " + level
		}
		out.Attempts = append(out.Attempts, raters.Attempt{N: n, Outcome: outcome})
		if outcome == "accepted" {
			return m.generated(ctx, level, out)
		}
	}
	return raters.Generated{}, fmt.Errorf("%d candidates without one of level %s: %w", maxAttempts, r.Level, raters.ErrBudget)
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
