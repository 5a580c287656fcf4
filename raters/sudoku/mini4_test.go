package sudoku

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"assay/raters/seedrand"
)

// differences returns the sets of cells in which a grid differs from others, without those that hold another one.
func differences(grid []uint8, grids [][]uint8) (least []uint16) {
	var all []uint16
	for _, other := range grids {
		var set uint16
		for c := range grid {
			if grid[c] != other[c] {
				set |= 1 << c
			}
		}
		if set != 0 {
			all = append(all, set)
		}
	}
	for _, a := range all {
		holds := false
		for _, b := range all {
			holds = holds || a != b && b&^a == 0
		}
		if !holds {
			least = append(least, a)
		}
	}
	return least
}

// tellApart reports whether some cells have one of each set.
func tellApart(cells uint16, sets []uint16) bool {
	for _, set := range sets {
		if set&cells == 0 {
			return false
		}
	}
	return true
}

// There are 288 grids of 4×4. Digits that tell one from all others make a puzzle, and one that can spare none of them is
// minimal: each of these has one solution by the solver, and is easy.
func TestAllMinimalPuzzlesOfMini4(t *testing.T) {
	v := named(t, "mini4")
	grids := allFillings(seedrand.New(1), v.base(), make([]uint8, 16), 1000)
	if len(grids) != 288 {
		t.Fatalf("%d grids", len(grids))
	}
	rater, byClues, total := newShapedTiers(v), map[int]int{}, 0
	for _, grid := range grids {
		sets := differences(grid, grids)
		for cells := range uint16(1<<16 - 1) {
			n, minimal := bits.OnesCount16(cells), tellApart(cells, sets)
			for m := cells; m != 0 && minimal; m &= m - 1 {
				minimal = !tellApart(cells&^(m&-m), sets)
			}
			if !minimal {
				continue
			}
			q := &parsed{of: v, shape: v.base(), givens: make([]uint8, 16)}
			for c := range grid {
				q.givens[c] = grid[c] * uint8(cells>>c&1)
			}
			total++
			byClues[n]++
			if total%size(9, 1) != 0 {
				continue
			}
			rated, err := rater.rate(t.Context(), q)
			if err != nil || rated.Tier != 1 || q.prove(t.Context()) != nil {
				t.Fatalf("%s: tier %d, error %v", q.text(), rated.Tier, err)
			}
		}
	}
	if said := fmt.Sprint(byClues); said != "map[4:25728 5:58368 6:1536]" || total != 85_632 || !strings.Contains(genrePage(t), "85,632 minimal 4×4 puzzles") {
		t.Errorf("%d minimal puzzles, by givens %s", total, said)
	}
}

// The page has a row for each variant with the levels of both raters, and a puzzle of it that is easy.
func TestThePageListsTheVariants(t *testing.T) {
	page := genrePage(t)
	for i, v := range variants {
		row := fmt.Sprintf("| %s |", strings.Join(levels[1:1+v.tiers], ", "))
		if row += " –"; v.canonical > 0 {
			row = strings.TrimSuffix(row, "–") + strings.Join(canonicalProfile.Levels()[:v.canonical], ", ")
		}
		listed := false
		for line := range strings.Lines(page) {
			name := strings.HasPrefix(line, "| "+v.name+" |") || strings.HasPrefix(line, "| ["+v.name+"](#")
			listed = listed || name && strings.HasSuffix(strings.TrimSpace(line), row+" |")
		}
		if !listed {
			t.Errorf("%s is not listed with %q", v.name, row)
		}
		if v.classic {
			continue
		}
		easy := 0
		for line := range strings.Lines(page) {
			if p, err := (reader{}).Read(v.name, strings.TrimSpace(line)); err == nil && strings.HasPrefix(line, "    ") {
				if rated, err := engines[i].tiers.Rate(t.Context(), p); err == nil && rated.Level == levels[1] {
					easy++
				}
			}
		}
		if easy == 0 {
			t.Errorf("the page shows no easy puzzle of %s", v.name)
		}
	}
}
