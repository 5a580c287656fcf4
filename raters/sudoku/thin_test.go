package sudoku

import (
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

// A position from which clues are taken, and given back, is that of the clues that are left.
func TestTakingCluesIsStartingWithout(t *testing.T) {
	var q thinner
	for _, v := range shaped() {
		r := seedrand.New(6)
		for range size(20, 500) {
			s := v.dealt(r, &q)
			for _, c := range permutation(r, s.cells())[:s.cells()*2/3] {
				d := int(q.clues[c] - 1)
				q.ungive(c, d)
				if r.IntN(3) == 0 {
					q.giveBack(c, d)
				}
			}
			for c := range s.cells() {
				want := s.all()
				for p := range s.peers[c].all {
					if v := q.clues[p]; v != 0 {
						want &^= 1 << (v - 1)
					}
				}
				if q.clues[c] != 0 {
					want = 1 << (q.clues[c] - 1)
				}
				if got := q.base.cand[c]; got != want || q.base.open.has(c) != (q.clues[c] == 0) {
					t.Fatalf("%s, cell %d: candidates %b, want %b", cellText(q.clues[:s.cells()]), c, got, want)
				}
				for d := range s.size {
					if may := want>>d&1 != 0; q.base.at[d].has(c) != may || !sameOnHouses(&q.base, c, d, may) {
						t.Fatalf("%s, cell %d: digit %d, want %t", cellText(q.clues[:s.cells()]), c, d+1, may)
					}
				}
			}
		}
	}
}

// sameOnHouses tells whether the houses of a cell say of a digit there what is said.
func sameOnHouses(s *sheet, c, d int, may bool) bool {
	for _, m := range s.fullOf[c] {
		if s.where[m.house][d]>>m.place&1 != 0 != may {
			return false
		}
	}
	return true
}

// Each clue of a candidate is needed: without it the puzzle has more solutions, or takes techniques above the cap.
func TestShapedCandidatesNeedEveryClue(t *testing.T) {
	for _, v := range shaped() {
		if v.brings == ownCages {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			rater, many, harder := newShapedTiers(v), 0, 0
			for seed := range uint64(size(200/v.size()/v.size()+1, 5000/v.size())) {
				for tier := 1; tier <= v.tiers; tier++ {
					q := v.candidate(seed, tier).puzzle
					for c, given := range q.givens {
						if given == 0 {
							continue
						}
						less := *q
						less.givens = slices.Clone(q.givens)
						less.givens[c] = 0
						proof, err := q.shape.solve(t.Context(), less.givens, shapeBudget)
						if err != nil || proof.Verdict == raters.None {
							t.Fatalf("%s without cell %d: %s, error %v", q.text(), c, proof.Verdict, err)
						}
						if proof.Verdict == raters.Multiple {
							many++
							continue
						}
						if got, err := rater.rate(t.Context(), &less); err != nil || got.Tier <= tier {
							t.Fatalf("%s under %s does not need cell %d: error %v", q.text(), levels[tier], c, err)
						}
						harder++
					}
				}
			}
			t.Logf("%d clues without which there are more solutions, %d without which it is harder", many, harder)
		})
	}
}

// A second pass over the clues finds nothing to take.
func TestOnePassIsEnough(t *testing.T) {
	var q thinner
	for _, v := range shaped() {
		for seed := range uint64(size(5, 500)) {
			for tier := 1; v.brings != ownCages && tier <= v.tiers; tier++ {
				s := v.dealt(seedrand.New(seed), &q)
				q.thin(tierRules[tier])
				once := cellText(q.clues[:s.cells()])
				for c, given := range q.clues[:s.cells()] {
					if given == 0 {
						continue
					}
					q.ungive(c, int(given-1))
					if q.winsBack(c, int(given-1), tierRules[tier]) {
						t.Fatalf("%s under %s: the first pass kept cell %d", once, levels[tier], c)
					}
					q.giveBack(c, int(given-1))
				}
			}
		}
	}
}
