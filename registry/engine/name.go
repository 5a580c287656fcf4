// Package engine runs raters, generators and solvers, and knows nothing about the record. It rates, generates, solves
// and gives hints, and returns these results as the objects that scripts read. It also defines the work that other
// processes can do.
package engine

import (
	"context"
	"fmt"

	"assay/raters"
)

// Name names a rater of a variant, with its generator. Another process or a later program finds the same ones by it, or
// none.
type Name struct {
	Genre     string
	Variant   string
	Generator int // version; 0 when it is not used
	Rater     string
	Version   string // "" for the built-in one
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

// Find finds the engine in this program. It is the only place that decides which engine is meant by a variant, a name
// and a version. It returns an error when the program no longer has it.
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

// Engine is one rater version of a variant and one version of its generator. All inputs and outputs can be encoded, so
// an engine may run in another process, for example for a version that this program no longer has.
type Engine interface {
	Rate(ctx context.Context, q Question) Verdict
	Make(ctx context.Context, r raters.Request) Grown
}

// Open returns the engine of this name; an error when this program no longer has it.
func (e Name) Open(genres []raters.Genre) (Engine, error) {
	v, rater, err := e.Find(genres)
	return builtIn{v, rater}, err
}

// builtIn is an engine of this program.
type builtIn struct {
	variant raters.Variant
	rater   raters.Rater
}

// Rate asks the rater. If the question has a solution, it compares the steps with it.
func (b builtIn) Rate(ctx context.Context, q Question) Verdict {
	v := Ask(ctx, b.rater, q.Puzzle())
	v.want = q.wanted(v.Rating)
	if v.Err == nil && v.Refused == "" && q.Solution != "" {
		v.Unsound = FindUnsound(b.variant, q.Puzzle(), q.Solution, v.Rating)
	}
	return v
}

// Make lets the generator make a puzzle.
func (b builtIn) Make(ctx context.Context, r raters.Request) Grown {
	return Grow(ctx, b.variant, b.rater, r)
}
