// Package kakurasu is kakurasu: shade cells of a grid. A cell counts its column's number in its row and its
// row's number in its column, numbered from 1; the shaded cells of a line add up to its clue.
//
// Canonical text: "rows columns", then the clues of the columns, then those of the rows, on a line each:
//
//	4 4
//	4 6 3 1
//	3 2 4 5
//
// A solution is a line a row: "#" for a shaded cell, "." for one that is not. The variant of a puzzle is its
// size, "4x4" (rows first), from 4 to 12 each way.
//
// The solver proves by search over the ways to fill lines (solver.go). The rater kakurasu.canonical (rater.go)
// solves by the techniques of board.go with the engine of raters/deduce. The generator shades at random and keeps
// what has one solution and the level asked for (generate.go).
package kakurasu

import (
	"fmt"
	"slices"
	"strings"

	"assay/raters"
)

// Name is the genre's name.
const Name = "kakurasu"

// The range of sizes, each way.
const (
	MinSize = 4
	MaxSize = 12
)

// DefaultVariant is the first of the variants, which go on by rows and columns.
const DefaultVariant = "7x7"

// Genre returns the engine.
func Genre() raters.Genre {
	var all []raters.Variant
	for rows := MinSize; rows <= MaxSize; rows++ {
		for columns := MinSize; columns <= MaxSize; columns++ {
			all = append(all, raters.Variant{
				Genre:     Name,
				Name:      variant(rows, columns),
				Scales:    []raters.Scale{{Rater: canonical, Levels: offeredBy(rows, columns)}},
				Solver:    solver{budget: solveBudget},
				Generator: generator{},
				Canonizer: raters.NoSymmetries,
				Hinter:    canonical,
				Values:    values,
			})
		}
	}
	first := slices.IndexFunc(all, func(v raters.Variant) bool { return v.Name == DefaultVariant })
	return raters.Genre{Name: Name, Reader: reader{}, Variants: slices.Concat(all[first:first+1], all[:first], all[first+1:])}
}

// values reads the marks of a solution.
func values(_ raters.Puzzle, solution string) []uint8 {
	var cells []uint8
	for _, mark := range strings.Fields(solution) {
		value := uint8(unshaded)
		if mark == "#" {
			value = shaded
		}
		cells = append(cells, value)
	}
	return cells
}

func variant(rows, columns int) string { return fmt.Sprintf("%dx%d", rows, columns) }

// sizeOf reads a variant.
func sizeOf(v string) (rows, columns int, err error) {
	n, _ := fmt.Sscanf(v, "%dx%d", &rows, &columns)
	if n == 2 && v == variant(rows, columns) && min(rows, columns) >= MinSize && max(rows, columns) <= MaxSize {
		return rows, columns, nil
	}
	return 0, 0, &raters.RequestError{Reason: fmt.Sprintf("%s has no variant %q; offered: RxC from %dx%d to %dx%d", Name, v, MinSize, MinSize, MaxSize, MaxSize)}
}
