package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/events"
	"assay/registry/schedule"
)

// Withdrawal tells that a publication no longer stands, who withdrew it and why.
type Withdrawal struct {
	Time   string     `json:"time"`
	Actor  string     `json:"actor"`
	Reason string     `json:"reason"`
	Event  events.Seq `json:"event"`
}

func recordedWithdrawal(e events.Event, b events.Withdrawn) *Withdrawal {
	return &Withdrawal{Time: stamp(e.Time), Actor: e.Actor, Reason: b.Reason, Event: e.Seq}
}

// Withdraw withdraws the publication that stands on a date and publishes the next revision, in one step.
// The first stays on record; no other day changes.
func (r *Registry) Withdraw(ctx context.Context, series string, date schedule.Date, actor, reason string) (Day, error) {
	if strings.TrimSpace(reason) == "" {
		return Day{}, badInput("a withdrawal needs a reason: give one with --reason")
	}
	if err := checkText("reason", reason); err != nil {
		return Day{}, err
	}
	rules, err := r.Series(ctx, series)
	if err != nil {
		return Day{}, err
	}
	history, err := r.dayHistory(series, date)
	if err != nil {
		return Day{}, err
	}
	standing, ok := history.Standing()
	if !ok {
		return Day{}, badInput("nothing is published on %s in %s", date, series)
	}
	old := standing.Published
	req := PublishRequest{Series: series, Actor: actor, Reason: reason}
	replacement, err := r.publication(ctx, rules, date, history.Next(), req)
	if err != nil {
		return Day{}, fmt.Errorf("%s stands, since nothing can replace it: %w", old.Puzzle, err)
	}
	withdrawn := fact{
		key:  events.WithdrawnKey(series, old.Date, old.Revision),
		body: events.Withdrawn{Series: series, Date: old.Date, Revision: old.Revision, Puzzle: old.Puzzle, Reason: reason},
	}
	facts := append([]fact{withdrawn}, replacement...)
	receipt, err := r.record(ctx, actor, facts...)
	if err != nil {
		return Day{}, err
	}
	if err := errors.Join(r.catchUp(ctx), r.settle(ctx, rules, facts, receipt, actor)); err != nil {
		return Day{}, err
	}
	day, _, err := r.publishDay(ctx, rules, date, req) // finds it published
	return day, err
}
