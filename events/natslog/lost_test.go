package natslog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
)

// heard is a logger that can be waited for.
type heard struct {
	mu    sync.Mutex // guards what follows
	lines []string
	more  chan struct{} // closed and replaced at each line
}

func newHeard() *heard { return &heard{more: make(chan struct{})} }

func (h *heard) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, string(line))
	close(h.more)
	h.more = make(chan struct{})
	return len(line), nil
}

func (h *heard) logger() *slog.Logger { return slog.New(slog.NewTextHandler(h, nil)) }

// await waits until a line has been logged.
func (h *heard) await(t testing.TB, text string) {
	t.Helper()
	for deadline := time.After(time.Minute); ; {
		h.mu.Lock()
		more, all := h.more, strings.Join(h.lines, "")
		h.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("nothing was logged of %q:\n%s", text, all)
		}
	}
}

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
	s, told := startOne(t), newHeard()
	p := startProxy(t, s.Addr().String())
	l := mustOpen(t, Options{Options: link.Options{URL: "nats://" + p.address(), Logger: told.logger()}})
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
	p.set(true, false)
	told.await(t, "connection lost")
	done := appendLater(ctx, l, logtest.Fact("meanwhile", "text", 2))
	got := make(chan error, 1)
	go func() {
		_, err := l.Get(ctx, events.ImportedKey("before"))
		got <- err
	}()
	told.await(t, `msg="waiting for NATS servers" to=append`)
	p.set(false, false)
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
	s := startOne(t)
	p := startProxy(t, s.Addr().String())
	l, beside := mustOpen(t, Options{Options: link.Options{URL: "nats://" + p.address()}}), mustOpen(t, Options{Options: link.Options{URL: s.ClientURL()}})
	if _, err := l.Append(t.Context(), logtest.Fact("before", "text", 1)); err != nil {
		t.Fatal(err)
	}
	p.set(false, true)
	done := appendLater(t.Context(), l, logtest.Fact("a", "text", 2), logtest.Fact("b", "text", 3))
	await(t, beside, 3)
	p.set(true, false)
	p.set(false, false)
	a := <-done
	if want := (events.Receipt{{Seq: 2, Appended: true}, {Seq: 3, Appended: true}}); a.err != nil || fmt.Sprint(a.receipt) != fmt.Sprint(want) {
		t.Errorf("%+v", a)
	}
	if n, err := readAll(t.Context(), l); n != 3 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
}

// await follows a log until it has so many events.
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
	s, told := startOne(t), newHeard()
	l := mustOpen(t, Options{Options: link.Options{URL: s.ClientURL(), Patience: time.Millisecond}})
	patient := mustOpen(t, Options{Options: link.Options{URL: s.ClientURL(), Logger: told.logger()}})
	stop(s)
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
	told.await(t, "waiting for NATS servers")
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
