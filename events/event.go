// Package events is the vocabulary of facts: what an event is, which kinds there are, how an event is encoded
// (FORMAT.md), and what a log of events guarantees. It knows no puzzle, no store and no network.
package events

import (
	"time"

	"github.com/oklog/ulid/v2"
)

// Seq is a position in the log: 1, 2, 3 … without a gap. Zero is "before the first event".
type Seq uint64

// Event is one immutable fact.
type Event struct {
	Seq   Seq       // position in the log; given by the log, not part of the stored record
	ID    ulid.ULID // names the event; never used for order
	Key   Key       // write-once name of the fact
	Time  time.Time // when it was recorded: UTC, milliseconds
	Actor string    // who or what recorded it, 1 to MaxActor bytes
	Cause ulid.ULID // the event that led to this one, or zero
	Body  Body      // what happened; Unknown in a read event of a kind that a newer program wrote
	Raw   []byte    // the stored record, exactly as hashed; filled by Read and Get, and stored as it is when appended again
}

// MaxActor is the longest actor in bytes.
const MaxActor = 200

// Body is what happened. Its kind, such as "generated/1", names the schema and its version. The stored record contains
// the kind; it is never derived from a Go name.
type Body interface{ Kind() string }
