package sudoku

import (
	"context"

	"assay/raters"
	"assay/raters/deduce"
)

// CanonicalName is the name of the rater that solves by the engine all genres share. It has nothing to do with the
// canonical form of a grid.
const CanonicalName = "sudoku.canonical"

// CanonicalVersion is the version of the rater; HISTORY.md says what each one was.
const CanonicalVersion = 1

// rateBudget bounds the work of a rating, in looks at an instance.
const rateBudget = 1 << 24

// allCanonical are the techniques on some shape: what an order of techniques takes of them is the same on each.
var allCanonical = classicShape.techniques()

// canonicalRater is the rater with the built-in profile. It solves by the techniques of board.go.
var canonicalRater = deduce.NewRater(&deduce.Genre[*[81]uint8]{
	Read: func(p raters.Puzzle) (*[81]uint8, error) {
		cells, err := parse(p)
		return &cells, err
	},
	Prove: func(ctx context.Context, cells *[81]uint8) error {
		return solver{budget: solveBudget}.prove(ctx, cells)
	},
	Topology: func(*[81]uint8) *deduce.Topology { return classicShape.topology() },
	Board:    func() deduce.Board { return new(board) },
	Start: func(b deduce.Board, cells *[81]uint8, s *deduce.Start) {
		b.(*board).start(classicShape, cells[:], s)
	},
	Clues:  clues,
	Budget: rateBudget,
}, allCanonical, canonicalProfile)

// newShapedCanonical gives the rater of a variant, on its own shape.
func newShapedCanonical(v *variant) *deduce.Rater[*parsed] {
	topology := func(q *parsed) *deduce.Topology { return q.topology() }
	return deduce.NewRater(v.toDeduce(topology), allCanonical, canonicalProfile)
}

// toDeduce gives what the engine asks of puzzles of the variant, with the topologies of a rater.
func (v *variant) toDeduce(topology func(*parsed) *deduce.Topology) *deduce.Genre[*parsed] {
	return &deduce.Genre[*parsed]{
		Read:     v.ofVariant,
		Prove:    func(ctx context.Context, q *parsed) error { return q.prove(ctx) },
		Topology: topology,
		Board:    func() deduce.Board { return new(board) },
		Start:    func(b deduce.Board, q *parsed, s *deduce.Start) { b.(*board).start(q.shape, q.givens, s) },
		Clues:    (*parsed).clues,
		Budget:   rateBudget,
	}
}
