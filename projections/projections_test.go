package projections_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"go.uber.org/goleak"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
)

// tally is a table for tests: it counts the imports of each genre letter and keeps every puzzle's text.
type tally struct {
	version int
	fail    func(e events.Event) error
}

func (tally) Name() string   { return "tally" }
func (t tally) Version() int { return t.version }

func (t tally) Apply(tx *projections.Tx, e events.Event) error {
	if t.fail != nil {
		if err := t.fail(e); err != nil {
			return err
		}
	}
	b, ok := e.Body.(events.Imported)
	if !ok {
		return nil
	}
	var n uint64
	key := []byte("n/" + b.Genre)
	if _, err := tx.Get(key, &n); err != nil {
		return err
	}
	if err := tx.Put(key, n+1); err != nil {
		return err
	}
	return tx.Put(binary.BigEndian.AppendUint64([]byte("t/"), uint64(e.Seq)), b.Text)
}

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dgraph-io/ristretto/v2/z.(*AllocatorPool).freeupAllocators"))
}

func openStore(t testing.TB, dir string) *projections.Store {
	t.Helper()
	s, err := projections.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func fill(t testing.TB, log events.Log, from, n int) {
	t.Helper()
	for at := from; at < from+n; {
		var batch []events.Event
		for ; at < from+n && len(batch) < events.MaxBatch; at++ {
			batch = append(batch, logtest.Fact(fmt.Sprintf("p%d", at), fmt.Sprintf("text %d", at), uint64(at)))
		}
		if _, err := log.Append(t.Context(), batch...); err != nil {
			t.Fatal(err)
		}
	}
}

func digest(t testing.TB, s *projections.Store) [32]byte {
	t.Helper()
	d, err := s.Digest("tally")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func rows(t testing.TB, s *projections.Store) (n int) {
	t.Helper()
	err := s.View("tally", func(tx *projections.Tx) error {
		for _, err := range tx.Scan([]byte("t/")) {
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestRebuildingTwiceGivesTheSameDigest(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 5000)
	table := tally{version: 1}
	if err := s.CatchUp(t.Context(), log, table); err != nil {
		t.Fatal(err)
	}
	first := digest(t, s)
	for range 2 {
		if err := s.Rebuild(t.Context(), log, table); err != nil {
			t.Fatal(err)
		}
		if digest(t, s) != first {
			t.Fatal("a rebuild gave another table")
		}
	}
	if n := rows(t, s); n != 5000 {
		t.Fatalf("%d rows of 5,000 events", n)
	}
}

// However the log is cut into catchings-up, and wherever the store is closed in between, the table is the
// same, and the same as one built in another directory at once.
func TestTableDependsOnNothingButTheLog(t *testing.T) {
	for _, cuts := range [][]int{{0, 1, 0, 2, 3000}, {1999, 2, 1}, {2000, 2000}, {1, 4001, 7}} {
		log, dir, at := logtest.NewMemory(), t.TempDir(), 0
		for _, n := range cuts {
			s := openStore(t, dir)
			fill(t, log, at, n)
			at += n
			if err := errors.Join(s.CatchUp(t.Context(), log, tally{version: 1}), s.Close()); err != nil {
				t.Fatal(err)
			}
		}
		whole, pieces := openStore(t, t.TempDir()), openStore(t, dir)
		if err := whole.CatchUp(t.Context(), log, tally{version: 1}); err != nil {
			t.Fatal(err)
		}
		if digest(t, whole) != digest(t, pieces) || rows(t, whole) != at {
			t.Fatalf("read as %v the table is another", cuts)
		}
	}
}

func TestNewVersionTakesOverOnceItHasCaughtUp(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 3000)
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil {
		t.Fatal(err)
	}
	seen := -1
	watch := func(e events.Event) error {
		if e.Seq == 2500 { // in mid-build the old version answers
			seen = rows(t, s)
		}
		return nil
	}
	if err := s.CatchUp(t.Context(), log, tally{version: 2, fail: watch}); err != nil {
		t.Fatal(err)
	}
	if seen != 3000 || rows(t, s) != 3000 {
		t.Fatalf("%d rows while building, %d after", seen, rows(t, s))
	}
}

func TestAnEventThatCannotBeAppliedStopsItsTableOnly(t *testing.T) {
	refusal := errors.New("no")
	for name, fail := range map[string]func(events.Event) error{
		"error": func(e events.Event) error {
			if e.Seq == 1234 {
				return refusal
			}
			return nil
		},
		"panic": func(e events.Event) error {
			if e.Seq == 1234 {
				panic(refusal)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			log, s := logtest.NewMemory(), openStore(t, t.TempDir())
			fill(t, log, 0, 3000)
			err := s.CatchUp(t.Context(), log, tally{version: 1, fail: fail}, other{})
			var stopped *projections.ApplyError
			if !errors.As(err, &stopped) || stopped.Seq != 1234 || stopped.Key != "imported/p1233" {
				t.Fatalf("error %v does not name event 1234", err)
			}
			if n := rows(t, s); n != 0 {
				t.Fatalf("a table that was never whole answers with %d rows", n)
			}
			if seq, err := s.Cursor("other"); err != nil || seq != 3000 {
				t.Fatalf("the other table stands at %d, %v", seq, err)
			}
			if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil || rows(t, s) != 3000 {
				t.Fatalf("after the mend: %v, %d rows", err, rows(t, s))
			}
		})
	}
}

// A table that has answered before stops just before the event, and goes on answering.
func TestAStoppedTableGoesOnAnswering(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 1000)
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil {
		t.Fatal(err)
	}
	fill(t, log, 1000, 1000)
	fail := func(e events.Event) error {
		if e.Seq == 1500 {
			return errors.New("no")
		}
		return nil
	}
	if err := s.CatchUp(t.Context(), log, tally{version: 1, fail: fail}); err == nil {
		t.Fatal("no error")
	}
	if seq, err := s.Cursor("tally"); err != nil || seq != 1499 || rows(t, s) != 1499 {
		t.Fatalf("stands at %d with %d rows, %v", seq, rows(t, s), err)
	}
}

func TestUnknownKindStopsATable(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	key := events.Key("rewound/p")
	deterministic, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := deterministic.Marshal(map[int]any{1: [16]byte{1}, 2: key, 3: 1, 4: "a newer program", 6: "rewound/7", 7: 0})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(t.Context(), events.Event{Key: key, Raw: raw}); err != nil {
		t.Fatal(err)
	}
	err = s.CatchUp(t.Context(), log, other{})
	var stopped *projections.ApplyError
	if !errors.As(err, &stopped) || stopped.Seq != 1 {
		t.Fatalf("error %v", err)
	}
}

type other struct{}

func (other) Name() string                              { return "other" }
func (other) Version() int                              { return 1 }
func (other) Apply(*projections.Tx, events.Event) error { return nil }

func TestCancelledCatchUp(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 10)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.CatchUp(ctx, log, tally{version: 1}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

func TestATableOfAnotherLogIsToldOf(t *testing.T) {
	s := openStore(t, t.TempDir())
	long, short, other := logtest.NewMemory(), logtest.NewMemory(), logtest.NewMemory()
	fill(t, long, 0, 20)
	fill(t, short, 0, 10)
	fill(t, other, 100, 30)
	if err := s.CatchUp(t.Context(), long, tally{version: 1}); err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string]events.Log{"a log that lost its tail": short, "another log": other} {
		if err := s.CatchUp(t.Context(), log, tally{version: 1}); !errors.Is(err, events.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A table as of any size of the log is what it was then, and the one that stands goes on as it was.
func TestATableAsOfAnEarlierMoment(t *testing.T) {
	dir := t.TempDir()
	log, s := logtest.NewMemory(), openStore(t, dir)
	fill(t, log, 0, 4100)
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil {
		t.Fatal(err)
	}
	before := digest(t, s)
	for _, size := range []events.Seq{0, 1, 1999, 2000, 2001, 4100} {
		n := 0
		err := s.ViewAsOf(t.Context(), log, tally{version: 1}, size, func(tx *projections.Tx) error {
			for _, err := range tx.Scan([]byte("t/")) {
				if err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil || n != int(size) {
			t.Errorf("as of event %d there are %d rows, %v", size, n, err)
		}
	}
	if digest(t, s) != before {
		t.Error("the table that stands is another")
	}
	if _, err := os.Stat(filepath.Join(dir, "fresh")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.ViewAsOf(ctx, log, tally{version: 1}, 4000, func(*projections.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that ended: %v", err)
	}
}

// A table that is forgotten is gone, and no other one.
func TestForgetting(t *testing.T) {
	log, s := logtest.NewMemory(), openStore(t, t.TempDir())
	fill(t, log, 0, 300)
	if err := s.CatchUp(t.Context(), log, tally{version: 1}, other{}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to forget
		if err := s.Forget(t.Context(), "never", "tally"); err != nil {
			t.Fatal(err)
		}
		gone, err := s.Cursor("tally")
		stands, err2 := s.Cursor("other")
		if gone != 0 || rows(t, s) != 0 || stands != 300 || err != nil || err2 != nil {
			t.Fatalf("it stands at %d with %d rows, the other at %d: %v, %v", gone, rows(t, s), stands, err, err2)
		}
	}
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil || rows(t, s) != 300 {
		t.Fatalf("built again: %d rows, %v", rows(t, s), err)
	}
}

// Rebuilds of one table at a time take turns, while others catch up, and so do those that a new version begins: the table
// holds each row once.
func TestRebuildsTakeTurns(t *testing.T) {
	log := logtest.NewMemory()
	fill(t, log, 0, 3000)
	s, calm := openStore(t, t.TempDir()), openStore(t, t.TempDir())
	if err := s.CatchUp(t.Context(), log, tally{version: 1}); err != nil {
		t.Fatal(err)
	}
	p := tally{version: 2}
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			err := s.Rebuild(t.Context(), log, p)
			if i%2 == 0 {
				err = s.CatchUp(t.Context(), log, p)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	fill(t, log, 3000, 500)
	group.Wait()
	for _, store := range []*projections.Store{s, calm} {
		if err := store.CatchUp(t.Context(), log, p); err != nil {
			t.Fatal(err)
		}
	}
	if digest(t, s) != digest(t, calm) {
		t.Error("the table is not that of one rebuild")
	}
}

// Waiting for a rebuild can be cancelled.
func TestAWaitingRebuildIsCancelled(t *testing.T) {
	log := logtest.NewMemory()
	fill(t, log, 0, 1)
	s := openStore(t, t.TempDir())
	begun, end := make(chan struct{}), make(chan struct{})
	slow := tally{version: 1, fail: func(events.Event) error { close(begun); <-end; return nil }}
	var group sync.WaitGroup
	group.Go(func() {
		if err := s.Rebuild(t.Context(), log, slow); err != nil {
			t.Error(err)
		}
	})
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Rebuild(ctx, log, tally{version: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(end)
	group.Wait()
}
