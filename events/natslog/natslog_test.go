package natslog

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"go.uber.org/goleak"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
)

// TestMain sees that no goroutine outlives the tests: neither of a log nor of the servers.
func TestMain(m *testing.M) {
	natstest.Main()
	goleak.VerifyTestMain(m)
}

// streams numbers the streams of one server, so that each test has one of its own.
var streams atomic.Int64

func mustOpen(t testing.TB, o Options) *Log {
	t.Helper()
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// fresh returns new empty logs on a server. Tests with it are not parallel: the suite looks for goroutines left behind.
func fresh(url string) func(t testing.TB) logtest.Open {
	return func(testing.TB) logtest.Open {
		o := Options{Options: link.Options{URL: url}, Stream: fmt.Sprint("LOG", streams.Add(1))}
		return func(t testing.TB) (events.Log, func()) {
			l := mustOpen(t, o)
			return l, func() { l.Close() }
		}
	}
}

func TestLogOnOneServer(t *testing.T) {
	logtest.Run(t, fresh(natstest.One(t).ClientURL()), natstest.OfServer...)
}

func TestLogOnACluster(t *testing.T) {
	logtest.Run(t, fresh(natstest.StartCluster(t).URL()), natstest.OfServer...)
}

// readAll reads a log, and tells how many events there were before an error.
func readAll(ctx context.Context, l events.Log) (n int, err error) {
	for _, err := range l.Read(ctx, 0) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// A batch that is refused, for a key that is taken or because it is not complete, uses no position.
func TestARefusedBatchLeavesNoGap(t *testing.T) {
	for name, url := range map[string]string{"one server": natstest.One(t).ClientURL(), "cluster": natstest.StartCluster(t).URL()} {
		l := mustOpen(t, Options{Options: link.Options{URL: url}, Stream: "GAPS"})
		for round := range 20 {
			fact := func(i int) events.Event { return logtest.Fact(fmt.Sprintf("%d-%d", round, i), "text", 1) }
			receipt, err := l.Append(t.Context(), fact(0))
			if err != nil || receipt[0].Seq != events.Seq(2*round+1) {
				t.Fatalf("%s: %v, %v", name, receipt, err)
			}
			other := fact(0)
			other.Body = events.Imported{Puzzle: "another"}
			var conflict *events.ConflictError
			if _, err := l.Append(t.Context(), fact(1), fact(2), other, fact(3)); !errors.As(err, &conflict) {
				t.Fatalf("%s: %v", name, err)
			}
			abandoned := nats.NewMsg(l.subject(fact(1).Key))
			abandoned.Header.Set("Nats-Batch-Id", fmt.Sprint("abandoned", round))
			abandoned.Header.Set("Nats-Batch-Sequence", "1")
			if err := l.servers.NC.PublishMsg(abandoned); err != nil {
				t.Fatal(err)
			}
			if receipt, err := l.Append(t.Context(), fact(0), fact(4)); err != nil || receipt[1].Seq != events.Seq(2*round+2) || receipt[0].Appended {
				t.Fatalf("%s: %v, %v", name, receipt, err)
			}
		}
		if n, err := readAll(t.Context(), l); n != 40 || err != nil {
			t.Fatalf("%s: %d events, %v", name, n, err)
		}
	}
}
