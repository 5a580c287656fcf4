package sudoku

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
	"assay/raters/deduce"
)

// CanonicalName is the name of the rater that solves by the engine all genres share. It has nothing to do with the
// canonical form of a grid.
const CanonicalName = "sudoku.canonical"

// CanonicalVersion is the version of the rater; HISTORY.md says what each one was.
const CanonicalVersion = 1

// rateBudget bounds the work of a rating, in looks at an instance.
const rateBudget = 1 << 24

// stepRater solves by the techniques of board.go, one explained step at a time. It implements raters.Profiled.
type stepRater struct{ deduce.Setting }

// canonicalRater is the rater with the built-in profile.
var canonicalRater = stepRater{deduce.NewSetting(classicShape.techniques(), canonicalProfile)}

// With gives the rater with techniques in another order, on other levels, or switched off.
func (r stepRater) With(p raters.Profile) (raters.Rater, error) {
	s, err := r.Under(p)
	if err != nil {
		return nil, err
	}
	return stepRater{s}, nil
}

// Vocabulary gives what ratings may say.
func (stepRater) Vocabulary(raters.Puzzle) raters.Vocabulary {
	return classicShape.topology().Vocabulary()
}

// Rate solves a puzzle by techniques, once it is proven to have exactly one solution (L19). It is refused with
// *raters.NotUniqueError or *raters.NoSolutionError otherwise. When no technique applies any more the outcome is
// raters.Unrated.
func (r stepRater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	cells, err := parse(p)
	if err != nil {
		return raters.Rating{}, err
	}
	if err := (solver{budget: solveBudget}).prove(ctx, &cells); err != nil {
		return raters.Rating{}, err
	}
	b := boardOf(classicShape)
	defer boards.Put(b)
	rating, err := b.engine.Rate(ctx, r.Order, b.position(cells[:]), rateBudget)
	var broken *deduce.BrokenError
	switch {
	case errors.As(err, &broken):
		return raters.Rating{}, fmt.Errorf("rating a puzzle with a solution: %w", err)
	case err != nil:
		return raters.Rating{}, err
	}
	rating.Clues = clues(&cells)
	return rating, nil
}
