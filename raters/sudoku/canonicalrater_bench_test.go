package sudoku

import (
	"context"
	"slices"
	"testing"
	"time"

	"assay/raters"
)

// BenchmarkCanonicalRate proves and rates. The median is that of single ratings.
func BenchmarkCanonicalRate(b *testing.B) {
	shelves, hard := readBench(b)
	for name, puzzles := range map[string][][81]uint8{"shelves": shelves, "hard": hard} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if _, err := canonicalRater.Rate(context.Background(), puzzle(&puzzles[i%len(puzzles)])); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns")
		})
	}
}

// BenchmarkByLevel makes puzzles of a level, and minimal puzzles of any.
func BenchmarkByLevel(b *testing.B) {
	for _, level := range canonicalProfile.Levels() {
		b.Run(level, func(b *testing.B) {
			seed := uint64(0)
			for b.Loop() {
				if _, err := (generator{}).Generate(context.Background(), raters.Request{Rater: CanonicalName, Level: level, Seed: seed}); err != nil {
					b.Fatal(err)
				}
				seed++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
		})
	}
	b.Run("minimal", func(b *testing.B) {
		seed := uint64(0)
		for b.Loop() {
			minimal(seed)
			seed++
		}
	})
}
