package sudoku

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// shapedTiers is the rater sudoku.tiers of a variant, on its own shape. It implements raters.Profiled.
type shapedTiers struct {
	*deduce.Rater[*parsed]
}

// allTiers are the techniques on some shape: what an order of techniques takes of them is the same on each.
var allTiers = classicShape.tiersTechniques()

// newShapedTiers gives the rater of a variant with its built-in profile.
func newShapedTiers(v *variant) shapedTiers {
	topology := func(q *parsed) *deduce.Topology { return q.tiered() }
	return shapedTiers{deduce.NewRater(v.toDeduce(topology), allTiers, v.tiersProfile())}
}

// With returns the rater with techniques in another order, on other tiers, or switched off.
func (r shapedTiers) With(p raters.Profile) (raters.Rater, error) {
	other, err := r.Rater.With(p)
	if err != nil {
		return nil, err
	}
	return shapedTiers{other.(*deduce.Rater[*parsed])}, nil
}

// Vocabulary returns what ratings may say.
func (r shapedTiers) Vocabulary(p raters.Puzzle) raters.Vocabulary {
	v := r.Rater.Vocabulary(p)
	return raters.Vocabulary{Variables: v.Variables, Naming: v.Naming}
}

// Rate solves a puzzle by techniques, if it has exactly one solution. It is refused with *raters.NotUniqueError or
// *raters.NoSolutionError otherwise. When no technique applies any more the outcome is raters.Stuck, at tier 5.
func (r shapedTiers) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	q, err := r.Read(p)
	if err != nil {
		return raters.Rating{}, err
	}
	return r.rate(ctx, q)
}

// rate solves by techniques first: where these fill the grid, they have proved that there is no other solution, but for
// unique rectangles, which take it for granted. Anything else is for the solver to prove.
func (r shapedTiers) rate(ctx context.Context, q *parsed) (raters.Rating, error) {
	e, start := r.On(q)
	defer r.Free(e)
	rating, err := e.Rate(ctx, r.Order, start, r.Budget)
	var broken *deduce.BrokenError
	if err != nil && !errors.As(err, &broken) {
		return raters.Rating{}, err
	}
	if err != nil || !proves(rating) || !q.isSolved(e.Mask) {
		if refused := r.Prove(ctx, q); refused != nil {
			return raters.Rating{}, refused
		}
	}
	if err != nil {
		return raters.Rating{}, fmt.Errorf("rating a puzzle with a solution: %w", err)
	}
	return inTiers(rating, q.clues()), nil
}

// proves reports whether the steps of a rating are sound whatever the number of solutions, and leave no cell open.
func proves(rating raters.Rating) bool {
	return rating.Outcome == raters.Rated && !slices.ContainsFunc(rating.Techniques, func(u raters.TechniqueUse) bool {
		return u.Name == rectangleName
	})
}

// isSolved reports whether each cell has one candidate, as the masks say, and these make a solution.
func (s *shape) isSolved(mask func(cell int) uint16) bool {
	for h := range s.houses {
		x, all, sum := &s.houses[h], uint16(0), 0
		for _, c := range x.cells {
			m := mask(int(c))
			if m == 0 || m&(m-1) != 0 || all&m != 0 {
				return false
			}
			all |= m
			sum += lowest(m) + 1
		}
		if x.sum != 0 && sum != x.sum {
			return false
		}
	}
	return true
}

// inTiers returns a rating of the engine as one of sudoku.tiers.
func inTiers(rating raters.Rating, clues int) raters.Rating {
	rating.Clues, rating.Score, rating.Metrics, rating.Open = clues, nil, nil, nil
	rating.Solve = counted{rating.Solve}
	if n := len(rating.Techniques); n > 0 {
		rating.Hardest = rating.Techniques[n-1].Name
	}
	if rating.Outcome == raters.Unrated {
		rating.Outcome, rating.Level = raters.Stuck, levels[evil]
	}
	rating.Tier = slices.Index(levels[:], rating.Level)
	return rating
}

// counted is a solve of which the steps that do not count are told with the ones before them: what goes from the peers of
// a digit goes with the step that writes it.
type counted struct{ raters.Solve }

// Steps writes out the steps that count, numbered anew.
func (c counted) Steps() []logic.Step {
	all := c.Solve.Steps()
	number := make([]uint16, len(all)+1) // of the step that tells of it; 0 for the givens
	kept := all[:0]
	for i, s := range all {
		if s.Level != "" {
			s.From = renumbered(s.From, number)
			kept = append(kept, s)
		}
		number[i+1] = uint16(len(kept))
	}
	return kept
}

func renumbered(from []uint16, number []uint16) (to []uint16) {
	for _, n := range from {
		if k := number[n]; k > 0 && (len(to) == 0 || to[len(to)-1] != k) {
			to = append(to, k)
		}
	}
	return to
}
