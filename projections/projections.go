// Package projections builds the tables that people query from the log of events. A table is a Projection: a pure
// function from events to rows. Its rows and its cursor change in one transaction, so a table is always exactly the log
// up to its cursor. A deleted table is rebuilt identically.
//
// Projections read events and never run an engine: deleting engine code cannot change a table.
package projections

import (
	"context"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

	"assay/events"
)

// Projection turns events into rows.
type Projection interface {
	// Name names the table: lower-case letters.
	Name() string
	// Version is raised whenever Apply or the form of a row changes.
	Version() int
	// Apply writes what the event means for the table. It gets events in log order, each once, and ignores kinds that
	// do not concern it. It depends on nothing but the event and the rows.
	Apply(tx *Tx, e events.Event) error
}

// ApplyError says which event a table could not apply. The table stays as it was before that event.
type ApplyError struct {
	Table string
	Seq   events.Seq
	Key   events.Key
	Err   error
}

func (e *ApplyError) Error() string {
	return fmt.Sprintf("table %s stopped at event %d (%s): %v", e.Table, e.Seq, e.Key, e.Err)
}

func (e *ApplyError) Unwrap() error { return e.Err }

// CatchUp brings tables up to the end of the log, or waits for a running Follow to do so. A table that cannot apply an
// event stops there with an *ApplyError; the others go on. All errors are joined.
func (s *Store) CatchUp(ctx context.Context, log events.Log, tables ...Projection) error {
	if is, err := s.awaitEnd(ctx, log, tables); is || err != nil {
		return err
	}
	return s.bringUp(ctx, log, tables)
}

// bringUp is CatchUp without a running Follow.
func (s *Store) bringUp(ctx context.Context, log events.Log, tables []Projection) error {
	var errs []error
	for _, p := range tables {
		if err := s.catchUp(ctx, log, p); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (s *Store) catchUp(ctx context.Context, log events.Log, p Projection) error {
	current, err := s.followActive(ctx, log, p)
	if err != nil || current {
		return err
	}
	return s.rebuild(ctx, log, p, func(b build) bool { return b.Version != p.Version() })
}

// followActive brings the active build of a table up to the end of a log, if it is of the table's version. It reads
// under the lock which build is active. Otherwise it could fill a build that was just replaced.
func (s *Store) followActive(ctx context.Context, log events.Log, p Projection) (current bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	active, err := s.active(p.Name())
	if err != nil || active.Version != p.Version() {
		return false, err
	}
	return true, s.follow(ctx, log, p, active.Build)
}

// Rebuild builds a table again beside the active build, which still answers queries, and switches to the new build when
// that has caught up. Only one rebuild runs at a time.
func (s *Store) Rebuild(ctx context.Context, log events.Log, p Projection) error {
	return s.rebuild(ctx, log, p, func(build) bool { return true })
}

// rebuild waits for its turn and then rebuilds a table, if the build that is active by then still has to be replaced.
func (s *Store) rebuild(ctx context.Context, log events.Log, p Projection, needed func(build) bool) error {
	select {
	case s.rebuilding <- struct{}{}:
		defer func() { <-s.rebuilding }()
	case <-ctx.Done():
		return ctx.Err()
	}
	old, err := s.active(p.Name())
	if err != nil || !needed(old) {
		return err
	}
	fresh := build{Version: p.Version(), Build: old.Build + 1}
	if err := s.dropOthers(ctx, p.Name(), old); err != nil { // an interrupted rebuild may have left them
		return err
	}
	if err := s.follow(ctx, log, p, fresh.Build); err != nil {
		return err
	}
	if err := s.takeOver(ctx, log, p, fresh); err != nil {
		return err
	}
	return s.dropOthers(ctx, p.Name(), fresh)
}

// takeOver applies the newest events while nothing else catches up, and switches to the new build.
func (s *Store) takeOver(ctx context.Context, log events.Log, p Projection, fresh build) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(ctx, log, p, fresh.Build); err != nil {
		return err
	}
	return s.activate(p.Name(), fresh)
}

// follow reads the log from a build's cursor to the end. It begins with the event at the cursor, to check that the
// build was made from this log and that the log is whole up to there.
func (s *Store) follow(ctx context.Context, log events.Log, p Projection, number uint32) error {
	at, err := s.cursor(p.Name(), number)
	if err != nil {
		return err
	}
	seen := at.Seq == 0
	for batch := range batches(log.Read(ctx, max(at.Seq, 1)-1)) {
		if !seen && len(batch.events) > 0 {
			if e := batch.events[0]; e.Seq != at.Seq || e.ID != at.ID {
				return fmt.Errorf("table %s was built from another log: its event %d is %s, here it is %s: %w", p.Name(), at.Seq, ulid.ULID(at.ID), e.ID, events.ErrDamaged)
			}
			seen, batch.events = true, batch.events[1:]
		}
		if err := s.applyAll(p, number, batch.events); err != nil {
			return err
		}
		if batch.err != nil {
			return fmt.Errorf("table %s: %w", p.Name(), batch.err)
		}
	}
	if !seen {
		return fmt.Errorf("table %s stands at event %d, and the log ends before it: %w", p.Name(), at.Seq, events.ErrDamaged)
	}
	return nil
}

// applyAll applies a batch in one transaction if it fits, and else in halves. When one event cannot be applied, those
// before it are applied.
func (s *Store) applyAll(p Projection, number uint32, batch []events.Event) error {
	if len(batch) == 0 {
		return nil
	}
	err := s.applyOnce(p, number, batch)
	var stopped *ApplyError
	switch {
	case errors.Is(err, errTooBig) && len(batch) > 1:
		half := len(batch) / 2
		if err := s.applyAll(p, number, batch[:half]); err != nil {
			return err
		}
		return s.applyAll(p, number, batch[half:])
	case errors.As(err, &stopped) && stopped.Seq > batch[0].Seq:
		return errors.Join(s.applyAll(p, number, batch[:stopped.Seq-batch[0].Seq]), err)
	}
	return err
}

// apply calls the projection and returns a panic as an error.
func apply(p Projection, tx *Tx, e events.Event) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
		if err != nil {
			err = &ApplyError{Table: p.Name(), Seq: e.Seq, Key: e.Key, Err: err}
		}
	}()
	if u, ok := e.Body.(events.Unknown); ok {
		return fmt.Errorf("this program does not know events of kind %s", u.Name)
	}
	return p.Apply(tx, e)
}
