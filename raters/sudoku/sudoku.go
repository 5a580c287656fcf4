// Package sudoku is sudoku: each row, column and box of the grid holds each digit once.
//
// Canonical text of the variant classic (9×9, boxes 3×3): 81 characters on one line, row by row, "." for
// an empty cell. The text of a solution is the same without empty cells.
//
// The solver proves how many solutions a grid has by search (bands.go, solver.go).
//
// The rater sudoku.tiers solves a grid by twelve techniques in a fixed order and grades it by the hardest one it
// needs (techniques.go lists them; state.go is the position they work on, cellset.go its sets, record.go what is
// kept of a solve). The generator takes clues from a full grid while the techniques up to a level still solve
// it (generate.go).
//
// The rater sudoku.canonical (canonicalrater.go) solves by 21 techniques, none of which takes the solution to be
// unique, with the engine of raters/deduce, which other genres share. board.go lists them, the files board*.go hold
// them, boardprove.go their verifiers, shape.go the grid. The generator makes its puzzles in bylevel.go.
//
// Apart from both, canonical.go finds the canonical form of a grid under its symmetries.
package sudoku

import "assay/raters"

// Name is the genre's name.
const Name = "sudoku"

// Variant is the genre's only variant.
const Variant = "classic"

// Genre gives the engine.
func Genre() raters.Genre {
	return raters.Genre{Name: Name, Reader: reader{}, Variants: []raters.Variant{{
		Genre: Name,
		Name:  Variant,
		Scales: []raters.Scale{
			{Rater: tiersRater, Levels: levels[1:], Stuck: levels[evil]},
			{Rater: canonicalRater, Levels: canonicalProfile.Levels()},
		},
		Solver:    solver{budget: solveBudget},
		Generator: generator{},
		Canonizer: canonizer{},
		Hinter:    hinter{},
		Values:    values,
	}}}
}

// values reads a full grid.
func values(_ raters.Puzzle, solution string) []uint8 {
	out := make([]uint8, len(solution))
	for i := range out {
		out[i] = solution[i] - '1'
	}
	return out
}
