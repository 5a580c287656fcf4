package chain

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

func generate(t testing.TB, level string, seed uint64) raters.Generated {
	t.Helper()
	g, err := Genre().Variants[0].Generator.Generate(t.Context(), raters.Request{Variant: Variant, Level: level, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// week is the labels from Monday on.
var week = [7]string{"easy", "easy", "medium", "medium", "hard", "hard", "medium"}

func built(t testing.TB, label string) raters.Band {
	t.Helper()
	b, err := bandOf(bands{}.Built(), label)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Each day of a long run, checked by enumeration: the form of its label, one winning set, a score in
// the band, and the accepted attempt's board made again from the seed alone.
func TestDaysHoldUnderEnumeration(t *testing.T) {
	for day := range 140 {
		label := week[day%7]
		seed := seedrand.Sub(2, "day", uint64(day), 0)
		g := generate(t, label, seed)
		n := naively(g.Puzzle.Text)
		l, err := requested(raters.Request{Variant: Variant, Level: label})
		if err != nil {
			t.Fatal(err)
		}
		if n.moves != l.moves || len(n.hand) != l.tiles {
			t.Errorf("%s: %d moves of %d tiles for %s", g.Puzzle.Text, n.moves, len(n.hand), label)
		}
		wins := n.wins()
		if len(sets(wins)) != 1 || g.Solution != n.text(wins[0]) {
			t.Errorf("%s: solution %q, enumerated %d winning sets", g.Puzzle.Text, g.Solution, len(sets(wins)))
		}
		last := g.Attempts[len(g.Attempts)-1]
		b := built(t, label)
		if score, _ := n.terms(); score != *last.Score || score < b.Low || score > b.High {
			t.Errorf("%s: score %d, recorded %d, band %d–%d", g.Puzzle.Text, score, *last.Score, b.Low, b.High)
		}
		if c := draw(l, seedrand.Sub(seed, "chain", 0, uint64(last.N))); c.text() != g.Puzzle.Text {
			t.Errorf("attempt %d of seed %d gives %s, not %s", last.N, seed, c.text(), g.Puzzle.Text)
		}
	}
}

// Every dropped attempt was dropped for what is recorded.
func TestAttemptsSayWhy(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(100) {
		for _, l := range lengths {
			band := built(t, l.level)
			for _, a := range generate(t, l.level, seed).Attempts {
				seen[a.Outcome]++
				c := draw(l, seedrand.Sub(seed, "chain", 0, uint64(a.N)))
				if want := outcomeByEnumeration(&c, band); a.Outcome != want || (a.Score != nil) != c.valid() {
					t.Errorf("seed %d, %s, attempt %+v: enumerated %s", seed, l.level, a, want)
				}
			}
		}
	}
	for _, outcome := range []string{noPlay, twoSets, belowBand, aboveBand, accepted} {
		if seen[outcome] == 0 {
			t.Errorf("no attempt ended as %q", outcome)
		}
	}
}

func outcomeByEnumeration(c *candidate, band raters.Band) string {
	if !c.playable {
		return "no play"
	}
	n := naively(c.text())
	if len(sets(n.wins())) > 1 {
		return "two winning sets"
	}
	score, _ := n.terms()
	switch {
	case score < band.Low:
		return "below the band"
	case score > band.High:
		return "above the band"
	}
	return "accepted"
}

func TestAnyLevelIsChosenBySeed(t *testing.T) {
	moves := map[int]int{}
	for seed := range uint64(60) {
		n := naively(generate(t, "", seed).Puzzle.Text)
		moves[n.moves]++
		// The length apart, a seed means the same board as under the level's name.
		if named := generate(t, lengths[n.moves-3].level, seed); named.Puzzle.Text != n.board() {
			t.Errorf("seed %d: %s, under its level's name %s", seed, n.board(), named.Puzzle.Text)
		}
	}
	for k := 3; k <= 5; k++ {
		if moves[k] < 10 {
			t.Errorf("%d of 60 seeds chose %d moves", moves[k], k)
		}
	}
}

func TestCapsAreRefused(t *testing.T) {
	_, err := Genre().Variants[0].Generator.Generate(t.Context(), raters.Request{Variant: Variant, Cap: "hard"})
	var refused *raters.RequestError
	if !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
}

func TestAttemptsEndInABudgetError(t *testing.T) {
	g := generator{bands: raters.Calibration{Bands: []raters.Band{{Label: "easy", Low: 1000, High: 1000}}}, attempts: 50}
	if _, err := g.Generate(t.Context(), raters.Request{Variant: Variant, Level: "easy"}); !errors.Is(err, raters.ErrBudget) {
		t.Errorf("error %v", err)
	}
	if _, err := g.Generate(t.Context(), raters.Request{Variant: Variant, Level: "hard"}); err == nil {
		t.Error("generated without a band")
	}
}

// The published shape: about a third of the candidates that reach the band check end there (31 of 91 over
// sixty days). The share of one run of sixty days scatters, by about five percent points.
func TestBandCheckRejectsAboutAThird(t *testing.T) {
	const runs = 50
	rejected, within := 0, 0
	for run := range uint64(runs) {
		r := rejectedIn60Days(t, run)
		rejected += r
		if share := percent(r, r+60); share >= 25 && share <= 45 {
			within++
		}
	}
	t.Logf("%d of %d candidates ended at the band check; 25 to 45 %% in %d of %d runs", rejected, rejected+60*runs, within, runs)
	if share := percent(rejected, rejected+60*runs); share < 31 || share > 37 {
		t.Errorf("%.1f %% of the candidates ended at the band check, not 31 to 37", share)
	}
	if within < runs*9/10 {
		t.Errorf("25 to 45 %% in %d of %d runs only", within, runs)
	}
}

func percent(part, whole int) float64 { return 100 * float64(part) / float64(whole) }

// rejectedIn60Days counts the candidates that were scored and dropped.
func rejectedIn60Days(t *testing.T, run uint64) int {
	t.Helper()
	rejected := 0
	for day := range 60 {
		for _, a := range generate(t, week[day%7], seedrand.Sub(run, "day", uint64(day), 0)).Attempts {
			if a.Score != nil && a.Outcome != accepted {
				rejected++
			}
		}
	}
	return rejected
}

func TestBandsHaveThePublishedShape(t *testing.T) {
	easy, medium, hard := built(t, "easy"), built(t, "medium"), built(t, "hard")
	if easy.Low != medium.Low || easy.High != medium.High {
		t.Errorf("easy %+v and medium %+v differ", easy, medium)
	}
	if easy.Low != 11 || easy.High-easy.Low+1 > 5 {
		t.Errorf("easy %+v: not from 11, or more than five scores", easy)
	}
	if hard.Low <= easy.High || hard.Median != 17 {
		t.Errorf("hard %+v: not above %d, or its median is not 17", hard, easy.High)
	}
	for _, b := range (bands{}).Built().Bands {
		if b.Sample != 1000 || b.LowPercent != 30 || b.HighPercent != 70 {
			t.Errorf("%+v", b)
		}
	}
}

// Another sample moves no bound by more than one: 20 seeds, 500 with ASSAY_FULL=1.
func TestBandsHardlyDependOnTheSeed(t *testing.T) {
	seeds := uint64(20)
	if os.Getenv("ASSAY_FULL") == "1" {
		seeds = 500
	}
	for seed := range seeds {
		c, err := bands{}.Calibrate(t.Context(), CalibrationSeed+1+seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Bands {
			if w := built(t, b.Label); apart(b.Low, w.Low) > 1 || apart(b.High, w.High) > 1 {
				t.Errorf("seed %d: %+v, built in %+v", c.Seed, b, w)
			}
		}
	}
}

func apart(a, b int) int { return max(a-b, b-a) }

func TestPercentileIsNearestRank(t *testing.T) {
	ten := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for p, want := range map[int]int{1: 1, 10: 1, 11: 2, 30: 3, 31: 4, 50: 5, 70: 7, 100: 10} {
		if got := percentile(ten, p); got != want {
			t.Errorf("percentile %d of 1 to 10 is %d, want %d", p, got, want)
		}
	}
	if got := percentile([]int{15, 20, 35, 40, 50}, 30); got != 20 {
		t.Errorf("percentile 30 of five is %d, want 20", got)
	}
}

// What Built gives is the caller's own.
func TestBuiltBandsCannotBeChanged(t *testing.T) {
	c := bands{}.Built()
	c.Bands[0].Low = -100
	if built(t, "easy").Low == -100 {
		t.Error("a caller changed the built-in bands")
	}
}

func TestGuideShowsTheBands(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "genres", "chain.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range (bands{}).Built().Bands {
		if row := fmt.Sprintf("\n| %s | %d | %d | %d |\n", b.Label, b.Low, b.Median, b.High); !strings.Contains(string(guide), row) {
			t.Errorf("docs/genres/chain.md has no row %q", row)
		}
	}
}

func BenchmarkDay(b *testing.B) {
	for _, l := range lengths {
		b.Run(l.level, func(b *testing.B) {
			seed := uint64(0)
			for b.Loop() {
				g := generate(b, l.level, seed)
				if _, err := (scorer{}).Rate(b.Context(), g.Puzzle); err != nil {
					b.Fatal(err)
				}
				seed++
			}
		})
	}
}

func BenchmarkCalibrate(b *testing.B) {
	for b.Loop() {
		if _, err := (bands{}).Calibrate(b.Context(), CalibrationSeed); err != nil {
			b.Fatal(err)
		}
	}
}
