package sudoku

import (
	"context"
	"fmt"

	"assay/raters"
)

// hinter implements raters.Hinter with the techniques of sudoku.tiers.
//
// A board holds digits and nothing else, so what a step only removes is forgotten by the next hint. Whoever asks for
// the step after it passes the first one over.
type hinter struct{}

// Hint gives a step of the path that the techniques take from the digits on the board, in their order. A cell that is
// empty on the board but given in the puzzle counts as given.
func (hinter) Hint(ctx context.Context, p raters.Puzzle, board string, skip int) (raters.Hint, error) {
	givens, err := parse(p)
	if err != nil {
		return raters.Hint{}, err
	}
	cells, err := parse(raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: board})
	if err != nil {
		return raters.Hint{}, err
	}
	if err := keepGivens(&cells, &givens); err != nil {
		return raters.Hint{}, err
	}
	if err := (solver{budget: solveBudget}).prove(ctx, &givens); err != nil {
		return raters.Hint{}, err
	}
	proof, err := solver{budget: solveBudget}.solve(ctx, &cells)
	if err != nil {
		return raters.Hint{}, err
	}
	if proof.Verdict == raters.None {
		return mistake(ctx, &cells, &givens, proof.Reason)
	}
	return stepAfter(&cells, max(skip, 0)), nil
}

// keepGivens puts the givens on the board, which may not say otherwise.
func keepGivens(cells, givens *[81]uint8) error {
	for c, v := range givens {
		if v != 0 && cells[c] != 0 && cells[c] != v {
			return &raters.SyntaxError{Line: 1, Column: c + 1, Reason: fmt.Sprintf("%s is given as %d", cellNames[c], v)}
		}
		cells[c] = max(cells[c], v)
	}
	return nil
}

// mistake says that the board has no solution, and where: two peers with one digit, or the first digit
// that by itself leaves the puzzle without a solution.
func mistake(ctx context.Context, cells, givens *[81]uint8, clash string) (raters.Hint, error) {
	hint := raters.Hint{Kind: raters.HintMistake, Move: clash}
	for c := 0; c < 81 && hint.Move == ""; c++ {
		alone := *givens
		alone[c] = cells[c]
		proof, err := solver{budget: solveBudget}.solve(ctx, &alone)
		if err != nil {
			return raters.Hint{}, err
		}
		if proof.Verdict == raters.None {
			hint.Move = fmt.Sprintf("%s cannot be %d", cellNames[c], cells[c])
		}
	}
	return hint, nil
}

// stepAfter gives the step after the first ones of the path from a board.
func stepAfter(cells *[81]uint8, skip int) raters.Hint {
	r := recorders.Get().(*recorder)
	defer recorders.Put(r)
	r.begin(cells, tiers)
	for r.taken <= skip && r.advance() {
	}
	switch {
	case r.taken > skip:
	case r.open.empty():
		return raters.Hint{Kind: raters.HintNone, Area: fullAfter(skip)}
	default:
		return raters.Hint{Kind: raters.HintNone}
	}
	at := r.taken - 1
	for !r.found.single.places() && r.advance() {
	}
	path := r.record()
	return raters.HintOf(path.Steps(), at, path.area(at), naming)
}

// area says where an instance is without naming its cells: its houses, or the box of its first cell.
func (p pattern) area() string {
	switch p.kind {
	case 'h':
		return p.String()
	case 'c':
		return houseNames[houseOf[p.at[0]][2]]
	}
	return lineNames([]uint8{p.at[1] / 9, p.at[3] / 9})
}

// fullAfter says why there is no step after so many: they fill the grid.
func fullAfter(skip int) string {
	if skip <= 0 {
		return "the grid is full"
	}
	return fmt.Sprintf("no step comes after the first %d: the grid is full by then", skip)
}
