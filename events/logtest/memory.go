package logtest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"sync"

	"assay/events"
)

// Memory is a log in memory, for tests of code that uses a log.
type Memory struct {
	mu      sync.Mutex                // guards the fields below
	records [][]byte                  // by position − 1
	at      map[events.Key]events.Seq // the position of each key
	grown   chan struct{}             // closed and replaced at each append
}

// NewMemory returns an empty log.
func NewMemory() *Memory {
	return &Memory{at: map[events.Key]events.Seq{}, grown: make(chan struct{})}
}

// Append is as in events.Log.
func (m *Memory) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raws, err := events.EncodeBatch(batch)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	receipt := make(events.Receipt, len(batch))
	next := events.Seq(len(m.records))
	for i, e := range batch {
		at, stands := m.at[e.Key]
		if !stands {
			next++
			receipt[i] = events.Placed{Seq: next, Appended: true}
			continue
		}
		if same, err := events.SameContent(raws[i], m.records[at-1]); err != nil {
			return nil, err
		} else if !same {
			return nil, &events.ConflictError{Key: e.Key, At: at}
		}
		receipt[i] = events.Placed{Seq: at}
		if batch, err = events.Recause(batch, raws, i, m.records[at-1]); err != nil {
			return nil, err
		}
	}
	for i, p := range receipt {
		if p.Appended {
			m.records = append(m.records, bytes.Clone(raws[i]))
			m.at[batch[i].Key] = p.Seq
		}
	}
	close(m.grown)
	m.grown = make(chan struct{})
	return receipt, nil
}

// Get is as in events.Log.
func (m *Memory) Get(ctx context.Context, key events.Key) (events.Event, error) {
	if err := ctx.Err(); err != nil {
		return events.Event{}, err
	}
	if err := key.Check(); err != nil {
		return events.Event{}, err
	}
	m.mu.Lock()
	seq, stands := m.at[key]
	m.mu.Unlock()
	if !stands {
		return events.Event{}, fmt.Errorf("%s: %w", key, events.ErrNotFound)
	}
	e, _, err := m.event(seq)
	return e, err
}

// event reads the event at a position. If there is none, grown is closed at the next append.
func (m *Memory) event(seq events.Seq) (e events.Event, grown chan struct{}, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seq > events.Seq(len(m.records)) {
		return e, m.grown, nil
	}
	e, err = events.Decode(bytes.Clone(m.records[seq-1]))
	e.Seq = seq
	return e, nil, err
}

// Read is as in events.Log.
func (m *Memory) Read(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return m.read(ctx, after, func(chan struct{}) bool { return false })
}

// Follow is as in events.Log.
func (m *Memory) Follow(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return m.read(ctx, after, func(grown chan struct{}) bool {
		select {
		case <-grown:
		case <-ctx.Done():
		}
		return true
	})
}

// read yields the events after a position. At the end it calls more, which reports whether to go on.
func (m *Memory) read(ctx context.Context, after events.Seq, more func(grown chan struct{}) bool) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		for seq := after + 1; ; {
			if err := ctx.Err(); err != nil {
				yield(events.Event{}, err)
				return
			}
			e, grown, err := m.event(seq)
			switch {
			case grown != nil && !more(grown):
				return
			case grown != nil:
			case !yield(e, err) || err != nil:
				return
			default:
				seq++
			}
		}
	}
}
