package logtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"

	"assay/events"

	"go.uber.org/goleak"
)

func testGet(t *testing.T, l *openedLog) {
	if _, err := l.Get(t.Context(), events.ImportedKey("a")); !errors.Is(err, events.ErrNotFound) {
		t.Fatalf("in an empty log: %v", err)
	}
	want := facts("a", 20)
	mustAppend(t, l, want...)
	for range 2 {
		for i, w := range want {
			got, err := l.Get(t.Context(), w.Key)
			if err != nil || got.Seq != events.Seq(i+1) {
				t.Fatalf("%s: event %d, %v", w.Key, got.Seq, err)
			}
			wantStored(t, w, got)
		}
		for _, key := range []events.Key{"imported/a", "imported/a-20", "imported/a-1/b", "rated/a-1", "imported/A-1"} {
			if _, err := l.Get(t.Context(), key); !errors.Is(err, events.ErrNotFound) {
				t.Errorf("%s: %v", key, err)
			}
		}
		for _, key := range []events.Key{"", "imported", "imported/*", "imported/>", "imported/a b", "imported//a"} {
			if _, err := l.Get(t.Context(), key); err == nil {
				t.Errorf("found under %q, which is no key", key)
			}
		}
		l.reopen(t)
	}
}

func testGetEach(t *testing.T, l *openedLog) {
	var keys []events.Key
	for round := range 3 {
		batch := facts(fmt.Sprint("b", round), 500)
		mustAppend(t, l, batch...)
		for _, e := range batch {
			keys = append(keys, e.Key)
		}
	}
	slices.Reverse(keys)
	keys = append(keys, keys[7], keys[7]) // a key may come again
	list, err := events.GetEach(t.Context(), l.Log, keys)
	if err != nil || len(list) != len(keys) {
		t.Fatalf("%d events under %d keys, %v", len(list), len(keys), err)
	}
	for i, e := range list {
		if want := events.Seq(1500 - i); e.Key != keys[i] || i < 1500 && e.Seq != want {
			t.Fatalf("under %s: event %d, %s", keys[i], e.Seq, e.Key)
		}
	}
	if list, err := events.GetEach(t.Context(), l.Log, nil); err != nil || len(list) != 0 {
		t.Fatal(list, err)
	}
	for _, key := range []events.Key{"imported/none", "no key"} {
		if _, err := events.GetEach(t.Context(), l.Log, []events.Key{keys[0], key}); err == nil {
			t.Errorf("found under %q", key)
		}
	}
}

func testAt(t *testing.T, l *openedLog) {
	want := facts("a", 5)
	mustAppend(t, l, want...)
	for i, w := range want {
		got, err := events.At(t.Context(), l, events.Seq(i+1))
		if err != nil {
			t.Fatal(err)
		}
		wantStored(t, w, got)
	}
	for _, seq := range []events.Seq{0, 6, 1 << 40} {
		if _, err := events.At(t.Context(), l, seq); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("event %d: %v", seq, err)
		}
	}
}

// A record that was read belongs to the caller: changing it changes nothing in the log.
func testRaw(t *testing.T, l *openedLog) {
	want := facts("a", 50)
	mustAppend(t, l, want...)
	hash := func() [32]byte {
		h := sha256.New()
		for i, e := range contents(t, l, 0) {
			wantStored(t, want[i], e)
			h.Write(e.Raw)
			clear(e.Raw)
		}
		return [32]byte(h.Sum(nil))
	}
	first := hash()
	if e, err := l.Get(t.Context(), want[0].Key); err != nil {
		t.Fatal(err)
	} else {
		clear(e.Raw)
	}
	if hash() != first {
		t.Fatal("read twice, it is not the same")
	}
	l.reopen(t)
	if hash() != first {
		t.Fatal("reopened, it is not the same")
	}
}

// A record of a kind that a newer program wrote is stored as it is, read as Unknown, and copied on.
func testCopy(t *testing.T, l *openedLog) {
	raw, err := events.Encode(Fact("a", "text", 1))
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(raw, []byte("imported/1"), []byte("imported/9"), 1)
	source := NewMemory()
	mustAppend(t, source, events.Event{Key: events.ImportedKey("a"), Raw: newer}, Fact("b", "text", 2))
	for _, e := range contents(t, source, 0) {
		e.Actor, e.Body = "not looked at", nil
		mustAppend(t, l, e)
	}
	for range 2 {
		got := contents(t, l, 0)
		if len(got) != 2 || !bytes.Equal(got[0].Raw, newer) {
			t.Fatalf("copied as %+v", got)
		}
		if u, ok := got[0].Body.(events.Unknown); !ok || u.Kind() != "imported/9" {
			t.Fatalf("body %#v", got[0].Body)
		}
		wantStored(t, Fact("b", "text", 2), got[1])
		if again := mustAppend(t, l, got...); again.Appended() != 0 {
			t.Fatal("its own events were recorded twice")
		}
		l.reopen(t)
	}
	var conflict *events.ConflictError
	if _, err := l.Append(t.Context(), Fact("a", "text", 1)); !errors.As(err, &conflict) || conflict.At != 1 {
		t.Fatalf("another kind under the key: %v", err)
	}
}

