package natslog

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

type answer struct {
	receipt events.Receipt
	err     error
}

func appendLater(ctx context.Context, l *Log, batch ...events.Event) <-chan answer {
	done := make(chan answer, 1)
	go func() {
		receipt, err := l.Append(ctx, batch...)
		done <- answer{receipt, err}
	}()
	return done
}

// A lost connection makes everything wait, and say so, and go on when it is back.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	s, told := natstest.One(t), natstest.NewHeard()
	p := natstest.StartProxy(t, s.Addr().String())
	l := mustOpen(t, Options{Options: link.Options{URL: "nats://" + p.Address(), Logger: told.Logger()}})
	if _, err := l.Append(t.Context(), logtest.Fact("before", "text", 1)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	followed := make(chan error, 1)
	go func() {
		for e, err := range l.Follow(ctx, 0) {
			if err != nil || e.Seq == 2 {
				followed <- err
				return
			}
		}
	}()
	p.Cut()
	told.Await(t, "connection lost")
	done := appendLater(ctx, l, logtest.Fact("meanwhile", "text", 2))
	got := make(chan error, 1)
	go func() {
		_, err := l.Get(ctx, events.ImportedKey("before"))
		got <- err
	}()
	told.Await(t, `msg="waiting for NATS servers" to=append`)
	p.Mend()
	if a := <-done; a.err != nil || !a.receipt[0].Appended || a.receipt[0].Seq != 2 {
		t.Errorf("append: %+v", a)
	}
	if err := <-got; err != nil {
		t.Errorf("get: %v", err)
	}
	if err := <-followed; err != nil {
		t.Errorf("follow: %v", err)
	}
}

// An append whose answer is lost is made again, and finds its own events.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	s := natstest.One(t)
	p := natstest.StartProxy(t, s.Addr().String())
	l, beside := mustOpen(t, Options{Options: link.Options{URL: "nats://" + p.Address()}}), mustOpen(t, Options{Options: link.Options{URL: s.ClientURL()}})
	if _, err := l.Append(t.Context(), logtest.Fact("before", "text", 1)); err != nil {
		t.Fatal(err)
	}
	l.alone = false // so that it asks nothing before it appends, whose answer would be the one that is lost
	p.Mute()
	done := appendLater(t.Context(), l, logtest.Fact("a", "text", 2), logtest.Fact("b", "text", 3))
	await(t, beside, 3)
	p.Cut()
	p.Mend()
	a := <-done
	if want := (events.Receipt{{Seq: 2, Appended: true}, {Seq: 3, Appended: true}}); a.err != nil || fmt.Sprint(a.receipt) != fmt.Sprint(want) {
		t.Errorf("%+v", a)
	}
	if n, err := readAll(t.Context(), l); n != 3 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// await follows a log until it has this many events.
func await(t testing.TB, beside *Log, n events.Seq) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for e, err := range beside.Follow(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq == n {
			return
		}
	}
}

// What waits ends with its context, or at the end of its patience, or with the log, and says why.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	s, told := natstest.One(t), natstest.NewHeard()
	l := mustOpen(t, Options{Options: link.Options{URL: s.ClientURL(), Patience: time.Millisecond}})
	patient := mustOpen(t, Options{Options: link.Options{URL: s.ClientURL(), Logger: told.Logger()}})
	natstest.Stop(s)
	if _, err := l.Append(t.Context(), logtest.Fact("a", "text", 1)); !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("append: %v", err)
	}
	if _, err := l.Get(t.Context(), events.ImportedKey("a")); !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("get: %v", err)
	}
	if _, err := readAll(t.Context(), l); !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("read: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended, closed := appendLater(ctx, patient, logtest.Fact("a", "text", 1)), appendLater(t.Context(), patient, logtest.Fact("b", "text", 1))
	told.Await(t, "waiting for NATS servers")
	cancel()
	if a := <-ended; !errors.Is(a.err, context.Canceled) {
		t.Errorf("%+v", a)
	}
	patient.Close()
	if a := <-closed; !errors.Is(a.err, link.ErrClosed) {
		t.Errorf("%+v", a)
	}
	for _, err := range patient.Follow(t.Context(), 0) {
		if !errors.Is(err, link.ErrClosed) {
			t.Errorf("follow: %v", err)
		}
	}
}

// A server that hangs, without an end of its connections, is left for another one.
func TestAServerThatHangs(t *testing.T) {
	t.Parallel()
	s, told := natstest.One(t), natstest.NewHeard()
	hanging, other := natstest.StartProxy(t, s.Addr().String()), natstest.StartProxy(t, s.Addr().String())
	l := mustOpen(t, Options{Options: link.Options{
		URL: "nats://" + hanging.Address() + ",nats://" + other.Address(), Logger: told.Logger(), Patience: 40 * time.Second, Connect: []nats.Option{nats.DontRandomize()},
	}})
	hanging.Mute()
	if receipt, err := l.Append(t.Context(), logtest.Fact("meanwhile", "text", 1)); err != nil || !receipt[0].Appended {
		t.Error(receipt, err)
	}
	told.Await(t, "connected again")
	if n, err := readAll(t.Context(), l); n != 1 || err != nil {
		t.Error(n, err)
	}
}
