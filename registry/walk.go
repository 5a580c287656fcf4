package registry

import (
	"context"
	"iter"

	"assay/registry/jobs"
)

// puzzleWalk is a sequence of puzzles on record, sorted by ID.
type puzzleWalk struct {
	subjects iter.Seq[subject]
	total    int                   // the number of subjects, if progress is set
	progress func(done, total int) // called now and then; may be nil
}

// toldEvery is how many puzzles are done between two calls of progress.
const toldEvery = 500

// walk calls look with chunks of puzzles, as many at the same time as the crew has room for. It calls take with each
// result, in order and one at a time. It returns how many were taken, and the context's error if the context ended.
func walk[R any](ctx context.Context, crew jobs.Crew, w puzzleWalk, look func(context.Context, []subject) ([]R, error), take func(R) error) (done int, err error) {
	type looked struct {
		at  R
		err error
	}
	chunk := func(ctx context.Context, part []subject) []looked {
		all, err := lookAt(ctx, part, look)
		if err != nil {
			return []looked{{err: err}}
		}
		out := make([]looked, len(all))
		for i := range all {
			out[i].at = all[i]
		}
		return out
	}
	for l := range jobs.Spread(ctx, crew, w.subjects, chunk) {
		if ctx.Err() != nil {
			break
		}
		if l.err == nil {
			l.err = take(l.at)
		}
		if l.err != nil {
			return done, l.err
		}
		if done++; w.progress != nil && (done%toldEvery == 0 || done == w.total) {
			w.progress(done, w.total)
		}
	}
	return done, ctx.Err()
}

func lookAt[R any](ctx context.Context, part []subject, look func(context.Context, []subject) ([]R, error)) ([]R, error) {
	if last := part[len(part)-1]; last.err != nil {
		return nil, last.err
	}
	return look(ctx, part)
}
