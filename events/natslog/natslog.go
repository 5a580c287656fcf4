// Package natslog is the log on NATS JetStream: an events.Log in one stream, on one server or a cluster, that any
// number of processes share.
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
// An append is one atomic batch in which every message expects that its subject has none yet. So a key has one
// winner, a batch is recorded whole or not at all, and the sequence has no gap: a batch that is refused uses no
// sequence number. The headers of a batch, Nats-Batch-Sequence and on its last message Nats-Batch-Commit, stay on the
// messages and tell whether it is whole: see batch.go.
//
// # What JetStream does not do
//
// A denied publish is not answered at all; its reason comes apart from it, and is brought together here. A follower
// of the cluster's leader may lag behind, so that only the leader is asked where the log ends and what is not in
// it. A server was seen to lose or alter messages after one flipped bit without a word: this package tells of gaps
// and of records that cannot be read or have the wrong subject, and leaves the rest to the ledger.
package natslog

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"assay/events"
	"assay/events/natslog/link"
)

// DefaultStream is the name of the stream when Options say nothing.
const DefaultStream = "ASSAY"

// maxHeader is room for the headers of a message in bytes: the server counts them to its payload.
const maxHeader = 1 << 10

// Options say where a log is and as whom to reach it.
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
	alone   bool          // one server holds the stream
	slots   chan struct{} // one for each append under way

	mu    sync.Mutex // guards the fields below
	known events.Seq // an event that is certain to stand
}

var _ events.Log = (*Log)(nil)

// maxAppends is how many appends of one process are under way at a time. A server takes 50 batches for a stream.
const maxAppends = 16

// Open connects to the servers, and makes the stream when there is none. One that stands is refused with
// link.ErrSetOtherwise and each difference when it is not set up as a log, and with events.ErrDamaged when messages
// of it are gone.
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

// Close ends the connection. What waits for an answer gets an error.
func (l *Log) Close() error {
	l.servers.Close()
	return nil
}

// Size is the position of the last event.
func (l *Log) Size(ctx context.Context) (events.Seq, error) { return l.end(ctx) }

// Certain tells the log that an event stands, as a ledger knows. A server that lacks it lags behind or has lost it;
// the log does not end before it.
func (l *Log) Certain(seq events.Seq) { l.saw(seq) }

// certain is an event that is certain to stand, with all before it.
func (l *Log) certain() events.Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known
}

// saw remembers that an event stands, so that no lagging server makes the log seem shorter.
func (l *Log) saw(seq events.Seq) events.Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known = max(l.known, seq)
	return l.known
}

var swapped = strings.NewReplacer("/", ".", ".", "/")

// subject is where the event under a key is stored.
func (l *Log) subject(key events.Key) string { return l.prefix + swapped.Replace(string(key)) }
