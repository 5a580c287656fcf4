package registry

import (
	"context"
	"iter"

	"assay/registry/jobs"
)

// puzzleWalk are puzzles on record to go over, in order of ID.
type puzzleWalk struct {
	subjects iter.Seq[subject]
	total    int                   // of them, if there is somebody to be told
	progress func(done, total int) // told now and then; nil for nobody
}

// toldEvery is how many puzzles go by until progress is told again.
const toldEvery = 500

// walk goes over puzzles: look says what each puzzle of a chunk is, with chunks side by side as a crew has room for them,
// and take, in order and one at a time, does what is to be done with that. It gives how many were taken, and the context's
// error when it was ended.
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
