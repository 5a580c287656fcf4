package natslog

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// openAt opens the log at one server.
func openAt(t testing.TB, url string, patience time.Duration) *Log {
	t.Helper()
	return openWhenReady(t, Options{Options: link.Options{URL: url, Patience: patience}})
}

// The server that leads is cut off from the others. They go on; who asks it gets no acknowledgement of anything
// that does not stand, and reads a beginning of the one history. When it is back all three have the same.
func TestPartition(t *testing.T) {
	t.Parallel()
	p := natstest.StartPartition(t)
	l := openWhenReady(t, Options{Options: link.Options{URL: p.URL()}})
	mustAppend := func(l *Log, name, text string) events.Seq {
		t.Helper()
		receipt, err := l.Append(t.Context(), logtest.Fact(name, text, 1))
		if err != nil {
			t.Fatal(err)
		}
		return receipt[0].Seq
	}
	mustAppend(l, "before", "text")
	cut := p.Leader(l.o.Stream)
	inside, outside := openAt(t, p.URLOf(cut), time.Duration(natstest.FullOr(20, 8))*time.Second), openAt(t, p.URLOf((cut+1)%3), time.Minute)
	p.Isolate(cut)
	lonely := appendLater(t.Context(), inside, logtest.Fact("contested", "of the lonely side", 1))
	if at := mustAppend(outside, "contested", "of the majority"); at != 2 {
		t.Errorf("the majority records event %d", at)
	}
	mustAppend(outside, "after", "text")
	if a := <-lonely; !errors.Is(a.err, link.ErrNoAnswer) || !strings.Contains(a.err.Error(), "majority") {
		t.Errorf("the lonely side: %+v", a)
	}
	if n, err := readAll(t.Context(), inside); n != 1 || err != nil {
		t.Errorf("the lonely side reads %d events, %v", n, err)
	}
	p.Join(cut)
	var conflict *events.ConflictError
	if _, err := openWhenReady(t, Options{Options: link.Options{URL: inside.o.URL}}).Append(t.Context(), logtest.Fact("contested", "of the lonely side", 1)); !errors.As(err, &conflict) || conflict.At != 2 {
		t.Errorf("the lonely side later: %v", err)
	}
	want := history(t, outside, 3)
	for i := range 3 {
		if got := history(t, openAt(t, p.URLOf(i), time.Minute), 3); got != want {
			t.Errorf("server %d has %s\nanother %s", i, got, want)
		}
	}
}

// history follows a log for n events, and gives their keys and texts.
func history(t testing.TB, l *Log, n events.Seq) (all string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for e, err := range l.Follow(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		all += fmt.Sprintf("%d %s %+v\n", e.Seq, e.Key, e.Body)
		if e.Seq == n {
			break
		}
	}
	return all
}

// With one of three servers alive nothing is recorded, the error says why, and all can be read.
func TestOneOfThreeAlive(t *testing.T) {
	t.Parallel()
	c := natstest.StartCluster(t)
	l := openWhenReady(t, Options{Options: link.Options{URL: c.URL(), Patience: 8 * time.Second}})
	for i := range 3 {
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", 1)); err != nil {
			t.Fatal(err)
		}
	}
	alive := (c.Leader(l.o.Stream) + 1) % 3
	history(t, openAt(t, c.URLOf(alive), time.Minute), 3)
	for i := range 3 {
		if i != alive {
			natstest.Stop(c.Servers[i])
		}
	}
	if _, err := l.Append(t.Context(), logtest.Fact("b", "text", 1)); !errors.Is(err, link.ErrNoAnswer) || !strings.Contains(err.Error(), "from a majority of the servers") {
		t.Errorf("append: %v", err)
	}
	if n, err := readAll(t.Context(), l); n != 3 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	if e, err := l.Get(t.Context(), events.ImportedKey("a-1")); e.Seq != 2 || err != nil {
		t.Errorf("event %d, %v", e.Seq, err)
	}
	if _, err := l.Get(t.Context(), events.ImportedKey("b")); !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("whether b stands cannot be known: %v", err)
	}
	late := openAt(t, c.URLOf(alive), 8*time.Second)
	if n, err := readAll(t.Context(), late); n != 3 || err != nil {
		t.Errorf("opened now: %d events, %v", n, err)
	}
	late.Certain(4)
	if n, err := readAll(t.Context(), late); n != 3 || !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("of a server that lags: %d events, %v", n, err)
	}
}
