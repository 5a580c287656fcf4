package registry

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/schedule"
)

// Unpublished is a day that stays without a puzzle, or without a new one: the object unpublished/1.
type Unpublished struct {
	Schema string `json:"schema"`
	Series string `json:"series"`
	Date   string `json:"date"`
	Label  string `json:"label"`
	Shelf  string `json:"shelf"` // genre/variant/level
	Reason string `json:"reason"`
	// Keeps is the puzzle that the day keeps under the policy KeptPolicy; "" when it has none.
	Keeps      string `json:"keeps,omitempty"`
	KeptPolicy int    `json:"kept_policy,omitempty"`
	StaysEmpty bool   `json:"stays_empty,omitempty"` // the date was withdrawn to stay empty
}

// EmptyShelfError names the days that got no puzzle, or keep an older one, because their shelf is empty. A puzzle of
// another level is never taken instead.
type EmptyShelfError struct{ Days []Unpublished }

func (e *EmptyShelfError) Error() string {
	lines := make([]string, len(e.Days))
	for i, d := range e.Days {
		lines[i] = d.Series + " " + d.Outcome()
	}
	return strings.Join(lines, "\n")
}

// emptyDay describes a date whose shelf has no puzzle left.
func emptyDay(series string, date schedule.Date, rule schedule.Rule) Unpublished {
	day := rule.Day(date)
	pool := day.Genre + "/" + day.Variant
	reason := fmt.Sprintf("shelf %s/%s is empty: fill it with assay pool fill %s", pool, day.Level, pool)
	if rule.Stuck(date) {
		reason = fmt.Sprintf("no puzzle of %s/%s on which the rater gets stuck is left: import some", pool, day.Level)
	}
	return vacant(series, date, rule, reason)
}

// fromShelf returns the publication of the oldest puzzle of a day's shelf that no series published and that looks like
// no other day. If there is none, the error is an *EmptyShelfError.
func (p *publisher) fromShelf(ctx context.Context, rule schedule.Rule, date schedule.Date, body events.Published) ([]fact, error) {
	day := rule.Day(date)
	adoption, err := p.usePool(ctx, poolName{genre: day.Genre, variant: day.Variant}, p.actor)
	if err != nil {
		return nil, err
	}
	if err := checkLevel(adoption.Adopted, day.Level); err != nil {
		return nil, err
	}
	v, err := engine.Find(p.Genres, day.Genre, day.Variant)
	if err != nil {
		return nil, err
	}
	var took pick
	err = p.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		took, err = choose(&body, p.onShelf(ctx, v, date, shelfOf(adoption.Adopted, day.Level, rule.Stuck(date)).Unpublished(tx)))
		return err
	})
	if err != nil {
		return nil, err
	}
	if took.id == "" {
		return nil, &EmptyShelfError{Days: []Unpublished{emptyDay(p.series, date, rule)}}
	}
	return p.onRecord(ctx, took.id, adoption.Adopted, body)
}

// onShelf returns the puzzles of a shelf as picks.
func (p *publisher) onShelf(ctx context.Context, v raters.Variant, date schedule.Date, ids iter.Seq2[string, error]) iter.Seq2[pick, error] {
	return func(yield func(pick, error) bool) {
		for id, err := range ids {
			k := pick{id: id}
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				k.like, err = p.likeOfKnown(v, id, date)
			}
			if !yield(k, err) || err != nil {
				return
			}
		}
	}
}

// likeOfKnown is likeOf for a puzzle on record.
func (p *publisher) likeOfKnown(v raters.Variant, id string, date schedule.Date) (*events.Like, error) {
	k, _, err := p.find(id)
	if err != nil {
		return nil, err
	}
	return p.likeOf(v, k.Puzzle, k.Solution, date)
}

// onRecord returns the publication of a puzzle on record, with its rating by the rater that files its pool.
func (p *publisher) onRecord(ctx context.Context, id string, a events.Adopted, body events.Published) ([]fact, error) {
	k, err := p.lookUp(ctx, id)
	if err != nil {
		return nil, err
	}
	body.Origin = puzzles.SourceOf(k.Facts).Origin
	body.Puzzle, body.Rating = id, events.RatedKey(id, a.Rater, a.Version)
	return []fact{publishedFact(body)}, nil
}

// oldest returns the oldest puzzle of a shelf that no series published, or "".
func (r *Registry) oldest(shelf pools.Shelf) (id string, err error) {
	err = r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		for id, err = range shelf.Unpublished(tx) {
			return err
		}
		return nil
	})
	return id, err
}

// emptyShelf describes a date that has no puzzle because its shelf is empty, and reports whether that is so.
func (r *Registry) emptyShelf(series string, date schedule.Date, rule schedule.Rule) (Unpublished, bool, error) {
	day := rule.Day(date)
	if day.Source != schedule.FromShelf {
		return Unpublished{}, false, nil
	}
	adoption, err := r.shelves(poolName{genre: day.Genre, variant: day.Variant})
	if err != nil {
		return Unpublished{}, false, err
	}
	id, err := r.oldest(shelfOf(adoption.Adopted, day.Level, rule.Stuck(date)))
	return emptyDay(series, date, rule), id == "", err
}

// settle ends a publication, the last of recorded facts, if somebody dropped its puzzle just before, or if another
// publication took the same puzzle from the record. No lock spans the publishing processes, so the log decides who was
// first. The later publication is withdrawn.
func (r *Registry) settle(ctx context.Context, rules schedule.Series, facts []fact, receipt events.Receipt, actor string) error {
	p := facts[len(facts)-1].body.(events.Published)
	date, err := schedule.ParseDate(p.Date)
	if err != nil {
		return err
	}
	k, _, err := r.find(p.Puzzle)
	if err != nil {
		return err
	}
	alone := rules[p.Policy-1].Day(date).Source == schedule.FromShelf || p.Chosen
	reason := tookFirst(k.Facts, receipt[len(receipt)-1].Seq, alone)
	if reason == "" {
		return nil
	}
	w := events.Withdrawn{Series: p.Series, Date: p.Date, Revision: p.Revision, Puzzle: p.Puzzle, Reason: reason}
	_, err = r.enact(ctx, actor, fact{key: events.WithdrawnKey(p.Series, p.Date, p.Revision), body: w, cause: events.PublishedKey(p.Series, p.Date, p.Revision)})
	return err
}

// tookFirst returns the fact before a publication that took its puzzle, or "": a drop that is in force, or another
// publication if alone is set.
func tookFirst(facts []puzzles.Fact, publication events.Seq, alone bool) (reason string) {
	dropped := events.Seq(0)
	for _, f := range facts {
		switch kind := f.Key.Segments()[0]; {
		case f.Seq >= publication:
		case kind == "dropped":
			dropped = f.Seq
		case kind == "restored":
			dropped = 0
		case kind == "published" && alone:
			return fmt.Sprintf("event %d, recorded at the same moment, took the puzzle first", f.Seq)
		}
	}
	if dropped > 0 {
		return fmt.Sprintf("event %d, recorded at the same moment, dropped the puzzle first", dropped)
	}
	return ""
}
