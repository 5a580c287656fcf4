package sudoku

import (
	"flag"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

// lag is how many candidates may be under way at once while shelves are filled: candidate i takes its
// cap from the shelves as they stood after candidate i − lag.
const lag = 64

// fillShelves makes candidates, each under the cap of the emptiest shelf, and keeps those whose shelf is
// not full, until each of the five holds perShelf.
func fillShelves(seed uint64, perShelf int) (shelves [6][]made, candidates int) {
	var before [][6]int // sizes after each candidate
	var sizes [6]int
	for full := 0; full < 5; candidates++ {
		seen := [6]int{}
		if candidates >= lag {
			seen = before[candidates-lag]
		}
		m := candidate(seedrand.Sub(seed, "fill", 0, uint64(candidates)), emptiest(seen, perShelf))
		if sizes[m.tier] < perShelf {
			shelves[m.tier] = append(shelves[m.tier], m)
			sizes[m.tier]++
			if sizes[m.tier] == perShelf {
				full++
			}
		}
		before = append(before, sizes)
	}
	return shelves, candidates
}

func emptiest(sizes [6]int, most int) int {
	tier := 1
	for t := 2; t <= 5; t++ {
		if sizes[t] < sizes[tier] {
			tier = t
		}
	}
	return tier
}

func meanClues(shelf []made) float64 {
	n := 0
	for i := range shelf {
		n += clues(&shelf[i].clues)
	}
	return float64(n) / float64(len(shelf))
}

// share gives how many percent of a shelf use a technique under a rater.
func share(r rater, shelf []made, technique string) float64 {
	n := 0
	for i := range shelf {
		for _, u := range r.rate(&shelf[i].clues).Techniques {
			if u.Name == technique {
				n++
			}
		}
	}
	return 100 * float64(n) / float64(len(shelf))
}

// benchFile gives the content of testdata/bench.sdm, whose last lines, the public puzzles, are its own.
func benchFile(old string) string {
	shelves, _ := fillShelves(1, 180)
	var b strings.Builder
	b.WriteString(benchHead)
	for i := range 180 {
		for _, s := range shelves[1:] {
			b.WriteString(text(&s[i].clues) + "\n")
		}
	}
	lines := strings.SplitAfter(strings.TrimSpace(old)+"\n", "\n")
	return b.String() + strings.Join(lines[len(lines)-101:], "")
}

const benchHead = `# 900 puzzles of generator version 1, 180 of each level in turn from easy to evil: what fillShelves(1, 180) gives.
# Then 100 of the public list HardestDatabase110626, every third line; the twelve techniques leave each of them stuck.
`

var writeBench = flag.Bool("write-bench", false, "write testdata/bench.sdm afresh")

func TestBenchFileIsWhatItSays(t *testing.T) {
	const name = "testdata/bench.sdm"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if *writeBench {
		if err := os.WriteFile(name, []byte(benchFile(string(old))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if full() && GeneratorVersion == 1 && benchFile(string(old)) != string(old) {
		t.Fatal("testdata/bench.sdm is not what the generator makes; -write-bench writes it afresh")
	}
	shelves, hard := readBench(t)
	for i := range shelves {
		if got := tiersRater.rate(&shelves[i]); got.Tier != i%5+1 || got.Outcome != raters.Rated {
			t.Fatalf("puzzle %d is %s, tier %d", i, got.Outcome, got.Tier)
		}
	}
	for i := range hard {
		if got := tiersRater.rate(&hard[i]); got.Outcome != raters.Stuck {
			t.Fatalf("hard puzzle %d is %s", i, got.Outcome)
		}
	}
}

// swapped is the rater with pointing and box/line reduction in each other's place.
func swapped() rater {
	r := rater{order: slices.Clone(tiers)}
	r.order[2], r.order[3] = r.order[3], r.order[2]
	return r
}

// The guide's figures for shelves of 1,000: mean clue count 24.4 for easy and 24.8 for evil; of medium,
// 952 used pointing and 301 box/line reduction; all of evil used a unique rectangle. A full run fills
// shelves of 1,000; the margins of the quick one are those of its smaller sample.
func TestPublishedFigures(t *testing.T) {
	perShelf := size(40, 1000)
	shelves, candidates := fillShelves(20261129, perShelf)
	easy, evil := meanClues(shelves[1]), meanClues(shelves[5])
	pointing, boxLine := share(tiersRater, shelves[2], "pointing"), share(tiersRater, shelves[2], "box-line-reduction")
	rectangle := share(tiersRater, shelves[5], "unique-rectangle")
	t.Logf("%d candidates for shelves of %d: %.2f and %.2f clues; %.1f %% pointing, %.1f %% box/line; swapped %.1f and %.1f; %.1f %% unique rectangle",
		candidates, perShelf, easy, evil, pointing, boxLine, share(swapped(), shelves[2], "pointing"), share(swapped(), shelves[2], "box-line-reduction"), rectangle)
	margin := float64(size(5, 1))
	if math.Abs(easy-24.4) > 0.15*margin || math.Abs(evil-24.8) > 0.15*margin {
		t.Errorf("mean clues %.2f and %.2f", easy, evil)
	}
	if math.Abs(pointing-95.2) > 2.5*margin || math.Abs(boxLine-30.1) > 2.5*margin || rectangle != 100 {
		t.Errorf("pointing %.1f, box/line %.1f, unique rectangle %.1f", pointing, boxLine, rectangle)
	}
	for tier, shelf := range shelves {
		for i := range shelf {
			if got := swapped().rate(&shelf[i].clues).Tier; got != tier {
				t.Errorf("with the two techniques swapped a puzzle of tier %d has tier %d", tier, got)
			}
		}
	}
}
