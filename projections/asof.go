package projections

import (
	"context"
	"errors"
	"iter"
	"os"

	"assay/events"
)

// ViewAsOf runs a query on a table as it was when the log had size events. It builds that table in a temporary store of
// its own.
func (s *Store) ViewAsOf(ctx context.Context, log events.Log, p Projection, size events.Seq, query func(tx *Tx) error) (err error) {
	s.comparing.Lock()
	defer s.comparing.Unlock()
	then, err := s.openFresh()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, then.Close(), os.RemoveAll(then.dir)) }()
	for batch := range batches(beginning(log.Read(ctx, 0), size)) {
		if err := errors.Join(then.applyAll(p, 0, batch.events), batch.err); err != nil {
			return err
		}
	}
	return then.View(p.Name(), query)
}

// beginning returns the events up to a position.
func beginning(reading iter.Seq2[events.Event, error], last events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		if last == 0 {
			return
		}
		for e, err := range reading {
			if !yield(e, err) || e.Seq == last {
				return
			}
		}
	}
}
