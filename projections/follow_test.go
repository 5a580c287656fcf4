package projections_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
)

// follow keeps a table up until the test is over, or end is called.
func follow(t *testing.T, s *projections.Store, log events.Log, table projections.Projection) (end func()) {
	t.Helper()
	end = s.Follow(t.Context(), log, table)
	t.Cleanup(end)
	if err := s.CatchUp(t.Context(), log, table); err != nil {
		t.Fatal(err)
	}
	return end
}

// A caller that has waited for its change reads it; only the follower brings the table up to date.
func TestAReadAfterAWriteSeesIt(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 3000)
	follow(t, s, log, tally{version: 1})
	var group sync.WaitGroup
	for writer := range 8 {
		group.Go(func() {
			for i := range 20 {
				receipt, err := log.Append(t.Context(), logtest.Fact(fmt.Sprintf("w%d-%d", writer, i), "text", 1))
				if err == nil {
					err = s.Await(t.Context(), receipt.Last())
				}
				if at, cursorErr := s.Cursor("tally"); err != nil || cursorErr != nil || at < receipt.Last() {
					t.Errorf("event %d: the table stands for %d: %v, %v", receipt.Last(), at, err, cursorErr)
				}
			}
		})
	}
	group.Wait()
	if n := rows(t, s); n != 3160 {
		t.Errorf("%d rows", n)
	}
}

// What another process has put into the log is there for who catches up.
func TestCatchingUpWithAFollower(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	end := follow(t, s, log, tally{version: 1})
	fill(t, log, 0, 2500)
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil || rows(t, s) != 2500 {
		t.Errorf("%d rows, %v", rows(t, s), err)
	}
	end()
	fill(t, log, 2500, 10)
	if err := s.Await(t.Context(), 2510); err != nil {
		t.Errorf("with nobody to wait for: %v", err)
	}
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil || rows(t, s) != 2510 {
		t.Errorf("alone: %d rows, %v", rows(t, s), err)
	}
}

// A wait ends when the follower or the context of the wait ends.
func TestWaitingEnds(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	end := follow(t, s, log, tally{version: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Await(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	waited := make(chan error)
	go func() { waited <- s.Await(t.Context(), 1) }()
	end()
	if err := <-waited; err != nil {
		t.Error(err)
	}
}

// A table that cannot apply an event is an error for every caller, until it can apply the event.
func TestAFollowerTriesAgain(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	var broken atomic.Bool
	table := tally{version: 1, fail: func(e events.Event) error {
		if broken.Load() && e.Seq == 3 {
			return errors.New("no room")
		}
		return nil
	}}
	follow(t, s, log, table)
	fill(t, log, 0, 2)
	broken.Store(true)
	fill(t, log, 2, 5)
	var stopped *projections.ApplyError
	for range 3 {
		if err := s.Await(t.Context(), 7); !errors.As(err, &stopped) || stopped.Seq != 3 {
			t.Fatal(err)
		}
		if err := s.Current(t.Context()); !errors.As(err, &stopped) {
			t.Error(err)
		}
		if err := s.CatchUp(t.Context(), log, table); !errors.As(err, &stopped) {
			t.Error(err)
		}
	}
	broken.Store(false)
	if err := s.Current(t.Context()); err != nil || rows(t, s) != 7 {
		t.Errorf("mended: %d rows, %v", rows(t, s), err)
	}
	fill(t, log, 7, 1)
	if err := s.Await(t.Context(), 8); err != nil || rows(t, s) != 8 {
		t.Errorf("and on: %d rows, %v", rows(t, s), err)
	}
}

// A table of an older version is built again before anybody who catches up is answered.
func TestAFollowerBuildsNewVersions(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 50)
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil {
		t.Fatal(err)
	}
	rebuilt := 0
	newer := tally{version: 2, fail: func(events.Event) error { rebuilt++; return nil }}
	defer s.Follow(t.Context(), log, newer)()
	if err := s.CatchUp(t.Context(), log, newer); err != nil || rebuilt != 50 || rows(t, s) != 50 {
		t.Errorf("%d rows, %d of them built anew, %v", rows(t, s), rebuilt, err)
	}
}
