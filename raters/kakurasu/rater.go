package kakurasu

import (
	"context"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// CanonicalName is the name of the rater.
const CanonicalName = "kakurasu.canonical"

// CanonicalVersion is the version of the rater; HISTORY.md describes each one.
const CanonicalVersion = 1

// rateBudget limits the work of a rating, in looks at a line.
const rateBudget = 1 << 24

// builtIn is the profile of version 1.
var builtIn = raters.Profile{Rater: CanonicalName, Version: CanonicalVersion, Techniques: []logic.Technique{
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
	Start:    func(b deduce.Board, g *grid, _ *deduce.Start) { b.(*board).grid = *g },
	Marks:    (*grid).marks,
	Clues:    (*grid).lines,
	Budget:   rateBudget,
}, new(grid).techniques(), builtIn)
