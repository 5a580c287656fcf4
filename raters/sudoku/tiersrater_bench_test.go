package sudoku

import (
	"testing"

	"assay/raters"
)

// BenchmarkRateShapes rates puzzles of each variant by sudoku.tiers from their texts, of all levels in turn.
func BenchmarkRateShapes(b *testing.B) {
	for _, v := range shaped() {
		rater, all := newShapedTiers(v), made100(v)
		puzzles := make([]raters.Puzzle, len(all))
		for i, q := range all {
			puzzles[i] = raters.Puzzle{Genre: Name, Variant: v.name, Text: q.text()}
		}
		b.Run(v.name, func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if got, err := rater.Rate(b.Context(), puzzles[i%len(puzzles)]); err != nil || got.Outcome != raters.Rated {
					b.Fatalf("%s: %s, error %v", puzzles[i%len(puzzles)].Text, got.Outcome, err)
				}
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "puzzles/s")
		})
	}
}
