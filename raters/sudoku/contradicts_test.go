package sudoku

import (
	"testing"

	"assay/raters"
)

// A solve contradicts a grid, without writing its steps out, exactly when a step that is written out does: not the
// solution, and of grids with one other digit those that differ where a step says something.
func TestContradictsIsWhatTheStepsSay(t *testing.T) {
	shelves, hard := readBench(t)
	for i, cells := range append(hard, shelves...) {
		if i >= len(hard) && !full() && i%50 != 0 {
			continue
		}
		p := raters.Puzzle{Genre: Name, Variant: Variant, Text: text(&cells)}
		solved, err := Genre().Variants[0].Solver.Solve(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		v, err := Genre().Variants[0].Scales[0].Rater.Rate(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		steps, values := raters.Steps(v.Steps()), Genre().Variants[0].Values(p, solved.Solutions[0])
		for c := range values {
			was := values[c]
			for other := range uint8(9) {
				values[c] = other
				if got := v.Solve.Contradicts(values); got != steps.Contradicts(values) || got && other == was {
					t.Fatalf("%s with r%dc%d=%d: %t", p.Text, c/9+1, c%9+1, other+1, got)
				}
			}
			values[c] = was
		}
	}
}
