package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"assay/events"
	"assay/projections"
	"assay/projections/archive"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/schedule"
)

// DefaultAhead is how many days after today are published.
const DefaultAhead = 30

// MaxAhead is how many days after today can be published.
const MaxAhead = 3660

// Publication is a publication on record.
type Publication struct {
	Series    string      `json:"series"`
	Date      string      `json:"date"`
	Revision  int         `json:"revision"`
	Label     string      `json:"label"`
	ID        string      `json:"id"`
	Policy    int         `json:"policy"`
	Rating    events.Key  `json:"rating"`
	Release   string      `json:"release"` // RFC 3339, UTC
	Time      string      `json:"time"`
	Actor     string      `json:"actor"`
	Reason    string      `json:"reason,omitempty"`
	Event     events.Seq  `json:"event"`
	Withdrawn *Withdrawal `json:"withdrawn,omitempty"`
}

// PublishRequest says which days of a series to publish. Without From and To these are all days up to
// Ahead days after today that have no puzzle yet, missed ones included.
type PublishRequest struct {
	Series   string
	From, To *schedule.Date
	Ahead    int
	Actor    string
	Reason   string
	Each     func(day Day, added bool) error // told of each day once it stands; nil for nobody
}

// Publish gives each day that has none its puzzle and records it: how it was made, its rating, and that
// it is the puzzle of that day. It gives all days of the request that stand, in order of date; added tells
// how many of them it published. Days whose shelf is empty are left out, and told of by an *EmptyShelfError
// once all others stand.
func (r *Registry) Publish(ctx context.Context, req PublishRequest) (days []Day, added int, err error) {
	if err := checkPublish(req); err != nil {
		return nil, 0, err
	}
	if req.Series == DefaultSeries {
		if err := r.AdoptDefault(ctx, req.Actor); err != nil {
			return nil, 0, err
		}
	}
	rules, err := r.Series(ctx, req.Series)
	if err != nil {
		return nil, 0, err
	}
	if err := r.checkClock(ctx, r.Now()); err != nil { // also when all days are on record
		return nil, 0, err
	}
	from, to := window(rules, r.Now(), req)
	if to.Compare(from.AddDays(MaxAhead*10)) > 0 {
		return nil, 0, badInput("%s to %s is more than %d days", from, to, MaxAhead*10)
	}
	return r.publishDays(ctx, rules, from, to, req)
}

func (r *Registry) publishDays(ctx context.Context, rules schedule.Series, from, to schedule.Date, req PublishRequest) (days []Day, added int, err error) {
	missing := &EmptyShelfError{}
	for date := from; date.Compare(to) <= 0; date = date.AddDays(1) {
		if err := ctx.Err(); err != nil {
			return days, added, err
		}
		day, fresh, err := r.publishDay(ctx, rules, date, req)
		var empty *EmptyShelfError
		if errors.As(err, &empty) {
			missing.Days = append(missing.Days, empty.Days...)
			continue
		}
		if err != nil {
			return days, added, fmt.Errorf("publish %s %s: %w", req.Series, date, err)
		}
		if fresh {
			added++
		}
		days = append(days, day)
		if req.Each != nil {
			if err := req.Each(day, fresh); err != nil {
				return days, added, err
			}
		}
	}
	if len(missing.Days) > 0 {
		return days, added, missing
	}
	return days, added, nil
}

func checkPublish(req PublishRequest) error {
	if req.Ahead < 0 || req.Ahead > MaxAhead {
		return badInput("%d days ahead is not 0 to %d", req.Ahead, MaxAhead)
	}
	if (req.From == nil) != (req.To == nil) {
		return badInput("a first and a last date go together")
	}
	if req.From != nil && req.To.Compare(*req.From) < 0 {
		return badInput("the last date %s is before the first, %s", *req.To, *req.From)
	}
	return checkText("reason", req.Reason)
}

// window gives the first and the last date of a request.
func window(rules schedule.Series, now time.Time, req PublishRequest) (from, to schedule.Date) {
	if req.From != nil {
		return *req.From, *req.To
	}
	return rules[0].Effective(), rules.Current(now).Today(now).AddDays(req.Ahead)
}

