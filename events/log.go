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
	// ErrNotFound means that no event stands under the key.
	ErrNotFound = errors.New("no such event")
	// ErrTooLarge means that a batch is empty, over a limit, or names a key twice.
	ErrTooLarge = errors.New("batch not acceptable")
	// ErrFull means that the log refuses to append because there is too little room. Nothing was recorded.
	ErrFull = errors.New("no room to append")
	// ErrDescriptors means that the log refuses to open, or to append, because too few file descriptors are free. Nothing was
	// recorded.
	ErrDescriptors = errors.New("too few file descriptors")
	// ErrDamaged means that the stored records are not those that were recorded.
	ErrDamaged = errors.New("log damaged")
)

// ConflictError means that another fact already stands under the key. Nothing of the batch was recorded.
type ConflictError struct {
	Key Key
	At  Seq // where the standing event is
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s stands at event %d with another content", e.Key, e.At)
}

// Placed says where an event of a batch stands, and whether it is new.
type Placed struct {
	Seq      Seq
	Appended bool // false: the same fact already stood at Seq
}

// Receipt is the answer of Append: one Placed for each event of the batch, in its order.
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

// Log is all events in one sequence without a gap.
type Log interface {
	// Append records the events in one atomic step, in order. A batch has 1 to MaxBatch events of at most MaxRecord
	// bytes each and MaxBatchBytes together, and no key twice; else Append returns ErrTooLarge. The content of an event
	// is its key and its body bytes. If a key already stands with the same content, the event is skipped and the others
	// are appended. If a key stands with other content, Append returns a *ConflictError and records nothing. When the
	// cause of an event is an event of the batch that was skipped, the cause becomes the standing event. When Append
	// returns nil, the events are durable. After any other error it is not known whether the events were recorded:
	// append them again and read the receipt.
	Append(ctx context.Context, batch ...Event) (Receipt, error)

	// Get returns the event under a key, or ErrNotFound.
	Get(ctx context.Context, key Key) (Event, error)

	// Read yields the events after a position, to the end of the log at the time reading began, or later. A gap or a
	// bad hash is an error, never the end. After an error the sequence ends.
	Read(ctx context.Context, after Seq) iter.Seq2[Event, error]

	// Follow does the same as Read, and then waits for more events until the context ends. It yields the context's
	// error last.
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

// GetEach returns the events under keys, in the order of the keys. It uses the log's own method GetEach if there is
// one, and else gets one by one. If a key does not stand, it returns ErrNotFound.
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

// Of returns the event under a key and its body of kind B. It returns ErrNotFound when there is no event.
func Of[B Body](ctx context.Context, log Log, key Key) (Event, B, error) {
	e, err := log.Get(ctx, key)
	if err != nil {
		var none B
		return e, none, err
	}
	b, err := As[B](e)
	return e, b, err
}

// As returns the body of an event, or an error when it is not of kind B.
func As[B Body](e Event) (B, error) {
	b, ok := e.Body.(B)
	if !ok {
		return b, fmt.Errorf("event %d under %s is of kind %s", e.Seq, e.Key, e.Body.Kind())
	}
	return b, nil
}
