package engine

import (
	"context"
	"errors"
	"fmt"

	"assay/events/plain"
	"assay/raters"
)

// verdictChecks returns the check that finds verdicts which no rater can have given. A missing rating, or one that the
// solution refutes, is rare, so the submitting process always computes it again.
func verdictChecks(genres []raters.Genre) func(Name) (func(context.Context, Question, *Verdict) (bool, error), error) {
	return func(e Name) (func(context.Context, Question, *Verdict) (bool, error), error) {
		variant, rater, err := e.Find(genres)
		if err != nil {
			return nil, err
		}
		scale, _ := variant.Scale(rater.Name())
		c := raters.NewChecker(scale, rater)
		return func(_ context.Context, q Question, v *Verdict) (doubtful bool, err error) {
			if v.Err != nil || v.Refused != "" || v.Unsound != nil {
				return true, nil
			}
			return false, checkVerdict(c, variant, q, v.Rating)
		}, nil
	}
}

func checkVerdict(c raters.Checker, variant raters.Variant, q Question, v raters.Rating) error {
	switch q.wanted(v) {
	case theLevel:
		return c.Verdict(q.Puzzle(), v)
	case theSummary:
		return c.Summary(q.Puzzle(), v)
	}
	if err := c.Rating(q.Puzzle(), v); err != nil {
		return err
	}
	if q.Solution == "" {
		return nil
	}
	if u := FindUnsound(variant, q.Puzzle(), q.Solution, v); u != nil {
		return fmt.Errorf("the solution refutes its steps: %s", u.Text)
	}
	return nil
}

// grownChecks returns the check that finds puzzles which no generator can have made for a request. It solves and rates
// each puzzle, which takes a part of the time of generating it, and keeps the rating. A missing puzzle is computed
// again.
func grownChecks(genres []raters.Genre) func(Name) (func(context.Context, raters.Request, *Grown) (bool, error), error) {
	return func(e Name) (func(context.Context, raters.Request, *Grown) (bool, error), error) {
		variant, rater, err := e.Find(genres)
		if err != nil {
			return nil, err
		}
		g, err := FindGenre(genres, e.Genre)
		if err != nil {
			return nil, err
		}
		builtIn, err := Rater(variant, rater.Name())
		return func(ctx context.Context, req raters.Request, made *Grown) (doubtful bool, err error) {
			if made.Err != nil {
				return true, nil
			}
			if err = checkMade(ctx, g.Reader, variant, req, made.Made); err == nil {
				err = checkLevels(ctx, builtIn, rater, req, made)
			}
			if errors.Is(err, raters.ErrBudget) || IsStopped(err) {
				return true, nil
			}
			return false, err
		}, err
	}
}

// checkMade returns an error if a puzzle cannot be the result of a request.
func checkMade(ctx context.Context, reader raters.Reader, v raters.Variant, req raters.Request, made raters.Generated) error {
	if made.Puzzle.Genre != v.Genre || made.Puzzle.Variant != req.Variant {
		return fmt.Errorf("%s/%s, not %s/%s", made.Puzzle.Genre, made.Puzzle.Variant, v.Genre, req.Variant)
	}
	read, err := reader.Read(req.Variant, made.Puzzle.Text)
	if err != nil {
		return fmt.Errorf("no puzzle: %w", err)
	}
	if read != made.Puzzle {
		return errors.New("the text of the puzzle is not canonical")
	}
	if req.Level != "" && made.Level != "" && made.Level != req.Level {
		return fmt.Errorf("level %q, and %q was asked for", made.Level, req.Level)
	}
	if err := checkAttempts(made.Attempts); err != nil {
		return err
	}
	solved, err := v.Solver.Solve(ctx, made.Puzzle)
	switch {
	case err != nil:
		return err
	case solved.Verdict != raters.Unique:
		return errors.New(SolutionsText(solved))
	case solved.Solutions[0] != made.Solution || made.Nodes == 0:
		return errors.New("its solution is another one")
	}
	return nil
}

// longestOutcome is the longest name of an attempt's outcome in bytes.
const longestOutcome = 100

func checkAttempts(all []raters.Attempt) error {
	if len(all) == 0 {
		return errors.New("no attempt")
	}
	for i, a := range all {
		last := i == len(all)-1
		if a.N != i+1 || a.Outcome == "" || len(a.Outcome) > longestOutcome || plain.Check(a.Outcome) != nil || last != (a.Outcome == "accepted") {
			return fmt.Errorf("attempt %d of %d is number %d, %.40q", i+1, len(all), a.N, a.Outcome)
		}
	}
	return nil
}

// checkLevels rates a generated puzzle and checks both its levels: that by the rater, and that by which it was
// generated. The generator uses the built-in rater, unless the request has a level of another one.
func checkLevels(ctx context.Context, builtIn, rater raters.Rater, req raters.Request, made *Grown) error {
	v := made.Ask(ctx, rater)
	level := v.Rating.Level
	if HasOwnProfile(rater) {
		level = filledLevel(v.Rating)
	}
	if err := checkLevel(rater, made.Level, level, v.Err); err != nil {
		return err
	}
	if HasOwnProfile(rater) && !IsUnder(rater, req) {
		v = Ask(ctx, builtIn, made.Made.Puzzle)
		level = v.Rating.Level
	}
	return checkLevel(builtIn, made.Made.Level, level, v.Err)
}

func checkLevel(rater raters.Rater, level, says string, err error) error {
	if err == nil && says != level {
		err = fmt.Errorf("level %q, and %s says %q", level, rater.Name(), says)
	}
	return err
}

func requestTitle(r raters.Request) string {
	return fmt.Sprintf("%s, %s, seed %d", r.Variant, Requested(r), r.Seed)
}
