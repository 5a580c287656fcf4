package registry

import (
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// What a step rests on is told apart: a value stands in the grid, a candidate is gone.
func TestTheReasonsOfAStepAreToldApart(t *testing.T) {
	naming := logic.Naming{Columns: 2, Values: []string{"1", "2", "3", "4"}}
	board := raters.Board{Rows: 2, Columns: 2, Cells: []raters.Cell{{Text: "2"}, {}, {}, {Written: "4"}}}
	var s AuditStep
	s.rest([]logic.Literal{logic.Lit(0, 1), logic.Lit(0, 3), logic.Lit(1, 2), logic.Lit(3, 3), logic.Lit(9, 0)}, naming, board)
	if !slices.Equal(s.written, []string{"r1c1=2", "r2c2=4"}) || !slices.Equal(s.gone, []string{"r1c1=4", "r1c2=3", "r5c2=1"}) {
		t.Errorf("written %v, gone %v", s.written, s.gone)
	}
}
