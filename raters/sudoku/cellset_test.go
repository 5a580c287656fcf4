package sudoku

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawSet gives a set and, for checking it, which of the 81 it holds.
func drawSet(t *rapid.T, name string) (set cellSet, holds [81]bool) {
	sparse := rapid.IntRange(0, 8).Draw(t, name+" misses")
	for c := range holds {
		if holds[c] = rapid.IntRange(0, 8).Draw(t, name) >= sparse; holds[c] {
			set.add(c)
		}
	}
	return set, holds
}

func TestSetsCountTheirRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, holds := drawSet(t, "cell")
		var size [10]uint16 // by number of places: the rows
		for r := range 9 {
			var row uint16
			for p := range 9 {
				if holds[9*r+p] {
					row |= 1 << p
				}
			}
			if set.row(uint8(r)) != row || uint16(set.band(r/3)>>(r%3*10))&nine != row {
				t.Fatalf("row %d of %x is %09b, want %09b", r, set, set.row(uint8(r)), row)
			}
			size[bits.OnesCount16(row)] |= 1 << r
		}
		two, few := set.fewIn()
		if got := set.single(); got != size[1] || two != size[2] || few != size[2]|size[3] {
			t.Fatalf("of %x, %09b are single, %09b two, %09b two or three", set, got, two, few)
		}
	})
}

func TestSetsListTheirCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, holds := drawSet(t, "cell")
		var want, got []uint8
		for c := range holds {
			if holds[c] != set.has(c) {
				t.Fatalf("%s in %x: %t", cellNames[c], set, set.has(c))
			}
			if holds[c] {
				want = append(want, uint8(c))
			}
		}
		for c := range set.all {
			got = append(got, c)
		}
		var list [81]uint8
		n := set.list(list[:])
		if !slices.Equal(got, want) || !slices.Equal(list[:n], want) || set.empty() != (len(want) == 0) {
			t.Fatalf("%x lists %v and %v, want %v", set, got, list[:n], want)
		}
		if first := set.first(); len(want) == 0 && first != -1 || len(want) > 0 && first != int(want[0]) {
			t.Fatalf("the first of %v is %d", want, first)
		}
		for _, c := range want {
			set.remove(int(c))
		}
		if set != (cellSet{}) {
			t.Fatalf("without its cells: %x", set)
		}
	})
}

func TestSetsOfHouses(t *testing.T) {
	for m := range uint16(512) {
		var want [3]cellSet
		for h := range 27 {
			if m>>(h%9)&1 != 0 {
				want[h/9] = want[h/9].or(cellsOf[h])
			}
		}
		if got := [3]cellSet{rows(m), columns(m), boxes(m)}; got != want {
			t.Fatalf("houses %09b are %x, want %x", m, got, want)
		}
	}
}

// On each board the places of a house are a row.
func TestBoards(t *testing.T) {
	for c := range uint8(81) {
		for k, h := range houseOf[c] {
			var one cellSet
			one.set(onBoard[c][k])
			if one.row(h%9) != 1<<placeOf[c][k] {
				t.Fatalf("%s on board %d: %x", cellNames[c], k, one)
			}
			want := one
			for p := range uint8(81) {
				if refSees(int(c), int(p)) {
					want.set(onBoard[p][k])
				}
			}
			if scope[c][k] != want {
				t.Fatalf("%s and its peers on board %d: %x, want %x", cellNames[c], k, scope[c][k], want)
			}
		}
	}
}
