package registry

import (
	"context"
	"time"

	"assay/events"
	"assay/projections"
	"assay/projections/archive"
	"assay/projections/pools"
	"assay/registry/schedule"
)

// Day is a published day: the object day/1.
type Day struct {
	Schema    string `json:"schema"`
	Series    string `json:"series"`
	Date      string `json:"date"`
	Label     string `json:"label"`
	ID        string `json:"id"`
	Revision  int    `json:"revision"`
	Release   string `json:"release"`    // RFC 3339, UTC
	LabelName string `json:"label_name"` // what people read for the label
	// Level is that of the rating which it was published with; where a score is all of that, the level that the generator was
	// asked for. It is absent when there is none.
	Level   string       `json:"level,omitempty"`
	Genre   string       `json:"genre"`
	Variant string       `json:"variant"`
	Chosen  bool         `json:"chosen,omitempty"` // a person named the puzzle
	Like    *events.Like `json:"like,omitempty"`   // the day that it looks like
}

// day describes a publication of a series.
func (r *Registry) day(rules schedule.Series, revision archive.Revision) (Day, error) {
	p := revision.Published
	level, err := r.publishedLevel(p)
	return Day{
		Schema: "day/1", Series: p.Series, Date: p.Date, Label: p.Label, LabelName: rules[p.Policy-1].Name(p.Label), Level: level,
		ID: p.Puzzle, Genre: p.Genre, Variant: p.Variant, Revision: p.Revision, Release: stamp(p.Released()),
		Chosen: p.Chosen, Like: p.Like,
	}, err
}

// publishedLevel returns the level of a day's puzzle: see Day.
func (r *Registry) publishedLevel(p events.Published) (level string, err error) {
	rater, version, ok := p.Rating.Rated()
	if !ok {
		return "", nil
	}
	var filing pools.Filing
	err = r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		puzzle, _, err := pools.Get(tx, p.Puzzle)
		filing, _ = puzzle.Filing(rater, version)
		return err
	})
	if err == nil && filing.Scored {
		from, err := r.source(p.Puzzle)
		return from.label, err
	}
	return filing.Level, err
}

// hideLike takes off the day that the puzzle looks like unless that one is released too: nobody is to know its puzzle.
func (d *Day) hideLike(tx *projections.Tx, now time.Time) error {
	other, err := archive.Get(tx, d.Series, d.Like.Date)
	if last, ok := other.Last(); !ok || last.Published.Released().After(now) {
		d.Like = nil
	}
	return err
}

// ArchiveQuery says which days of a series are wanted. Dates are inclusive, "" is open.
type ArchiveQuery struct {
	Series   string
	From, To string // YYYY-MM-DD
	Label    string
	Released bool // only days whose release instant has passed
	Limit    int  // 0 is all
}

func (q ArchiveQuery) check() error {
	for _, date := range []string{q.From, q.To} {
		if date == "" {
			continue
		}
		if _, err := schedule.ParseDate(date); err != nil {
			return &InputError{Reason: err.Error()}
		}
	}
	if q.From != "" && q.To != "" && q.To < q.From {
		return badInput("the last date %s is before the first, %s", q.To, q.From)
	}
	if q.Limit < 0 {
		return badInput("a limit of %d days is less than 0", q.Limit)
	}
	return nil
}

// Archive gives the days that stand, in order of date.
func (r *Registry) Archive(ctx context.Context, q ArchiveQuery) ([]Day, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	rules, err := r.rules(q.Series)
	if err != nil {
		return nil, err
	}
	now := r.Now()
	var days []Day
	err = r.Store.View(archive.Table.Name(), func(tx *projections.Tx) error {
		for day, err := range archive.Days(tx, q.Series, q.From, q.To) {
			if err != nil {
				return err
			}
			standing, ok := day.Standing()
			if !ok || q.Label != "" && standing.Published.Label != q.Label {
				continue
			}
			if q.Released && standing.Published.Released().After(now) {
				continue
			}
			d, err := r.day(rules, standing)
			if err == nil && q.Released && d.Like != nil {
				err = d.hideLike(tx, now)
			}
			if err != nil {
				return err
			}
			days = append(days, d)
			if q.Limit > 0 && len(days) == q.Limit {
				return nil
			}
		}
		return nil
	})
	return days, err
}
