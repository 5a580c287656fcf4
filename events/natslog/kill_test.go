package natslog

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"assay/events"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// openWhenReady opens a log as soon as the servers make its stream.
func openWhenReady(t testing.TB, o Options) (l *Log) {
	t.Helper()
	natstest.Until(t, "servers that make the stream", func() bool {
		var err error
		l, err = Open(t.Context(), o)
		return err == nil
	})
	t.Cleanup(func() { l.Close() })
	return l
}

// Four writers append, two of them other facts under the same keys, while the server that leads the stream is
// killed again and again, and another process signs what there is. Every event that was acknowledged stands once, at its
// position, on each server; there is no gap; each key has one winner, and its loser was told of it; and a reader at each
// server finds it as it was signed.
//
// With ASSAY_FULL=1: 100,000 appends and five kills.
func TestKillingTheLeader(t *testing.T) {
	t.Parallel()
	appends, kills := natstest.FullOr(100_000, 1000), natstest.FullOr(5, 1)
	p := natstest.StartProcesses(t)
	l := openWhenReady(t, Options{Options: link.Options{URL: p.URL()}})
	writers := [4]*Log{l}
	for i := range writers[1:] {
		writers[i+1] = mustOpen(t, Options{Options: link.Options{URL: p.URL()}})
	}
	signer, signed := join(t, p.URL(), "")
	var done atomic.Int64
	told := make([]map[events.Key]events.Seq, len(writers))
	var all sync.WaitGroup
	for w, l := range writers {
		all.Go(func() { told[w] = write(t, l, w, appends/len(writers), &done) })
	}
	for kill := range kills {
		natstest.Within(t, 20*time.Minute, "appends before the kill", func() bool { return done.Load() >= int64(appends*(kill+1)/(kills+2)) })
		killLeader(t, p, l)
		if err := signed.CatchUp(t.Context()); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
	for i := range 3 {
		one := openWhenReady(t, Options{Options: link.Options{URL: p.URLOf(i)}})
		checkTold(t, one, told, appends*3/4)
		verifies(t, signer, signed, appends*3/4)
		reader, read := join(t, p.URLOf(i), signer.VerifierKey())
		verifies(t, reader, read, appends*3/4)
		if reader.Checkpoint().Root != signer.Checkpoint().Root {
			t.Errorf("server %d: another root than the one that was signed", i)
		}
	}
}

// verifies sees that a ledger finds this many events and nothing wrong.
func verifies(t testing.TB, l *ledger.Ledger, log events.Log, want int) {
	t.Helper()
	report, err := l.Verify(t.Context(), log, nil)
	if err != nil || report.Events != events.Seq(want) || len(report.Problems) > 0 {
		t.Errorf("%+v, %v, want %d events", report, err, want)
	}
}

// killLeader kills the server that leads the stream, and starts it again when another leads.
func killLeader(t testing.TB, p *natstest.Processes, l *Log) {
	t.Helper()
	name := leaderOf(t, l)
	var i int
	if _, err := fmt.Sscanf(name, "n%d", &i); err != nil {
		t.Fatal(name, err)
	}
	p.Kill(i)
	natstest.Until(t, "another leader", func() bool {
		next := leaderOf(t, l)
		return next != "" && next != name
	})
	p.Start(i)
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
