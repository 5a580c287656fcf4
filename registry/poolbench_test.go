package registry_test

import (
	"os"
	"strings"
	"testing"

	"assay/events"
	"assay/events/badgerlog"
	"assay/raters"
	"assay/registry"
	"assay/registry/interchange"
)

// disk is a synced log in a directory of its own.
func disk(b *testing.B) events.Log {
	log, err := badgerlog.Open(badgerlog.Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close() })
	return log
}

// BenchmarkFill fills the five shelves of classic sudoku from nothing, on all cores, recorded and synced: 1,000
// puzzles each with ASSAY_FULL, else 50.
func BenchmarkFill(b *testing.B) {
	perShelf := 50
	if os.Getenv("ASSAY_FULL") != "" {
		perShelf = 1000
	}
	candidates := uint64(0)
	for i := range b.N {
		r, seed := open(b, disk(b), at(morning)), uint64(i)
		f, err := r.FillPool(b.Context(), registry.FillRequest{Pool: "sudoku/classic", PerShelf: perShelf, Seed: &seed, Actor: "editor"})
		if err != nil || !f.Full {
			b.Fatal(f, err)
		}
		candidates += f.Candidates
	}
	b.ReportMetric(float64(candidates)/b.Elapsed().Seconds(), "candidates/s")
	b.ReportMetric(float64(5*perShelf*b.N)/b.Elapsed().Seconds(), "kept/s")
}

// sudokus returns the thousand puzzles of the engine's own benchmark.
func sudokus(b *testing.B, g raters.Genre) (puzzles []raters.Puzzle) {
	text, err := os.ReadFile("../raters/sudoku/testdata/bench.sdm")
	if err != nil {
		b.Fatal(err)
	}
	for line := range interchange.For(g, "classic").Texts(strings.NewReader(string(text))) {
		p, err := g.Reader.Read("classic", line.Text)
		if err != nil {
			b.Fatal(err)
		}
		puzzles = append(puzzles, p)
	}
	return puzzles
}

// BenchmarkImport proves, rates and records a thousand sudokus, and then checks them as a pool.
func BenchmarkImport(b *testing.B) {
	puzzles := sudokus(b, genre(b, "sudoku"))
	b.Run("import", func(b *testing.B) {
		for range b.N {
			b.StopTimer()
			r := open(b, disk(b), at(morning))
			b.StartTimer()
			if _, err := r.Import(b.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(puzzles)*b.N)/b.Elapsed().Seconds(), "puzzles/s")
	})
	b.Run("verify", func(b *testing.B) {
		r := open(b, disk(b), at(morning))
		if _, err := r.Import(b.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"}); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if check, err := r.VerifyPool(b.Context(), "sudoku/classic", nil); err != nil || !check.OK || check.Puzzles != len(puzzles) {
				b.Fatal(check, err)
			}
		}
		b.ReportMetric(float64(len(puzzles)*b.N)/b.Elapsed().Seconds(), "puzzles/s")
	})
	b.Run("frequency", func(b *testing.B) {
		r := open(b, disk(b), at(morning))
		if _, err := r.Import(b.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"}); err != nil {
			b.Fatal(err)
		}
		if _, err := r.Pools(b.Context(), ""); err != nil { // tables caught up
			b.Fatal(err)
		}
		for b.Loop() {
			if f, err := r.Frequency(b.Context(), registry.FrequencyQuery{Pool: "sudoku/classic/medium"}); err != nil || f.Puzzles == 0 {
				b.Fatal(f, err)
			}
		}
	})
}
