package registry

import (
	"errors"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// Whatever has the effect: what is found has it; when it is said to be the smallest, no smaller set has it; and when
// all sets can be tried it is the first of the smallest.
func TestSmallestSetIsTheFirstOfTheSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 11).Draw(t, "things")
		all := uint64(1)<<n - 1
		effect := map[uint64]bool{all: true}
		for _, set := range rapid.SliceOfN(rapid.Uint64Range(0, all), 0, 40).Draw(t, "sets with the effect") {
			effect[set] = true
		}
		tries := map[uint64]int{}
		set, minimal, err := smallest(n, func(set uint64) (bool, error) {
			tries[set]++
			return effect[set], nil
		})
		if err != nil || !effect[set] || len(tries) > maxTries || tries[all] > 0 {
			t.Fatalf("%b of %b in %d tries, %v", set, all, len(tries), err)
		}
		for tried, times := range tries {
			if times > 1 || effect[tried] && bits.OnesCount64(tried) < bits.OnesCount64(set) {
				t.Fatalf("%b was tried %d times, and %b was found", tried, times, set)
			}
		}
		for other := range effect {
			smaller := bits.OnesCount64(other) < bits.OnesCount64(set)
			if minimal && smaller || n <= 6 && (smaller || comesBefore(other, set)) {
				t.Fatalf("%b was found, minimal %v, and %b has the effect", set, minimal, other)
			}
		}
		if small := 1 << n; small <= maxTries && !minimal {
			t.Fatalf("%d sets, and the smallest is not known", small)
		}
	})
}

// comesBefore reports whether a set of as many things as another one comes before it: the first thing that only one of
// them has is its own.
func comesBefore(a, b uint64) bool {
	return bits.OnesCount64(a) == bits.OnesCount64(b) && a != b && a>>bits.TrailingZeros64(a^b)&1 == 1
}

// With as many things as a set can hold the search keeps to its bound, and says that it did not try all.
func TestSmallestSetOfManyThings(t *testing.T) {
	for n := 12; n <= 64; n++ {
		all := uint64(1)<<n - 1
		tries := 0
		set, minimal, err := smallest(n, func(uint64) (bool, error) { tries++; return false, nil })
		if set != all || minimal || err != nil || tries != maxTries {
			t.Errorf("%d things: %b, minimal %v, %v after %d tries", n, set, minimal, err, tries)
		}
	}
	pair := func(set uint64) (bool, error) { return set&(1<<3|1<<20) == 1<<3|1<<20, nil }
	if set, minimal, err := smallest(22, pair); set != 1<<3|1<<20 || !minimal || err != nil {
		t.Errorf("%b, %v, %v", set, minimal, err)
	}
}

func TestSmallestSetEndsWithAnError(t *testing.T) {
	for at := range 30 {
		broken := errors.New("broken")
		tries := 0
		_, _, err := smallest(8, func(uint64) (bool, error) {
			if tries++; tries > at {
				return false, broken
			}
			return false, nil
		})
		if !errors.Is(err, broken) || tries != at+1 {
			t.Errorf("after %d tries: %v", tries, err)
		}
	}
}
