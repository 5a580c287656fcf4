// Package natslog is the log on NATS JetStream: an events.Log in one stream, on one server or a cluster. Any number of
// processes share it.
//
// # Layout
//
// A log with the name ASSAY is
//
//	stream ASSAY, subjects ASSAY.log.>   one message an event: its subject is the event's key with "/" and "."
//	                                     swapped, its payload the stored record, its sequence the position
//	stream ASSAY-checkpoints,            the newest signed checkpoint and the key rotations before it, posted by
//	    subject ASSAY.checkpoint         the one registry that signs
//	subject ASSAY.grown                  an empty message after each append, so that followers wake; not stored
//
// An append is one atomic batch in which every message requires that its subject has no message yet. So a key has one
// winner, a batch is recorded whole or not at all, and the sequence has no gap: a refused batch uses no sequence
// number. The headers of a batch, Nats-Batch-Sequence and on its last message Nats-Batch-Commit, stay on the messages.
// They show whether the batch is whole: see batch.go.
//
// # What JetStream does not do
//
// A denied publish is not answered. Its reason arrives separately, and package link brings both together. A follower of
// the cluster's leader may lag. So only the leader can say where the log ends and which keys it lacks. A server was
// seen to lose or alter messages after one flipped bit without an error. This package reports gaps, records that cannot
// be read, and records at the wrong subject. The ledger finds the rest.
package natslog

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"assay/events"
	"assay/events/natslog/link"
)

// DefaultStream is the name of the stream when Options name none.
const DefaultStream = "ASSAY"

// maxHeader is the room for the headers of a message in bytes, because the server counts them as payload.
const maxHeader = 1 << 10

// Options say where a log is and as which user to connect.
type Options struct {
	link.Options
	Stream   string // its name: letters, digits, "-" and "_"; "" means DefaultStream
	Replicas int    // of the stream; 0 means 3 in a cluster and 1 on a single server
}

// Log is an events.Log in a stream. All methods may be called from any goroutine.
type Log struct {
	o       Options
	servers *link.Link
	prefix  string        // of the subjects of events
	alone   bool          // a single server has the stream
	slots   chan struct{} // one for each append under way

	mu    sync.Mutex // guards the fields below
	known events.Seq // an event that certainly exists
}

var _ events.Log = (*Log)(nil)

// maxAppends is how many appends of one process may run at a time. A server accepts 50 batches for a stream.
const maxAppends = 16

// Open connects to the servers, and creates the stream if there is none. If the stream exists with other settings, the
// error is link.ErrSetOtherwise with each difference. If messages of it are gone, the error is events.ErrDamaged.
func Open(ctx context.Context, o Options) (*Log, error) {
	l, err := open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("log on %s: %w", o.Redacted(), err)
	}
	return l, nil
}

func open(ctx context.Context, o Options) (*Log, error) {
	if o.Stream == "" {
		o.Stream = DefaultStream
	}
	if err := link.CheckName(o.Stream); err != nil {
		return nil, err
	}
	l := &Log{o: o, prefix: o.Stream + ".log.", slots: make(chan struct{}, maxAppends)}
	var err error
	if l.servers, err = link.Open(ctx, o.Options); err != nil {
		return nil, err
	}
	if err := l.setUp(ctx); err != nil {
		l.servers.Close()
		return nil, err
	}
	return l, nil
}

// Close ends the connection. Requests that wait for an answer get an error.
func (l *Log) Close() error {
	l.servers.Close()
	return nil
}

// Size returns the position of the last event.
func (l *Log) Size(ctx context.Context) (events.Seq, error) { return l.end(ctx) }

// Certain tells the log that an event exists, because the ledger has it. A server that lacks the event lags or has lost
// it; the log does not end before it.
func (l *Log) Certain(seq events.Seq) { l.saw(seq) }

// certain returns the position of an event that certainly exists, as do all before it.
func (l *Log) certain() events.Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// saw remembers that an event exists, so that a lagging server does not make the log seem shorter.
func (l *Log) saw(seq events.Seq) events.Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known = max(l.known, seq)
	return l.known
}

var swapped = strings.NewReplacer("/", ".", ".", "/")

// subject returns the subject that stores the event under a key.
func (l *Log) subject(key events.Key) string { return l.prefix + swapped.Replace(string(key)) }
