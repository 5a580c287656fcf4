package registry

import (
	"context"
	"errors"
	"slices"

	"assay/events"
	"assay/projections/pools"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/schedule"
)

// AdoptRequest asks that a rater file the puzzles of a pool from now on.
type AdoptRequest struct {
	Pool   string // genre/variant
	Rater  engine.RaterChoice
	Actor  string
	Reason string
}

// AdoptRater records that the ratings of a rater version file the puzzles of a pool from now on. Published days keep
// their labels. The rater must have rated every puzzle of the pool: see Replay. If it already files the pool, nothing
// is recorded.
func (r *Registry) AdoptRater(ctx context.Context, req AdoptRequest) (Pool, error) {
	name, err := parsePool(req.Pool, false)
	if err != nil {
		return Pool{}, err
	}
	if err := checkText("reason", req.Reason); err != nil {
		return Pool{}, err
	}
	a, err := read(ctx, r, pools.Table, r.adoptionOf(name))
	if err != nil {
		return Pool{}, err
	}
	v, err := engine.Find(r.Genres, name.genre, name.variant)
	if err != nil {
		return Pool{}, err
	}
	rater, err := r.ChooseRater(ctx, v, req.Rater)
	if err != nil {
		return Pool{}, err
	}
	body := events.Adopted{
		Genre: name.genre, Variant: name.variant, Revision: 1, Rater: rater.Name(), Version: rater.Version(),
		Levels: filedLevels(v, rater), Order: engine.OrderOf(rater), Reason: req.Reason,
	}
	if a.Seq > 0 {
		body.Revision = a.Adopted.Revision + 1
	}
	if a.Seq > 0 && body.Rater == a.Adopted.Rater && body.Version == a.Adopted.Version {
		return r.describePool(name)
	}
	if len(body.Levels) == 0 {
		return Pool{}, input.Errorf("%s has no levels, and so no shelves", rater.Name())
	}
	if err := errors.Join(r.checkRated(name, rater), r.checkPolicies(name, body)); err != nil {
		return Pool{}, err
	}
	facts := append(profileFacts(rater), fact{key: events.AdoptedKey(name.genre, name.variant, body.Revision), body: body})
	if _, err := r.enact(ctx, req.Actor, facts...); err != nil {
		return Pool{}, err
	}
	return r.describePool(name)
}

// checkPolicies requires a shelf for every level that a series takes from the pool.
func (r *Registry) checkPolicies(name poolName, a events.Adopted) error {
	series, err := r.seriesNames()
	if err != nil {
		return err
	}
	for _, s := range series {
		rules, err := r.rules(s)
		if err != nil {
			return err
		}
		if len(rules) == 0 {
			continue
		}
		for i, day := range rules[len(rules)-1].Policy.Days {
			if day.Source == schedule.FromShelf && day.Genre == name.genre && day.Variant == name.variant && !slices.Contains(a.Levels, day.Level) {
				return input.Errorf("series %s takes its %ss from %s/%s, and %s %s has no shelf for that level: adopt another policy of the series first",
					s, weekdayName(i), name, day.Level, a.Rater, a.Version)
			}
		}
	}
	return nil
}

// checkRated requires a rating for every puzzle of a pool, even if only as unrated. A puzzle without one would be on no
// shelf for no reason.
func (r *Registry) checkRated(name poolName, rater raters.Rater) error {
	total, missing := 0, 0
	for m, err := range r.members(name) {
		if err != nil {
			return err
		}
		total++
		if _, rated := m.Filing(rater.Name(), rater.Version()); !rated {
			missing++
		}
	}
	if missing > 0 {
		return input.Errorf("%d of %d puzzles of %s are not rated by %s %s: replay it first, all of it (--all)", missing, total, name, rater.Name(), rater.Version())
	}
	return nil
}
