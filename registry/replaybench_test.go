package registry_test

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
)

// BenchmarkReplay compares a dry run over a pool of sudoku, 1,000 a shelf, with the rater alone, on one core and on
// two: the medians of rounds in turn, seven of them, or with ASSAY_FULL=1 a hundred: 500,000 ratings each. Run it with
// -benchtime 1x. Recording them all is timed apart.
func BenchmarkReplay(b *testing.B) {
	rounds := 7
	if os.Getenv("ASSAY_FULL") != "" {
		rounds = 100
	}
	r := open(b, logtest.NewMemory(), at(morning))
	all := filled(b, r)
	rater := variant(b, "sudoku").Scales[0].Rater
	choice := reordered(b, "box-line-reduction", "pointing", 2)
	for b.Loop() {
		var took [4][]time.Duration // the rater alone on one core, and on two; a dry run on one, and on two
		for range rounds {
			for cores := range 2 {
				took[cores] = append(took[cores], timed(cores+1, func() { rateAll(b, rater, all, cores+1) }))
				took[2+cores] = append(took[2+cores], timed(cores+1, func() { replayAll(b, r, choice, true, len(all)) }))
			}
		}
		var perSecond [4]float64
		for i, name := range []string{"bare-1/s", "bare-2/s", "replay-1/s", "replay-2/s"} {
			slices.Sort(took[i])
			perSecond[i] = float64(len(all)) / took[i][rounds/2].Seconds()
			b.ReportMetric(perSecond[i], name)
		}
		b.ReportMetric(100*(perSecond[0]/perSecond[2]-1), "%over-bare-1")
		b.ReportMetric(100*(perSecond[1]/perSecond[3]-1), "%over-bare-2")
		b.ReportMetric(timed(2, func() { replayAll(b, r, choice, false, len(all)) }).Seconds(), "recorded-s")
	}
}

// rateAll rates each puzzle once, on this many cores.
func rateAll(b *testing.B, rater raters.Rater, all []raters.Puzzle, cores int) {
	var group sync.WaitGroup
	for core := range cores {
		group.Go(func() {
			for i := core; i < len(all); i += cores {
				if _, err := rater.Rate(b.Context(), all[i]); err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
}

// timed runs something on this many cores.
func timed(cores int, do func()) time.Duration {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	runtime.GC()
	start := time.Now()
	do()
	return time.Since(start)
}

func replayAll(b *testing.B, r *registry.Registry, choice engine.RaterChoice, dry bool, want int) {
	req := registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice, DryRun: dry, Actor: "operator"}
	if v, err := r.Replay(b.Context(), req); err != nil || v.Puzzles != want {
		b.Fatal(v, err)
	}
}

// filled fills a pool, and gives its puzzles.
func filled(b *testing.B, r *registry.Registry) (all []raters.Puzzle) {
	fillShelves(b, r, 1000)
	for _, level := range []string{"easy", "medium", "hard", "expert", "evil"} {
		list, err := r.Using(b.Context(), registry.UsingQuery{
			FrequencyQuery: registry.FrequencyQuery{Pool: "sudoku/classic/" + level}, Techniques: []string{"naked-single"}, Limit: 2000,
		})
		if err != nil {
			b.Fatal(err)
		}
		for _, u := range list {
			all = append(all, raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: u.Text})
		}
	}
	return all
}

// fillShelves fills the pool of sudoku with this many puzzles a shelf.
func fillShelves(t testing.TB, r *registry.Registry, each int) {
	t.Helper()
	fill, err := r.FillPool(t.Context(), registry.FillRequest{Pool: "sudoku/classic", PerShelf: each, Seed: new(uint64), Actor: "operator"})
	if err != nil || !fill.Full {
		t.Fatal(fill, err)
	}
}

// BenchmarkExplaining tells what it costs to find the causes of a replay, for each puzzle that moves: the time of a dry
// run in which some move less that of one in which none does, on one core. Run it with -benchtime 1x.
func BenchmarkExplaining(b *testing.B) {
	r := open(b, logtest.NewMemory(), at(morning))
	n := len(filled(b, r))
	calm, moving := reordered(b, "box-line-reduction", "pointing", 2), dropping(b)
	v, err := r.Replay(b.Context(), registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: moving, DryRun: true})
	if err != nil || v.Changed == 0 {
		b.Fatal(v, err)
	}
	for b.Loop() {
		var more []time.Duration
		for range 7 {
			still := timed(1, func() { replayAll(b, r, calm, true, n) })
			more = append(more, timed(1, func() { replayAll(b, r, moving, true, n) })-still)
		}
		slices.Sort(more)
		b.ReportMetric(more[3].Seconds()*1000/float64(v.Changed), "ms/moved")
		b.ReportMetric(float64(v.Changed), "moved")
	}
}
