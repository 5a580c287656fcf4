package registry

import (
	"context"
	"slices"
	"strings"

	"assay/raters"
)

// AuditStep is what decided the level of a puzzle: the first step of the hardest technique, or for a solve
// that got stuck where it ended.
type AuditStep struct {
	Step  *Step    `json:"step,omitempty"` // absent when the solve got stuck
	Steps int      `json:"steps"`          // of the whole solve
	Grid  []string `json:"grid,omitempty"` // as it stood then, row by row, "." for an empty cell; for genres on a grid
}

// hardestStep finds what decided the level of a rating on record; nil when it has no steps.
func (r *Registry) hardestStep(ctx context.Context, rec Record, v *Rating) (*AuditStep, error) {
	if v == nil {
		return nil, nil
	}
	solve, err := r.solveOnRecord(ctx, *v)
	steps := solve.Steps()
	if err != nil || len(steps) == 0 {
		return nil, err
	}
	out := &AuditStep{Steps: len(steps)}
	at := slices.IndexFunc(steps, func(s raters.Step) bool { return s.Technique == v.Hardest })
	if v.Outcome == string(raters.Stuck) || at < 0 {
		at = len(steps)
	} else {
		out.Step = &StepsOf(solve)[at]
	}
	out.Grid = r.gridBefore(rec, solve, at)
	return out, nil
}

// gridBefore gives a grid as it stands before a step, counted from 0; nothing when the genre has no grid or
// this program does not know it any more.
func (r *Registry) gridBefore(rec Record, solve raters.Rating, step int) []string {
	p := raters.Puzzle{Genre: rec.Genre, Variant: rec.Variant, Text: rec.Text}
	g, err := FindGenre(r.Genres, p.Genre)
	if err != nil || solve.Naming.Columns == 0 {
		return nil
	}
	board, err := g.Reader.Draw(p)
	if err != nil || board.Grid == nil || board.Grid.Columns-board.Grid.Left != solve.Naming.Columns {
		return nil
	}
	cells := cellsOf(board.Grid)
	for _, s := range solve.Steps()[:step] {
		for _, l := range s.Placed {
			if l.Variable() < len(cells) && l.Value() < len(solve.Naming.Values) {
				cells[l.Variable()] = marked(solve.Naming.Values[l.Value()])
			}
		}
	}
	return gridRows(cells, solve.Naming.Columns)
}

// cellsOf gives the cells of a grid without the clues beside them.
func cellsOf(g *raters.GridBoard) (cells []string) {
	for row := g.Top; row < g.Rows; row++ {
		cells = append(cells, g.Cells[row*g.Columns+g.Left:(row+1)*g.Columns]...)
	}
	return cells
}

// marked gives the one character that stands for a value.
func marked(value string) string {
	switch value {
	case "shaded":
		return "#"
	case "unshaded":
		return "-"
	}
	return value
}

func gridRows(cells []string, columns int) (rows []string) {
	for row := range slices.Chunk(cells, columns) {
		var b strings.Builder
		for _, c := range row {
			if c == "" {
				c = "."
			}
			b.WriteString(c)
		}
		rows = append(rows, b.String())
	}
	return rows
}
