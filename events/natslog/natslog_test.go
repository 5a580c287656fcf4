package natslog

import (
	"fmt"
	"sync/atomic"
	"testing"

	"assay/events"
	"assay/events/logtest"
)

// streams numbers the streams of one server, so that each test has one of its own.
var streams atomic.Int64

// fresh gives new empty logs on a server.
func fresh(url string) func(t testing.TB) logtest.Open {
	return func(testing.TB) logtest.Open {
		o := Options{URL: url, Stream: fmt.Sprint("LOG", streams.Add(1))}
		return func(t testing.TB) (events.Log, func()) {
			l := mustOpen(t, o)
			return l, func() { l.Close() }
		}
	}
}

func TestLogOnOneServer(t *testing.T) {
	logtest.Run(t, fresh(startOne(t).ClientURL()))
}
