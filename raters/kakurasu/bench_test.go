package kakurasu

import (
	"slices"
	"testing"
	"time"

	"assay/raters"
)

// each runs f over puzzles in turn and reports the median and the 95th percentile of their times.
func each(b *testing.B, puzzles []raters.Puzzle, f func(raters.Puzzle) bool) {
	b.ReportAllocs()
	var took []time.Duration
	i := 0
	for b.Loop() {
		start := time.Now()
		if !f(puzzles[i%len(puzzles)]) {
			b.Fatal(puzzles[i%len(puzzles)].Text)
		}
		took = append(took, time.Since(start))
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "median-µs")
	b.ReportMetric(float64(took[len(took)*95/100].Nanoseconds())/1e3, "p95-µs")
}

// puzzlesOf returns puzzles as the generator makes them, of any level or of one.
func puzzlesOf(b *testing.B, v, level string) (all []raters.Puzzle) {
	b.Helper()
	for seed := range uint64(300) {
		all = append(all, generate(b, raters.Request{Variant: v, Level: level, Seed: seed}).Puzzle)
	}
	return all
}

var benchSizes = []string{"7x7", "10x10", "12x12"}

func BenchmarkSolve(b *testing.B) {
	for _, v := range benchSizes {
		puzzles := puzzlesOf(b, v, "")
		b.Run(v, func(b *testing.B) {
			each(b, puzzles, func(p raters.Puzzle) bool {
				got, err := solver{budget: solveBudget}.Solve(b.Context(), p)
				return err == nil && got.Verdict == raters.Unique
			})
		})
	}
}

// BenchmarkRate proves and rates, and keeps the solve.
func BenchmarkRate(b *testing.B) {
	rate := func(p raters.Puzzle) bool {
		got, err := canonical.Rate(b.Context(), p)
		return err == nil && got.Outcome == raters.Rated
	}
	for _, v := range benchSizes {
		puzzles := puzzlesOf(b, v, "")
		b.Run(v, func(b *testing.B) { each(b, puzzles, rate) })
	}
	for _, level := range builtIn.Levels() {
		puzzles := puzzlesOf(b, DefaultVariant, level)
		b.Run(DefaultVariant+"-"+level, func(b *testing.B) { each(b, puzzles, rate) })
	}
}

// BenchmarkSteps writes solves out.
func BenchmarkSteps(b *testing.B) {
	solves := map[string]raters.Rating{}
	puzzles := puzzlesOf(b, DefaultVariant, "expert")
	for _, p := range puzzles {
		rating, err := canonical.Rate(b.Context(), p)
		if err != nil {
			b.Fatal(err)
		}
		solves[p.Text] = rating
	}
	each(b, puzzles, func(p raters.Puzzle) bool { return len(solves[p.Text].Steps()) > 0 })
}

// BenchmarkGenerate makes puzzles of a level, seed after seed.
func BenchmarkGenerate(b *testing.B) {
	for _, v := range benchSizes {
		for _, level := range builtIn.Levels() {
			b.Run(v+"-"+level, func(b *testing.B) {
				seed := uint64(0)
				for b.Loop() {
					generate(b, raters.Request{Variant: v, Level: level, Seed: seed})
					seed++
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
			})
		}
	}
}
