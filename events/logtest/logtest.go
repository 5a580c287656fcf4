// Package logtest is the conformance suite of logs. Run checks every guarantee of events.Log on an implementation.
// Memory is the simplest log that passes, and Faulty is a log that misbehaves on purpose.
package logtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"assay/events"

	"github.com/oklog/ulid/v2"
	"go.uber.org/goleak"
)

// Open opens a log. Opening it again after close finds the recorded events.
type Open func(t testing.TB) (log events.Log, close func())

// patience is how long a test waits for an event that must happen before it fails.
const patience = time.Minute

// Run checks that a log does what events.Log guarantees. Fresh names a new empty log for a test. The suite opens it,
// closes it and opens it again, one at a time. Leaks are options for the search for goroutines that outlive a Follow,
// for a back end whose server runs in the same process.
func Run(t *testing.T, fresh func(t testing.TB) Open, leaks ...goleak.Option) {
	tests := []struct {
		name string
		test func(t *testing.T, l *openedLog)
	}{
		{"order", testOrder},
		{"keys are told apart", testKeys},
		{"the same fact is skipped", testSkips},
		{"causes name what stands", testCauses},
		{"another content is a conflict", testConflict},
		{"one winner a key", testRace},
		{"one append of the same fact", testSameFactRace},
		{"limits", testLimits},
		{"what is no event is refused", testRefused},
		{"get", testGet},
		{"get each", testGetEach},
		{"at", testAt},
		{"stored bytes stay", testRaw},
		{"a copy is exact", testCopy},
		{"reading stops at the end", testReadEnds},
		{"reading while writing", testReadWhileWriting},
		{"a reader may append", testAppendWhileReading},
		{"an ended context", testEndedContext},
		{"behaves like the model", testModel},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) { c.test(t, start(t, fresh)) })
	}
	t.Run("follow", func(t *testing.T) { testFollow(t, start(t, fresh), leaks) })
	t.Run("follow from beyond the end", func(t *testing.T) { testFollowAhead(t, start(t, fresh)) })
}

// openedLog is a log under test.
type openedLog struct {
	events.Log
	open  Open
	close func()
}

func start(t *testing.T, fresh func(t testing.TB) Open) *openedLog {
	l := &openedLog{open: fresh(t)}
	l.Log, l.close = l.open(t)
	t.Cleanup(func() { l.close() })
	return l
}

func (l *openedLog) reopen(t testing.TB) {
	l.close()
	l.Log, l.close = l.open(t)
}

// Fact makes an event that a log accepts: the import of a puzzle called name, with a text. Two facts with the same name
// and text are the same fact. N makes ID, time and actor differ.
func Fact(name, text string, n uint64) events.Event {
	e := events.Event{
		Key:   events.ImportedKey(name),
		Time:  time.UnixMilli(1_700_000_000_000 + int64(n%1_000_000)).UTC(),
		Actor: fmt.Sprintf("actor %d", n),
		Body:  events.Imported{Puzzle: name, Genre: "sudoku", Variant: "classic", Text: text},
	}
	e.ID = ulid.ULID{15: 1}
	binary.BigEndian.PutUint64(e.ID[6:14], n)
	return e
}

// facts makes n facts whose names begin with a prefix.
func facts(prefix string, n int) []events.Event {
	all := make([]events.Event, n)
	for i := range all {
		all[i] = Fact(fmt.Sprintf("%s-%d", prefix, i), "text", uint64(i))
	}
	return all
}

func mustAppend(t testing.TB, log events.Log, batch ...events.Event) events.Receipt {
	t.Helper()
	receipt, err := log.Append(t.Context(), batch...)
	if err != nil {
		t.Fatalf("append of %d events from %s: %v", len(batch), batch[0].Key, err)
	}
	if len(receipt) != len(batch) {
		t.Fatalf("receipt for %d events of %d", len(receipt), len(batch))
	}
	return receipt
}

// contents reads a log after a position to its end and checks that there is no gap.
func contents(t testing.TB, log events.Log, after events.Seq) []events.Event {
	t.Helper()
	var all []events.Event
	for e, err := range log.Read(t.Context(), after) {
		if err != nil {
			t.Fatalf("read after %d: %v", after, err)
		}
		if after++; e.Seq != after {
			t.Fatalf("event %d where %d should be", e.Seq, after)
		}
		all = append(all, e)
	}
	return all
}

// wantStored checks that the event that was read is the one that was appended, down to the bytes.
func wantStored(t testing.TB, want, got events.Event) {
	t.Helper()
	raw, err := events.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	if got.Key != want.Key || !bytes.Equal(got.Raw, raw) {
		t.Fatalf("event %d is %s, %x\nappended %s, %x", got.Seq, got.Key, got.Raw, want.Key, raw)
	}
	again, err := events.Decode(got.Raw)
	if err != nil || again.ID != got.ID || !again.Time.Equal(got.Time) || again.Actor != got.Actor || again.Body.Kind() != got.Body.Kind() {
		t.Fatalf("event %d is given as %+v, but stored as %+v, %v", got.Seq, got, again, err)
	}
}

func wantAll(t testing.TB, log events.Log, want []events.Event) {
	t.Helper()
	got := contents(t, log, 0)
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i, e := range got {
		wantStored(t, want[i], e)
	}
}

// within returns a context that limits how long a test waits for the log.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}
