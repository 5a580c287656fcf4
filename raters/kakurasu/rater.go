package kakurasu

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
	"assay/raters/deduce"
)

// CanonicalName is the name of the rater.
const CanonicalName = "kakurasu.canonical"

// CanonicalVersion is the version of the rater; HISTORY.md says what each one was.
const CanonicalVersion = 1

// rateBudget bounds the work of a rating, in looks at a line.
const rateBudget = 1 << 24

// builtIn is the profile of version 1.
var builtIn = raters.Profile{Rater: CanonicalName, Version: CanonicalVersion, Techniques: []raters.Technique{
	{Name: "weight-bounds", Level: "easy"},
	{Name: "few-combinations", Level: "medium"},
	{Name: "many-combinations", Level: "hard"},
	{Name: "chain-6", Level: "hard"},
	{Name: "chain-20", Level: "expert"},
}}

// rater solves by techniques. It implements raters.Profiled.
type rater struct{ deduce.Setting }

// canonical is the rater with the built-in profile.
var canonical = rater{deduce.NewSetting(new(grid).techniques(), builtIn)}

// With gives the rater with techniques in another order, on other levels, or switched off.
func (r rater) With(p raters.Profile) (raters.Rater, error) {
	s, err := r.Under(p)
	if err != nil {
		return nil, err
	}
	return rater{s}, nil
}

// Vocabulary gives what ratings of a puzzle may say; nothing of one that is none.
func (r rater) Vocabulary(p raters.Puzzle) raters.Vocabulary {
	g, err := parse(p)
	if err != nil {
		return raters.Vocabulary{}
	}
	return topologies.Of(size{g.rows, g.columns}).Vocabulary()
}

// Rate solves a puzzle by techniques, once it is proven to have exactly one solution (L19). It is refused with
// *raters.NotUniqueError or *raters.NoSolutionError otherwise. When no technique applies any more the outcome is
// raters.Unrated.
func (r rater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	g, err := parse(p)
	if err != nil {
		return raters.Rating{}, err
	}
	if err := prove(ctx, &g); err != nil {
		return raters.Rating{}, err
	}
	b := boardOf(&g)
	defer b.release()
	rating, err := b.engine.Rate(ctx, r.Order, b.start(nil), rateBudget)
	var broken *deduce.BrokenError
	if errors.As(err, &broken) {
		return raters.Rating{}, fmt.Errorf("rating a puzzle with a solution: %w", err)
	}
	rating.Clues = g.lines()
	return rating, err
}

// start gives the position in which these cells are known; a literal is one that is removed.
func (b *board) start(removed []raters.Literal) deduce.Start {
	s := deduce.Start{Candidates: make([]uint16, b.rows*b.columns)}
	for v := range s.Candidates {
		s.Candidates[v] = 1<<shaded | 1<<unshaded
	}
	for _, l := range removed {
		s.Candidates[l.Variable()] &^= 1 << l.Value()
	}
	return s
}
