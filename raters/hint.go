package raters

import (
	"context"

	"assay/raters/logic"
)

// Hinter helps a player on.
type Hinter interface {
	// Hint returns the step that comes after the first skip steps from a board: the puzzle's givens and what the
	// player wrote, in the form of the puzzle's text. It knows nothing else: no solution and no pencil marks. It
	// takes those of a rater's steps that count, in the rater's order. A skip below 0 is 0. A board that is not one
	// of the puzzle is a *SyntaxError; a puzzle without exactly one solution is a *NotUniqueError or a
	// *NoSolutionError; it may also give ErrBudget or the context's error.
	Hint(ctx context.Context, p Puzzle, board string, skip int) (Hint, error)
}

// HintKind says what a hint is about.
type HintKind string

// The kinds of hints.
const (
	HintStep    HintKind = "step"    // a technique applies
	HintMistake HintKind = "mistake" // the board has no solution any more
	HintNone    HintKind = "none"    // no technique applies, or nothing is left to do: Area says so
)

// Hint is a step that the board allows, in three parts of which each gives away more; what comes after the move
// belongs to the third.
type Hint struct {
	Kind      HintKind
	Area      string   // where to look
	Technique string   // what to look for: the technique's name
	Move      string   // what to do
	Removed   []string // the candidates that go
	Writes    bool     // the move writes a value
	LeadsTo   string   // of a move that writes none: the next value that the techniques write, "" when they write none
	InSteps   int      // how many steps that count there are from the move to that value
}

// HintOf makes a hint of one of the steps of a path, which the index gives. The path goes on to the next value that a
// step writes, or as far as the techniques go.
func HintOf(path []logic.Step, at int, area string, n logic.Naming) Hint {
	step := path[at]
	h := Hint{Kind: HintStep, Area: area, Technique: step.Technique, Move: step.Text(n), Writes: len(step.Placed) > 0}
	for _, l := range step.Removed {
		h.Removed = append(h.Removed, n.Text(l))
	}
	for _, later := range path[at+1:] {
		if h.Writes || h.LeadsTo != "" {
			break
		}
		if later.Level != "" {
			h.InSteps++
		}
		if len(later.Placed) > 0 {
			h.LeadsTo = n.Text(later.Placed[0])
		}
	}
	if h.LeadsTo == "" {
		h.InSteps = 0
	}
	return h
}
