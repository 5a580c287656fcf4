package registry

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/events"
	"assay/raters"
	"assay/registry/calendar"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/schedule"
)

// DefaultSeries is the series that a registry starts with.
const DefaultSeries = calendar.DefaultSeries

// rules returns the policies of a series; none when the series is unknown.
func (r *Registry) rules(series string) (schedule.Series, error) {
	return calendar.Rules(r.Store, series)
}

// rulesNow is rules at the end of the log.
func (r *Registry) rulesNow(ctx context.Context, series string) (schedule.Series, error) {
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	return r.rules(series)
}

// seriesNames returns the names of all series on record.
func (r *Registry) seriesNames() ([]string, error) { return calendar.Series(r.Store) }

// Series returns the policies of a known series.
func (r *Registry) Series(ctx context.Context, series string) (schedule.Series, error) {
	rules, err := r.rulesNow(ctx, series)
	if err == nil && len(rules) == 0 {
		err = input.Errorf("no series %q is on record: publish once, or adopt a policy", series)
	}
	return rules, err
}

// AdoptDefault records the default series if it has no policy: the policy from today on in a zone, the bands of its
// genre, and a secret. It changes nothing on record.
func (r *Registry) AdoptDefault(ctx context.Context, zone, actor string) error {
	rules, err := r.rulesNow(ctx, DefaultSeries)
	if err != nil || len(rules) > 0 {
		return err
	}
	location, err := schedule.Zone(zone)
	if err != nil {
		return &input.Error{Reason: err.Error()}
	}
	return r.Adopt(ctx, schedule.Daily(schedule.DateIn(r.Now(), location), zone), actor)
}

// Adopt records a policy, after the bands of the genres that it publishes. If somebody else has adopted a policy under
// the same revision, that policy stays, and the error is a *events.ConflictError if it differs.
func (r *Registry) Adopt(ctx context.Context, p events.Policy, actor string) error {
	rule, err := schedule.New(p)
	if err != nil {
		return &input.Error{Reason: err.Error()}
	}
	if oldest := rule.Today(r.Now()).AddDays(-MaxAhead); rule.Effective().Compare(oldest) < 0 {
		return input.Errorf("the effective date %s is more than %d days ago: every day since would be published", p.Effective, MaxAhead)
	}
	var facts []fact
	seen := map[string]bool{}
	for i, day := range p.Days {
		v, err := engine.Find(r.Genres, day.Genre, day.Variant)
		if err == nil {
			err = r.canPublish(v, day)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", weekdayName(i), err)
		}
		if v.Bands != nil && !seen[v.String()] {
			facts, seen[v.String()] = append(facts, calibratedFact(v)), true
		}
	}
	if _, err := r.Secrets.Make(p.Series); err != nil {
		return err
	}
	facts = append(facts, fact{key: events.PolicyKey(p.Series, p.Revision), body: p})
	_, err = r.enact(ctx, actor, facts...)
	return err
}

// canPublish returns an error if a variant cannot give a weekday its puzzles. This is checked early because a recorded
// policy stands for ever.
func (r *Registry) canPublish(v raters.Variant, day events.DayRule) error {
	if day.Source == schedule.FromShelf {
		adoption, err := r.shelves(poolName{genre: day.Genre, variant: day.Variant})
		if err != nil {
			return err
		}
		return checkLevel(adoption.Adopted, day.Level)
	}
	levels := v.Scales[0].Levels
	if v.Bands != nil {
		levels = nil
		for _, b := range v.Bands.Built().Bands {
			levels = append(levels, b.Label)
		}
	}
	if len(levels) > 0 && !slices.Contains(levels, day.Level) {
		return input.Errorf("%s has no level %q; it has %s", v, day.Level, strings.Join(levels, ", "))
	}
	return nil
}

// daySeed returns the n-th seed of a revision of a date: the first 64 bits, big-endian, of
// HMAC-SHA-256(secret, "date/revision/n"). Without the secret no future day can be computed.
func daySeed(secret []byte, date schedule.Date, revision, n int) uint64 {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s/%d/%d", date, revision, n)
	return binary.BigEndian.Uint64(mac.Sum(nil))
}

// bandOf finds the recorded band of a rating's score, if its rater has bands over that generator.
func (r *Registry) bandOf(ctx context.Context, genre string, generator int, rating engine.Rating, label string) (*Band, error) {
	e, c, err := events.Of[events.Calibrated](ctx, r.Log, events.CalibratedKey(genre, generator, rating.Rater, string(rating.Version)))
	if errors.Is(err, events.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, b := range recordedCalibration(c, e.Seq).Bands {
		if b.Label == label {
			return &b, nil
		}
	}
	return nil, nil
}

// settledDates returns the dates of a series, from one on, that have a puzzle or that no publisher fills by itself.
func (r *Registry) settledDates(series string, from schedule.Date) (map[string]bool, error) {
	dates := map[string]bool{}
	for day, err := range calendar.All(r.Store, series, from.String(), "") {
		if err != nil {
			return nil, err
		}
		_, stands := day.Standing()
		dates[day.Date] = stands || heldBy(day) != ""
	}
	return dates, nil
}
