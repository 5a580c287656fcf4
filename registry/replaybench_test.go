package registry_test

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
)

// BenchmarkReplay compares a dry run over 20,000 sudoku of any level with the rater alone, on one core, and on two
// with one: the medians of rounds in turn, three of them, or with ASSAY_FULL=1 twenty-five: 500,000 ratings each. Run
// it with -benchtime 1x. Recording 5,000 of them is timed apart.
func BenchmarkReplay(b *testing.B) {
	const puzzles = 20_000
	rounds := 3
	if os.Getenv("ASSAY_FULL") != "" {
		rounds = 25
	}
	r := open(b, logtest.NewMemory(), at(morning))
	all := generated(b, r, puzzles)
	rater := genre(b, "sudoku").Raters[0]
	choice := reordered(b, "box-line-reduction", "pointing", 2)
	for b.Loop() {
		var bare, one, two []time.Duration
		for range rounds {
			bare = append(bare, timed(1, func() {
				for _, p := range all {
					if _, err := rater.Rate(b.Context(), p); err != nil {
						b.Fatal(err)
					}
				}
			}))
			dry := func() { replayAll(b, r, choice, true, puzzles) }
			one, two = append(one, timed(1, dry)), append(two, timed(2, dry))
		}
		middle := func(list []time.Duration) float64 {
			slices.Sort(list)
			return list[len(list)/2].Seconds()
		}
		b.ReportMetric(puzzles/middle(bare), "bare/s")
		b.ReportMetric(puzzles/middle(one), "one-core/s")
		b.ReportMetric(puzzles/middle(two), "two-cores/s")
		b.ReportMetric(100*(middle(one)/middle(bare)-1), "%over-bare")
		b.ReportMetric(middle(one)/middle(two), "times-faster")
		b.ReportMetric(timed(2, func() { record(b, r, choice, all[:5000]) }).Seconds(), "recorded-s")
	}
}

// timed runs something on so many cores.
func timed(cores int, do func()) time.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	runtime.GC()
	start := time.Now()
	do()
	return time.Since(start)
}

func replayAll(b *testing.B, r *registry.Registry, choice registry.RaterChoice, dry bool, want int) {
	req := registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice, DryRun: dry, Actor: "operator"}
	if v, err := r.Replay(b.Context(), req); err != nil || v.Puzzles != want {
		b.Fatal(v, err)
	}
}

func record(b *testing.B, r *registry.Registry, choice registry.RaterChoice, puzzles []raters.Puzzle) {
	req := registry.ReplayRequest{Rater: choice, Actor: "operator"}
	for _, p := range puzzles {
		req.IDs = append(req.IDs, p.ID())
	}
	if v, err := r.Replay(b.Context(), req); err != nil || v.Recorded != len(puzzles) {
		b.Fatal(v, err)
	}
}

// generated puts so many sudoku of any level on record.
func generated(b *testing.B, r *registry.Registry, n int) []raters.Puzzle {
	g := genre(b, "sudoku")
	var all []raters.Puzzle
	for seed := range uint64(n) {
		made, err := g.Generator.Generate(b.Context(), raters.Request{Variant: "classic", Seed: seed})
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, made.Puzzle)
	}
	for some := range slices.Chunk(all, 250) {
		if _, err := r.Import(b.Context(), registry.ImportRequest{Puzzles: some, Actor: "operator"}); err != nil {
			b.Fatal(err)
		}
	}
	return all
}
