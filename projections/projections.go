// Package projections builds the tables that people query from the log of events. A table is a
// Projection: a pure function from events to rows. Its rows and its cursor change in one
// transaction, so a table is always exactly the log up to its cursor; thrown away, it comes back
// identical.
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
	// Apply writes what the event means for the table. It sees events in log order, each once, and
	// ignores kinds it does not care for. It depends on nothing but the event and the rows.
	Apply(tx *Tx, e events.Event) error
}

// ApplyError tells which event a table could not take in. The table stays as it was before it.
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

// CatchUp brings tables up to the end of the log, or waits for who follows it. A table that cannot take in an event stops
// there with an *ApplyError; the others go on. All errors are joined.
func (s *Store) CatchUp(ctx context.Context, log events.Log, tables ...Projection) error {
	if is, err := s.awaitEnd(ctx, log, tables); is || err != nil {
		return err
	}
	return s.bringUp(ctx, log, tables)
}

// bringUp is CatchUp where nobody follows the log.
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

// followActive brings the active build of a table up to the end of a log, if it is of the table's version. Which one is active
// is read under the lock: a build that another one has just replaced would be filled again.
func (s *Store) followActive(ctx context.Context, log events.Log, p Projection) (current bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	active, err := s.active(p.Name())
	if err != nil || active.Version != p.Version() {
		return false, err
	}
	return true, s.follow(ctx, log, p, active.Build)
}

// Rebuild builds a table again beside the one that stands, which goes on answering, and puts the new
// one in its place once it has caught up. Rebuilds take turns.
func (s *Store) Rebuild(ctx context.Context, log events.Log, p Projection) error {
	return s.rebuild(ctx, log, p, func(build) bool { return true })
}

// rebuild rebuilds a table when its turn has come and the build that is active by then is to be replaced.
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
	if err := s.dropOthers(ctx, p.Name(), old); err != nil { // left by a rebuild that was cut short
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

// takeOver reads what came since, with no other catching up going on, and switches.
func (s *Store) takeOver(ctx context.Context, log events.Log, p Projection, fresh build) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.follow(ctx, log, p, fresh.Build); err != nil {
		return err
	}
	return s.activate(p.Name(), fresh)
}

// follow reads the log from a build's cursor to the end. It begins with the event at the cursor, to see
// that the log is the one that the build was made from, and whole up to there.
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

// applyAll takes a batch in, in one transaction if it fits, else in halves. When one event cannot be
// applied, those before it are.
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

// apply calls the projection; a panic in it is an error like any other.
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
