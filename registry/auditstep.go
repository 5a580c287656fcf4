package registry

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"assay/raters"
	"assay/raters/logic"
	"assay/registry/engine"
)

// AuditStep is the step that decided the level of a puzzle: the first step of the hardest technique, or the end of a
// solve that got stuck.
type AuditStep struct {
	Step  *engine.Step `json:"step,omitempty"` // absent when the solve got stuck
	Steps int          `json:"steps"`          // of the whole solve
	Grid  []string     `json:"grid,omitempty"` // as it stood then, row by row, "." for an empty cell; for genres on a grid
}

// hardestStep finds the step that decided the level of a recorded rating; nil when the rating has no steps.
func (r *Registry) hardestStep(ctx context.Context, rec Record, v *engine.Rating) (*AuditStep, error) {
	if v == nil {
		return nil, nil
	}
	solve, err := r.solveOnRecord(ctx, *v)
	steps := solve.Steps()
	if err != nil || len(steps) == 0 {
		return nil, err
	}
	out := &AuditStep{Steps: len(steps)}
	at := slices.IndexFunc(steps, func(s logic.Step) bool { return s.Technique == v.Hardest })
	if v.Outcome == string(raters.Stuck) || at < 0 {
		at = len(steps)
	} else {
		out.Step = &engine.StepsOf(solve)[at]
	}
	out.Grid = r.gridBefore(rec, solve, at)
	return out, nil
}

// gridBefore returns the grid before a step, counted from 0. It returns nothing when the genre has no grid, or when
// this program no longer has the genre.
func (r *Registry) gridBefore(rec Record, solve raters.Rating, step int) []string {
	p := raters.Puzzle{Genre: rec.Genre, Variant: rec.Variant, Text: rec.Text}
	g, err := engine.FindGenre(r.Genres, p.Genre)
	if err != nil || solve.Naming.Columns == 0 {
		return nil
	}
	board, err := g.Reader.Draw(p)
	if err != nil || board.Columns != solve.Naming.Columns {
		return nil
	}
	for _, s := range solve.Steps()[:step] {
		for _, l := range s.Placed {
			board.Write(solve.Naming.Text(l))
		}
	}
	return plainRows(board)
}

// plainRows writes the cells of a board with a character for each, "." for an empty one.
func plainRows(b raters.Board) (rows []string) {
	for cells := range slices.Chunk(b.Cells, b.Columns) {
		var row strings.Builder
		for _, c := range cells {
			text := cmp.Or(c.Text, ".")
			if c.Written != "" {
				text = b.Value(c.Written).Compact()
			}
			row.WriteString(text)
		}
		rows = append(rows, row.String())
	}
	return rows
}
