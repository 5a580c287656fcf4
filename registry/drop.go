package registry

import (
	"context"
	"strings"

	"assay/events"
	"assay/registry/input"
)

// Drop says that a puzzle was taken off the shelves before any series published it, and whether it was restored.
type Drop struct {
	Revision int        `json:"revision"`
	Time     string     `json:"time"`
	Actor    string     `json:"actor"`
	Reason   string     `json:"reason"`
	Event    events.Seq `json:"event"`
	Restored *Ending    `json:"restored,omitempty"`
}

// DroppedPuzzle is a puzzle with its last drop: the object drop/1.
type DroppedPuzzle struct {
	Schema string `json:"schema"`
	ID     string `json:"id"`
	Pool   string `json:"pool"` // genre/variant
	Drop
}

// addDrop adds an event about a drop to the drops before it.
func addDrop(drops []Drop, e events.Event) []Drop {
	switch b := e.Body.(type) {
	case events.Dropped:
		return append(drops, Drop{Revision: b.Revision, Time: stamp(e.Time), Actor: e.Actor, Reason: b.Reason, Event: e.Seq})
	case events.Restored:
		for i := range drops {
			if drops[i].Revision == b.Revision {
				drops[i].Restored = endedBy(e, b.Reason)
			}
		}
	}
	return drops
}

// dropped returns the drop that is in force, or nil.
func (rec Record) dropped() *Drop {
	if n := len(rec.Drops); n > 0 && rec.Drops[n-1].Restored == nil {
		return &rec.Drops[n-1]
	}
	return nil
}

// DropPuzzle takes a puzzle that no series has published off the shelves, for every series and whichever rater files
// the pool. If a series publishes it at the same moment, the first on record counts, and the other has no effect. After
// a drop the publisher withdraws its publication. After a publication DropPuzzle returns an *input.Error, although the
// drop is on record.
func (r *Registry) DropPuzzle(ctx context.Context, id, actor, reason string) (DroppedPuzzle, error) {
	rec, err := r.toDrop(ctx, id, reason)
	if err != nil {
		return DroppedPuzzle{}, err
	}
	if d := rec.dropped(); d != nil {
		return DroppedPuzzle{}, input.Errorf("%s is dropped already: %s dropped it at %s, event %d: %s", id, d.Actor, d.Time, d.Event, d.Reason)
	}
	if err := rec.checkUnpublished(); err != nil {
		return DroppedPuzzle{}, err
	}
	b := events.Dropped{Puzzle: id, Genre: rec.Genre, Variant: rec.Variant, Revision: len(rec.Drops) + 1, Reason: reason}
	rec, err = r.recordDrop(ctx, actor, fact{key: events.DroppedKey(id, b.Revision), body: b})
	if err != nil {
		return DroppedPuzzle{}, err
	}
	if len(rec.Publications) > 0 && rec.Publications[0].Event < rec.lastDrop().Event {
		p := rec.Publications[0]
		return rec.lastDrop(), input.Errorf("%s took %s for %s at the same moment, event %d: the publication stands, and the drop has no effect; withdraw the day instead", p.Series, id, p.Date, p.Event)
	}
	return rec.lastDrop(), nil
}

// RestorePuzzle ends the drop of a puzzle, which is then on the shelves again.
func (r *Registry) RestorePuzzle(ctx context.Context, id, actor, reason string) (DroppedPuzzle, error) {
	rec, err := r.toDrop(ctx, id, reason)
	if err != nil {
		return DroppedPuzzle{}, err
	}
	d := rec.dropped()
	if d == nil {
		return DroppedPuzzle{}, input.Errorf("%s is not dropped", id)
	}
	b := events.Restored{Puzzle: id, Genre: rec.Genre, Variant: rec.Variant, Revision: d.Revision, Reason: reason}
	rec, err = r.recordDrop(ctx, actor, fact{key: events.RestoredKey(id, b.Revision), body: b, cause: events.DroppedKey(id, b.Revision)})
	return rec.lastDrop(), err
}

// toDrop finds a puzzle to drop or restore, and requires a reason.
func (r *Registry) toDrop(ctx context.Context, id, reason string) (Record, error) {
	if strings.TrimSpace(reason) == "" {
		return Record{}, input.Errorf("say why: give a reason with --reason")
	}
	if err := checkText("reason", reason); err != nil {
		return Record{}, err
	}
	return r.Show(ctx, id)
}

// recordDrop records a drop or its end, and returns the record after it.
func (r *Registry) recordDrop(ctx context.Context, actor string, f fact) (Record, error) {
	if _, err := r.record(ctx, actor, f); err != nil {
		return Record{}, err
	}
	return r.Show(ctx, f.key.Segments()[1])
}

func (rec Record) lastDrop() DroppedPuzzle {
	if len(rec.Drops) == 0 { // nothing could be recorded
		return DroppedPuzzle{}
	}
	return DroppedPuzzle{Schema: "drop/1", ID: rec.ID, Pool: rec.Genre + "/" + rec.Variant, Drop: rec.Drops[len(rec.Drops)-1]}
}

// checkUnpublished refuses a puzzle that a series has published.
func (rec Record) checkUnpublished() error {
	for _, p := range rec.Publications {
		if p.Withdrawn == nil {
			return input.Errorf("%s is the puzzle of %s %s, event %d: withdraw the day instead (assay withdraw %s --series %s)", rec.ID, p.Series, p.Date, p.Event, p.Date, p.Series)
		}
	}
	if len(rec.Publications) > 0 {
		return input.Errorf("%s was published and withdrawn, event %d: no series takes it from a shelf again", rec.ID, rec.Publications[0].Withdrawn.Event)
	}
	return nil
}

// isDropped reports whether a drop keeps publishers from a puzzle, by the present table.
func (r *Registry) isDropped(id string) (bool, error) {
	p, err := r.pooled(id)
	return p.Dropped && !p.Published, err
}
