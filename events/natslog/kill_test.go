package natslog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
)

// fullOr gives the count of a full run, ASSAY_FULL=1, or of a short one.
func fullOr(full, short int) int {
	if os.Getenv("ASSAY_FULL") != "" {
		return full
	}
	return short
}

// openWhenReady opens a log as soon as the servers make its stream.
func openWhenReady(t testing.TB, o Options) (l *Log) {
	t.Helper()
	until(t, "servers that make the stream", func() bool {
		var err error
		l, err = Open(t.Context(), o)
		return err == nil
	})
	t.Cleanup(func() { l.Close() })
	return l
}

// until waits for what has to come about within a minute.
func until(t testing.TB, what string, done func() bool) {
	t.Helper()
	within(t, time.Minute, what, done)
}

func within(t testing.TB, patience time.Duration, what string, done func() bool) {
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

// Four writers append, two of them other facts under the same keys, while the server that leads the stream is
// killed again and again. Every event that was acknowledged stands once, at its position, on each server; there
// is no gap; each key has one winner, and its loser was told of it.
//
// With ASSAY_FULL=1: 100,000 appends and five kills.
func TestKillingTheLeader(t *testing.T) {
	t.Parallel()
	appends, kills := fullOr(100_000, 1000), fullOr(5, 1)
	p := startProcesses(t)
	l := openWhenReady(t, Options{Options: link.Options{URL: p.url()}})
	writers := [4]*Log{l}
	for i := range writers[1:] {
		writers[i+1] = mustOpen(t, Options{Options: link.Options{URL: p.url()}})
	}
	var done atomic.Int64
	told := make([]map[events.Key]events.Seq, len(writers))
	var all sync.WaitGroup
	for w, l := range writers {
		all.Go(func() { told[w] = write(t, l, w, appends/len(writers), &done) })
	}
	for kill := range kills {
		within(t, 20*time.Minute, "appends before the kill", func() bool { return done.Load() >= int64(appends*(kill+1)/(kills+2)) })
		p.killLeader(t, l)
	}
	all.Wait()
	for i := range 3 {
		one := openWhenReady(t, Options{Options: link.Options{URL: fmt.Sprintf("nats://127.0.0.1:%d", p.ports[i])}})
		checkTold(t, one, told, appends*3/4)
	}
}

// killLeader kills the server that leads the stream, and starts it again when another leads.
func (p *processes) killLeader(t testing.TB, l *Log) {
	t.Helper()
	name := leaderOf(t, l)
	var i int
	if _, err := fmt.Sscanf(name, "n%d", &i); err != nil {
		t.Fatal(name, err)
	}
	p.kill(i)
	until(t, "another leader", func() bool {
		next := leaderOf(t, l)
		return next != "" && next != name
	})
	p.start(i)
}

func leaderOf(t testing.TB, l *Log) string {
	t.Helper()
	info, err := l.servers.StreamInfo(t.Context(), l.o.Stream)
	if err != nil {
		t.Fatal(err)
	}
	return info.Cluster.Leader
}

// write appends n events, one after the other, and gives what it was told of them. Writers 2 and 3 want the same
// keys.
func write(t testing.TB, l *Log, w, n int, done *atomic.Int64) map[events.Key]events.Seq {
	told := make(map[events.Key]events.Seq, n)
	for i := range n {
		name, text := fmt.Sprintf("w%d-%d", min(w, 2), i), fmt.Sprint("text of ", w)
		receipt, err := l.Append(t.Context(), logtest.Fact(name, text, uint64(w)))
		var conflict *events.ConflictError
		switch {
		case err == nil && receipt[0].Appended:
			told[events.ImportedKey(name)] = receipt[0].Seq
		case errors.As(err, &conflict) && w >= 2:
			told[conflict.Key] = conflict.At
		default:
			t.Errorf("writer %d, append %d: %v, %v", w, i, receipt, err)
			return told
		}
		done.Add(1)
	}
	return told
}

// checkTold reads a log, and compares it with what its writers were told.
func checkTold(t testing.TB, l *Log, told []map[events.Key]events.Seq, want int) {
	t.Helper()
	at := map[events.Key]events.Seq{}
	for e, err := range l.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq != events.Seq(len(at)+1) || at[e.Key] != 0 {
			t.Fatalf("event %d is %s, which stands at %d; %d before it", e.Seq, e.Key, at[e.Key], len(at))
		}
		at[e.Key] = e.Seq
	}
	if len(at) != want {
		t.Errorf("%d events, want %d", len(at), want)
	}
	for w := range told {
		for key, seq := range told[w] {
			if at[key] != seq {
				t.Fatalf("writer %d was told that %s is event %d, it is %d", w, key, seq, at[key])
			}
		}
	}
}