func testReadEnds(t *testing.T, l *openedLog) {
	want := facts("a", 700)
	if got := contents(t, l, 0); len(got) != 0 {
		t.Fatalf("an empty log has %d events", len(got))
	}
	mustAppend(t, l, want...)
	for _, after := range []events.Seq{0, 1, 255, 256, 257, 699, 700, 701, 1 << 62} {
		if got, n := contents(t, l, after), max(0, 700-int(after)); len(got) != n {
			t.Fatalf("%d events after %d, want %d", len(got), after, n)
		}
	}
	for e, err := range l.Read(t.Context(), 3) {
		if err != nil || e.Seq != 4 {
			t.Fatalf("event %d, %v", e.Seq, err)
		}
		break
	}
}

// A reader sees the beginning of the log without a gap, at least up to what was acknowledged when it began.
func testReadWhileWriting(t *testing.T, l *openedLog) {
	const batches, size = 40, 25
	acknowledged := make(chan events.Seq, batches)
	go func() {
		defer close(acknowledged)
		for b := range batches {
			receipt, err := l.Append(t.Context(), facts(fmt.Sprint("batch", b), size)...)
			if err != nil {
				t.Error(err)
				return
			}
			acknowledged <- receipt[size-1].Seq
		}
	}()
	for at := range acknowledged {
		if got := contents(t, l, at-size); len(got) < size {
			t.Fatalf("%d events after %d, but %d was acknowledged", len(got), at-size, at)
		} else if len(got)%size != 0 {
			t.Fatalf("a part of a batch was read: the log ended at %d", int(at)-size+len(got))
		}
	}
	if got := len(contents(t, l, 0)); got != batches*size {
		t.Fatalf("%d events, want %d", got, batches*size)
	}
}

func testAppendWhileReading(t *testing.T, l *openedLog) {
	const n = 600
	mustAppend(t, l, facts("first", n)...)
	seen := 0
	for e, err := range l.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if seen++; e.Seq <= n && e.Seq%50 == 0 {
			mustAppend(t, l, Fact(fmt.Sprint("second-", e.Seq), "text", 1))
		}
	}
	if seen < n {
		t.Fatalf("%d events read, want at least %d", seen, n)
	}
	if got := len(contents(t, l, 0)); got != n+n/50 {
		t.Fatalf("%d events, want %d", got, n+n/50)
	}
}

func testEndedContext(t *testing.T, l *openedLog) {
	mustAppend(t, l, facts("a", 3)...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, Fact("b", "text", 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	if _, err := l.Get(ctx, events.ImportedKey("a-1")); !errors.Is(err, context.Canceled) {
		t.Errorf("get: %v", err)
	}
	for name, read := range map[string]func(context.Context, events.Seq) iter.Seq2[events.Event, error]{"read": l.Read, "follow": l.Follow} {
		n := 0
		for e, err := range read(ctx, 0) {
			if n++; !errors.Is(err, context.Canceled) {
				t.Errorf("%s: event %d, %v", name, e.Seq, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d answers", name, n)
		}
	}
	wantAll(t, l, facts("a", 3))
}

// Follow returns the standing events and wakes for each new event. It ends with its context, or when the caller leaves
// the loop, and leaves nothing behind.
func testFollow(t *testing.T, l *openedLog, leaks []goleak.Option) {
	mustAppend(t, l, facts("before", 3)...)
	leaks = append(leaks, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	const last = 20
	n := events.Seq(1)
	for e, err := range l.Follow(ctx, n) {
		if n == last {
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("ended with event %d, %v", e.Seq, err)
			}
			n++
			continue
		}
		if n++; err != nil || e.Seq != n {
			t.Fatalf("event %d, %v, want %d", e.Seq, err, n)
		}
		switch {
		case n == last:
			cancel()
		case n >= 3:
			mustAppend(t, l, Fact(fmt.Sprint("after-", n), "text", 1))
		}
	}
	if n != last+1 {
		t.Fatalf("it ended after %d without an error", n)
	}
	for range l.Follow(within(t), 0) {
		break
	}
	if err := goleak.Find(leaks...); err != nil {
		t.Fatal(err)
	}
}

// A follower that begins beyond the end wakes when the log has grown past it, and for every event after that. Each
// event is appended only when the follower has received the one before, so that the follower has to wait.
func testFollowAhead(t *testing.T, l *openedLog) {
	const ahead, last = 3, 200
	ctx, cancel := context.WithCancel(within(t))
	defer cancel()
	done, came := make(chan error, 1), make(chan events.Seq, last)
	go func() {
		for e, err := range l.Follow(ctx, ahead) {
			if err != nil {
				done <- err
				return
			}
			came <- e.Seq
		}
		done <- nil
	}()
	for n := events.Seq(1); n <= last; n++ {
		mustAppend(t, l, Fact(fmt.Sprint("a-", n), "text", 1))
		if n <= ahead {
			continue
		}
		select {
		case got := <-came:
			if got != n {
				t.Fatalf("woke with event %d, want %d", got, n)
			}
		case err := <-done:
			t.Fatalf("ended with %v before event %d", err, n)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
}