// publishDay publishes one date unless a publication of it stands.
func (r *Registry) publishDay(ctx context.Context, rules schedule.Series, date schedule.Date, req PublishRequest) (day Day, fresh bool, err error) {
	for { // once more when another publisher got in between
		history, err := r.dayHistory(req.Series, date)
		if err != nil {
			return Day{}, false, err
		}
		if standing, ok := history.Standing(); ok {
			return archivedDay(standing), fresh, nil
		}
		facts, err := r.publication(ctx, rules, date, history.Next(), req)
		if err != nil {
			return Day{}, false, err
		}
		receipt, err := r.record(ctx, req.Actor, facts...)
		if err != nil && !isConflict(err) {
			return Day{}, false, err
		}
		fresh = err == nil && receipt[len(receipt)-1].Appended
		if err := r.catchUp(ctx); err != nil {
			return Day{}, false, err
		}
		if !fresh {
			continue
		}
		if err := r.settle(ctx, rules, facts, receipt, req.Actor); err != nil {
			return Day{}, false, err
		}
	}
}

func (r *Registry) dayHistory(series string, date schedule.Date) (archive.Day, error) {
	var day archive.Day
	err := r.Store.View(archive.Table.Name(), func(tx *projections.Tx) (err error) {
		day, err = archive.Get(tx, series, date.String())
		return err
	})
	return day, err
}

// maxDuplicates is how many seeds of a day may give a puzzle that the series had before.
const maxDuplicates = 100

// publication gives the facts that a date's revision has a puzzle, the last of them that it is published.
func (r *Registry) publication(ctx context.Context, rules schedule.Series, date schedule.Date, revision int, req PublishRequest) ([]fact, error) {
	rule, ok := rules.At(date)
	if !ok {
		return nil, badInput("no policy of %s is in force on %s; the first is from %s", req.Series, date, rules[0].Effective())
	}
	day := rule.Day(date)
	published := events.Published{
		Series: req.Series, Date: date.String(), Revision: revision, Label: day.Label, Policy: rule.Policy.Revision,
		Genre: day.Genre, Variant: day.Variant, Release: rule.Release(date).UnixMilli(), Reason: req.Reason,
	}
	if day.Source == schedule.FromShelf {
		return r.fromShelf(ctx, day, date, published, req.Actor)
	}
	return r.fromGenerator(ctx, day, date, published)
}

// fromGenerator makes the puzzle of a day and gives the facts: generated, rated, published.
func (r *Registry) fromGenerator(ctx context.Context, day events.DayRule, date schedule.Date, published events.Published) ([]fact, error) {
	g, err := Find(r.Genres, day.Genre)
	if err != nil {
		return nil, err
	}
	secret, err := r.Secrets.Secret(published.Series)
	if err != nil {
		return nil, err
	}
	for n := range maxDuplicates {
		request := raters.Request{Variant: day.Variant, Level: day.Level, Seed: daySeed(secret, date, published.Revision, n)}
		made, facts, err := generated(ctx, g, request)
		if err != nil {
			return nil, err
		}
		published.Puzzle = made.Puzzle.ID()
		used, err := r.usedInSeries(published.Series, published.Puzzle)
		if err != nil {
			return nil, err
		}
		dropped, err := r.isDropped(published.Puzzle)
		if err != nil {
			return nil, err
		}
		if used || dropped {
			published.Skipped = append(published.Skipped, events.Skipped{Seed: request.Seed, Puzzle: published.Puzzle})
			continue
		}
		published.Rating = facts[1].key
		published.Origin = &events.Origin{Version: g.Generator.Version(), Seed: request.Seed}
		key := events.PublishedKey(published.Series, published.Date, published.Revision)
		return append(facts, fact{key: key, body: published}), nil
	}
	return nil, fmt.Errorf("%d seeds in a row gave puzzles that %s had before, or that were dropped", maxDuplicates, published.Series)
}

// usedInSeries tells whether a series published the puzzle before.
func (r *Registry) usedInSeries(series, id string) (used bool, err error) {
	err = r.Store.View(puzzles.Table.Name(), func(tx *projections.Tx) error {
		facts, err := puzzles.Facts(tx, id)
		for _, f := range facts {
			used = used || strings.HasPrefix(string(f.Key), "published/"+series+"/")
		}
		return err
	})
	return used, err
}

func recordedPublication(e events.Event, b events.Published) Publication {
	return Publication{
		Series: b.Series, Date: b.Date, Revision: b.Revision, Label: b.Label, ID: b.Puzzle, Policy: b.Policy,
		Rating: b.Rating, Release: stamp(b.Released()), Time: stamp(e.Time), Actor: e.Actor, Reason: b.Reason, Event: e.Seq,
	}
}

// stamp writes an instant as RFC 3339 in UTC, to the millisecond where it has one.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }
