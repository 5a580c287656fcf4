// Package jobs spreads pure work over the processor's cores, or over the workers of a queue, and returns the results in
// order.
package jobs

import (
	"context"
	"iter"
	"sync"
)

// result receives a chunk of results when all of them are ready.
type result[R any] chan []R

// Map yields do(item) for each item in order. It runs do on all cores, ahead of the consumer by a bounded number of
// items. It ends early when the context ends or the consumer stops, and no goroutine is left then.
func Map[T, R any](ctx context.Context, items iter.Seq[T], do func(context.Context, T) R) iter.Seq[R] {
	return Spread(ctx, Local{}, items, each(do))
}

// Spread is Map for work that a crew can do: do gets items by the chunk, in as many goroutines as the crew has room
// for.
func Spread[T, R any](ctx context.Context, crew Crew, items iter.Seq[T], do func(context.Context, []T) []R) iter.Seq[R] {
	return func(yield func(R) bool) {
		for results := range mapped(ctx, crew.Room(), chunks(crew, items), do) {
			for _, r := range results {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Stream is Spread for items that may come slowly: it does not wait for more items while there are some to work on. It
// yields the results in runs: after one is consumed, the next may come much later. A goroutine of its own requests the
// items. It may outlast the others by the one item that it waits for.
func Stream[T, R any](ctx context.Context, crew Crew, items iter.Seq[T], do func(context.Context, []T) []R) iter.Seq[[]R] {
	return func(yield func([]R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		mapped(ctx, crew.Room(), available(ctx, crew, items), do)(yield)
	}
}

// each returns do(item) for each item of a chunk, until the context ends.
func each[T, R any](do func(context.Context, T) R) func(context.Context, []T) []R {
	return func(ctx context.Context, items []T) []R {
		out := make([]R, 0, len(items))
		for _, item := range items {
			if ctx.Err() != nil {
				break
			}
			out = append(out, do(ctx, item))
		}
		return out
	}
}

// available cuts items into chunks of those that are available.
func available[T any](ctx context.Context, crew Crew, items iter.Seq[T]) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		there := make(chan T, 4*crew.Size())
		go func() {
			defer close(there)
			for item := range items {
				select {
				case there <- item:
				case <-ctx.Done():
					return
				}
			}
		}()
		for {
			select {
			case <-ctx.Done():
				return
			case first, more := <-there:
				if !more || !yield(withMore(first, there, crew.Size())) {
					return
				}
			}
		}
	}
}

// withMore adds to an item the items that are available without waiting, up to a chunk.
func withMore[T any](first T, there <-chan T, size int) []T {
	part := append(make([]T, 0, size), first)
	for len(part) < size {
		select {
		case item, more := <-there:
			if !more {
				return part
			}
			part = append(part, item)
		default:
			return part
		}
	}
	return part
}

// maxAhead is how many chunks may wait for one of the goroutines.
const maxAhead = 32

// mapped returns the results of each chunk.
func mapped[T, R any](ctx context.Context, room int, parts iter.Seq[[]T], do func(context.Context, []T) []R) iter.Seq[[]R] {
	return func(yield func([]R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		ahead := min(4*room, maxAhead)
		work := make(chan job[[]T, []R], ahead)
		ordered := make(chan result[R], ahead+room)
		var all sync.WaitGroup
		defer all.Wait()
		defer func() {
			cancel()
			for range ordered { // so that the feeder notices the end
			}
		}()
		for range room {
			all.Go(func() { labour(ctx, work, do) })
		}
		all.Go(func() { feed(ctx, parts, work, ordered) })
		for chunk := range ordered {
			if !yield(<-chunk) {
				return
			}
			if ctx.Err() != nil { // this chunk may be incomplete, so nothing may follow it
				return
			}
		}
	}
}

// feed passes each chunk to a free goroutine.
func feed[T, R any](ctx context.Context, parts iter.Seq[[]T], work chan<- job[[]T, []R], ordered chan<- result[R]) {
	defer close(ordered)
	defer close(work)
	for part := range parts {
		done := make(result[R], 1)
		select {
		case <-ctx.Done():
			return
		case work <- job[[]T, []R]{part, done}:
			ordered <- done
		}
	}
}

func chunks[T any](crew Crew, items iter.Seq[T]) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		size := crew.Size()
		part := make([]T, 0, size)
		for item := range items {
			if part = append(part, item); len(part) < size {
				continue
			}
			if !yield(part) {
				return
			}
			size = crew.Size()
			part = make([]T, 0, size)
		}
		if len(part) > 0 {
			yield(part)
		}
	}
}
