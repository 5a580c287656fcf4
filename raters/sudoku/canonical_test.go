package sudoku

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"

	"pgregory.net/rapid"
)

// symmetry is one way to turn a grid into one that is the same.
type symmetry struct {
	flip       bool
	rows, cols [9]int // new position: old one
	digits     [10]uint8
}

func (y symmetry) of(cells *[81]uint8) (out [81]uint8) {
	for r := range 9 {
		for c := range 9 {
			from := 9*y.rows[r] + y.cols[c]
			if y.flip {
				from = 9*y.cols[c] + y.rows[r]
			}
			out[9*r+c] = y.digits[cells[from]]
		}
	}
	return out
}

func randomSymmetry(r *seedrand.Rand) (y symmetry) {
	perm := func(n int) []int {
		p := make([]int, n)
		for i := range p {
			p[i] = i
		}
		r.Shuffle(n, func(i, j int) { p[i], p[j] = p[j], p[i] })
		return p
	}
	lines := func() (out [9]int) {
		for i, band := range perm(3) {
			for j, line := range perm(3) {
				out[3*i+j] = 3*band + line
			}
		}
		return out
	}
	y = symmetry{flip: r.IntN(2) == 1, rows: lines(), cols: lines()}
	for i, d := range perm(9) {
		y.digits[i+1] = uint8(d + 1)
	}
	return y
}

func canonical(t interface{ Fatal(...any) }, cells *[81]uint8) string {
	got, err := canonizer{}.Canonical(puzzle(cells))
	if err != nil {
		t.Fatal(text(cells), err)
	}
	return got
}

