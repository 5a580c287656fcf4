// Package public answers what anybody may know. It sees only what is released by its clock.
package public

import (
	"context"
	"fmt"
	"slices"
	"time"

	"assay/events"
	"assay/projections"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/calendar"
	"assay/registry/drawing"
	"assay/registry/schedule"
)

// Day is a day of a list of released days, the object day/1. Query selects the days of a list.
type (
	Day   = calendar.Day
	Query = calendar.Query
)

// Tables are the tables of a registry, which somebody else keeps up to date.
type Tables interface {
	projections.Viewer
	// Current returns why the tables are not up to date.
	Current(ctx context.Context) error
}

// Reader answers from the tables. It changes nothing.
type Reader struct {
	tables  Tables
	genres  []raters.Genre
	now     func() time.Time
	auditor Auditor
}

// New returns a reader of tables, with a clock and an auditor of days.
func New(tables Tables, genres []raters.Genre, now func() time.Time, auditor Auditor) *Reader {
	return &Reader{tables: tables, genres: genres, now: now, auditor: auditor}
}

// PublicDay is what anybody may see of a released day: the object public-day/1. It contains nothing about the solution,
// the score or how the puzzle was made.
type PublicDay struct {
	Schema       string      `json:"schema"`
	Series       string      `json:"series"`
	Date         string      `json:"date"`
	Revision     int         `json:"revision"`
	ID           string      `json:"id"`
	Label        string      `json:"label"`
	LabelName    string      `json:"label_name"` // the name of the label for readers
	*PublicChain             // set for a chain
	Grid         *PublicGrid `json:"grid,omitempty"` // set for a puzzle on a grid

	Board *raters.Board `json:"board,omitempty"` // the whole board
}

// PublicChain is the board of a chain. Its keys are keys of the day, and only days with a chain have them.
type PublicChain struct {
	Start  int      `json:"start" required:"false"`
	Target int      `json:"target" required:"false"`
	Hand   []string `json:"hand" required:"false"`
	Moves  int      `json:"moves" required:"false"`
}

// PublicGrid is a table of what is printed on a grid. The clues beside the grid are in the same table.
type PublicGrid struct {
	Rows       int      `json:"rows"`
	Columns    int      `json:"columns"`
	Top        int      `json:"top,omitempty"`  // how many of the rows are clues above the cells
	Left       int      `json:"left,omitempty"` // how many of the columns are clues before them
	BoxRows    int      `json:"box_rows,omitempty"`
	BoxColumns int      `json:"box_columns,omitempty"`
	Cells      []string `json:"cells"` // row by row; "" for an empty cell
}

// NotReleasedError means that a series has no released day for a date: not yet, or not at all.
type NotReleasedError struct{ Series, Date string }

func (e *NotReleasedError) Error() string {
	return fmt.Sprintf("%s has no released day %s", e.Series, e.Date)
}

// WithdrawnError means that readers saw a puzzle on a released day, that it was withdrawn, and that there is no other.
type WithdrawnError struct{ Series, Date string }

func (e *WithdrawnError) Error() string {
	return fmt.Sprintf("the puzzle of %s %s was withdrawn", e.Series, e.Date)
}

// released reports whether a publication is released.
func (r *Reader) released(p events.Published) bool { return !p.Released().After(r.now()) }

// FirstSeries returns the series to show when none is named.
func (r *Reader) FirstSeries(ctx context.Context) (string, error) {
	if err := r.tables.Current(ctx); err != nil {
		return "", err
	}
	return calendar.FirstSeries(r.tables)
}

// Today returns the present date in a series' zone.
func (r *Reader) Today(series string) (schedule.Date, error) {
	rules, err := calendar.Rules(r.tables, series)
	if err == nil && len(rules) == 0 {
		err = fmt.Errorf("no series %q is on record", series)
	}
	if err != nil {
		return schedule.Date{}, err
	}
	now := r.now()
	return rules.Current(now).Today(now), nil
}

