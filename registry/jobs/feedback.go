package jobs

import (
	"context"
	"iter"
	"sync"
)

// Feedback yields do(item) for each item in order. It runs do in as many goroutines as the crew has room for. An item
// may depend on results: item i is requested when result i − lag has been consumed and no later one, however much room
// there is. Feedback ends when there is no next item and all results were yielded, when the context ends or when the
// consumer stops. No goroutine is left then.
func Feedback[T, R any](ctx context.Context, crew Crew, lag int, next func() (T, bool), do func(context.Context, T) R) iter.Seq[R] {
	return func(yield func(R) bool) {
		ctx, cancel := context.WithCancel(ctx)
		work := make(chan job[T, R], lag)
		var workers sync.WaitGroup
		for range min(crew.Room(), lag) {
			workers.Go(func() { labour(ctx, work, do) })
		}
		defer workers.Wait()
		defer close(work)
		defer cancel()
		var ahead []chan R // the coming results, in order
		for {
			for len(ahead) < lag {
				item, ok := next()
				if !ok {
					break
				}
				done := make(chan R, 1)
				work <- job[T, R]{item, done}
				ahead = append(ahead, done)
			}
			if len(ahead) == 0 {
				return
			}
			select {
			case r := <-ahead[0]:
				ahead = ahead[1:]
				if ctx.Err() != nil || !yield(r) { // after the context ended a result may be empty
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// job is an item to work on, with a channel for its result. The channel has room for it.
type job[T, R any] struct {
	item T
	done chan<- R
}

func labour[T, R any](ctx context.Context, work <-chan job[T, R], do func(context.Context, T) R) {
	for j := range work {
		if ctx.Err() == nil {
			j.done <- do(ctx, j.item)
		} else {
			close(j.done)
		}
	}
}
