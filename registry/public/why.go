package public

import (
	"context"

	"assay/events"
	"assay/registry/calendar"
	"assay/registry/schedule"
)

// Audience says who reads. Each audience sees what the one before it sees, and more.
type Audience int

// The audiences.
const (
	Anyone     Audience = iota // for a released day, without what spoils its puzzle
	Afterwards                 // anyone, once the day is over: also how the puzzle was made, its solution and its hardest step
	Operators                  // also other puzzles, and who did what
)

// Line is a line of an audit: its subject, the statement, and the event.
type Line struct {
	Name  string     `json:"name,omitempty"` // absent when the line continues the one before it
	Text  string     `json:"text"`
	Event events.Seq `json:"event,omitempty"` // absent when there is no event
}

// Words are the text of an audit.
type Words struct {
	Title   string `json:"title"`             // the day, or a puzzle without a day
	Release string `json:"release,omitempty"` // when the day is released
	Notices []Line `json:"notices,omitempty"` // what readers saw that no longer stands, and what is missing now; before the board
	Lines   []Line `json:"lines"`
}

// Auditor explains to an audience why a published day got its label, whether the day is released or not.
type Auditor interface {
	Why(ctx context.Context, series string, date schedule.Date, to Audience) (Words, error)
}

// Why returns the day and why it got its label. What spoils the puzzle is shown when the day is over, from the release
// of the next date on. Its errors are those of Day.
func (r *Reader) Why(ctx context.Context, series string, date schedule.Date) (PublicDay, Words, error) {
	day, err := r.Day(ctx, series, date)
	if err != nil {
		return day, Words{}, err
	}
	rules, err := calendar.Rules(r.tables, series)
	if err != nil {
		return day, Words{}, err
	}
	to, next := Anyone, date.AddDays(1)
	if rule, ok := rules.At(next); ok && !rule.Release(next).After(r.now()) {
		to = Afterwards
	}
	words, err := r.auditor.Why(ctx, series, date, to)
	return day, words, err
}
