package ratertest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/raters"
	"assay/raters/logic"
)

// replaying is the state of replaying a solve.
type replaying struct {
	Stepwise
	ratedPuzzle
	prove  func(step int, because []logic.Literal) bool
	by     map[logic.Literal]uint16 // what is known: removed, or written, by which step
	values []uint8                  // of the solution
}

// steps replays a solve. Each step must conclude something new that agrees with the solution. It must come from the
// steps that it names. Its reasons must prove it, and must not prove it without any one of them.
func (s Suite) steps(_ context.Context, p ratedPuzzle) error {
	steps := p.Steps()
	if p.Outcome != raters.Rated || len(steps) == 0 {
		return fmt.Errorf("outcome %s after %d steps", p.Outcome, len(steps))
	}
	r := replaying{
		Stepwise: *s.Stepwise, ratedPuzzle: p, prove: s.Stepwise.Prove(p.puzzle, p.Solve), by: map[logic.Literal]uint16{},
		values: s.variant().Values(p.puzzle, p.solution),
	}
	for i, step := range steps {
		if err := r.step(uint16(i+1), step); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, step.Text(p.Naming), err)
		}
		for _, l := range slices.Concat(step.Removed, step.Placed) {
			r.by[l] = uint16(i + 1)
		}
	}
	return nil
}

// isSo reports whether a literal is in the solution.
func (r *replaying) isSo(l logic.Literal) bool { return int(r.values[l.Variable()]) == l.Value() }

func (r *replaying) step(n uint16, step logic.Step) error {
	if len(step.Removed)+len(step.Placed) == 0 {
		return errors.New("it concludes nothing")
	}
	if err := r.conclusions(step); err != nil {
		return err
	}
	if err := r.reasons(int(n), step); err != nil {
		return err
	}
	if from := origins(r.by, step.Because); !slices.Equal(from, step.From) {
		return fmt.Errorf("it comes from steps %v, not %v", from, step.From)
	}
	return r.chain(n, step)
}

func (r *replaying) conclusions(step logic.Step) error {
	for _, l := range step.Removed {
		if _, known := r.by[l]; known || r.isSo(l) {
			return fmt.Errorf("it removes %s, which was gone or is so in the solution", r.Naming.Text(l))
		}
	}
	for _, l := range step.Placed {
		if _, known := r.by[l]; known || !r.isSo(l) {
			return fmt.Errorf("it writes %s, which was written or is not so in the solution", r.Naming.Text(l))
		}
	}
	return nil
}

func (r *replaying) reasons(n int, step logic.Step) error {
	if !r.prove(n, step.Because) {
		return errors.New("its reasons do not prove it")
	}
	for i, l := range step.Because {
		if r.prove(n, slices.Delete(slices.Clone(step.Because), i, i+1)) {
			return fmt.Errorf("it is proved without %s", r.Naming.Text(l))
		}
	}
	return nil
}

// origins returns the numbers of the steps that the literals come from, ascending; the givens have none.
func origins(by map[logic.Literal]uint16, because []logic.Literal) (from []uint16) {
	for _, l := range because {
		if n := by[l]; n > 0 {
			from = append(from, n)
		}
	}
	slices.Sort(from)
	return slices.Compact(from)
}

// chain checks that a chain is within its limit, that its break depends on every step of it and on the supposition, and
// that what it takes from before is among the step's reasons.
func (r *replaying) chain(n uint16, step logic.Step) error {
	bound, supposes := r.Chains[step.Technique]
	switch {
	case !supposes && len(step.Chain) > 0, supposes && len(step.Chain) == 0:
		return fmt.Errorf("a chain of %d", len(step.Chain))
	case !supposes:
		return nil
	case bound > 0 && len(step.Chain)-1 > bound:
		return fmt.Errorf("the chain has %d steps, more than %d", len(step.Chain)-1, bound)
	}
	relied, before := map[uint16]bool{}, map[logic.Literal]bool{}
	for k, inside := range step.Chain {
		if concludes := len(inside.Removed)+len(inside.Placed) > 0; concludes == (k == len(step.Chain)-1) {
			return fmt.Errorf("part %d of the chain, %s, is no step, or the end no break", k+1, inside.Text(r.Naming))
		}
		for _, from := range inside.From {
			relied[from] = true
		}
		for _, l := range inside.Because {
			before[l] = true
		}
	}
	for k := range len(step.Chain) {
		if !relied[n+uint16(k)] {
			return fmt.Errorf("the break does not rest on part %d of the chain; part 0 is the supposition", k)
		}
	}
	for _, l := range step.Because {
		if !before[l] {
			return fmt.Errorf("no step of the chain relies on %s", r.Naming.Text(l))
		}
	}
	return nil
}
