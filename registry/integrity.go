package registry

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/integrity"
	"assay/registry/schedule"
)

// Holdings returns the log, ledger and tables of the registry, for verifying, proving and copying.
func (r *Registry) Holdings() integrity.Holdings {
	return integrity.Holdings{Log: r.Log, Ledger: r.Ledger, Store: r.Store, Tables: Tables(), Maker: r, Recovered: r.Recovered}
}

// Prove proves the main event of a date or a puzzle: the publication, or the event that brought the puzzle if the
// series never published it.
func (r *Registry) Prove(ctx context.Context, series, what string) (integrity.Proof, error) {
	prove := r.provedPuzzle
	if schedule.IsDateLike(what) {
		prove = r.provedDay
	}
	seq, err := prove(ctx, series, what)
	if err != nil {
		return integrity.Proof{}, err
	}
	return r.Holdings().ProveEvent(ctx, seq)
}

// provedDay returns the position of the last publication of a date.
func (r *Registry) provedDay(ctx context.Context, series, text string) (events.Seq, error) {
	date, err := schedule.ParseDate(text)
	if err != nil {
		return 0, &input.Error{Reason: err.Error()}
	}
	if _, err := r.Series(ctx, series); err != nil {
		return 0, err
	}
	day, err := r.dayHistory(series, date)
	last, ok := day.Last()
	if err == nil && !ok {
		err = input.Errorf("nothing is published on %s in %s", date, series)
	}
	return last.At.Seq, err
}

// provedPuzzle returns the position of the last publication of a puzzle in the series or, without one, of the event
// that brought the puzzle.
func (r *Registry) provedPuzzle(ctx context.Context, series, id string) (seq events.Seq, err error) {
	k, err := r.lookUp(ctx, id)
	source := puzzles.SourceOf(k.Facts).Key
	for _, f := range k.Facts {
		if f.Key == source && seq == 0 || strings.HasPrefix(string(f.Key), "published/"+series+"/") {
			seq = f.Seq
		}
	}
	return seq, err
}

// MadeWithSecret is as in integrity.Maker.
func (r *Registry) MadeWithSecret(p events.Published) (bool, error) {
	secret, err := r.Secrets.Secret(p.Series)
	if errors.Is(err, ErrNoSecret) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	date, err := schedule.ParseDate(p.Date)
	return daySeed(secret, date, p.Revision, len(p.Skipped)) == p.Origin.Seed, err
}

// MakeAgain is as in integrity.Maker.
func (r *Registry) MakeAgain(ctx context.Context, e events.Event) error {
	switch b := e.Body.(type) {
	case events.Generated:
		return r.generateAgain(ctx, b)
	case events.Rated:
		return r.rateAgain(ctx, b)
	}
	return nil
}

func (r *Registry) generateAgain(ctx context.Context, b events.Generated) error {
	regenerated, err := r.regenerate(ctx, b)
	if err == nil && regenerated == Different {
		err = fmt.Errorf("generator %d of %s makes another puzzle of seed %d now", b.Origin.Version, b.Genre, b.Origin.Seed)
	}
	return err
}

func (r *Registry) rateAgain(ctx context.Context, b events.Rated) error {
	v, err := engine.Find(r.Genres, b.Genre, b.Variant)
	if err != nil {
		return nil // the variant is gone; its ratings stand
	}
	rater, ok, err := r.raterAt(ctx, v, b.Rater, b.Version)
	if err != nil || !ok { // not ok: retired
		return err
	}
	k, ok, err := r.find(b.Puzzle)
	if err == nil && !ok {
		err = fmt.Errorf("puzzle %s is rated and not on record", b.Puzzle)
	}
	if err != nil {
		return err
	}
	again, err := engine.Rate(ctx, rater, raters.Puzzle{Genre: b.Genre, Variant: b.Variant, Text: k.Puzzle.Text})
	if err != nil {
		return err
	}
	f, err := ratedFact(rater, again, puzzles.Source{Origin: b.Origin})
	if err != nil {
		return err
	}
	if !events.SameBody(f.body, b) {
		return fmt.Errorf("%s %s rates %s otherwise now", b.Rater, b.Version, b.Puzzle)
	}
	return nil
}
