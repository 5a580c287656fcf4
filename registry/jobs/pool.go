package jobs

import (
	"context"
	"fmt"
	"runtime"

	"github.com/fxamacker/cbor/v2"
)

// Pool is where work is done: here, or by workers that take it from a queue.
type Pool interface {
	// Room is how many chunks are worked on at a time, at most.
	Room() int
	// Size is how many jobs a chunk should have now.
	Size() int
	// Do does the jobs of a chunk. When it gives nil, the chunk has their results.
	Do(ctx context.Context, c Chunk) error
}

// Chunk is some jobs of one kind, with a place for their results.
type Chunk interface {
	// Here does the jobs in this process, until the context ends.
	Here(ctx context.Context)
	// Order writes the jobs for another process.
	Order() (Order, error)
	// Take reads the results that another process wrote, one a job.
	Take(results [][]byte) error
}

// Order is jobs as they are written for another process, in CBOR.
type Order struct {
	Kind    string   `cbor:"1,keyasint"` // of the jobs
	Setting []byte   `cbor:"2,keyasint"` // that they share
	Jobs    [][]byte `cbor:"3,keyasint"`
}

// Local is the pool of this process's own cores.
type Local struct{}

// Room is one chunk a core.
func (Local) Room() int { return runtime.GOMAXPROCS(0) }

// Size is fixed: passing a chunk on costs about as much as the smallest job.
func (Local) Size() int { return 64 }

// Do does the jobs in the goroutine that asks.
func (Local) Do(ctx context.Context, c Chunk) error {
	c.Here(ctx)
	return ctx.Err()
}

// Kind is a kind of work that any process can do. The result of a job has to depend on nothing but the job and the
// setting, so that it does not matter where it is done, or how often. What goes between processes is exported
// fields, or has methods MarshalCBOR and UnmarshalCBOR.
type Kind[S, T, R any] struct {
	Name string
	// Open gives what does a job under a setting, for use by several goroutines, or why this process cannot.
	Open func(S) (func(context.Context, T) R, error)
}

// Work is a kind of work under a setting.
type Work[T, R any] struct {
	kind    string
	setting []byte
	do      func(context.Context, T) R
}

// Under gives the work under a setting.
func (k Kind[S, T, R]) Under(setting S) (w Work[T, R], err error) {
	w.kind = k.Name
	if w.do, err = k.Open(setting); err != nil {
		return w, err
	}
	if w.setting, err = cbor.Marshal(setting); err != nil {
		return w, fmt.Errorf("write what %s works under: %w", k.Name, err)
	}
	return w, nil
}

// Do has jobs done by a pool, and gives their results in order.
func Do[T, R any](ctx context.Context, pool Pool, w Work[T, R], list ...T) ([]R, error) {
	if len(list) == 0 {
		return nil, nil
	}
	c := chunkOf[T, R]{w, list, make([]R, len(list))}
	if err := pool.Do(ctx, &c); err != nil {
		return nil, err
	}
	return c.results, nil
}

type chunkOf[T, R any] struct {
	work    Work[T, R]
	jobs    []T
	results []R
}

func (c *chunkOf[T, R]) Here(ctx context.Context) {
	for i, job := range c.jobs {
		if ctx.Err() != nil {
			return
		}
		c.results[i] = c.work.do(ctx, job)
	}
}

func (c *chunkOf[T, R]) Order() (Order, error) {
	o := Order{Kind: c.work.kind, Setting: c.work.setting, Jobs: make([][]byte, len(c.jobs))}
	for i, job := range c.jobs {
		var err error
		if o.Jobs[i], err = cbor.Marshal(job); err != nil {
			return o, fmt.Errorf("write a job of kind %s: %w", o.Kind, err)
		}
	}
	return o, nil
}

func (c *chunkOf[T, R]) Take(results [][]byte) error {
	if len(results) != len(c.results) {
		return fmt.Errorf("%d results of %d jobs of kind %s", len(results), len(c.results), c.work.kind)
	}
	for i, data := range results {
		if err := cbor.Unmarshal(data, &c.results[i]); err != nil {
			return fmt.Errorf("read a result of kind %s: %w", c.work.kind, err)
		}
	}
	return nil
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
		return func(ctx context.Context, written []byte) ([]byte, error) {
			var job T
			if err := cbor.Unmarshal(written, &job); err != nil {
				return nil, fmt.Errorf("read a job of kind %s: %w", k.Name, err)
			}
			return cbor.Marshal(do(ctx, job))
		}, nil
	}
}

// Open gives what does the jobs of an order.
func (k Kinds) Open(kind string, setting []byte) (func(ctx context.Context, job []byte) ([]byte, error), error) {
	open, ok := k[kind]
	if !ok {
		return nil, fmt.Errorf("work of kind %q is not known here", kind)
	}
	return open(setting)
}
