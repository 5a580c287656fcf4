// Package registry is what the system does, one file for each command: generate, import, rate, calibrate, publish,
// withdraw, archive, show, audit, rebuild. A command reads the tables, runs engines, and records facts as events. The
// log decides which facts stand.
//
// The results of commands are the objects that scripts read as JSON: their keys are never renamed.
package registry

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"assay/events"
	"assay/events/ledger"
	"assay/projections"
	"assay/projections/archive"
	"assay/projections/funnel"
	"assay/projections/pools"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/input"
	"assay/registry/integrity"
	"assay/registry/jobs"
)

// Tables lists the tables of a registry.
func Tables() []projections.Projection {
	return []projections.Projection{archive.Table, puzzles.Table, pools.Table, funnel.Table}
}

// gone is a table of older programs. Its counts are now in pools.
const gone = "frequency"

// Secrets stores the secret of each series. Without it no future day can be computed.
type Secrets interface {
	// Make returns the secret of a series that is being adopted, at least 32 bytes. It creates the secret if there is
	// none.
	Make(series string) ([]byte, error)
	// Secret returns the secret of a series that was adopted, or ErrNoSecret.
	Secret(series string) ([]byte, error)
}

// ErrNoSecret means that the secret of a series is missing, although it was created before.
var ErrNoSecret = errors.New("the secret is missing")

// Registry records facts in a log and answers from the tables built from it. Several goroutines may use it, and several
// registries may share a log: the write-once keys decide every race.
type Registry struct {
	Log     events.Log
	Ledger  *ledger.Ledger // vouches for the log
	Store   *projections.Store
	Genres  []raters.Genre
	Now     func() time.Time
	Secrets Secrets
	Crew    jobs.Crew // where raters and generators run; nil for this process
	CatchUp bool      // record even when the clock is far from the newest event, see checkClock

	Recovered []integrity.LateEvent // what RecordRecovery found
}

// crew is where raters and generators run.
func (r *Registry) crew() jobs.Crew {
	if r.Crew == nil {
		return jobs.Local{}
	}
	return r.Crew
}

// checkText refuses a free text that must not be recorded.
func checkText(name, text string) error {
	if err := events.CheckText(name, text); err != nil {
		return &input.Error{Reason: err.Error()}
	}
	return nil
}

// fact is an event to be recorded: everything but its name, its time and who recorded it.
type fact struct {
	key   events.Key
	body  events.Body
	cause events.Key // of the event that led to it, "" for none
}

// record appends facts in one step. The receipt says which of them stood already. If another fact stands under one of
// the keys, the error is a *StandsError.
func (r *Registry) record(ctx context.Context, actor string, facts ...fact) (events.Receipt, error) {
	if err := events.CheckActor(actor); err != nil {
		return nil, &input.Error{Reason: err.Error()}
	}
	now := r.Now().UTC().Truncate(time.Millisecond)
	if err := r.checkClock(ctx, now); err != nil {
		return nil, err
	}
	batch, ids := make([]events.Event, len(facts)), map[events.Key]ulid.ULID{}
	for i, f := range facts {
		id, err := ulid.New(ulid.Timestamp(now), rand.Reader)
		if err != nil {
			return nil, fmt.Errorf("name an event: %w", err)
		}
		batch[i], ids[f.key] = events.Event{ID: id, Key: f.key, Time: now, Actor: actor, Body: f.body}, id
	}
	if err := r.nameCauses(ctx, facts, ids); err != nil {
		return nil, err
	}
	for i, f := range facts {
		batch[i].Cause = ids[f.cause]
	}
	receipt, err := r.Log.Append(ctx, batch...)
	if err != nil {
		return receipt, r.told(ctx, err)
	}
	return receipt, r.Store.Await(ctx, receipt.Last())
}

// nameCauses finds the event IDs of causes that are on record and not among the facts, and adds them to ids.
func (r *Registry) nameCauses(ctx context.Context, facts []fact, ids map[events.Key]ulid.ULID) error {
	var keys []events.Key
	for _, f := range facts {
		if _, known := ids[f.cause]; !known && f.cause != "" {
			keys, ids[f.cause] = append(keys, f.cause), ulid.ULID{}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	causes, err := events.GetEach(ctx, r.Log, keys)
	for _, e := range causes {
		ids[e.Key] = e.ID
	}
	return err
}

// sizeOf returns an upper bound of the bytes of a record.
func sizeOf(f fact) int {
	const rest = 1500 // names, numbers, techniques and the record around it
	switch b := f.body.(type) {
	case events.Generated:
		return rest + len(b.Text) + len(b.Solution)
	case events.Imported:
		return rest + len(b.Text) + len(b.Solution) + len(b.Source) + len(b.Reason)
	case events.Provenance:
		return rest + len(b.File) + len(b.Name) + len(b.Author) + len(b.Source) + len(b.Rating)
	case events.Rated:
		return rest + len(b.Steps)
	}
	return rest
}

// maxDrift is how far the clock may be from the newest event on record.
const maxDrift = 400 * 24 * time.Hour

// checkClock refuses to record when the clock is far from the newest event in the tables. With a clock that is wrong by
// years the program would publish years of days, for ever.
func (r *Registry) checkClock(ctx context.Context, now time.Time) error {
	if r.CatchUp {
		return nil
	}
	seq, err := r.Store.Cursor(archive.Table.Name())
	if err != nil || seq == 0 {
		return err
	}
	newest, err := events.At(ctx, r.Log, seq)
	if err != nil {
		return err
	}
	if now.Sub(newest.Time).Abs() <= maxDrift {
		return nil
	}
	return input.Errorf("the clock says %s, and the newest event on record, event %d, is of %s: put the clock right, or say --catch-up if it is right",
		stamp(now), newest.Seq, stamp(newest.Time))
}

// Follow keeps the tables up to date with the log until the context ends or end is called. End waits until Follow has
// stopped. Meanwhile a change by this process waits until the tables have it, so the next query finds it.
func (r *Registry) Follow(ctx context.Context) (end func()) {
	return r.Store.Follow(ctx, r.Log, Tables()...)
}

// enact records facts and brings the tables up to date: the next query finds the recorded or the standing facts.
func (r *Registry) enact(ctx context.Context, actor string, facts ...fact) (events.Receipt, error) {
	receipt, err := r.record(ctx, actor, facts...)
	if caught := r.catchUp(ctx); caught != nil && (err == nil || isConflict(err)) {
		err = caught
	}
	return receipt, err
}

// read returns the result of a query of a table at the end of the log.
func read[T any](ctx context.Context, r *Registry, p projections.Projection, query func(tx *projections.Tx) (T, error)) (T, error) {
	if err := r.catchUp(ctx); err != nil {
		var none T
		return none, err
	}
	return projections.Query(r.Store, p, query)
}

// catchUp brings all tables up to the end of the log.
func (r *Registry) catchUp(ctx context.Context) error {
	if err := r.Store.CatchUp(ctx, r.Log, Tables()...); err != nil {
		return err
	}
	return r.Store.Forget(ctx, gone)
}

// isConflict reports whether an append failed because another fact stands under one of its keys.
func isConflict(err error) bool {
	var conflict *events.ConflictError
	return errors.As(err, &conflict)
}

// ActorSystem is the actor of what the program does by itself.
const ActorSystem = "assay"
