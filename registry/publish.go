package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/events"
	"assay/projections/archive"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/calendar"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/schedule"
)

// DefaultAhead is how many days after today are published.
const DefaultAhead = 30

// MaxAhead is how many days after today can be published.
const MaxAhead = 3660

// Publication is a publication on record.
type Publication struct {
	Series    string     `json:"series"`
	Date      string     `json:"date"`
	Revision  int        `json:"revision"`
	Label     string     `json:"label"`
	ID        string     `json:"id"`
	Policy    int        `json:"policy"`
	Rating    events.Key `json:"rating"`
	Release   string     `json:"release"` // RFC 3339, UTC
	Time      string     `json:"time"`
	Actor     string     `json:"actor"`
	Reason    string     `json:"reason,omitempty"`
	Event     events.Seq `json:"event"`
	Withdrawn *Ending    `json:"withdrawn,omitempty"`
	Chosen    bool       `json:"chosen,omitempty"` // a person named the puzzle
	// Like is the day that the puzzle looks like, if it was taken nevertheless.
	Like *events.Like `json:"like,omitempty"`
	// Passed are the puzzles that came first but look like other days, at most 100 of them.
	Passed []events.Passed `json:"passed,omitempty"`
	// Skipped are the seeds that came first but gave puzzles which the series had before.
	Skipped []events.Skipped `json:"skipped,omitempty"`
}

// PublishRequest says which days of a series to publish. Without From and To these are all days without a puzzle up to
// Ahead days after today, including missed ones.
type PublishRequest struct {
	Series   string
	From, To *schedule.Date
	Ahead    int
	Actor    string
	Reason   string
	Each     func(day Day, added bool) error // called with each day when it is published; may be nil
}

// Publish gives each day without a puzzle its puzzle and records it: how it was made, its rating, and its publication.
// It returns all published days of the request, sorted by date; added counts the new ones. Days whose shelf is empty
// are left out, and when all others are published, an *EmptyShelfError names them. A date that was withdrawn to stay
// empty, or after its release, is left alone: see PublishDate.
func (r *Registry) Publish(ctx context.Context, req PublishRequest) (days []Day, added int, err error) {
	if err := checkPublish(req); err != nil {
		return nil, 0, err
	}
	if req.Series == DefaultSeries {
		if err := r.AdoptDefault(ctx, schedule.DailyZone, req.Actor); err != nil {
			return nil, 0, err
		}
	}
	p, err := r.publisher(ctx, req.Series, req.Actor, req.Reason)
	if err != nil {
		return nil, 0, err
	}
	if err := r.checkClock(ctx, r.Now()); err != nil { // also when all days are on record
		return nil, 0, err
	}
	from, to := window(p.rules, r.Now(), req)
	if to.Compare(from.AddDays(MaxAhead*10)) > 0 {
		return nil, 0, input.Errorf("%s to %s is more than %d days", from, to, MaxAhead*10)
	}
	return p.days(ctx, from, to, req.Each)
}

func checkPublish(req PublishRequest) error {
	if req.Ahead < 0 || req.Ahead > MaxAhead {
		return input.Errorf("%d days ahead is not 0 to %d", req.Ahead, MaxAhead)
	}
	if (req.From == nil) != (req.To == nil) {
		return input.Errorf("a first and a last date go together")
	}
	if req.From != nil && req.To.Compare(*req.From) < 0 {
		return input.Errorf("the last date %s is before the first, %s", *req.To, *req.From)
	}
	return checkText("reason", req.Reason)
}

// window returns the first and the last date of a request.
func window(rules schedule.Series, now time.Time, req PublishRequest) (from, to schedule.Date) {
	if req.From != nil {
		return *req.From, *req.To
	}
	return rules[0].Effective(), rules.Current(now).Today(now).AddDays(req.Ahead)
}

// publisher publishes dates of one series.
type publisher struct {
	*Registry
	rules         schedule.Series
	series        string
	actor, reason string
	looks         looks // the days of the series; nil until needed
}

func (r *Registry) publisher(ctx context.Context, series, actor, reason string) (*publisher, error) {
	rules, err := r.Series(ctx, series)
	return &publisher{Registry: r, rules: rules, series: series, actor: actor, reason: reason}, err
}

// days publishes the dates of a range that need a puzzle.
func (p *publisher) days(ctx context.Context, from, to schedule.Date, each func(Day, bool) error) (days []Day, added int, err error) {
	missing := &EmptyShelfError{}
	for date := from; date.Compare(to) <= 0; date = date.AddDays(1) {
		if err := ctx.Err(); err != nil {
			return days, added, err
		}
		standing, fresh, err := p.fill(ctx, date)
		var empty *EmptyShelfError
		if errors.As(err, &empty) {
			missing.Days = append(missing.Days, empty.Days...)
			continue
		}
		if err != nil {
			return days, added, fmt.Errorf("publish %s %s: %w", p.series, date, err)
		}
		if standing == nil {
			continue
		}
		if fresh {
			added++
		}
		days = append(days, *standing)
		if each != nil {
			if err := each(*standing, fresh); err != nil {
				return days, added, err
			}
		}
	}
	if len(missing.Days) > 0 {
		return days, added, missing
	}
	return days, added, nil
}

// fill publishes one date unless a publication of it stands. It returns nil for a date that is left alone.
func (p *publisher) fill(ctx context.Context, date schedule.Date) (*Day, bool, error) {
	lost := false // another publisher took the puzzle just now; the date still needs one
	return p.place(ctx, date, func(day archive.Day) ([]fact, error) {
		if heldBy(day) != "" && !lost {
			return nil, nil
		}
		lost = true
		rule, err := p.ruleFor(date, day)
		if err != nil {
			return nil, err
		}
		return p.publication(ctx, rule, date, day.Next())
	})
}

