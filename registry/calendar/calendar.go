// Package calendar reads series, their policies and the puzzles of their dates from the tables. It includes days that
// are not released yet.
package calendar

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"assay/events"
	"assay/projections"
	"assay/projections/archive"
	"assay/projections/pools"
	"assay/projections/puzzles"
	"assay/registry/input"
	"assay/registry/schedule"
)

// DefaultSeries is the series that a registry starts with.
const DefaultSeries = "daily"

// Day is a published day: the object day/1.
type Day struct {
	Schema    string `json:"schema"`
	Series    string `json:"series"`
	Date      string `json:"date"`
	Label     string `json:"label"`
	ID        string `json:"id"`
	Revision  int    `json:"revision"`
	Release   string `json:"release"`    // RFC 3339, UTC
	LabelName string `json:"label_name"` // the name of the label for readers
	// Level is the level of the rating with which it was published. If the rating is only a score, Level is the level
	// requested from the generator. It is absent when there is none.
	Level   string       `json:"level,omitempty"`
	Genre   string       `json:"genre"`
	Variant string       `json:"variant"`
	Chosen  bool         `json:"chosen,omitempty"` // a person named the puzzle
	Like    *events.Like `json:"like,omitempty"`   // the day that it looks like
}

// Series returns the names of all series on record.
func Series(v projections.Viewer) ([]string, error) {
	return projections.Query(v, archive.Table, archive.SeriesNames)
}

// FirstSeries returns the series to show when none is named: the default one or, if that is not on record, the first by
// name.
func FirstSeries(v projections.Viewer) (string, error) {
	names, err := Series(v)
	if err != nil || len(names) == 0 || slices.Contains(names, DefaultSeries) {
		return DefaultSeries, err
	}
	return names[0], nil
}

// Rules returns the policies of a series; none when the series is unknown.
func Rules(v projections.Viewer, series string) (schedule.Series, error) {
	recorded, err := projections.Query(v, archive.Table, func(tx *projections.Tx) ([]archive.Rule, error) { return archive.Rules(tx, series) })
	if err != nil {
		return nil, err
	}
	rules := make(schedule.Series, len(recorded))
	for i, rec := range recorded {
		if rules[i], err = schedule.New(rec.Policy); err != nil {
			return nil, fmt.Errorf("policy %d of %s, event %d: %w", rec.Policy.Revision, series, rec.At.Seq, err)
		}
	}
	return rules, nil
}

// On returns everything that a series published on a date.
func On(v projections.Viewer, series string, date schedule.Date) (archive.Day, error) {
	return projections.Query(v, archive.Table, func(tx *projections.Tx) (archive.Day, error) { return archive.Get(tx, series, date.String()) })
}

// All yields everything that a series published between two dates, both inclusive, sorted by date. "" leaves an end
// open.
func All(v projections.Viewer, series, from, to string) iter.Seq2[archive.Day, error] {
	return projections.Each(v, archive.Table, func(tx *projections.Tx) iter.Seq2[archive.Day, error] {
		return archive.Days(tx, series, from, to)
	})
}

// Query selects days of a series. Dates are inclusive, "" is open.
type Query struct {
	Series   string
	From, To string // YYYY-MM-DD
	Label    string
	Limit    int // 0 is all
}

// Check returns an *input.Error if a query is invalid.
func (q Query) Check() error {
	for _, date := range []string{q.From, q.To} {
		if date == "" {
			continue
		}
		if _, err := schedule.ParseDate(date); err != nil {
			return &input.Error{Reason: err.Error()}
		}
	}
	if q.From != "" && q.To != "" && q.To < q.From {
		return input.Errorf("the last date %s is before the first, %s", q.To, q.From)
	}
	if q.Limit < 0 {
		return input.Errorf("a limit of %d days is less than 0", q.Limit)
	}
	return nil
}

// Days returns the days that stand, sorted by date. If wanted is not nil, these are only days for which it is true.
func Days(v projections.Viewer, q Query, wanted func(events.Published) bool) (days []Day, err error) {
	rules, err := Rules(v, q.Series)
	if err != nil {
		return nil, err
	}
	for day, err := range All(v, q.Series, q.From, q.To) {
		if err != nil {
			return nil, err
		}
		standing, ok := day.Standing()
		if !ok || q.Label != "" && standing.Published.Label != q.Label || wanted != nil && !wanted(standing.Published) {
			continue
		}
		d, err := Describe(v, rules, standing.Published)
		if err != nil {
			return nil, err
		}
		if days = append(days, d); len(days) == q.Limit {
			break
		}
	}
	return days, nil
}

// Describe describes a publication of a series with these policies.
func Describe(v projections.Viewer, rules schedule.Series, p events.Published) (Day, error) {
	level, err := levelOf(v, p)
	return Day{
		Schema: "day/1", Series: p.Series, Date: p.Date, Label: p.Label, LabelName: rules[p.Policy-1].Name(p.Label), Level: level,
		ID: p.Puzzle, Genre: p.Genre, Variant: p.Variant, Revision: p.Revision, Release: Stamp(p.Released()),
		Chosen: p.Chosen, Like: p.Like,
	}, err
}

// levelOf returns the level of a day's puzzle: see Day.
func levelOf(v projections.Viewer, p events.Published) (level string, err error) {
	rater, version, ok := p.Rating.Rated()
	if !ok {
		return "", nil
	}
	puzzle, err := projections.Query(v, pools.Table, func(tx *projections.Tx) (pools.Puzzle, error) {
		puzzle, _, err := pools.Get(tx, p.Puzzle)
		return puzzle, err
	})
	filing, _ := puzzle.Filing(rater, version)
	if err != nil || !filing.Scored {
		return filing.Level, err
	}
	facts, err := projections.Query(v, puzzles.Table, func(tx *projections.Tx) ([]puzzles.Fact, error) { return puzzles.Facts(tx, p.Puzzle) })
	return puzzles.SourceOf(facts).Label, err
}

// Stamp writes an instant as RFC 3339 in UTC, to the millisecond where it has one.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }
