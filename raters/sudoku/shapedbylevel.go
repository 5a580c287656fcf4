package sudoku

import (
	"context"
	"slices"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// canonicalRules gives for each level of sudoku.canonical, from the first, some of the techniques up to it: those that a
// sheet knows. What they finish needs no more than the level. Minimal puzzles, which the generator of classic makes, would
// not do: of 300 with diagonals none is easy, and of 16×16 none is medium.
var canonicalRules = []rules{
	0,
	pairRule,
	pairRule | hiddenRule | tripleRule,
	pairRule | hiddenRule | tripleRule | fishRule | colorRule,
}

// byLevel makes candidates for sudoku.canonical until one has the level asked for; under a cap, or without a level (which
// is a cap of the highest that is offered), until one needs no more. Attempt n of a seed is drawn from the sub-seed (seed,
// "sudoku.canonical " and the variant, 0, n) and from nothing else.
func (v *variant) byLevel(ctx context.Context, rater *deduce.Rater[*parsed], r raters.Request) (raters.Generated, error) {
	offered := canonicalProfile.Levels()[:v.canonical]
	order, err := rater.Asked(r, CanonicalName+" "+v.name, offered)
	if err != nil {
		return raters.Generated{}, err
	}
	most, err := deduce.Most(r, CanonicalName+" "+v.name, offered)
	if err != nil {
		return raters.Generated{}, err
	}
	under := canonicalRules[slices.Index(offered, most)]
	return v.generate(ctx, r, func(n uint64) (m shapedMade, outcome string, err error) {
		m = v.thinned(seedrand.Sub(r.Seed, CanonicalName+" "+v.name, 0, n), under)
		m.level, err = rater.Grade(ctx, order, m.puzzle, rateBudget)
		outcome, err = deduce.Earned(r.Level, m.level, err)
		return m, outcome, err
	})
}
