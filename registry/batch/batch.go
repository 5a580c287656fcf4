// Package batch gathers items into appends to a log.
package batch

import "assay/events"

// Of gathers as many items as one append takes.
type Of[T any] struct {
	Most   int             // items in one append
	Bytes  int             // bytes in one append
	Size   func(T) int     // an upper bound of the bytes of an item
	Append func([]T) error // appends items; the slice is reused later

	items []T
	held  int // bytes
}

// Bytes is how many bytes of facts one append gathers. With any further fact it stays below events.MaxBatchBytes.
const Bytes = events.MaxBatchBytes - 3*events.MaxRecord

// Add adds items that must stay together. If there is no room for them, it first appends the items before them.
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

// Flush appends the gathered items, if there are any.
func (b *Of[T]) Flush() error {
	if len(b.items) == 0 {
		return nil
	}
	err := b.Append(b.items)
	b.items, b.held = b.items[:0], 0
	return err
}
