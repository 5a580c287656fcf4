package registry

import (
	"context"
	"fmt"
	"slices"

	"assay/raters"
	"assay/registry/drawing"
	"assay/registry/schedule"
)

// PublicDay is what anybody may see of a released day: the object public-day/1. It holds nothing of the
// solution, the score or how the puzzle was made.
type PublicDay struct {
	Schema       string      `json:"schema"`
	Series       string      `json:"series"`
	Date         string      `json:"date"`
	Revision     int         `json:"revision"`
	ID           string      `json:"id"`
	Label        string      `json:"label"`
	LabelName    string      `json:"label_name"` // what people read for the label
	*PublicChain             // set for a chain
	Grid         *PublicGrid `json:"grid,omitempty"` // set for a puzzle on a grid

	Board *raters.Board `json:"board,omitempty"` // all that there is to see
}

// PublicChain is the board of a chain; its keys are the day's, which has them only then.
type PublicChain struct {
	Start  int      `json:"start" required:"false"`
	Target int      `json:"target" required:"false"`
	Hand   []string `json:"hand" required:"false"`
	Moves  int      `json:"moves" required:"false"`
}

// PublicGrid is a table of what is printed on a grid: the clues beside it come in the same table.
type PublicGrid struct {
	Rows       int      `json:"rows"`
	Columns    int      `json:"columns"`
	Top        int      `json:"top,omitempty"`  // how many of the rows are clues above the cells
	Left       int      `json:"left,omitempty"` // how many of the columns are clues before them
	BoxRows    int      `json:"box_rows,omitempty"`
	BoxColumns int      `json:"box_columns,omitempty"`
	Cells      []string `json:"cells"` // row by row; "" for an empty cell
}

// NotReleasedError tells that a series has no released day of a date: not yet, or not at all.
type NotReleasedError struct{ Series, Date string }

func (e *NotReleasedError) Error() string {
	return fmt.Sprintf("%s has no released day %s", e.Series, e.Date)
}

// WithdrawnError tells that readers saw a puzzle on a released day, that it was withdrawn, and that no other stands.
type WithdrawnError struct{ Series, Date string }

func (e *WithdrawnError) Error() string {
	return fmt.Sprintf("the puzzle of %s %s was withdrawn", e.Series, e.Date)
}

// Public returns a released day. One that is not released is like one that does not exist; one whose puzzle was withdrawn
// after its release is a *WithdrawnError.
func (r *Registry) Public(ctx context.Context, series string, date schedule.Date) (PublicDay, error) {
	if err := r.catchUp(ctx); err != nil {
		return PublicDay{}, err
	}
	history, err := r.dayHistory(series, date)
	if err != nil {
		return PublicDay{}, err
	}
	last, ok := history.Last()
	p := last.Published
	switch {
	case !ok || p.Released().After(r.Now()) || !last.Seen():
		return PublicDay{}, &NotReleasedError{series, date.String()}
	case last.Withdrawn != nil:
		return PublicDay{}, &WithdrawnError{series, date.String()}
	}
	rules, err := r.rules(series)
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

// Layout lays out the board of the day.
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
func (r *Registry) board(id string) (raters.Board, error) {
	k, ok, err := r.find(id)
	if err == nil && !ok {
		err = fmt.Errorf("puzzle %s is published and not on record", id)
	}
	if err != nil {
		return raters.Board{}, err
	}
	g, err := FindGenre(r.Genres, k.Puzzle.Genre)
	if err != nil {
		return raters.Board{}, err
	}
	return g.Reader.Draw(k.Puzzle)
}

// Today gives the date that it is in a series now.
func (r *Registry) Today(ctx context.Context, series string) (schedule.Date, error) {
	rules, err := r.Series(ctx, series)
	if err != nil {
		return schedule.Date{}, err
	}
	now := r.Now()
	return rules.Current(now).Today(now), nil
}
