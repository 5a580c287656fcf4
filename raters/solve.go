package raters

import (
	"slices"

	"assay/raters/logic"
)

// Solve is a solve by steps in the form in which its engine keeps it: writing every step out takes about as
// long as finding it, and few who rate a puzzle read its steps.
type Solve interface {
	// Steps writes the steps out, in order.
	Steps() []logic.Step
	// Contradicts tells, without writing the steps out, whether they remove or write what is not as in a solution,
	// which is the index of the value of each variable.
	Contradicts(solution []uint8) bool
}

// Steps is a solve that is written out.
type Steps []logic.Step

// Steps returns the steps themselves.
func (s Steps) Steps() []logic.Step { return s }

// Contradicts looks at what each step removes and writes.
func (s Steps) Contradicts(solution []uint8) bool {
	return slices.ContainsFunc(s, func(step logic.Step) bool {
		_, is := step.Contradicted(solution)
		return is
	})
}

// Steps writes out the steps of the solve, in order; nil when the rater does not solve by steps.
func (r Rating) Steps() []logic.Step {
	if r.Solve == nil {
		return nil
	}
	return r.Solve.Steps()
}
