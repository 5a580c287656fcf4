package sudoku

import "math/bits"

// family is a set of sets of the digits 1 to 9: bit m stands for the set m, which has bit d for digit d, from 0. To add a digit
// to all sets of a family is to shift the family.
type family [8]uint64

// cageDigits is how many digits a family knows: cages are of grids of at most 9×9.
const cageDigits = 9

// maxSum is the sum of all digits.
const maxSum = cageDigits * (cageDigits + 1) / 2

var (
	lacking [cageDigits]family // digit: the sets without it

	// Of so many digits that add up to so much; at 0 all sets of so many digits.
	adding [cageDigits + 1][maxSum + 1]family
	within [cageDigits + 1][maxSum + 1]uint16 // the digits that are in any of them
)

func init() {
	for m := range 1 << cageDigits {
		word, bit := m>>6, uint64(1)<<(m&63)
		n, sum := bits.OnesCount(uint(m)), 0
		for d := range cageDigits {
			if m>>d&1 == 0 {
				lacking[d][word] |= bit
			} else {
				sum += d + 1
			}
		}
		for _, s := range [2]int{0, sum} {
			adding[n][s][word] |= bit
			within[n][s] |= uint16(m)
		}
	}
}

// addEach adds to a family the sets of another one with a digit more, in which they lack it: one of these digits.
func (f *family) addEach(from *family, digits uint16) {
	for ; digits != 0; digits &= digits - 1 {
		d := lowest(digits)
		step := 1 << d >> 6
		for w, m := range from {
			if m &= lacking[d][w]; m != 0 {
				f[w+step] |= m << (1 << d & 63)
			}
		}
	}
}

// dropEach adds to a family the sets of another one with a digit less: one of these digits.
func (f *family) dropEach(from *family, digits uint16) {
	for ; digits != 0; digits &= digits - 1 {
		d := lowest(digits)
		step := 1 << d >> 6
		for w := range f[:len(f)-step] {
			f[w] |= from[w+step] >> (1 << d & 63) & lacking[d][w]
		}
	}
}

// joins tells whether a digit added to a set of one family gives a set of another.
func joins(from, to *family, d int) bool {
	step := 1 << d >> 6
	for w := range from[:len(from)-step] {
		if from[w]&lacking[d][w]&(to[w+step]>>(1<<d&63)) != 0 {
			return true
		}
	}
	return false
}

// assignable gives what is left of the candidates of cells that hold different digits of a sum, 0 when any will do:
// a digit stays with a cell when an assignment of a candidate to each cell has it there.
func assignable(candidates []uint16, sum int, left *[cageDigits]uint16) {
	n := len(candidates)
	var before, after [cageDigits + 1]family // sets that the first cells can hold; that the others can complete
	before[0][0] = 1
	for i, m := range candidates {
		before[i+1].addEach(&before[i], m)
	}
	after[n] = adding[n][sum]
	for i := n - 1; i > 0; i-- {
		after[i].dropEach(&after[i+1], candidates[i])
	}
	for i, m := range candidates {
		left[i] = 0
		for ; m != 0; m &= m - 1 {
			if d := lowest(m); joins(&before[i], &after[i+1], d) {
				left[i] |= 1 << d
			}
		}
	}
}
