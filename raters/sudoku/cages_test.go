package sudoku

import (
	"math/bits"
	"testing"

	"assay/raters/seedrand"
)

// tryAll gives the digits of all assignments to cells of a sum, where some cells hold different ones.
func tryAll(may []uint16, sum int, differ func(i, j int) bool) []uint16 {
	some, held := make([]uint16, len(may)), make([]int, len(may))
	var try func(i, left int)
	try = func(i, left int) {
		if i == len(may) {
			for j, d := range held {
				if left == 0 {
					some[j] |= 1 << d
				}
			}
			return
		}
		for d := range 9 {
			fits := may[i]>>d&1 != 0
			for j := range i {
				fits = fits && (held[j] != d || !differ(i, j))
			}
			if fits {
				held[i] = d
				try(i+1, left-d-1)
			}
		}
	}
	try(0, sum)
	return some
}

// candidatesOf draws some digits, seldom all.
func candidatesOf(r *seedrand.Rand) uint16 {
	m := uint16(1 + r.IntN(nine))
	if r.IntN(3) == 0 {
		m |= uint16(r.IntN(nine + 1))
	}
	return m
}

func TestExactSumsOfCagesAreThoseOfTryingEverything(t *testing.T) {
	r := seedrand.New(12)
	for range size(4000, 100_000) {
		var a assignments
		a.n = r.Between(1, 6)
		for i := range a.n {
			a.may[i] = candidatesOf(r)
		}
		sum := r.Between(-2, 46)
		want := tryAll(a.may[:a.n], sum, func(int, int) bool { return true })
		if a.exactly(sum) != (want[0] != 0) {
			t.Fatalf("%09b make %d: want %09b", a.may[:a.n], sum, want)
		}
		for i := range a.n {
			if a.some[i] != want[i] {
				t.Fatalf("%09b make %d: %09b, want %09b", a.may[:a.n], sum, a.some[:a.n], want)
			}
		}
	}
}

// A cage of all digits holds them in any order; one cell less is told the digit that is left out.
func TestExactSumsOfLargeCages(t *testing.T) {
	for missing := 0; missing <= 9; missing++ {
		a := assignments{n: 9 - min(missing, 1)}
		for i := range a.n {
			a.may[i] = nine
		}
		want := uint16(nine)
		if missing > 0 {
			want &^= 1 << (missing - 1)
		}
		if !a.exactly(45 - missing) {
			t.Fatalf("no assignment without %d", missing)
		}
		for i := range a.n {
			if a.some[i] != want {
				t.Errorf("without %d cell %d holds %09b", missing, i, a.some[i])
			}
		}
	}
}

func TestSumsOfFewCellsAreThoseOfTryingEverything(t *testing.T) {
	r := seedrand.New(13)
	for range size(4000, 100_000) {
		n, pattern, sum := r.Between(1, maxSide), r.IntN(8), r.Between(-2, 30)
		var may [maxSide]uint16
		for i := range n {
			may[i] = candidatesOf(r)
		}
		got := fewAddUp(may, n, sum, pattern&1 != 0, pattern&2 != 0, pattern&4 != 0)
		want := tryAll(may[:n], sum, func(i, j int) bool { return pattern>>(i+j-1)&1 != 0 })
		for i := range n {
			if got[i] != want[i] {
				t.Fatalf("%09b make %d, pattern %03b: %09b, want %09b", may[:n], sum, pattern, got[:n], want)
			}
		}
	}
}

func TestMirrorMakesUpASum(t *testing.T) {
	for digits := range uint16(1 << 9) {
		for sum := -3; sum <= 20; sum++ {
			want := uint16(0)
			for m := digits; m != 0; m &= m - 1 {
				if d := sum - bits.TrailingZeros16(m) - 1; d >= 1 && d <= 16 {
					want |= 1 << (d - 1)
				}
			}
			if got := mirror(digits, sum); got != want {
				t.Fatalf("%09b to %d: %016b, want %016b", digits, sum, got, want)
			}
		}
	}
}
