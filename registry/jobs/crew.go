package jobs

import (
	"context"
	"fmt"
	"runtime"

	"github.com/fxamacker/cbor/v2"
)

// Crew does the work: the cores of this process, or workers that take it from a queue.
type Crew interface {
	// Room returns how many chunks may be worked on at the same time.
	Room() int
	// Size returns how many jobs a chunk should have now.
	Size() int
	// Do does the jobs of a chunk. When it returns nil, the chunk has their results.
	Do(ctx context.Context, c Chunk) error
	// Liars returns the workers that were found to give wrong results, in the sequence in which they were found. Their
	// earlier results have been checked by then.
	Liars(ctx context.Context) []Liar
}

// Liar is a worker that gave a wrong result. No result of that message was taken, and later results of the worker are
// not taken.
type Liar struct {
	Worker  string
	Why     string   // the job whose result is wrong, and how
	Earlier int      // results of the worker that had been taken before
	First   []string // names of the first of these jobs
	Unknown int      // those among them that are no longer remembered, so that nobody knows
	Wrong   []Wrong  // those among them that are wrong
}

// Wrong is a job whose result was taken and is wrong.
type Wrong struct {
	Name    string
	Kind    string
	Setting []byte
	Job     []byte
}

// Chunk is some jobs of one kind, with room for their results.
type Chunk interface {
	// Len returns the number of jobs.
	Len() int
	// Here does the jobs from from up to before in this process, until the context ends.
	Here(ctx context.Context, from, before int)
	// Message encodes the jobs for another process.
	Message() (Message, error)
	// Take reads the results of another process, for the jobs from an index on. It returns the indexes of results that
	// can be checked only by doing the job again. An impossible result is a *ResultError.
	Take(ctx context.Context, from int, results [][]byte) (doubtful []int, err error)
	// Again returns an Again, which does a job of a message again in this process.
	Again() Again
}

// Again does jobs again.
type Again struct {
	Do   func(ctx context.Context, job []byte) ([]byte, error) // returns the result in the encoding of another process
	Name func(job []byte) string                               // for people
}

// ResultError is about an impossible result.
type ResultError struct {
	Job int // index in the chunk
	Err error
}

func (e *ResultError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *ResultError) Unwrap() error { return e.Err }

// Message is jobs encoded for another process, in CBOR.
type Message struct {
	Kind    string   `cbor:"1,keyasint"` // of the jobs
	Setting []byte   `cbor:"2,keyasint"` // that they share
	Jobs    [][]byte `cbor:"3,keyasint"`
}

// Local is a crew of this process's own cores.
type Local struct{}

// Room is one chunk for each core.
func (Local) Room() int { return runtime.GOMAXPROCS(0) }

// Size is fixed: passing on a chunk costs about as much as the smallest job.
func (Local) Size() int { return 64 }

// Do does the jobs in the caller's goroutine.
func (Local) Do(ctx context.Context, c Chunk) error {
	c.Here(ctx, 0, c.Len())
	return ctx.Err()
}

// Liars returns none: this process trusts itself.
func (Local) Liars(context.Context) []Liar { return nil }

// Kind is a kind of work that any process can do. The result of a job must depend only on the job and the setting, so
// that it does not matter where it is done, or how often. Types that go between processes have exported fields, or
// methods MarshalCBOR and UnmarshalCBOR.
type Kind[S, T, R any] struct {
	Name string
	// Open returns the function that does a job under a setting. Several goroutines may call it. It returns an error if
	// this process cannot do such jobs.
	Open func(S) (func(context.Context, T) R, error)
	// Check returns the function that checks results of another process under a setting. The function returns an error
	// for an impossible result, and doubtful if only doing the job again shows whether the result is right. It may
	// store in the result what it computed. Without Check every result that can be decoded is possible.
	Check func(S) (func(context.Context, T, *R) (doubtful bool, err error), error)
	// Title names a job for people; without it the encoded job is its name.
	Title func(T) string
}

// Work is a kind of work under a setting.
type Work[T, R any] struct {
	kind    string
	setting []byte
	do      func(context.Context, T) R
	check   func(context.Context, T, *R) (doubtful bool, err error)
	title   func(T) string
}

