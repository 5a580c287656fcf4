// Package engine runs raters, generators and solvers, and knows nothing of what is on record: it rates, makes, solves and
// hints, gives the objects that scripts read of that, and says what other processes can do of it.
package engine

import (
	"context"
	"fmt"

	"assay/raters"
)

// Name names a rater of a variant, and the generator beside it, so that another process or a later program finds the same
// ones or none.
type Name struct {
	Genre     string
	Variant   string
	Generator int // version; 0 when it is not used
	Rater     string
	Version   string // "" for the one that is built in
	Profile   string // TOML; "" for the built-in one
}

// Of names the rater of a variant.
func Of(v raters.Variant, rater raters.Rater) Name {
	e := Name{Genre: v.Genre, Variant: v.Name, Rater: rater.Name(), Version: rater.Version()}
	if p, ok := rater.(raters.Profiled); ok && HasOwnProfile(rater) {
		e.Profile = p.Profile().Text()
	}
	return e
}

// Find finds the engine among those of this program: the one place that says which engine answers for a variant, a name
// and a version. It is an error when there is none any more.
func (e Name) Find(genres []raters.Genre) (raters.Variant, raters.Rater, error) {
	v, err := Find(genres, e.Genre, e.Variant)
	if err != nil {
		return v, nil, err
	}
	choice := RaterChoice{Name: e.Rater}
	if e.Profile != "" {
		choice.Profile = []byte(e.Profile)
	}
	rater, err := choice.Choose(v)
	switch {
	case err != nil:
		return v, nil, err
	case e.Version != "" && rater.Version() != e.Version:
		return v, nil, fmt.Errorf("this program has %s %s, not %s", e.Rater, rater.Version(), e.Version)
	case e.Generator != 0 && v.Generator.Version() != e.Generator:
		return v, nil, fmt.Errorf("this program has version %d of the generator of %s, not %d", v.Generator.Version(), v, e.Generator)
	}
	return v, rater, nil
}

// Engine answers for one rater version of a variant, and one version of its generator. All that goes in and comes out can be
// written down: so an engine may be one that runs elsewhere, as one of a version that this program no longer has would.
type Engine interface {
	Rate(ctx context.Context, q Question) Verdict
	Make(ctx context.Context, r raters.Request) Grown
}

// Open returns the engine of this program that has the name; an error when there is none any more.
func (e Name) Open(genres []raters.Genre) (Engine, error) {
	v, rater, err := e.Find(genres)
	return builtIn{v, rater}, err
}

// builtIn is an engine that is part of this program.
type builtIn struct {
	variant raters.Variant
	rater   raters.Rater
}

// Rate asks the rater, and holds the steps against the solution if the question has one.
func (b builtIn) Rate(ctx context.Context, q Question) Verdict {
	v := Ask(ctx, b.rater, q.Puzzle())
	v.want = q.wanted(v.Rating)
	if v.Err == nil && v.Refused == "" && q.Solution != "" {
		v.Unsound = FindUnsound(b.variant, q.Puzzle(), q.Solution, v.Rating)
	}
	return v
}

// Make has the generator make a puzzle.
func (b builtIn) Make(ctx context.Context, r raters.Request) Grown {
	return Grow(ctx, b.variant, b.rater, r)
}
