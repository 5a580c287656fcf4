package registry

import "assay/events"

// batch gathers what is appended together, as much as one append takes.
type batch[T any] struct {
	most   int             // of them in one append
	bytes  int             // of them in one append
	size   func(T) int     // bounds the bytes of one
	append func([]T) error // appends them; what it is given is overwritten later

	items []T
	held  int // bytes
}

// batchBytes is how many bytes of facts one append gathers: whatever the last one adds, it stays below events.MaxBatchBytes.
const batchBytes = events.MaxBatchBytes - 3*events.MaxRecord

// add takes in items that stay together, after appending those before them if there is no room for more.
func (b *batch[T]) add(items ...T) error {
	size := 0
	for _, item := range items {
		size += b.size(item)
	}
	if len(b.items)+len(items) > b.most || b.held+size > b.bytes {
		if err := b.flush(); err != nil {
			return err
		}
	}
	b.items, b.held = append(b.items, items...), b.held+size
	return nil
}

// flush appends what was gathered, if anything was.
func (b *batch[T]) flush() error {
	if len(b.items) == 0 {
		return nil
	}
	err := b.append(b.items)
	b.items, b.held = b.items[:0], 0
	return err
}
