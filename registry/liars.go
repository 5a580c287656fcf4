package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"assay/events"
	"assay/projections/puzzles"
	"assay/registry/engine"
	"assay/registry/jobs"
)

// errSpoilt says that results of workers have turned out wrong. The command drops what it has not recorded, and begins
// again.
var errSpoilt = errors.New("results of a worker turned out wrong")

// spoilt counts the results of this command that are, or may be, wrong.
func (r *Registry) spoilt(ctx context.Context) (n int) {
	for _, l := range r.crew().Liars(ctx) {
		n += len(l.Wrong) + l.Unknown
	}
	return n
}

// maxSpoilt is how often a command begins again with the remaining workers. After that it does without them.
const maxSpoilt = 16

// soundly calls do, which reads and records, from the end of the log on, and repeats it until no result turned out
// wrong meanwhile.
func (r *Registry) soundly(ctx context.Context, do func(*Registry) error) error {
	begin := func(r *Registry) error {
		if err := r.catchUp(ctx); err != nil {
			return err
		}
		return do(r)
	}
	for range maxSpoilt {
		before := r.spoilt(ctx)
		err := begin(r)
		if ctx.Err() != nil || r.spoilt(ctx) == before {
			return err
		}
	}
	alone := *r
	alone.Crew = here{r.crew()}
	return begin(&alone)
}

// here does the work of a crew in this process. It still reports the liars of that crew.
type here struct{ jobs.Crew }

// Do is as in jobs.Crew.
func (here) Do(ctx context.Context, c jobs.Chunk) error { return jobs.Local{}.Do(ctx, c) }

// OnRecord reports whether the wrong result of a job is on record, and under which key.
func (r *Registry) OnRecord(ctx context.Context, w jobs.Wrong) (key events.Key, is bool, err error) {
	right, err := r.rightFact(ctx, w)
	if err != nil {
		return "", false, err
	}
	stands, err := r.Log.Get(ctx, right.key)
	if errors.Is(err, events.ErrNotFound) {
		return right.key, false, nil
	}
	if err != nil {
		return right.key, false, err
	}
	if recorded, ok := stands.Body.(events.Rated); ok {
		if body, ok := right.body.(events.Rated); ok {
			body.Origin = recorded.Origin
			right.body = body
		}
	}
	return right.key, right.body == nil || !events.SameBody(stands.Body, right.body), nil
}

// rightFact does a job again and returns its result as a fact, without a body when the result is no fact.
func (r *Registry) rightFact(ctx context.Context, w jobs.Wrong) (f fact, err error) {
	var e engine.Name
	if err := cbor.Unmarshal(w.Setting, &e); err != nil {
		return f, fmt.Errorf("read what %s works under: %w", w.Kind, err)
	}
	v, rater, err := e.Find(r.Genres)
	if err != nil {
		return f, err
	}
	if w.Kind == engine.GenerateKind {
		m := engine.Made{Variant: v, Rater: rater}
		if err := cbor.Unmarshal(w.Job, &m.Request); err != nil {
			return f, fmt.Errorf("read a job of kind %s: %w", w.Kind, err)
		}
		f.key = generatedKey(m)
		if m.Grown = engine.Grow(ctx, v, rater, m.Request); m.Err != nil {
			return f, ctx.Err()
		}
		return generatedFact(m)
	}
	var q engine.Question
	if err := cbor.Unmarshal(w.Job, &q); err != nil {
		return f, fmt.Errorf("read a job of kind %s: %w", w.Kind, err)
	}
	f.key = events.RatedKey(q.ID(), rater.Name(), rater.Version())
	rating, err := engine.Rate(ctx, rater, q.Puzzle())
	if err != nil || !rating.IsFact() {
		return f, ctx.Err()
	}
	return ratedFact(rater, rating, puzzles.Source{})
}

// lostKeys returns the keys under which wrong results are on record. No other result can be recorded there.
func (r *Registry) lostKeys(ctx context.Context) (map[events.Key]bool, error) {
	lost := map[events.Key]bool{}
	for _, l := range r.crew().Liars(ctx) {
		for _, w := range l.Wrong {
			key, is, err := r.OnRecord(ctx, w)
			if err != nil {
				return nil, err
			}
			if is {
				lost[key] = true
			}
		}
	}
	return lost, nil
}
