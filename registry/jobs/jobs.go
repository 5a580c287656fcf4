// Package jobs spreads pure work over the processor's cores and keeps the order of the results.
package jobs

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// chunk is how many items go to a goroutine at a time: passing one costs about as much as the smallest
// piece of work.
const chunk = 32

// result is a chunk of results on its way, sent once all of them are there.
type result[R any] chan []R

// Map gives do(item) for each item in the order of the items, with do running on all cores. Work runs
// ahead of the consumer by a bounded number of items. It ends early when the context ends or the consumer
// stops, and no goroutine is left then.
func Map[T, R any](ctx context.Context, items iter.Seq[T], do func(context.Context, T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		for results := range mapped(ctx, chunks(items), do) {
			for _, r := range results {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// Stream is Map for items that may come slowly: it does not wait for more of them while there are some to work on.
// It gives the results by the run: when one is consumed, the next may be long in coming. The items are asked for by
// a goroutine of their own, which may outlast the rest by the one item that it waits for.
func Stream[T, R any](ctx context.Context, items iter.Seq[T], do func(context.Context, T) R) iter.Seq[[]R] {
	return func(yield func([]R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		mapped(ctx, available(ctx, items), do)(yield)
	}
}

// available cuts items into chunks of those that are there.
func available[T any](ctx context.Context, items iter.Seq[T]) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		there := make(chan T, 4*chunk)
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
				if !more || !yield(withMore(first, there)) {
					return
				}
			}
		}
	}
}

// withMore adds to an item those that can be had without waiting, up to a chunk.
func withMore[T any](first T, there <-chan T) []T {
	part := append(make([]T, 0, chunk), first)
	for len(part) < chunk {
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

// mapped gives the results of each chunk.
func mapped[T, R any](ctx context.Context, parts iter.Seq[[]T], do func(context.Context, T) R) iter.Seq[[]R] {
	return func(yield func([]R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		workers := runtime.GOMAXPROCS(0)
		work := make(chan job[[]T, []R], 4*workers)
		ordered := make(chan result[R], 8*workers)
		var all sync.WaitGroup
		defer all.Wait()
		defer func() {
			cancel()
			for range ordered { // lets the feeder see the end
			}
		}()
		for range workers {
			all.Go(func() { eachOf(ctx, work, do) })
		}
		all.Go(func() { feed(ctx, parts, work, ordered) })
		for chunk := range ordered {
			if !yield(<-chunk) {
				return
			}
			if ctx.Err() != nil { // this chunk may be cut short: nothing may follow it
				return
			}
		}
	}
}

// feed gives each chunk to whoever is free.
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

// eachOf works on chunks.
func eachOf[T, R any](ctx context.Context, work <-chan job[[]T, []R], do func(context.Context, T) R) {
	for j := range work {
		out := make([]R, 0, len(j.item))
		for _, item := range j.item {
			if ctx.Err() != nil {
				break
			}
			out = append(out, do(ctx, item))
		}
		j.done <- out
	}
}

func chunks[T any](items iter.Seq[T]) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		part := make([]T, 0, chunk)
		for item := range items {
			if part = append(part, item); len(part) < chunk {
				continue
			}
			if !yield(part) {
				return
			}
			part = make([]T, 0, chunk)
		}
		if len(part) > 0 {
			yield(part)
		}
	}
}
