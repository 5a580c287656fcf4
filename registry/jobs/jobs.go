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
		ctx, cancel := context.WithCancel(ctx)
		workers := runtime.GOMAXPROCS(0)
		work := make(chan job[[]T, []R], workers)
		ordered := make(chan result[R], 2*workers)
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
		all.Go(func() { feed(ctx, items, work, ordered) })
		for chunk := range ordered {
			for _, r := range <-chunk {
				if !yield(r) {
					return
				}
			}
			if ctx.Err() != nil { // this chunk may be cut short: nothing may follow it
				return
			}
		}
	}
}

// feed cuts the items into chunks, and gives each to whoever is free.
func feed[T, R any](ctx context.Context, items iter.Seq[T], work chan<- job[[]T, []R], ordered chan<- result[R]) {
	defer close(ordered)
	defer close(work)
	for part := range chunks(items) {
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
