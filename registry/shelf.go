package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/registry/schedule"
)

// Unpublished tells of a day that stays without a puzzle: the object unpublished/1.
type Unpublished struct {
	Schema string `json:"schema"`
	Series string `json:"series"`
	Date   string `json:"date"`
	Label  string `json:"label"`
	Shelf  string `json:"shelf"` // genre/variant/level
	Reason string `json:"reason"`
}

// EmptyShelfError tells which days got no puzzle because their shelf has none left. Another level is never
// taken instead.
type EmptyShelfError struct{ Days []Unpublished }

func (e *EmptyShelfError) Error() string {
	lines := make([]string, len(e.Days))
	for i, d := range e.Days {
		lines[i] = fmt.Sprintf("%s %s gets no puzzle: %s", d.Series, d.Date, d.Reason)
	}
	return strings.Join(lines, "\n")
}

func unpublishedDay(series string, date schedule.Date, day events.DayRule) Unpublished {
	pool := day.Genre + "/" + day.Variant
	return Unpublished{
		Schema: "unpublished/1", Series: series, Date: date.String(), Label: day.Label, Shelf: pool + "/" + day.Level,
		Reason: fmt.Sprintf("shelf %s/%s is empty: fill it with assay pool fill %s", pool, day.Level, pool),
	}
}

// fromShelf gives the publication of the oldest puzzle of a day's shelf that no series published, or an
// *EmptyShelfError.
func (r *Registry) fromShelf(ctx context.Context, day events.DayRule, date schedule.Date, p events.Published, actor string) ([]fact, error) {
	name := poolName{genre: day.Genre, variant: day.Variant}
	adoption, err := r.usePool(ctx, name, actor)
	if err != nil {
		return nil, err
	}
	if err := checkLevel(adoption.Adopted, day.Level); err != nil {
		return nil, err
	}
	p.Puzzle, err = r.oldest(shelfOf(adoption.Adopted, day.Level, false))
	if err != nil {
		return nil, err
	}
	if p.Puzzle == "" {
		return nil, &EmptyShelfError{Days: []Unpublished{unpublishedDay(p.Series, date, day)}}
	}
	k, err := r.lookUp(ctx, p.Puzzle)
	if err != nil {
		return nil, err
	}
	if p.Origin, err = r.originOf(ctx, k); err != nil {
		return nil, err
	}
	p.Rating = events.RatedKey(p.Puzzle, adoption.Adopted.Rater, adoption.Adopted.Version)
	return []fact{{key: events.PublishedKey(p.Series, p.Date, p.Revision), body: p}}, nil
}

// oldest gives the oldest puzzle of a shelf that no series published, or "".
func (r *Registry) oldest(shelf pools.Shelf) (id string, err error) {
	err = r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		for id, err = range shelf.Unpublished(tx) {
			return err
		}
		return nil
	})
	return id, err
}

// emptyShelf tells why a date that has no puzzle has none, if that is because its shelf is empty.
func (r *Registry) emptyShelf(series string, date schedule.Date, day events.DayRule) (Unpublished, bool, error) {
	if day.Source != schedule.FromShelf {
		return Unpublished{}, false, nil
	}
	adoption, err := r.shelves(poolName{genre: day.Genre, variant: day.Variant})
	if err != nil {
		return Unpublished{}, false, err
	}
	id, err := r.oldest(shelfOf(adoption.Adopted, day.Level, false))
	return unpublishedDay(series, date, day), id == "", err
}

// settle sees to it that a publication, the last of recorded facts, keeps a puzzle of a shelf only if no other
// took it just before: no lock spans the processes that publish, so that the log decides whose it is. The
// later one is withdrawn.
func (r *Registry) settle(ctx context.Context, rules schedule.Series, facts []fact, receipt events.Receipt, actor string) error {
	p := facts[len(facts)-1].body.(events.Published)
	date, err := schedule.ParseDate(p.Date)
	if err != nil || rules[p.Policy-1].Day(date).Source != schedule.FromShelf {
		return err
	}
	k, _, err := r.find(p.Puzzle)
	if err != nil {
		return err
	}
	for _, f := range k.Facts {
		if f.Seq >= receipt[len(receipt)-1].Seq || f.Key.Segments()[0] != "published" {
			continue
		}
		reason := fmt.Sprintf("event %d, recorded at the same moment, took the puzzle first", f.Seq)
		w := events.Withdrawn{Series: p.Series, Date: p.Date, Revision: p.Revision, Puzzle: p.Puzzle, Reason: reason}
		_, err := r.record(ctx, actor, fact{key: events.WithdrawnKey(p.Series, p.Date, p.Revision), body: w})
		return errors.Join(err, r.catchUp(ctx))
	}
	return nil
}
