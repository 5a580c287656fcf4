package registry

import (
	"context"
	"strings"

	"assay/events"
	"assay/registry/schedule"
)

// PoolPuzzle is a puzzle of a pool as others take it away: the object pool-puzzle/1.
type PoolPuzzle struct {
	Schema     string   `json:"schema"`
	ID         string   `json:"id"`
	Genre      string   `json:"genre"`
	Variant    string   `json:"variant"`
	Level      string   `json:"level,omitempty"` // that the rater which files the pool gave
	Text       string   `json:"text"`
	Solution   string   `json:"solution"`
	Techniques []string `json:"techniques"` // used ones, in the rater's order
}

// ExportPool returns the puzzles on the shelves of a pool, or on one shelf, in order of ID: those that readers saw, and with
// unreleased all others too.
func (r *Registry) ExportPool(ctx context.Context, pool string, unreleased bool, give func(PoolPuzzle) error) error {
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	name, err := parsePool(pool, true)
	if err != nil {
		return err
	}
	a, err := r.adoption(name)
	if err != nil {
		return err
	}
	choice, err := choiceOf(a.Adopted, name.level, false, false)
	if err != nil {
		return err
	}
	for m, err := range r.members(name) {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !choice.Holds(m.Puzzle) || !m.Published && !unreleased {
			continue
		}
		if err := r.giveMember(ctx, m.ID, a.Adopted, unreleased, give); err != nil {
			return err
		}
	}
	return nil
}

// giveMember returns a puzzle of a pool, unless only released ones are wanted and it is none.
func (r *Registry) giveMember(ctx context.Context, id string, files events.Adopted, unreleased bool, give func(PoolPuzzle) error) error {
	k, err := r.known(id)
	if err != nil {
		return err
	}
	rec, err := r.recordOf(ctx, k)
	if err != nil {
		return err
	}
	if !unreleased {
		if seen, err := r.wasSeen(rec); err != nil || !seen {
			return err
		}
	}
	out := PoolPuzzle{
		Schema: "pool-puzzle/1", ID: id, Genre: rec.Genre, Variant: rec.Variant, Text: rec.Text, Solution: rec.Solution, Techniques: []string{},
	}
	for _, v := range rec.Ratings {
		if v.Rater != files.Rater || string(v.Version) != files.Version {
			continue
		}
		out.Level = v.Level
		for _, t := range v.Techniques {
			out.Techniques = append(out.Techniques, t.Name)
		}
	}
	return give(out)
}

// wasSeen reports whether readers saw the puzzle on some day.
func (r *Registry) wasSeen(rec Record) (bool, error) {
	for _, p := range rec.Publications {
		date, err := schedule.ParseDate(p.Date)
		if err != nil {
			return false, err
		}
		day, err := r.dayHistory(p.Series, date)
		if err != nil {
			return false, err
		}
		if on := day.Revisions[p.Revision]; on.Seen() && !on.Published.Released().After(r.Now()) {
			return true, nil
		}
	}
	return false, nil
}

// OneLine returns the text in one line, as tables have it.
func (p PoolPuzzle) OneLine() string { return strings.ReplaceAll(p.Text, "\n", " ") }
