package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/events"
	"assay/projections/archive"
	"assay/registry/input"
	"assay/registry/schedule"
)

// Ending says that a publication, or a drop, is no longer in force, who ended it and why.
type Ending struct {
	Time   string     `json:"time"`
	Actor  string     `json:"actor"`
	Reason string     `json:"reason"`
	Event  events.Seq `json:"event"`
}

func endedBy(e events.Event, reason string) *Ending {
	return &Ending{Time: stamp(e.Time), Actor: e.Actor, Reason: reason, Event: e.Seq}
}

// WithdrawRequest asks to withdraw the publication of a date.
type WithdrawRequest struct {
	Series   string
	Date     schedule.Date
	Empty    bool // the date stays without a puzzle until PublishDate
	Released bool // replace the puzzle even if the date is released
	Actor    string
	Reason   string
}

// Replacement is what a date has after a withdrawal: another puzzle, or none.
type Replacement struct {
	Day    *Day         // nil when there is none
	Vacant *Unpublished // why there is none; nil when there is one
}

// Withdraw withdraws the publication of a date and publishes the next revision, in one step, with the label and from
// the source of the first. It publishes none when the date is to stay empty, when it is released and Released is not
// set, or when there is no other puzzle. The withdrawn puzzle stays on record; no other day changes.
func (r *Registry) Withdraw(ctx context.Context, req WithdrawRequest) (Replacement, error) {
	if err := checkWithdraw(req); err != nil {
		return Replacement{}, err
	}
	p, err := r.publisher(ctx, req.Series, req.Actor, req.Reason)
	if err != nil {
		return Replacement{}, err
	}
	history, err := r.dayHistory(req.Series, req.Date)
	if err != nil {
		return Replacement{}, err
	}
	standing, ok := history.Standing()
	if !ok {
		return Replacement{}, input.Errorf("nothing is published on %s in %s", req.Date, req.Series)
	}
	rule := p.rules[standing.Published.Policy-1]
	facts := []fact{withdrawnFact(standing, req.Reason, req.Empty)}
	replacement, why, err := p.replacement(ctx, req, history, rule)
	if err != nil {
		return Replacement{}, err
	}
	if why == "" {
		if _, err := p.put(ctx, append(facts, replacement...)); err != nil {
			return Replacement{}, err
		}
		day, _, err := p.fill(ctx, req.Date) // finds it published
		return Replacement{Day: day}, err
	}
	if _, err := r.enact(ctx, req.Actor, facts...); err != nil {
		return Replacement{}, err
	}
	v := vacant(req.Series, req.Date, rule, why)
	return Replacement{Vacant: &v}, nil
}

func checkWithdraw(req WithdrawRequest) error {
	if strings.TrimSpace(req.Reason) == "" {
		return input.Errorf("a withdrawal needs a reason: give one with --reason")
	}
	if req.Empty && req.Released {
		return input.Errorf("--empty leaves the date without a puzzle, and --released gives it another: say one of them")
	}
	return checkText("reason", req.Reason)
}

// replacement returns the facts of the publication that replaces the standing one, or why there is none and what to do
// about it.
func (p *publisher) replacement(ctx context.Context, req WithdrawRequest, history archive.Day, rule schedule.Rule) (facts []fact, why string, err error) {
	standing, _ := history.Standing()
	released := !standing.Published.Released().After(p.Now())
	command := commandFor(req.Series, req.Date, released)
	switch {
	case req.Empty:
		return nil, "it stays empty until " + command, nil
	case released && !req.Released:
		return nil, fmt.Sprintf("it was released already; %s puts another puzzle in its place", command), nil
	}
	facts, err = p.publication(ctx, rule, req.Date, history.Next())
	var empty *EmptyShelfError
	switch {
	case err == nil:
		return facts, "", nil
	case ctx.Err() != nil:
		return nil, "", err
	case errors.As(err, &empty):
		why = empty.Days[0].Reason
	default:
		why = "no other puzzle is to be had: " + err.Error()
	}
	if released {
		why += "; then say " + command + ", since no publisher fills a released date"
	}
	return nil, why, nil
}

func withdrawnFact(standing archive.Revision, reason string, empty bool) fact {
	old := standing.Published
	return fact{
		key:   events.WithdrawnKey(old.Series, old.Date, old.Revision),
		body:  events.Withdrawn{Series: old.Series, Date: old.Date, Revision: old.Revision, Puzzle: old.Puzzle, Reason: reason, Empty: empty},
		cause: events.PublishedKey(old.Series, old.Date, old.Revision),
	}
}
