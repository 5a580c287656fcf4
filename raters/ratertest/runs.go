package ratertest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// everything returns all results of the engines as text: generated puzzles, solutions and ratings.
func (s Suite) everything(ctx context.Context) (string, error) {
	var b strings.Builder
	made, err := generations(ctx, s.variant().Generator, s.Requests)
	if err != nil {
		return "", err
	}
	b.WriteString(made)
	for _, p := range s.Puzzles {
		solved, err := s.variant().Solver.Solve(ctx, p)
		if err != nil {
			return "", fmt.Errorf("solving %q: %w", p.Text, err)
		}
		fmt.Fprintf(&b, "%+v\n", solved)
	}
	for _, scale := range s.variant().Scales {
		b.WriteString(ratings(ctx, scale.Rater, s.Puzzles))
	}
	return b.String(), nil
}

// determinism checks that several goroutines at the same time, on one processor and on all, give the results of a
// single one.
func (s Suite) determinism(ctx context.Context) error {
	want, err := s.everything(ctx)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, processors := range []int{1, max(2, runtime.NumCPU())} {
		runtime.GOMAXPROCS(processors)
		if err := s.beside(ctx, want); err != nil {
			return fmt.Errorf("on %d processors: %w", processors, err)
		}
	}
	return nil
}

func (s Suite) beside(ctx context.Context, want string) error {
	const goroutines = 4
	var errs [goroutines]error
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			got, err := s.everything(ctx)
			if err == nil && got != want {
				err = errors.New("another run says something else: " + firstDifference(want, got))
			}
			errs[i] = err
		})
	}
	all.Wait()
	return errors.Join(errs[:]...)
}

// cancellation checks that a cancelled context ends every engine with its error. If the context is cancelled while the
// engine runs, the engine must end with that error or give the same result.
func (s Suite) cancellation(ctx context.Context) error {
	for _, e := range s.engines() {
		want, err := e.run(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if _, err := e.run(cancelledAfter(ctx, 0)); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("%s under a cancelled context: error %v", e.name, err)
		}
		if err := e.cancelledOnTheWay(ctx, want); err != nil {
			return err
		}
	}
	return nil
}

// cancelledOnTheWay cancels later and later, until the engine ends first.
func (e engine) cancelledOnTheWay(ctx context.Context, want string) error {
	for looks := int64(1); ; looks *= 2 {
		got, err := e.run(cancelledAfter(ctx, looks))
		switch {
		case err == nil && got != want:
			return fmt.Errorf("%s, cancelled on the way, says something else: %s", e.name, firstDifference(want, got))
		case err == nil:
			return nil
		case !errors.Is(err, context.Canceled):
			return fmt.Errorf("%s, cancelled on the way: error %w", e.name, err)
		case looks > 1<<30:
			return fmt.Errorf("%s is cancelled whenever it is run: error %w", e.name, err)
		}
	}
}

// engine is one call into the genre; its text tells results apart.
type engine struct {
	name string
	run  func(context.Context) (string, error)
}

func (s Suite) engines() []engine {
	p := s.Puzzles[0]
	all := []engine{
		{"the generator", func(ctx context.Context) (string, error) {
			return generations(ctx, s.variant().Generator, s.Requests[:1])
		}},
		{"the solver", func(ctx context.Context) (string, error) {
			solved, err := s.variant().Solver.Solve(ctx, p)
			return fmt.Sprintf("%+v", solved), err
		}},
	}
	for _, scale := range s.variant().Scales {
		all = append(all, engine{scale.Rater.Name(), func(ctx context.Context) (string, error) {
			rating, err := scale.Rater.Rate(ctx, p)
			var b strings.Builder
			writeRating(&b, rating)
			return b.String(), err
		}})
	}
	if s.variant().Bands != nil {
		all = append(all, engine{"calibration", func(ctx context.Context) (string, error) {
			c, err := s.variant().Bands.Calibrate(ctx, s.variant().Bands.Built().Seed)
			return fmt.Sprintf("%+v", c), err
		}})
	}
	return all
}

// expiringContext is cancelled after it has been checked a number of times. So a cancellation comes at the same place
// in every run.
type expiringContext struct {
	context.Context
	cancel context.CancelFunc
	looks  atomic.Int64 // left
}

func cancelledAfter(parent context.Context, looks int64) context.Context {
	c := new(expiringContext)
	c.Context, c.cancel = context.WithCancel(parent)
	if looks == 0 {
		c.cancel()
	}
	c.looks.Store(looks)
	return c
}

func (c *expiringContext) look() {
	if c.looks.Add(-1) < 0 {
		c.cancel()
	}
}

func (c *expiringContext) Err() error {
	c.look()
	return c.Context.Err()
}

func (c *expiringContext) Done() <-chan struct{} {
	c.look()
	return c.Context.Done()
}
