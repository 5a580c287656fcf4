package deduce

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
)

// Outcomes of an attempt, beside "earned" and a level.
const (
	Accepted  = "accepted"
	TooHard   = "beyond the level"
	NoVerdict = "no verdict within the budget"
)

// Attempts tries candidates 1, 2, 3 … of a request until one is Accepted, and lists their outcomes, which try returns.
// After most candidates it gives up with raters.ErrBudget.
func Attempts(ctx context.Context, r raters.Request, most int, try func(n uint64) (outcome string, err error)) (all []raters.Attempt, err error) {
	for n := 1; n <= most; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		outcome, err := try(uint64(n))
		if err != nil {
			return nil, err
		}
		all = append(all, raters.Attempt{N: n, Outcome: outcome})
		if outcome == Accepted {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%d candidates without one of level %s: %w", most, r.Level, raters.ErrBudget)
}

// Earned returns the outcome of a candidate from two levels: the one it was graded with, "" if the techniques do not
// finish it, and the wanted one, "" for any. If grading ran out of work, that is an outcome; any other error is
// returned.
func Earned(wanted, level string, err error) (outcome string, _ error) {
	switch {
	case errors.Is(err, raters.ErrBudget):
		return NoVerdict, nil
	case err != nil:
		return "", err
	case level == "":
		return TooHard, nil
	case wanted != "" && level != wanted:
		return "earned " + level, nil
	}
	return Accepted, nil
}
