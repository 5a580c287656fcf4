package engine

import (
	"context"

	"assay/raters"
)

// Solution is a solver's verdict on a puzzle: the object solve/1.
type Solution struct {
	Schema    string   `json:"schema"`
	ID        string   `json:"id"`
	Genre     string   `json:"genre"`
	Variant   string   `json:"variant"`
	Verdict   string   `json:"verdict"` // unique, multiple or none
	Solutions []string `json:"solutions"`
	Nodes     uint64   `json:"nodes"`
	Reason    string   `json:"reason,omitempty"` // for none, when the puzzle itself shows it
}

// Solve proves how many solutions a puzzle has.
func Solve(ctx context.Context, v raters.Variant, p raters.Puzzle) (Solution, error) {
	s, err := v.Solver.Solve(ctx, p)
	if err != nil {
		return Solution{}, err
	}
	return Solution{
		Schema: "solve/1", ID: p.ID(), Genre: p.Genre, Variant: p.Variant,
		Verdict: string(s.Verdict), Solutions: append([]string{}, s.Solutions...), Nodes: s.Nodes, Reason: s.Reason,
	}, nil
}
