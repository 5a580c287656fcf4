package sudoku

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/raters"
)

// hinter implements raters.Hinter with the techniques of sudoku.tiers.
//
// A board holds digits and nothing else, so what a step only removes is forgotten by the next hint. A hint
// is therefore more than a step: it is the techniques' run from the digits on the board up to the first
// digit they write, without the steps that this digit does not rest on. Area and technique are those of
// the first step that is left, which is the cheapest that helps; the move names every step, and so ends in
// a digit. When the techniques come to no digit there is no hint.
type hinter struct{}

// Hint gives the first step of the way to the next digit. A cell that is empty on the board but given in
// the puzzle counts as given.
func (hinter) Hint(ctx context.Context, p raters.Puzzle, board string) (raters.Hint, error) {
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
	return nextDigit(&cells), nil
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

func nextDigit(cells *[81]uint8) raters.Hint {
	r := recorders.Get().(*recorder)
	defer recorders.Put(r)
	found := r.toNextDigit(cells, tiers)
	switch {
	case r.open.empty() && !found:
		return raters.Hint{Kind: raters.HintNone, Area: "the grid is full"}
	case !found:
		return raters.Hint{Kind: raters.HintNone}
	}
	solve := r.record()
	steps := solve.Steps()
	var moves []string
	needed := restsOn(steps)
	for _, i := range needed {
		moves = append(moves, steps[i].Text(naming))
	}
	first := needed[0]
	return raters.Hint{
		Kind:      raters.HintStep,
		Area:      solve.area(first),
		Technique: steps[first].Technique,
		Move:      strings.Join(moves, "; then "),
	}
}

// toNextDigit takes steps until one writes a digit, and tells whether one did.
func (r *recorder) toNextDigit(cells *[81]uint8, order []technique) bool {
	r.begin(cells, order)
	for !r.open.empty() {
		if !r.next() {
			return false
		}
		if r.found.single.places() {
			return true
		}
	}
	return false
}

// restsOn gives the indices of the steps that the last one rests on, itself included.
func restsOn(steps []raters.Step) (needed []int) {
	wanted := make([]bool, len(steps))
	wanted[len(steps)-1] = true
	for i := len(steps) - 1; i >= 0; i-- {
		if !wanted[i] {
			continue
		}
		needed = append(needed, i)
		for _, n := range steps[i].From {
			wanted[n-1] = true
		}
	}
	slices.Reverse(needed)
	return needed
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