// place records the facts that plan returns for a date without a puzzle; the last of them is the publication. If
// somebody else records something first, it calls plan again. It returns the day that then stands, or nil, and whether
// it was recorded here.
func (p *publisher) place(ctx context.Context, date schedule.Date, plan func(archive.Day) ([]fact, error)) (day *Day, fresh bool, err error) {
	for {
		history, err := p.dayHistory(p.series, date)
		if err != nil {
			return nil, false, err
		}
		if standing, ok := history.Standing(); ok {
			d, err := calendar.Describe(p.Store, p.rules, standing.Published)
			return &d, fresh, err
		}
		facts, err := plan(history)
		if err != nil || len(facts) == 0 {
			return nil, false, err
		}
		if fresh, err = p.put(ctx, facts); err != nil && !isConflict(err) {
			return nil, false, err
		}
	}
}

// put records a publication, the last of facts, with the other facts. It reports whether the publication was new.
func (p *publisher) put(ctx context.Context, facts []fact) (fresh bool, err error) {
	receipt, err := p.enact(ctx, p.actor, facts...)
	fresh = err == nil && receipt[len(receipt)-1].Appended
	p.looks = nil
	if fresh {
		err = p.settle(ctx, p.rules, facts, receipt, p.actor)
	}
	return fresh, err
}

func (r *Registry) dayHistory(series string, date schedule.Date) (archive.Day, error) {
	return calendar.On(r.Store, series, date)
}

// maxDuplicates is how many seeds of a day may give a puzzle that the series had before, or a look-alike.
const maxDuplicates = 100

// publication returns the facts that give a revision of a date its puzzle. The last of them is the publication.
func (p *publisher) publication(ctx context.Context, rule schedule.Rule, date schedule.Date, revision int) ([]fact, error) {
	day := rule.Day(date)
	body := p.published(rule, date, revision)
	if day.Source == schedule.FromShelf {
		return p.fromShelf(ctx, rule, date, body)
	}
	return p.fromGenerator(ctx, day, date, body)
}

// published returns a publication without its puzzle.
func (p *publisher) published(rule schedule.Rule, date schedule.Date, revision int) events.Published {
	day := rule.Day(date)
	return events.Published{
		Series: p.series, Date: date.String(), Revision: revision, Label: day.Label, Policy: rule.Policy.Revision,
		Genre: day.Genre, Variant: day.Variant, Release: rule.Release(date).UnixMilli(), Reason: p.reason,
	}
}

func publishedFact(body events.Published) fact {
	return fact{key: events.PublishedKey(body.Series, body.Date, body.Revision), body: body, cause: body.Rating}
}

// fromGenerator makes the puzzle of a day and returns the facts: generated, rated, published.
func (p *publisher) fromGenerator(ctx context.Context, day events.DayRule, date schedule.Date, body events.Published) ([]fact, error) {
	v, err := engine.Find(p.Genres, day.Genre, day.Variant)
	if err != nil {
		return nil, err
	}
	secret, err := p.Secrets.Secret(p.series)
	if err != nil {
		return nil, err
	}
	took, err := choose(&body, func(yield func(pick, error) bool) {
		for n := range maxDuplicates {
			k, err := p.made(ctx, v, raters.Request{Variant: day.Variant, Level: day.Level, Seed: daySeed(secret, date, body.Revision, n)}, date)
			if err == nil && k.used {
				body.Skipped = append(body.Skipped, events.Skipped{Seed: k.seed, Puzzle: k.id})
				continue
			}
			if !yield(k, err) || err != nil {
				return
			}
		}
	})
	if err == nil && took.id == "" {
		err = fmt.Errorf("%d seeds in a row gave puzzles that %s had before, or that were dropped", maxDuplicates, p.series)
	}
	body.Rating, body.Origin = took.rating, &events.Origin{Version: v.Generator.Version(), Seed: took.seed}
	if err != nil {
		return nil, err
	}
	bands, err := p.calibrationFacts(ctx, v)
	return slices.Concat(bands, took.facts, []fact{publishedFact(body)}), err
}

// made generates a puzzle for a date.
func (p *publisher) made(ctx context.Context, v raters.Variant, request raters.Request, date schedule.Date) (pick, error) {
	made, facts, err := generated(ctx, v, request)
	if err != nil {
		return pick{}, err
	}
	k := pick{id: made.Puzzle.ID(), seed: request.Seed, rating: facts[1].key, facts: facts}
	if k.used, err = p.isUsed(k.id); err != nil || k.used {
		return k, err
	}
	k.like, err = p.likeOf(v, made.Puzzle, made.Solution, date)
	return k, err
}

// isUsed reports whether the series published the puzzle before, or somebody dropped it.
func (p *publisher) isUsed(id string) (used bool, err error) {
	if used, err = p.isDropped(id); used || err != nil {
		return used, err
	}
	facts, err := p.facts(id)
	return slices.ContainsFunc(facts, func(f puzzles.Fact) bool { return strings.HasPrefix(string(f.Key), "published/"+p.series+"/") }), err
}

func recordedPublication(e events.Event, b events.Published) Publication {
	return Publication{
		Series: b.Series, Date: b.Date, Revision: b.Revision, Label: b.Label, ID: b.Puzzle, Policy: b.Policy,
		Rating: b.Rating, Release: stamp(b.Released()), Time: stamp(e.Time), Actor: e.Actor, Reason: b.Reason, Event: e.Seq,
		Chosen: b.Chosen, Like: b.Like, Passed: b.Passed, Skipped: b.Skipped,
	}
}

func stamp(t time.Time) string { return calendar.Stamp(t) }
