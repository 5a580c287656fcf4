package registry

import (
	"context"

	"assay/registry/calendar"
	"assay/registry/public"
	"assay/registry/schedule"
)

// Day is a published day: the object day/1.
type Day = calendar.Day

// Archive returns the days that stand, also future ones, sorted by date.
func (r *Registry) Archive(ctx context.Context, q calendar.Query) ([]Day, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	return calendar.Days(r.Store, q, nil)
}

// Public returns what anybody may see, from tables that are up to date.
func (r *Registry) Public(ctx context.Context) (*public.Reader, error) {
	return public.New(r.Store, r.Genres, r.Now, r), r.catchUp(ctx)
}

// Today returns the present date in a series' zone.
func (r *Registry) Today(ctx context.Context, series string) (schedule.Date, error) {
	rules, err := r.Series(ctx, series)
	if err != nil {
		return schedule.Date{}, err
	}
	now := r.Now()
	return rules.Current(now).Today(now), nil
}
