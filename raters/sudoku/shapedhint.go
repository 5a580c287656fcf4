package sudoku

import (
	"context"
	"fmt"

	"assay/raters"
)

// shapedHinter gives hints as hinter does, with the techniques of sudoku.tiers on the shape of the puzzle.
type shapedHinter struct{ shapedTiers }

// Hint returns a step of the path that the techniques take from the digits on the board, in their order. The board is a text
// of the puzzle's, or its cells alone; one that is empty there and given in the puzzle counts as given.
func (r shapedHinter) Hint(ctx context.Context, p raters.Puzzle, text string, skip int) (raters.Hint, error) {
	q, err := r.Read(p)
	if err != nil {
		return raters.Hint{}, err
	}
	now, err := q.onBoard(text)
	if err != nil {
		return raters.Hint{}, err
	}
	if err := q.prove(ctx); err != nil {
		return raters.Hint{}, err
	}
	proof, err := now.solve(ctx)
	switch {
	case err != nil:
		return raters.Hint{}, err
	case proof.Verdict == raters.None:
		return q.mistake(ctx, now, proof.Reason)
	}
	e, start := r.On(now)
	defer r.Free(e)
	hint, err := e.Hint(ctx, r.Order, start, r.Budget, max(skip, 0))
	switch {
	case err != nil:
		return raters.Hint{}, err
	case hint.Kind == raters.HintNone && hint.Area != "":
		hint.Area = fullAfter(skip)
	case hint.Kind == raters.HintStep:
		hint.Area = now.withoutCells(hint.Area)
	}
	return hint, nil
}

// onBoard returns the puzzle with what stands on a board, which may not say otherwise than its givens and its outlines.
func (q *parsed) onBoard(board string) (*parsed, error) {
	n, outlines := q.cells(), q.text()[q.cells():]
	if len(board) == n {
		board += outlines
	}
	now, err := q.of.parse(board)
	if err != nil {
		return nil, err
	}
	if err := raters.CheckCanonical(board, board[:n]+outlines); err != nil {
		return nil, err
	}
	for c, v := range q.givens {
		if v != 0 && now.givens[c] != 0 && now.givens[c] != v {
			return nil, part{}.wrong(c, fmt.Sprintf("%s is given as %s", q.cellName(c), q.naming.Values[v-1]))
		}
		now.givens[c] = max(now.givens[c], v)
	}
	return now, nil
}

// mistake says that the board has no solution, and where: what clashes, or the first digit that by itself leaves the puzzle
// without a solution.
func (q *parsed) mistake(ctx context.Context, now *parsed, clash string) (raters.Hint, error) {
	hint := raters.Hint{Kind: raters.HintMistake, Move: clash}
	for c, v := range now.givens {
		if hint.Move != "" {
			break
		}
		if v == q.givens[c] {
			continue
		}
		alone := &parsed{of: q.of, shape: q.shape, givens: append([]uint8(nil), q.givens...)}
		alone.givens[c] = v
		proof, err := alone.solve(ctx)
		if err != nil {
			return raters.Hint{}, err
		}
		if proof.Verdict == raters.None {
			hint.Move = fmt.Sprintf("%s cannot be %s", q.cellName(c), q.naming.Values[v-1])
		}
	}
	return hint, nil
}

// withoutCells says where an instance is without naming its cells: by the box of the first one. What names none stays.
func (s *shape) withoutCells(instance string) string {
	var row, column, kind int
	if n, _ := fmt.Sscanf(instance, "r%dc%d", &row, &column); n == 2 {
		return s.houseName(int(s.boxOf[(row-1)*s.size+column-1]))
	}
	var row2 int
	if n, _ := fmt.Sscanf(instance, "type %d r%dc%d r%dc%d r%d", &kind, &row, &column, &row, &column, &row2); n == 6 {
		return s.linesName(rowKind, 1<<(row-1)|1<<(row2-1))
	}
	return instance
}
