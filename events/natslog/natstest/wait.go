package natstest

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// FullOr returns the count for a full run, ASSAY_FULL=1, or for a short one.
func FullOr(full, short int) int {
	if os.Getenv("ASSAY_FULL") != "" {
		return full
	}
	return short
}

// Until waits a minute for a condition, or ends the test.
func Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	Within(t, time.Minute, what, done)
}

// Within is Until with another patience.
func Within(t testing.TB, patience time.Duration, what string, done func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("in vain waited for %s", what)
		}
	}
}

// Heard collects the lines of its logger, and a test can wait for one. Its methods may be called from any goroutine.
type Heard struct {
	mu    sync.Mutex // guards the fields below
	lines []string
	more  chan struct{} // closed and replaced at each line
}

// NewHeard returns an empty Heard.
func NewHeard() *Heard { return &Heard{more: make(chan struct{})} }

// Write takes a line.
func (h *Heard) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, string(line))
	close(h.more)
	h.more = make(chan struct{})
	return len(line), nil
}

// Logger returns a logger whose lines are collected.
func (h *Heard) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(h, nil)) }

// Text returns the lines so far.
func (h *Heard) Text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.lines, "")
}

// Await waits until there is a line with this text, or ends the test after a minute.
func (h *Heard) Await(t testing.TB, text string) {
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
			t.Fatalf("nothing was heard of %q:\n%s", text, all)
		}
	}
}
