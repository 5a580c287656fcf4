package jobs

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func double(_ context.Context, i int) int { return 2 * i }

func TestMapKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 500).Draw(t, "items")
		got := slices.Collect(Map(context.Background(), count(n), double))
		if len(got) != n {
			t.Fatalf("%d results of %d items", len(got), n)
		}
		for i, r := range got {
			if r != 2*i {
				t.Fatalf("result %d is %d", i, r)
			}
		}
	})
}

func TestMapUsesAllCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	size := Local{}.Size()
	var inside atomic.Int32
	together := make(chan struct{})
	wait := func(ctx context.Context, i int) int {
		if i%size == 0 && inside.Add(1) == 3 {
			close(together) // the others wait for this: it comes only when three run at once
		}
		<-together
		return i
	}
	if got := slices.Collect(Map(t.Context(), count(10*size), wait)); len(got) != 10*size {
		t.Fatalf("%d results", len(got))
	}
}

func TestMapStopsWithItsConsumer(t *testing.T) {
	var done atomic.Int32
	for r := range Map(t.Context(), count(1_000_000), func(_ context.Context, i int) int { done.Add(1); return i }) {
		if r == 100 {
			break
		}
	}
	if n := done.Load(); n > 10_000 {
		t.Fatalf("%d items were worked on for 100", n)
	}
}

// When the context ends, what was given is a beginning of the results without a gap.
func TestMapStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []int
	for r := range Map(ctx, count(1_000_000), double) {
		if got = append(got, r); len(got) == 1000 {
			cancel()
		}
	}
	if len(got) < 1000 || len(got) > 10_000 {
		t.Fatalf("%d results around a context that ended at 1,000", len(got))
	}
	for i, r := range got {
		if r != 2*i {
			t.Fatalf("result %d is %d", i, r)
		}
	}
}

func TestStreamKeepsTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 500).Draw(t, "items")
		var got []int
		for results := range Stream(context.Background(), Local{}, count(n), each(double)) {
			got = append(got, results...)
		}
		if len(got) != n {
			t.Fatalf("%d results of %d items", len(got), n)
		}
		for i, r := range got {
			if r != 2*i {
				t.Fatalf("result %d is %d", i, r)
			}
		}
	})
}

// An item that is there is worked on, also when the next one waits for its result.
func TestStreamAnswersWithoutWaitingForMore(t *testing.T) {
	answers := make(chan int)
	asking := func(yield func(int) bool) {
		for i := range 100 {
			if !yield(i) {
				return
			}
			if got := <-answers; got != 2*i {
				t.Errorf("%d for %d", got, i)
			}
		}
	}
	for results := range Stream(t.Context(), Local{}, asking, each(double)) {
		for _, r := range results {
			answers <- r
		}
	}
}

func TestStreamStopsWithItsConsumer(t *testing.T) {
	for results := range Stream(t.Context(), Local{}, count(1_000_000), each(double)) {
		if results[0] > 1000 {
			break
		}
	}
}

func TestStreamStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var got []int
	for results := range Stream(ctx, Local{}, count(1_000_000), each(double)) {
		if got = append(got, results...); len(got) > 1000 {
			cancel()
		}
	}
	for i, r := range got {
		if r != 2*i {
			t.Fatalf("result %d is %d", i, r)
		}
	}
}
