// Package batch gathers what is appended to a log together.
package batch

import "assay/events"

// Of gathers items, as many as one append takes.
type Of[T any] struct {
	Most   int             // of them in one append
	Bytes  int             // of them in one append
	Size   func(T) int     // bounds the bytes of one
	Append func([]T) error // appends them; what it is given is overwritten later

	items []T
	held  int // bytes
}

// Bytes is how many bytes of facts one append gathers: whatever the last one adds, it stays below events.MaxBatchBytes.
const Bytes = events.MaxBatchBytes - 3*events.MaxRecord

// Add takes in items that stay together, after appending those before them if there is no room for more.
func (b *Of[T]) Add(items ...T) error {
	size := 0
	for _, item := range items {
		size += b.Size(item)
	}
	if len(b.items)+len(items) > b.Most || b.held+size > b.Bytes {
		if err := b.Flush(); err != nil {
			return err
		}
	}
	b.items, b.held = append(b.items, items...), b.held+size
	return nil
}

// Flush appends what was gathered, if anything was.
func (b *Of[T]) Flush() error {
	if len(b.items) == 0 {
		return nil
	}
	err := b.Append(b.items)
	b.items, b.held = b.items[:0], 0
	return err
}