// Under returns the work under a setting.
func (k Kind[S, T, R]) Under(setting S) (w Work[T, R], err error) {
	w.kind = k.Name
	if w.do, err = k.Open(setting); err != nil {
		return w, err
	}
	w.title = k.Title
	w.check = func(context.Context, T, *R) (bool, error) { return false, nil }
	if k.Check != nil {
		if w.check, err = k.Check(setting); err != nil {
			return w, err
		}
	}
	if w.setting, err = cbor.Marshal(setting); err != nil {
		return w, fmt.Errorf("write what %s works under: %w", k.Name, err)
	}
	return w, nil
}

// Do lets a crew do jobs, and returns their results in order.
func Do[T, R any](ctx context.Context, crew Crew, w Work[T, R], list ...T) ([]R, error) {
	if len(list) == 0 {
		return nil, nil
	}
	c := chunkOf[T, R]{w, list, make([]R, len(list))}
	if err := crew.Do(ctx, &c); err != nil {
		return nil, err
	}
	return c.results, nil
}

type chunkOf[T, R any] struct {
	work    Work[T, R]
	jobs    []T
	results []R
}

func (c *chunkOf[T, R]) Len() int { return len(c.jobs) }

func (c *chunkOf[T, R]) Here(ctx context.Context, from, before int) {
	for i := from; i < before && ctx.Err() == nil; i++ {
		c.results[i] = c.work.do(ctx, c.jobs[i])
	}
}

func (c *chunkOf[T, R]) Message() (Message, error) {
	o := Message{Kind: c.work.kind, Setting: c.work.setting, Jobs: make([][]byte, len(c.jobs))}
	for i, job := range c.jobs {
		var err error
		if o.Jobs[i], err = cbor.Marshal(job); err != nil {
			return o, fmt.Errorf("write a job of kind %s: %w", o.Kind, err)
		}
	}
	return o, nil
}

func (c *chunkOf[T, R]) Take(ctx context.Context, from int, results [][]byte) (doubtful []int, err error) {
	for i, data := range results {
		var r R
		if err := cbor.Unmarshal(data, &r); err != nil {
			return nil, &ResultError{from + i, fmt.Errorf("the result cannot be read: %w", err)}
		}
		again, err := c.work.check(ctx, c.jobs[from+i], &r)
		if err != nil {
			return nil, &ResultError{from + i, err}
		}
		if again {
			doubtful = append(doubtful, from+i)
		}
		c.results[from+i] = r
	}
	return doubtful, ctx.Err()
}

func (c *chunkOf[T, R]) Again() Again {
	work := c.work
	return Again{Do: again(work.kind, work.do), Name: func(written []byte) string {
		var job T
		if work.title == nil || cbor.Unmarshal(written, &job) != nil {
			return fmt.Sprintf("%s %x", work.kind, written[:min(len(written), 8)])
		}
		return work.title(job)
	}}
}

// again returns the function that does an encoded job.
func again[T, R any](kind string, do func(context.Context, T) R) func(context.Context, []byte) ([]byte, error) {
	return func(ctx context.Context, written []byte) ([]byte, error) {
		var job T
		if err := cbor.Unmarshal(written, &job); err != nil {
			return nil, fmt.Errorf("read a job of kind %s: %w", kind, err)
		}
		return cbor.Marshal(do(ctx, job))
	}
}

// Kinds are the kinds of work that a process does for others, by name.
type Kinds map[string]func(setting []byte) (func(ctx context.Context, job []byte) ([]byte, error), error)

// Add adds a kind.
func Add[S, T, R any](kinds Kinds, k Kind[S, T, R]) {
	kinds[k.Name] = func(written []byte) (func(context.Context, []byte) ([]byte, error), error) {
		var setting S
		if err := cbor.Unmarshal(written, &setting); err != nil {
			return nil, fmt.Errorf("read what %s works under: %w", k.Name, err)
		}
		do, err := k.Open(setting)
		if err != nil {
			return nil, err
		}
		return again(k.Name, do), nil
	}
}

// Open returns the function that does the jobs of a message.
func (k Kinds) Open(kind string, setting []byte) (func(ctx context.Context, job []byte) ([]byte, error), error) {
	open, ok := k[kind]
	if !ok {
		return nil, fmt.Errorf("work of kind %q is not known here", kind)
	}
	return open(setting)
}
