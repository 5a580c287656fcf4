package events

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Limits of one Append.
const (
	MaxBatch      = 1000      // events
	MaxRecord     = 256 << 10 // bytes of one stored record
	MaxBatchBytes = 2 << 20   // bytes of all its records
)

var (
	// ErrNotFound: no event stands under the key.
	ErrNotFound = errors.New("no such event")
	// ErrTooLarge: a batch is empty, over a limit, or names a key twice.
	ErrTooLarge = errors.New("batch not acceptable")
	// ErrFull: the log refuses to append because there is too little room. Nothing was recorded.
	ErrFull = errors.New("no room to append")
	// ErrDescriptors: the log refuses to open, or to append, because too few file descriptors are free. Nothing was
	// recorded.
	ErrDescriptors = errors.New("too few file descriptors")
	// ErrDamaged: what is stored is not what was recorded.
	ErrDamaged = errors.New("log damaged")
)

// ConflictError tells that a key stands with another content. Nothing of the batch was recorded.
type ConflictError struct {
	Key Key
	At  Seq // where the standing event is
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s stands at event %d with another content", e.Key, e.At)
}

// Placed says what became of one event of a batch.
type Placed struct {
	Seq      Seq
	Appended bool // false: the same fact already stood at Seq
}

// Receipt answers Append: one Placed for each event of the batch, in its order.
type Receipt []Placed

// Appended counts the events that were new.
func (r Receipt) Appended() int {
	n := 0
	for _, p := range r {
		if p.Appended {
			n++
		}
	}
	return n
}

// Last returns the position of the last of the events.
func (r Receipt) Last() (last Seq) {
	for _, p := range r {
		last = max(last, p.Seq)
	}
	return last
}

// Log holds all events in one gapless order.
type Log interface {
	// Append records the events (1 to MaxBatch, at most MaxBatchBytes together and MaxRecord each, no key
	// twice; else ErrTooLarge) in one atomic step, in order. The content of an event is its key and its body
	// bytes. A key that stands with the same content is skipped; the rest is appended. A key that stands with
	// other content: *ConflictError, nothing recorded. What a skipped event caused of the batch names the event that
	// stands as its cause. When Append returns nil the events are durable.
	// After any other error the events may or may not stand: append them again and read the receipt.
	Append(ctx context.Context, batch ...Event) (Receipt, error)

	// Get returns the event under a key, or ErrNotFound.
	Get(ctx context.Context, key Key) (Event, error)

	// Read returns the events after a position, to the end as it was when reading began or later, then stops.
	// A gap or a bad hash is an error, never the end. After an error the sequence ends.
	Read(ctx context.Context, after Seq) iter.Seq2[Event, error]

	// Follow is Read, and then waits for more until the context ends; it yields the context's error last.
	Follow(ctx context.Context, after Seq) iter.Seq2[Event, error]
}

// At returns the event at a position, or ErrNotFound.
func At(ctx context.Context, log Log, seq Seq) (Event, error) {
	if seq == 0 {
		return Event{}, ErrNotFound
	}
	for e, err := range log.Read(ctx, seq-1) {
		return e, err
	}
	return Event{}, fmt.Errorf("event %d: %w", seq, ErrNotFound)
}

// GetEach returns the events under keys, in the order of the keys: at once, if the log has a method GetEach that does so, or
// else one by one. A key that does not stand is ErrNotFound.
func GetEach(ctx context.Context, log Log, keys []Key) ([]Event, error) {
	if l, ok := log.(interface {
		GetEach(ctx context.Context, keys []Key) ([]Event, error)
	}); ok {
		return l.GetEach(ctx, keys)
	}
	list := make([]Event, len(keys))
	for i, key := range keys {
		var err error
		if list[i], err = log.Get(ctx, key); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Of returns the event under a key and what it says, which is of kind B; ErrNotFound when there is none.
func Of[B Body](ctx context.Context, log Log, key Key) (Event, B, error) {
	e, err := log.Get(ctx, key)
	if err != nil {
		var none B
		return e, none, err
	}
	b, err := As[B](e)
	return e, b, err
}

// As returns what an event says, or an error when it is not of kind B.
func As[B Body](e Event) (B, error) {
	b, ok := e.Body.(B)
	if !ok {
		return b, fmt.Errorf("event %d under %s is of kind %s", e.Seq, e.Key, e.Body.Kind())
	}
	return b, nil
}