// lineOrders gives the 1,296 orders of nine lines that keep bands together.
func lineOrders() (out [][9]int) {
	six := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for _, b := range six {
		for _, x := range six {
			for _, y := range six {
				for _, z := range six {
					var o [9]int
					for i, in := range [3][3]int{x, y, z} {
						for j, line := range in {
							o[3*i+j] = 3*b[i] + line
						}
					}
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// naiveLeast tries all 3,359,232 ways to lay a grid out, naming digits as they come.
func naiveLeast(cells *[81]uint8) string {
	var best [81]uint8
	best[0] = 255
	all := lineOrders()
	for _, flip := range []bool{false, true} {
		g := symmetry{flip: flip, rows: all[0], cols: all[0], digits: [10]uint8{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}.of(cells)
		for _, rows := range all {
			for _, cols := range all {
				layOut(&g, &rows, &cols, &best)
			}
		}
	}
	return text(&best)
}

// layOut makes best the grid so laid out if that is less.
func layOut(g *[81]uint8, rows, cols *[9]int, best *[81]uint8) {
	var names [10]uint8
	var out [81]uint8
	next, less := uint8(1), false
	for i := range 81 {
		d := g[9*rows[i/9]+cols[i%9]]
		if d != 0 && names[d] == 0 {
			names[d] = next
			next++
		}
		out[i] = names[d]
		if !less && out[i] > best[i] {
			return
		}
		less = less || out[i] < best[i]
	}
	*best = out
}

func TestCanonicalFormIsTheLeastOfAll(t *testing.T) {
	shelves, hard := readBench(t)
	grids := append(slices.Clone(shelves[:size(3, 15)]), hard[:size(1, 10)]...)
	m := candidate(1, 1)
	var sparse, one [81]uint8
	one[44] = 3
	for i := range 9 {
		sparse[9*i+(i*3+i/3)%9] = uint8(i + 1)
	}
	for _, cells := range append(grids, m.solution, one, sparse, [81]uint8{}) {
		if got, want := canonical(t, &cells), naiveLeast(&cells); got != want {
			t.Errorf("%s: %s, want %s", text(&cells), got, want)
		}
	}
}

func TestCanonicalFormIsThatOfEverySymmetricGrid(t *testing.T) {
	shelves, hard := readBench(t)
	grids := append(shelves, hard...)
	rapid.Check(t, func(t *rapid.T) {
		cells := grids[rapid.IntRange(0, len(grids)-1).Draw(t, "puzzle")]
		if rapid.Bool().Draw(t, "solved") {
			full, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: solve(t, &cells).Solutions[0]})
			if err != nil {
				t.Fatal(err)
			}
			cells = full
		}
		y := randomSymmetry(seedrand.New(rapid.Uint64().Draw(t, "symmetry"))).of(&cells)
		if got, want := canonical(t, &y), canonical(t, &cells); got != want {
			t.Fatalf("%s and %s: %s and %s", text(&cells), text(&y), got, want)
		}
	})
}

func TestCanonicalFormsOfBenchPuzzlesDiffer(t *testing.T) {
	shelves, hard := readBench(t)
	seen := map[string]string{}
	for _, cells := range append(shelves, hard...) {
		form := canonical(t, &cells)
		if other := seen[form]; other != "" {
			t.Fatalf("%s and %s have one canonical form", text(&cells), other)
		}
		seen[form] = text(&cells)
	}
}

func TestCanonicalFormOfNoPuzzle(t *testing.T) {
	_, err := canonizer{}.Canonical(raters.Puzzle{Genre: Name, Variant: Variant, Text: "..."})
	var s *raters.SyntaxError
	if !errors.As(err, &s) {
		t.Fatal(err)
	}
}

// What a tie may at most be: grids with as much symmetry as there is.
func TestCanonicalFormIsBounded(t *testing.T) {
	var block, latin, rook, spread [81]uint8
	for c := range 81 {
		r, k := c/9, c%9
		latin[c] = uint8((3*(r%3)+r/3+k)%9 + 1)
		if r < 3 && k < 3 {
			block[c] = uint8(3*r + k + 1)
		}
		if r == k {
			rook[c] = uint8(r + 1)
		}
		if k == 3*(r%3)+r/3 {
			spread[c] = 1
		}
	}
	for _, cells := range [][81]uint8{block, latin, rook, spread} {
		canonical(t, &cells)
	}
}

// clashes tells whether two peers hold one digit.
func clashes(cells *[81]uint8) bool {
	for c, d := range cells {
		if d != 0 && !allowed(cells, c, d) {
			return true
		}
	}
	return false
}

// checkForm checks the canonical form of any grid: there is none where two peers hold one digit; else it is an image of
// the grid, and so that of an image.
func checkForm(t interface{ Fatalf(string, ...any) }, cells *[81]uint8, seed uint64) {
	form, err := canonizer{}.Canonical(puzzle(cells))
	image := randomSymmetry(seedrand.New(seed)).of(cells)
	same, imageErr := canonizer{}.Canonical(puzzle(&image))
	var none *raters.NoSolutionError
	switch {
	case clashes(cells):
		if !errors.As(err, &none) || none.Reason == "" || !errors.As(imageErr, &none) || form+same != "" {
			t.Fatalf("%s: %q, %v and %q, %v", text(cells), form, err, same, imageErr)
		}
	case err != nil || imageErr != nil || form != same:
		t.Fatalf("%s and %s: %q, %v and %q, %v", text(cells), text(&image), form, err, same, imageErr)
	default:
		of, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: form})
		if err != nil || clues(&of) != clues(cells) || clashes(&of) {
			t.Fatalf("%s: %s is no image of it, %v", text(cells), form, err)
		}
	}
}

// Few givens, many, solvable or not, with and without two peers of one digit.
func TestCanonicalFormOfAnyGrid(t *testing.T) {
	twice := "55" + strings.Repeat(".", 79)
	for _, text := range []string{"1234567889" + strings.Repeat(".", 71), twice, twice[:80] + "5", getLost[0], getLost[1]} {
		cells, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		checkForm(t, &cells, 1)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range size(2000, 50_000) {
		cells := sparse(random, random.IntN(40))
		if random.IntN(4) == 0 {
			cells[random.IntN(81)] = uint8(1 + random.IntN(9))
		}
		checkForm(t, &cells, random.Uint64())
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add("1234567889" + strings.Repeat(".", 71))
	f.Add(sample)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := reader{}.Read(Variant, text)
		if err != nil {
			return
		}
		cells, err := parse(p)
		if err != nil {
			t.Fatal(err)
		}
		checkForm(t, &cells, uint64(len(text)))
	})
}