// Days returns the released days of a series that stand, sorted by date.
func (r *Reader) Days(ctx context.Context, q Query) ([]Day, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	if err := r.tables.Current(ctx); err != nil {
		return nil, err
	}
	days, err := calendar.Days(r.tables, q, r.released)
	for i := range days {
		if err == nil && days[i].Like != nil {
			err = r.hideLike(&days[i])
		}
	}
	return days, err
}

// hideLike removes the day that the puzzle looks like unless that day is released too, because nobody may know its
// puzzle.
func (r *Reader) hideLike(d *Day) error {
	date, err := schedule.ParseDate(d.Like.Date)
	if err != nil {
		return err
	}
	other, err := calendar.On(r.tables, d.Series, date)
	if last, ok := other.Last(); !ok || !r.released(last.Published) {
		d.Like = nil
	}
	return err
}

// Day returns a released day. An unreleased day is treated like one that does not exist: *NotReleasedError. A day whose
// puzzle was withdrawn after its release is a *WithdrawnError.
func (r *Reader) Day(ctx context.Context, series string, date schedule.Date) (PublicDay, error) {
	if err := r.tables.Current(ctx); err != nil {
		return PublicDay{}, err
	}
	history, err := calendar.On(r.tables, series, date)
	if err != nil {
		return PublicDay{}, err
	}
	last, ok := history.Last()
	p := last.Published
	switch {
	case !ok || !r.released(p) || !last.Seen():
		return PublicDay{}, &NotReleasedError{series, date.String()}
	case last.Withdrawn != nil:
		return PublicDay{}, &WithdrawnError{series, date.String()}
	}
	rules, err := calendar.Rules(r.tables, series)
	if err != nil {
		return PublicDay{}, err
	}
	board, err := r.board(p.Puzzle)
	if err != nil {
		return PublicDay{}, err
	}
	return PublicDay{
		Schema: "public-day/1", Series: p.Series, Date: p.Date, Revision: p.Revision, ID: p.Puzzle, Label: p.Label, LabelName: rules[p.Policy-1].Name(p.Label),
		PublicChain: publicChain(board), Grid: publicGrid(board), Board: &board,
	}, nil
}

// Layout returns the layout of the day's board.
func (d PublicDay) Layout() drawing.Layout { return drawing.Of(*d.Board) }

func publicChain(b raters.Board) *PublicChain {
	if b.Goal == nil {
		return nil
	}
	c := &PublicChain{Start: b.Goal.Start, Target: b.Goal.Target, Moves: b.Goal.Moves, Hand: make([]string, len(b.Hand))}
	for i, t := range b.Hand {
		c.Hand[i] = t.Name
	}
	return c
}

func publicGrid(b raters.Board) *PublicGrid {
	l := drawing.Of(b)
	if len(l.Places) == 0 {
		return nil
	}
	g := &PublicGrid{
		Rows: l.Rows, Columns: l.Columns, Top: l.Top, Left: l.Left, Cells: make([]string, len(l.Places)),
		BoxRows: max(0, slices.Index(l.GapAbove, true)-l.Top), BoxColumns: max(0, slices.Index(l.GapBefore, true)-l.Left),
	}
	for i, p := range l.Places {
		g.Cells[i] = p.Text
	}
	return g
}

// board draws a puzzle on record.
func (r *Reader) board(id string) (raters.Board, error) {
	p, err := projections.Query(r.tables, puzzles.Table, func(tx *projections.Tx) (puzzles.Puzzle, error) {
		p, known, err := puzzles.Get(tx, id)
		if err == nil && !known {
			err = fmt.Errorf("puzzle %s is published and not on record", id)
		}
		return p, err
	})
	if err != nil {
		return raters.Board{}, err
	}
	for _, g := range r.genres {
		if g.Name == p.Genre {
			return g.Reader.Draw(raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: p.Text})
		}
	}
	return raters.Board{}, fmt.Errorf("this program has no genre %s", p.Genre)
}
