package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/projections/archive"
	"assay/registry/calendar"
	"assay/registry/schedule"
)

// AgainRequest asks for the days of a series, from a date on, that were published under another policy than the one in
// force.
type AgainRequest struct {
	Series string
	From   schedule.Date
	Actor  string
	Reason string
	Each   func(day Day, added bool) error // called with each day that is published again; may be nil
}

// Renewal says what became of the days of a PublishAgain.
type Renewal struct {
	Due    int           // dates that were to be published again
	Days   []Day         // those that this call published again, sorted by date
	Passed []Unpublished // dates under another policy that were not due, each with the reason
}

// PublishAgain withdraws the days that are not released and were published under another policy than the one in force
// on their date, and publishes them again. A day whose new shelf is empty keeps its puzzle, and an *EmptyShelfError
// names it. A date that is to stay empty stays empty. A puzzle stays if the new policy would replace it by one that is
// released at once.
func (r *Registry) PublishAgain(ctx context.Context, req AgainRequest) (done Renewal, err error) {
	if err := checkText("reason", req.Reason); err != nil {
		return done, err
	}
	p, err := r.publisher(ctx, req.Series, req.Actor, req.Reason)
	if err != nil {
		return done, err
	}
	var due []schedule.Date
	if due, done.Passed, err = p.outdated(req.From); err != nil {
		return done, err
	}
	done.Due = len(due)
	missing := &EmptyShelfError{}
	for _, date := range due {
		day, fresh, err := p.again(ctx, date)
		var empty *EmptyShelfError
		if errors.As(err, &empty) {
			missing.Days = append(missing.Days, empty.Days...)
			continue
		}
		if err != nil {
			return done, fmt.Errorf("publish %s %s again: %w", p.series, date, err)
		}
		if !fresh {
			continue
		}
		done.Days = append(done.Days, *day)
		if req.Each != nil {
			if err := req.Each(*day, true); err != nil {
				return done, err
			}
		}
	}
	if len(missing.Days) > 0 {
		return done, missing
	}
	return done, nil
}

// outdated returns the dates from one on that must be published again, and those under another policy that must not.
func (p *publisher) outdated(from schedule.Date) (due []schedule.Date, passed []Unpublished, err error) {
	for day, err := range calendar.All(p.Store, p.series, from.String(), "") {
		if err != nil {
			return nil, nil, err
		}
		date, err := schedule.ParseDate(day.Date)
		if err != nil {
			return nil, nil, err
		}
		if !p.isOutdated(date, day) {
			continue
		}
		if u := p.passedOver(date, day); u != nil {
			passed = append(passed, *u)
		} else {
			due = append(due, date)
		}
	}
	return due, passed, nil
}

// isOutdated reports whether a date is not released, and was last published under another policy than the one in force.
func (p *publisher) isOutdated(date schedule.Date, day archive.Day) bool {
	rule, ok := p.rules.At(date)
	last, any := day.Last()
	return ok && any && last.Published.Policy != rule.Policy.Revision && last.Published.Released().After(p.Now())
}

// passedOver says why an outdated date must not be published again; nil when it must.
func (p *publisher) passedOver(date schedule.Date, day archive.Day) *Unpublished {
	rule, _ := p.rules.At(date)
	last, _ := day.Last()
	var u Unpublished
	switch {
	case last.Empty:
		u = vacant(p.series, date, rule, commandFor(p.series, date, false)+" gives it a puzzle")
		u.StaysEmpty = true
	case !rule.Release(date).After(p.Now()):
		u = vacant(p.series, date, rule, fmt.Sprintf("under policy %d another one would be released at once", rule.Policy.Revision))
		u.keep(day)
	default:
		return nil
	}
	return &u
}

// again withdraws the publication of a date, if there is one, and publishes the date again. It reports whether this
// call did so.
func (p *publisher) again(ctx context.Context, date schedule.Date) (*Day, bool, error) {
	for {
		day, err := p.dayHistory(p.series, date)
		if err != nil || !p.isOutdated(date, day) || p.passedOver(date, day) != nil {
			return nil, false, err
		}
		rule, _ := p.rules.At(date)
		facts, err := p.publication(ctx, rule, date, day.Next())
		if err != nil {
			return nil, false, keeping(err, day)
		}
		if standing, ok := day.Standing(); ok {
			reason := cmp.Or(p.reason, fmt.Sprintf("published again under policy %d", rule.Policy.Revision))
			facts = slices.Insert(facts, 0, withdrawnFact(standing, reason, false))
		}
		fresh, err := p.put(ctx, facts)
		if isConflict(err) {
			continue
		} else if err != nil {
			return nil, false, err
		}
		standing, filled, err := p.fill(ctx, date) // the date was published by others, or another puzzle had to take its place
		return standing, fresh || filled, err
	}
}

// keeping adds to an *EmptyShelfError the puzzle that a date keeps.
func keeping(err error, day archive.Day) error {
	var empty *EmptyShelfError
	if errors.As(err, &empty) {
		for i := range empty.Days {
			empty.Days[i].keep(day)
		}
	}
	return err
}
