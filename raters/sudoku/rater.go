package sudoku

import (
	"context"
	"slices"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// TiersName is the name of the rater.
const TiersName = "sudoku.tiers"

// TiersVersion is the version of the rater; HISTORY.md says what each one was.
const TiersVersion = 1

// rater grades by the tier of the hardest technique a puzzle needs. It implements raters.Profiled.
type rater struct {
	deduce.Setting
	order []technique // never descending in tier
}

// tiersRater is the rater sudoku.tiers.
var tiersRater = rater{deduce.NewSetting(tiersProfile()), tiers}

// tiersProfile gives the built-in profile.
func tiersProfile() raters.Profile {
	p := raters.Profile{Rater: TiersName, Version: TiersVersion}
	for _, t := range tiers {
		p.Techniques = append(p.Techniques, logic.Technique{Name: t.name, Level: levels[t.tier], Tier: t.tier})
	}
	return p
}

// With gives the rater with techniques in another order, on other tiers, or switched off.
func (r rater) With(p raters.Profile) (raters.Rater, error) {
	s, err := r.Under(p)
	if err != nil {
		return nil, err
	}
	other := rater{Setting: s}
	for _, t := range s.Profile().Techniques {
		at := slices.IndexFunc(tiers, func(u technique) bool { return u.name == t.Name })
		other.order = append(other.order, technique{name: t.Name, tier: t.Tier, find: tiers[at].find})
	}
	return other, nil
}

// Vocabulary gives what ratings may say.
func (rater) Vocabulary(raters.Puzzle) raters.Vocabulary {
	return raters.Vocabulary{Variables: 81, Naming: naming}
}

// Rate solves a puzzle by techniques, once it is proven to have exactly one solution. It is refused with
// *raters.NotUniqueError or *raters.NoSolutionError otherwise. When no technique applies any more the
// outcome is raters.Stuck, at tier 5.
func (r rater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	cells, err := parse(p)
	if err != nil {
		return raters.Rating{}, err
	}
	if err := (solver{budget: solveBudget}).prove(ctx, &cells); err != nil {
		return raters.Rating{}, err
	}
	return r.rate(&cells), nil
}

// naming names the literals of 9×9 grids.
var naming = classicShape.naming

func (r rater) rate(cells *[81]uint8) raters.Rating {
	rec := recorders.Get().(*recorder)
	defer recorders.Put(rec)
	rec.solve(cells, r.order)
	out := raters.Rating{Outcome: raters.Rated, Tier: 1, Clues: rec.clues, Solve: rec.record(), Naming: naming}
	out.Techniques = make([]raters.TechniqueUse, 0, rec.techniques())
	for i, t := range r.order {
		if u := rec.uses[i]; u.steps > 0 {
			out.Techniques = append(out.Techniques,
				raters.TechniqueUse{Name: t.name, Level: levels[t.tier], Uses: u.steps, Removed: u.removed, Placed: u.placed})
			out.Hardest, out.Tier = t.name, t.tier
		}
	}
	if !rec.open.empty() {
		out.Outcome, out.Tier = raters.Stuck, evil
	}
	out.Level = levels[out.Tier]
	return out
}

func clues(cells *[81]uint8) (n int) {
	for _, v := range cells {
		if v != 0 {
			n++
		}
	}
	return n
}
