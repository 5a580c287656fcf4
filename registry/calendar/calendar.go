// Package calendar reads from the tables what series there are, their policies, and which puzzle each of their dates has. It
// tells of all days, those to come as well.
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
	LabelName string `json:"label_name"` // what people read for the label
	// Level is that of the rating which it was published with; where a score is all of that, the level that the generator was
	// asked for. It is absent when there is none.
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

// FirstSeries returns the series that is shown when none is named: the default one, or where it is not on record the first by
// name.
func FirstSeries(v projections.Viewer) (string, error) {
	names, err := Series(v)
	if err != nil || len(names) == 0 || slices.Contains(names, DefaultSeries) {
		return DefaultSeries, err
	}
	return names[0], nil
}

// Rules returns the policies of a series, ready to be asked; none when the series is unknown.
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

// On returns all that a series published on a date.
func On(v projections.Viewer, series string, date schedule.Date) (archive.Day, error) {
	return projections.Query(v, archive.Table, func(tx *projections.Tx) (archive.Day, error) { return archive.Get(tx, series, date.String()) })
}

// All returns all that a series published from a date to a date, both inclusive and either "" for open, in order of date.
func All(v projections.Viewer, series, from, to string) iter.Seq2[archive.Day, error] {
	return projections.Each(v, archive.Table, func(tx *projections.Tx) iter.Seq2[archive.Day, error] {
		return archive.Days(tx, series, from, to)
	})
}

// Query says which days of a series are wanted. Dates are inclusive, "" is open.
type Query struct {
	Series   string
	From, To string // YYYY-MM-DD
	Label    string
	Limit    int // 0 is all
}

// Check returns what is wrong with a query, an *input.Error.
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

// Days returns the days that stand, in order of date; of these, unless it is nil, those that wanted takes.
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

// Describe describes a publication of a series with such policies.
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
