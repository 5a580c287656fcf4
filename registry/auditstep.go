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

	cages         bool     // the puzzle has cages, which the rows of the grid do not show
	written, gone []string // what the step rests on: values that stand in the grid, and candidates that are gone
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
	board, ok := r.boardBefore(rec, solve, at)
	if ok {
		out.Grid, out.cages = plainRows(board), len(board.Cages) > 0
	}
	if out.Step != nil {
		out.rest(steps[at].Because, solve.Naming, board)
	}
	return out, nil
}

// rest notes what the step rests on.
func (s *AuditStep) rest(because []logic.Literal, naming logic.Naming, b raters.Board) {
	for _, l := range because {
		name := naming.Text(l)
		if v := l.Variable(); v < len(b.Cells) && cmp.Or(b.Cells[v].Written, b.Cells[v].Text) == naming.Value(l) {
			s.written = append(s.written, name)
		} else {
			s.gone = append(s.gone, name)
		}
	}
}

// boardBefore returns the board before a step, counted from 0; not ok when the genre has no grid, or when this program no
// longer has the genre.
func (r *Registry) boardBefore(rec Record, solve raters.Rating, step int) (board raters.Board, ok bool) {
	p := raters.Puzzle{Genre: rec.Genre, Variant: rec.Variant, Text: rec.Text}
	g, err := engine.FindGenre(r.Genres, p.Genre)
	if err != nil || solve.Naming.Columns == 0 {
		return board, false
	}
	board, err = g.Reader.Draw(p)
	if err != nil || board.Columns != solve.Naming.Columns {
		return raters.Board{}, false
	}
	for _, s := range solve.Steps()[:step] {
		for _, l := range s.Placed {
			board.Write(solve.Naming.Text(l))
		}
	}
	return board, true
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
