// Package sudoku is sudoku: each row, column and box of the grid holds each digit once.
//
// variants.go lists the variants: what their grids are and what comes with a puzzle beside digits, irregular boxes or cages.
// Canonical text, on one line: the cells row by row, "." for an empty one, the digits 1 to 9 and, of 16×16, A to G. With
// irregular boxes a blank follows, and the box of each cell, "a" to "i" by first appearance. With cages a blank follows, and
// the cage of each cell, "a" to "z" and "A" to "Z" by first appearance, "." for none; then a blank, and the sums in that order
// with commas between, nothing for a cage without one. The text of a solution is its cells. (reader.go, parsed.go)
//
// Classic grids have engines of their own, for speed. All variants have those of a shape, which is the houses of a grid of any
// outline, and cages (shape.go); tests hold the two against each other.
//
// The solvers prove how many solutions a grid has by search: bands.go and solver.go of classic grids, prove.go of shapes.
// A position of the latter is a sheet (sheet.go): it is closed under the techniques up to a tier, in no order and without
// reasons (closing.go, closingpatterns.go; cages.go and regions.go of sums).
//
// The rater sudoku.tiers solves a grid by techniques in a fixed order and grades it by the hardest one it needs. For classic
// grids techniques.go lists them; state.go is the position they work on, cellset.go its sets, record.go what is kept of a
// solve. For shapes tiersboard.go lists them, on the engine of raters/deduce. The generators take clues from a full grid
// while the techniques up to a level still solve it: generate.go of classic grids; of shapes shapedgenerate.go, deal.go,
// which fills a grid, thin.go, outline.go of irregular boxes, and killer.go, which draws cages and merges them.
//
// The rater sudoku.canonical (canonicalrater.go) solves by 21 techniques, none of which takes the solution to be
// unique, with the engine of raters/deduce, which other genres share. board.go lists them, the files board*.go hold
// them, boardprove.go their verifiers. The generators make its puzzles in bylevel.go and shapedbylevel.go.
//
// Apart from these, canonical.go finds the canonical form of a classic grid under its symmetries.
package sudoku

import "assay/raters"

// Name is the genre's name.
const Name = "sudoku"

// Variant is the default variant.
const Variant = "classic"

// Genre gives the engine.
func Genre() raters.Genre {
	g := raters.Genre{Name: Name, Reader: reader{}}
	for i, v := range variants {
		e := &engines[i]
		g.Variants = append(g.Variants, raters.Variant{
			Genre: Name, Name: v.name, Scales: v.scales(e), Solver: e.solver, Generator: e.generator,
			Canonizer: v.canonizer, Hinter: e.hinter, Values: values,
		})
	}
	return g
}

// engine is what works on the puzzles of a variant.
type engine struct {
	tiers     raters.Rater
	canonical raters.Rater // nil for none
	solver    raters.Solver
	generator raters.Generator
	hinter    raters.Hinter
}

// engines are those of the variants, in their order.
var engines = func() (all []engine) {
	for _, v := range variants {
		all = append(all, v.engine())
	}
	return all
}()

// engine makes the engines of a variant.
func (v *variant) engine() engine {
	if v.classic {
		return engine{tiersRater, canonicalRater, solver{budget: solveBudget}, generator{}, hinter{}}
	}
	rater := newShapedTiers(v)
	e := engine{tiers: rater, solver: shapedSolver{v}, generator: shapedGenerator{of: v}, hinter: shapedHinter{rater}}
	if v.canonical > 0 {
		canonical := newShapedCanonical(v)
		e.canonical, e.generator = canonical, shapedGenerator{v, canonical}
	}
	return e
}

// scales gives the raters of a variant, with the levels that it offers.
func (v *variant) scales(e *engine) []raters.Scale {
	all := []raters.Scale{{Rater: e.tiers, Levels: levels[1 : 1+v.tiers], Stuck: levels[evil]}}
	if v.canonical > 0 {
		all = append(all, raters.Scale{Rater: e.canonical, Levels: canonicalProfile.Levels()[:v.canonical]})
	}
	return all
}

// values reads a full grid.
func values(_ raters.Puzzle, solution string) []uint8 {
	out := make([]uint8, len(solution))
	for i := range out {
		out[i] = cellValues[solution[i]] - 1
	}
	return out
}
