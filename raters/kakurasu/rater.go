package kakurasu

import (
	"context"
	"slices"

	"assay/raters"
	"assay/raters/deduce"
)

// CanonicalName is the name of the rater.
const CanonicalName = "kakurasu.canonical"

// CanonicalVersion is the version of the rater; HISTORY.md says what each one was.
const CanonicalVersion = 1

// rateBudget bounds the work of a rating, in looks at a line.
const rateBudget = 1 << 24

// builtIn is the profile of version 1.
var builtIn = raters.Profile{Rater: CanonicalName, Version: CanonicalVersion, Techniques: []raters.Technique{
	{Name: "weight-bounds", Level: "easy"},
	{Name: "few-combinations", Level: "medium"},
	{Name: "many-combinations", Level: "hard"},
	{Name: "chain-6", Level: "hard"},
	{Name: "chain-20", Level: "expert"},
}}

// canonical is the rater with the built-in profile.
var canonical = deduce.NewRater(&deduce.Genre[*grid]{
	Read: func(p raters.Puzzle) (*grid, error) {
		g, err := parse(p)
		return &g, err
	},
	Prove: func(ctx context.Context, g *grid) error {
		return deduce.Proven(solver{budget: solveBudget}.solve(ctx, g))
	},
	Topology: func(g *grid) *deduce.Topology { return topologies.Of(size{g.rows, g.columns}) },
	Board:    func() deduce.Board { return new(board) },
	Start:    start,
	Marks:    (*grid).marks,
	Clues:    (*grid).lines,
	Budget:   rateBudget,
}, new(grid).techniques(), builtIn)

// start puts a puzzle on the board, all cells open.
func start(on deduce.Board, g *grid) deduce.Start {
	b := on.(*board)
	b.grid = *g
	b.open = slices.Grow(b.open[:0], g.rows*g.columns)[:g.rows*g.columns]
	for v := range b.open {
		b.open[v] = 1<<shaded | 1<<unshaded
	}
	return deduce.Start{Candidates: b.open}
}
