package sudoku

import "testing"

// tierOf gives the lowest tier whose rules finish a puzzle; evil when none does.
func (q *proof) tierOf(s *shape, cells []uint8) int {
	for tier := 1; tier < evil; tier++ {
		first := q.sheet(0)
		first.copyFrom(&s.ground().blank)
		for c, v := range cells {
			if v != 0 && !first.give(c, int(v-1)) {
				return evil
			}
		}
		if first.close(tierRules[tier]) && first.solved() {
			return tier
		}
	}
	return evil
}

// What the rules of a tier finish is what the steps of the rater finish, on which no rule of a sheet depends.
func TestTierIsThatOfTheRater(t *testing.T) {
	shelves, hard := readBench(t)
	all := append(shelves, hard...)
	for i := range size(2000, 100_000) {
		all = append(all, candidate(uint64(i), 3+i%3).clues)
	}
	var q proof
	var seen [evil + 1]int
	for i := range all {
		want := tiersRater.rate(&all[i]).Tier
		if got := q.tierOf(classicShape, all[i][:]); got != want {
			t.Fatalf("%s: tier %d, want %d", text(&all[i]), got, want)
		}
		seen[want]++
	}
	t.Logf("puzzles by tier: %v", seen[1:])
	if min(seen[1], seen[2], seen[3], seen[4], seen[5]) < 150 {
		t.Error("too few of a tier")
	}
}
