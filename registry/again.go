package registry

import (
	"context"
	"errors"
	"fmt"

	"assay/projections"
	"assay/projections/archive"
	"assay/registry/schedule"
)

// AgainRequest asks for the days of a series from a date on that stand under another policy than the one in force.
type AgainRequest struct {
	Series string
	From   schedule.Date
	Actor  string
	Reason string
	Each   func(day Day, added bool) error // is called with each day that is published anew; nil for nobody
}

// PublishAgain withdraws and publishes anew, under the policy in force on their date, the days that are not released and
// were published under another one. It returns them in order of date. A day whose new shelf is empty stands as it is,
// and an *EmptyShelfError names it. Dates that are to stay empty do.
func (r *Registry) PublishAgain(ctx context.Context, req AgainRequest) (days []Day, err error) {
	if err := checkText("reason", req.Reason); err != nil {
		return nil, err
	}
	p, err := r.publisher(ctx, req.Series, req.Actor, req.Reason)
	if err != nil {
		return nil, err
	}
	dates, err := p.outdated(req.From)
	if err != nil {
		return nil, err
	}
	missing := &EmptyShelfError{}
	for _, date := range dates {
		day, fresh, err := p.again(ctx, date)
		var empty *EmptyShelfError
		if errors.As(err, &empty) {
			missing.Days = append(missing.Days, empty.Days...)
			continue
		}
		if err != nil {
			return days, fmt.Errorf("publish %s %s again: %w", p.series, date, err)
		}
		if !fresh {
			continue
		}
		days = append(days, *day)
		if req.Each != nil {
			if err := req.Each(*day, true); err != nil {
				return days, err
			}
		}
	}
	if len(missing.Days) > 0 {
		return days, missing
	}
	return days, nil
}

// outdated returns the dates from one on that are to be published anew.
func (p *publisher) outdated(from schedule.Date) (dates []schedule.Date, err error) {
	err = p.Store.View(archive.Table.Name(), func(tx *projections.Tx) error {
		for day, err := range archive.Days(tx, p.series, from.String(), "") {
			if err != nil {
				return err
			}
			date, err := schedule.ParseDate(day.Date)
			if err != nil {
				return err
			}
			if p.isOutdated(date, day) {
				dates = append(dates, date)
			}
		}
		return nil
	})
	return dates, err
}

// isOutdated reports whether a date is not released, not to stay empty, and was last published under another policy
// than the one in force.
func (p *publisher) isOutdated(date schedule.Date, day archive.Day) bool {
	rule, ok := p.rules.At(date)
	last, any := day.Last()
	return ok && any && !last.Empty && last.Published.Policy != rule.Policy.Revision && last.Published.Released().After(p.Now())
}

// again withdraws what stands on a date, if anything does, and publishes it anew.
func (p *publisher) again(ctx context.Context, date schedule.Date) (*Day, bool, error) {
	for {
		day, err := p.dayHistory(p.series, date)
		if err != nil || !p.isOutdated(date, day) {
			return nil, false, err
		}
		rule, _ := p.rules.At(date)
		var facts []fact
		if standing, ok := day.Standing(); ok {
			reason := fmt.Sprintf("published again under policy %d", rule.Policy.Revision)
			if p.reason != "" {
				reason = p.reason
			}
			facts = append(facts, withdrawnFact(standing, reason, false))
		}
		anew, err := p.publication(ctx, rule, date, day.Next())
		if err != nil {
			return nil, false, err
		}
		if _, err := p.put(ctx, append(facts, anew...)); isConflict(err) {
			continue
		} else if err != nil {
			return nil, false, err
		}
		standing, _, err := p.fill(ctx, date) // finds it published
		return standing, err == nil, err
	}
}
