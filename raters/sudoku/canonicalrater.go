package sudoku

import (
	"context"
	"errors"
	"fmt"
	"strconv"

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
type stepRater struct {
	profile raters.Profile
	order   *deduce.Order
	version string
}

// canonicalRater is the rater with the built-in profile.
var canonicalRater = stepRater{canonicalProfile, orderOf(canonicalProfile), strconv.Itoa(CanonicalVersion)}

func orderOf(p raters.Profile) *deduce.Order {
	return deduce.NewOrder((&board{shape: classicShape}).techniques(), canonicalProfile, p)
}

// Name gives CanonicalName.
func (stepRater) Name() string { return CanonicalName }

// Version gives CanonicalVersion, with the profile's digest when that is not the built-in one.
func (r stepRater) Version() string { return r.version }

// Profile gives the techniques in the order in which they are tried.
func (r stepRater) Profile() raters.Profile { return r.profile }

// With gives the rater with techniques in another order, on other levels, or switched off.
func (stepRater) With(p raters.Profile) (raters.Rater, error) {
	p, err := canonicalProfile.Check(p)
	if err != nil {
		return nil, err
	}
	return stepRater{p, orderOf(p), p.VersionUnder(canonicalProfile)}, nil
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
	b := boards.Get().(*board)
	defer boards.Put(b)
	rating, err := b.engine.Rate(ctx, r.order, b.position(cells[:]), rateBudget)
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
