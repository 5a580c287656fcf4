package sudoku

import (
	"bufio"
	"context"
	"os"
	"strings"
	"testing"

	"assay/raters"
)

// readBench gives the puzzles of testdata/bench.sdm: the 900 of the shelves and the 100 hard ones.
func readBench(t testing.TB) (shelves, hard [][81]uint8) {
	t.Helper()
	f, err := os.Open("testdata/bench.sdm")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if strings.HasPrefix(sc.Text(), "#") {
			continue
		}
		cells, err := parse(raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: sc.Text()})
		if err != nil {
			t.Fatal(err)
		}
		if len(shelves) < 900 {
			shelves = append(shelves, cells)
		} else {
			hard = append(hard, cells)
		}
	}
	if len(shelves) != 900 || len(hard) != 100 {
		t.Fatalf("%d puzzles of the shelves and %d hard ones", len(shelves), len(hard))
	}
	return shelves, hard
}

// each runs f over the puzzles in turn and reports the rate. Shelves and hard puzzles are apart: of the time of
// all 1,000, four fifths would go to proving the hard ones.
func each(b *testing.B, name string, puzzles [][81]uint8, f func(*[81]uint8) bool) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			if !f(&puzzles[i%len(puzzles)]) {
				b.Fatal(text(&puzzles[i%len(puzzles)]))
			}
			i++
		}
		b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "puzzles/s")
	})
}

func BenchmarkSolve(b *testing.B) {
	shelves, hard := readBench(b)
	s := solver{budget: solveBudget}
	unique := func(cells *[81]uint8) bool {
		got, err := s.solve(context.Background(), cells)
		return err == nil && got.Verdict == raters.Unique
	}
	each(b, "shelves", shelves, unique)
	each(b, "hard", hard, unique)
}

// BenchmarkRate proves and rates, and keeps the solve: the literals that each step removes and relies on, and what
// went with it. Candidates of any level are as the generator makes them when no level is asked for.
func BenchmarkRate(b *testing.B) {
	shelves, hard := readBench(b)
	candidates := make([][81]uint8, 900)
	for i := range candidates {
		candidates[i] = candidate(uint64(i), evil).clues
	}
	rate := func(cells *[81]uint8) bool {
		got, err := tiersRater.Rate(context.Background(), puzzle(cells))
		return err == nil && got.Tier > 0
	}
	each(b, "shelves", shelves, rate)
	each(b, "any", candidates, rate)
	each(b, "hard", hard, rate)
}

// BenchmarkSteps writes a solve out.
func BenchmarkSteps(b *testing.B) {
	shelves, _ := readBench(b)
	solves := map[[81]uint8]raters.Rating{}
	for i := range shelves {
		solves[shelves[i]] = tiersRater.rate(&shelves[i])
	}
	each(b, "shelves", shelves, func(cells *[81]uint8) bool { return len(solves[*cells].Steps()) > 0 })
}

func BenchmarkCanonical(b *testing.B) {
	shelves, hard := readBench(b)
	each(b, "all", append(shelves, hard...), func(cells *[81]uint8) bool {
		got, err := canonizer{}.Canonical(puzzle(cells))
		return err == nil && len(got) == 81
	})
}

func BenchmarkCandidate(b *testing.B) {
	for tier := 1; tier <= 5; tier++ {
		b.Run(levels[tier], func(b *testing.B) {
			seed := uint64(0)
			for b.Loop() {
				candidate(seed, tier)
				seed++
			}
		})
	}
}

// BenchmarkFill fills five shelves of 100.
func BenchmarkFill(b *testing.B) {
	for b.Loop() {
		_, n := fillShelves(1, 100)
		b.ReportMetric(float64(n), "candidates")
	}
}
