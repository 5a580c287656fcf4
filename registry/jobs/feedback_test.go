package jobs

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Each item is the sum of the results up to the one lag before it, and its result mixes it with its
// number: a plain loop gives the same results.
func TestFeedbackSeesTheResultsUpToItsLag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, lag := rapid.IntRange(0, 300).Draw(t, "items"), rapid.IntRange(1, 70).Draw(t, "lag")
		mix := func(i, sum int) int { return (sum*31 + i*i) % 1_000_003 }
		var want []int
		for i := range n {
			sum := 0
			for _, r := range want[:max(0, i-lag+1)] {
				sum += r
			}
			want = append(want, mix(i, sum))
		}
		var got []int
		asked, sum := 0, 0
		next := func() ([2]int, bool) {
			if asked == n {
				return [2]int{}, false
			}
			asked++
			return [2]int{asked - 1, sum}, true
		}
		for r := range Feedback(context.Background(), Local{}, lag, next, func(_ context.Context, in [2]int) int { return mix(in[0], in[1]) }) {
			got, sum = append(got, r), sum+r
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d results %v\nwant %d %v", len(got), got, len(want), want)
		}
	})
}

func endless() func() (int, bool) {
	n := 0
	return func() (int, bool) { n++; return n, true }
}

func TestFeedbackStopsWithItsConsumer(t *testing.T) {
	got := 0
	for range Feedback(t.Context(), Local{}, 64, endless(), double) {
		if got++; got == 1000 {
			break
		}
	}
	if got != 1000 {
		t.Fatal(got)
	}
}

func TestFeedbackStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	got := 0
	for r := range Feedback(ctx, Local{}, 64, endless(), double) {
		if got++; r != 2*got {
			t.Fatalf("result %d is %d", got, r)
		}
		if got == 1000 {
			cancel()
		}
	}
	if got != 1000 {
		t.Fatalf("%d results of a context that ended after 1,000", got)
	}
}
