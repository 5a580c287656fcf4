package sudoku

import (
	"testing"

	"assay/raters/seedrand"
)

// Over seeds 1 to 10,000 no outline comes twice. Each box is of nine connected cells, and none is a row or a column. The
// walk over the cells of a box shares nothing with the generator.
func TestOutlinesAreIrregularAndDiffer(t *testing.T) {
	seen := map[outline]uint64{plainOutline: 0}
	for seed := uint64(1); seed <= 10_000; seed++ {
		o := randomOutline(seedrand.New(seed))
		if before, known := seen[o]; known {
			t.Fatalf("seed %d has the outline of seed %d", seed, before)
		}
		seen[o] = seed
		next := uint8(0)
		for c, b := range o {
			if b > next || b == next && next == 9 {
				t.Fatalf("seed %d: box %d comes out of order", seed, b)
			}
			if b == next {
				checkBox(t, &o, c)
				next++
			}
		}
		if next != 9 {
			t.Fatalf("seed %d: %d boxes", seed, next)
		}
	}
}

// checkBox checks the box whose first cell this is.
func checkBox(t *testing.T, o *outline, first int) {
	t.Helper()
	var in [81]bool
	in[first] = true
	rows, columns := map[int]bool{}, map[int]bool{}
	queue := []int{first}
	for i := 0; i < len(queue); i++ {
		row, column := queue[i]/9, queue[i]%9
		rows[row], columns[column] = true, true
		for _, to := range [][2]int{{row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}} {
			if c := 9*to[0] + to[1]; min(to[0], to[1]) >= 0 && max(to[0], to[1]) < 9 && !in[c] && o[c] == o[first] {
				in[c] = true
				queue = append(queue, c)
			}
		}
	}
	cells := 0
	for _, b := range o {
		if b == o[first] {
			cells++
		}
	}
	if cells != 9 || len(queue) != 9 || len(rows) == 1 || len(columns) == 1 {
		t.Fatalf("%v: box %d has %d cells, of which %d hang together", *o, o[first], cells, len(queue))
	}
}

// Most outlines have a filling, and the puzzles made on them differ in their outlines.
func TestOutlinesWithoutAFillingAreFew(t *testing.T) {
	n, without := size(200, 5000), 0
	for seed := range uint64(n) {
		r := seedrand.New(seed)
		o := randomOutline(r)
		s := newShapeOf(o[:])
		if grid := filledAtRandom(s, r); grid == nil {
			without++
		} else if !newPlain(s).consistent(grid) {
			t.Fatalf("%s is no filling of %v", cellText(grid), o)
		}
	}
	t.Logf("%d of %d outlines", without, n)
	if without > n/15 {
		t.Errorf("%d of %d outlines were not filled", without, n)
	}
}
