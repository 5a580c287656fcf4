package projections

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"assay/events"
	"assay/events/store"
)

// Comparison has the digests of a table and of the same table built again from the log. If they differ, something other
// than the log changed the table.
type Comparison struct {
	Table         string
	Stands, Fresh [32]byte
	Err           error // why there is no comparison: the table cannot apply the log, or cannot be read
}

// Compare brings tables up to the end of the log, builds each again in a temporary store, and compares them. The log is
// read once for all of them. An error means that it could not look.
func (s *Store) Compare(ctx context.Context, log events.Log, tables ...Projection) (all []Comparison, err error) {
	s.comparing.Lock()
	defer s.comparing.Unlock()
	fresh, err := s.openFresh()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, fresh.Close(), os.RemoveAll(fresh.dir)) }()
	all = make([]Comparison, len(tables))
	for i, p := range tables {
		all[i] = Comparison{Table: p.Name(), Err: s.catchUp(ctx, log, p)}
	}
	if err := fresh.buildAll(ctx, log, tables, all); err != nil {
		return nil, err
	}
	for i, p := range tables {
		if all[i].Err == nil {
			all[i].Err = s.compare(ctx, log, p, fresh, &all[i])
		}
		if err := all[i].Err; errors.Is(err, events.ErrFull) || ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), err)
		}
	}
	return all, nil
}

// openFresh opens an empty store within the directory of this one. A build is written once and read once, so a
// compaction would be no use.
func (s *Store) openFresh() (*Store, error) {
	dir := filepath.Join(s.dir, "fresh")
	if err := os.RemoveAll(dir); err != nil { // a killed process may have left it
		return nil, err
	}
	return open(store.Options{Dir: dir, Reserve: reserve})
}

// buildAll builds tables in an empty store, in one read of the log. A table that cannot apply an event stops there.
func (s *Store) buildAll(ctx context.Context, log events.Log, tables []Projection, all []Comparison) error {
	for batch := range batches(log.Read(ctx, 0)) {
		var group sync.WaitGroup
		for i, p := range tables {
			if all[i].Err == nil {
				group.Go(func() { all[i].Err = s.applyAll(p, 0, batch.events) })
			}
		}
		group.Wait()
		if batch.err != nil {
			return batch.err
		}
	}
	return nil
}

// compare applies the newest events while nothing else catches up, and returns the two digests.
func (s *Store) compare(ctx context.Context, log events.Log, p Projection, fresh *Store, c *Comparison) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	active, err := s.active(p.Name())
	if err != nil {
		return err
	}
	if err := errors.Join(s.follow(ctx, log, p, active.Build), fresh.follow(ctx, log, p, 0)); err != nil {
		return err
	}
	var freshErr error
	var group sync.WaitGroup
	group.Go(func() { c.Fresh, freshErr = fresh.digest(p.Name(), 0) })
	c.Stands, err = s.digest(p.Name(), active.Build)
	group.Wait()
	return errors.Join(err, freshErr)
}
