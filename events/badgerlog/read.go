package badgerlog

import (
	"context"
	"fmt"
	"iter"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

// A Read takes events out of the store in chunks, so that no transaction is open while the caller works. The first
// chunks are small, for a caller who wants one event. Later ones are larger.
const (
	firstChunk = 16      // events
	maxChunk   = 1024    // events
	chunkBytes = 1 << 20 // bytes after which a chunk is closed
)

// Get is as in events.Log.
func (l *Log) Get(ctx context.Context, key events.Key) (events.Event, error) {
	if err := ctx.Err(); err != nil {
		return events.Event{}, err
	}
	if err := key.Check(); err != nil {
		return events.Event{}, fmt.Errorf("get: %w", err)
	}
	var e events.Event
	err := l.view(func(txn *badger.Txn) error {
		at, found, err := indexed(txn, key)
		if err != nil {
			return err
		}
		if !found || at > l.Size() { // committed, but not acknowledged yet
			return events.ErrNotFound
		}
		raw, err := record(txn, at)
		if err != nil {
			return err
		}
		e, err = l.event(at, raw)
		if err == nil && e.Key != key {
			err = store.Damaged(fmt.Errorf("event %d is %s", at, e.Key))
		}
		return err
	})
	if err != nil {
		return events.Event{}, fmt.Errorf("get %s: %w", key, err)
	}
	return e, nil
}

// event decodes a stored record after the witness has checked it.
func (l *Log) event(seq events.Seq, raw []byte) (events.Event, error) {
	if l.witness != nil {
		if err := l.witness.Check(seq, raw); err != nil {
			return events.Event{}, store.Damaged(fmt.Errorf("event %d: %w", seq, err))
		}
	}
	e, err := events.Decode(raw)
	if err != nil {
		return events.Event{}, store.Damaged(fmt.Errorf("event %d: %w", seq, err))
	}
	e.Seq = seq
	return e, nil
}

// Read is as in events.Log.
func (l *Log) Read(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		l.read(ctx, after, l.Size(), yield)
	}
}

// Follow is as in events.Log.
func (l *Log) Follow(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		for {
			head, grown := l.end()
			if !l.read(ctx, after, head, yield) {
				return
			}
			after = max(after, head)
			select {
			case <-grown:
			case <-ctx.Done():
			case <-l.closing:
				yield(events.Event{}, errClosed)
				return
			}
		}
	}
}

// end returns the position of the last event, and a channel that is closed when that position changes.
func (l *Log) end() (events.Seq, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head, l.grown
}

// read yields the events after a position up to head, which the log must have. It returns false when the caller wants
// no more or has received an error.
func (l *Log) read(ctx context.Context, after, head events.Seq, yield func(events.Event, error) bool) bool {
	for n := firstChunk; ; n = min(4*n, maxChunk) {
		if err := ctx.Err(); err != nil {
			yield(events.Event{}, err)
			return false
		}
		if after >= head {
			return true
		}
		chunk, err := l.chunk(after, head, n)
		for _, e := range chunk {
			if ctx.Err() != nil {
				break
			}
			if !yield(e, nil) {
				return false
			}
			after = e.Seq
		}
		if err != nil && ctx.Err() == nil {
			yield(events.Event{}, fmt.Errorf("reading after event %d: %w", after, err))
			return false
		}
	}
}

// chunk reads the next events after a position, at most n of them. An error comes with the events before it.
func (l *Log) chunk(after, head events.Seq, n int) (chunk []events.Event, err error) {
	size := 0
	err = l.view(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: recordPrefix})
		defer it.Close()
		next := after + 1
		for it.Seek(recordKey(next)); next <= head && len(chunk) < n && size < chunkBytes; it.Next() {
			if !it.Valid() {
				return store.Damaged(fmt.Errorf("it ends before event %d of %d", next, head))
			}
			if found := seqOf(it.Item().Key()); found != next {
				return store.Damaged(fmt.Errorf("event %d is missing, the next is %d", next, found))
			}
			raw, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			e, err := l.event(next, raw)
			if err != nil {
				return err
			}
			chunk, size, next = append(chunk, e), size+len(raw), next+1
		}
		return nil
	})
	return chunk, err
}
