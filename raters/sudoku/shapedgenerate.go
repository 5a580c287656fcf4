package sudoku

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/seedrand"
)

// shapedGenerator makes puzzles of a variant on its own shape. A full grid loses clues, or gets larger cages, for as long as
// the techniques up to a level find it: for sudoku.tiers all of them, for sudoku.canonical some (shapedbylevel.go). It
// implements raters.Generator.
type shapedGenerator struct {
	of        *variant
	canonical *deduce.Rater[*parsed] // nil when the variant has none
}

// Version gives the version of the variant's generator; HISTORY.md says what each one was.
func (g shapedGenerator) Version() int { return g.of.generator }

// Generate makes candidates of the seed, attempt by attempt, until one earns the level asked for. With a cap, or without
// a level (which is a cap of the highest that is offered), the first candidate for sudoku.tiers is the puzzle. Attempt n
// of a seed is drawn from the sub-seed (seed, "sudoku " and the variant, 0, n) and from nothing else.
func (g shapedGenerator) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	v := g.of
	if r.Variant != "" && r.Variant != v.name {
		return raters.Generated{}, &raters.RequestError{Reason: fmt.Sprintf("no generator of %s/%s: %s/%s", Name, v.name, Name, r.Variant)}
	}
	switch {
	case r.Rater == CanonicalName && g.canonical != nil:
		return v.byLevel(ctx, g.canonical, r)
	case r.Rater != "" && r.Rater != TiersName:
		return raters.Generated{}, &raters.RequestError{Reason: fmt.Sprintf("%s %s has no rater %q; offered: %s", Name, v.name, r.Rater, g.raters())}
	}
	most, err := deduce.Most(r, Name+" "+v.name, levels[1:1+v.tiers])
	if err != nil {
		return raters.Generated{}, err
	}
	tier := slices.Index(levels[:], most)
	return v.generate(ctx, r, func(n uint64) (shapedMade, string, error) {
		m := v.candidate(seedrand.Sub(r.Seed, Name+" "+v.name, 0, n), tier)
		if m.puzzle == nil {
			return m, tooLittle, nil
		}
		outcome, err := deduce.Earned(r.Level, m.level, nil)
		return m, outcome, err
	})
}

// raters names those that it makes puzzles for.
func (g shapedGenerator) raters() string {
	if g.canonical == nil {
		return TiersName
	}
	return TiersName + ", " + CanonicalName
}

// tooLittle is the outcome of an attempt over whose grid no cages were drawn from which techniques find it.
const tooLittle = "the sums say too little"

// shapedMade is a candidate; its puzzle is nil when there is none.
type shapedMade struct {
	puzzle   *parsed
	solution []uint8
	level    string // earned, of sudoku.tiers unless it says otherwise
}

// generate tries candidates until one is accepted.
func (v *variant) generate(ctx context.Context, r raters.Request, try func(n uint64) (m shapedMade, outcome string, err error)) (out raters.Generated, err error) {
	var last shapedMade
	attempts, err := deduce.Attempts(ctx, r, maxAttempts, func(n uint64) (outcome string, err error) {
		last, outcome, err = try(n)
		return outcome, err
	})
	if err != nil {
		return out, err
	}
	proof, err := last.puzzle.shape.solve(ctx, last.puzzle.givens, shapeBudget)
	if err != nil {
		return out, err
	}
	p := raters.Puzzle{Genre: Name, Variant: v.name, Text: last.puzzle.text()}
	return raters.Generated{Puzzle: p, Solution: cellText(last.solution), Level: last.level, Attempts: attempts, Nodes: proof.Nodes}, nil
}

var (
	thinners = sync.Pool{New: func() any { return new(thinner) }}
	cagers   = sync.Pool{New: func() any { return new(cager) }}
)

// candidate makes the puzzle of one sub-seed for sudoku.tiers under a cap.
func (v *variant) candidate(seed uint64, tier int) shapedMade {
	if v.brings == ownCages {
		return v.caged(seedrand.New(seed), tier)
	}
	return v.thinned(seed, tierRules[tier])
}

// thinned makes the puzzle of one sub-seed that rules finish without any clue that they do not need.
func (v *variant) thinned(seed uint64, under rules) shapedMade {
	t := thinners.Get().(*thinner)
	defer thinners.Put(t)
	s := v.dealt(seedrand.New(seed), t)
	t.thin(under)
	n := s.cells()
	q := &parsed{of: v, shape: s, givens: slices.Clone(t.clues[:n])}
	return shapedMade{q, slices.Clone(t.grid[:n]), levels[t.earned()]}
}

// dealt deals a full grid of the variant to a thinner, and gives its shape.
func (v *variant) dealt(r *seedrand.Rand, t *thinner) *shape {
	for {
		s := v.base()
		if v.brings == ownBoxes {
			o := randomOutline(r)
			s = newShapeOf(o[:])
		}
		if t.deal(s.ground(), r) {
			return s
		}
	}
}

// caged makes a puzzle of cages without givens.
func (v *variant) caged(r *seedrand.Rand, tier int) (m shapedMade) {
	k := cagers.Get().(*cager)
	defer cagers.Put(k)
	if !k.cover(v.base().ground(), r, tierRules[tier]) {
		return m
	}
	m.level = levels[k.earned()]
	n := v.base().cells()
	m.puzzle = &parsed{of: v, shape: v.base().withCages(k.houses()), givens: make([]uint8, n)}
	m.solution = slices.Clone(k.grid[:n])
	return m
}
