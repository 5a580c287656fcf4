package registry

import (
	"context"
	"fmt"
	"strconv"

	"assay/events"
	"assay/projections/pools"
	"assay/raters"
	"assay/registry/engine"
)

// PoolCheck is the result of checking a pool: the object pool-verify/1.
type PoolCheck struct {
	Schema   string         `json:"schema"`
	Pool     string         `json:"pool"`
	Rater    string         `json:"rater"`
	Version  engine.Version `json:"version"`
	OK       bool           `json:"ok"`
	Puzzles  int            `json:"puzzles"` // all on record
	Unrated  int            `json:"unrated"` // of these, puzzles to which the rater has given no level; the others are
	Problems []PoolProblem  `json:"problems"`
	Seq      events.Seq     `json:"seq"`
	Shelved  int            `json:"on_shelves"` // on the shelves,
	Stuck    int            `json:"stuck"`      // on the shelves of stuck puzzles, and
	Outside  int            `json:"outside"`    // on no shelf, being dropped or the same as earlier ones up to symmetry
}

// PoolProblem is a puzzle that differs from its record.
type PoolProblem struct {
	ID       string `json:"id"`
	Problem  string `json:"problem"`
	Recorded string `json:"recorded"`           // level
	Measured string `json:"measured,omitempty"` // level, when there is one solution
}

// checkResult is the result of checking a stored puzzle.
type checkResult struct {
	filed   pools.Filing
	onShelf bool
	problem *PoolProblem
}

// VerifyPool solves every puzzle of a pool on record again, counts its solutions, and lets the rater that files the
// pool rate it again. Progress is called with the number of puzzles now and then; it may be nil.
func (r *Registry) VerifyPool(ctx context.Context, pool string, progress func(done, total int)) (c PoolCheck, err error) {
	name, err := parsePool(pool, false)
	if err != nil {
		return c, err
	}
	err = r.soundly(ctx, func(r *Registry) error {
		c, err = r.verifyPool(ctx, name, progress)
		return err
	})
	return c, err
}

// verifyPool does the work of VerifyPool, until a worker's result turns out wrong.
func (r *Registry) verifyPool(ctx context.Context, name poolName, progress func(done, total int)) (PoolCheck, error) {
	adoption, err := r.shelves(name)
	if err != nil {
		return PoolCheck{}, err
	}
	v, rater, err := r.poolRater(ctx, adoption.Adopted)
	if err != nil {
		return PoolCheck{}, err
	}
	c := PoolCheck{Schema: "pool-verify/1", Pool: name.String(), Rater: rater.Name(), Version: engine.Version(adoption.Adopted.Version), Problems: []PoolProblem{}}
	if c.Seq, err = r.Store.Cursor(pools.Table.Name()); err != nil {
		return c, err
	}
	all, err := r.walkedOf(name, func(pools.Member) bool { return true }, progress)
	if err != nil {
		return c, err
	}
	asks := engine.AskersOf(r.Genres, []raters.Variant{v}, engine.Of(v, rater))
	check := func(ctx context.Context, part []subject) ([]checkResult, error) {
		return r.checkStored(ctx, v, rater, asks, part)
	}
	c.Puzzles, err = walk(ctx, r.crew(), all, check, func(result checkResult) error { c.add(result); return nil })
	c.OK = len(c.Problems) == 0
	return c, err
}

func (c *PoolCheck) add(result checkResult) {
	switch {
	case result.filed.Level == "":
		c.Unrated++
	case !result.onShelf:
		c.Outside++
	case result.filed.Stuck:
		c.Stuck++
	default:
		c.Shelved++
	}
	if result.problem != nil {
		c.Problems = append(c.Problems, *result.problem)
	}
}

// checkStored compares puzzles with their record.
func (r *Registry) checkStored(ctx context.Context, v raters.Variant, rater raters.Rater, asks engine.Askers, part []subject) ([]checkResult, error) {
	out := make([]checkResult, len(part))
	var questions []engine.Question
	var of []int // the puzzle of each question
	for i, s := range part {
		c := &out[i]
		c.onShelf = s.OnShelf()
		c.filed, _ = s.Filing(rater.Name(), rater.Version())
		problem, err := checkSolution(ctx, v, s)
		switch {
		case err != nil:
			return nil, err
		case problem != "":
			c.problem = &PoolProblem{ID: s.ID, Recorded: c.filed.Level, Problem: problem}
		case c.filed.Level != "":
			questions, of = append(questions, engine.About(s.puzzle)), append(of, i)
		}
	}
	answers, err := asks.Ask(ctx, r.crew(), questions)
	if err != nil {
		return nil, err
	}
	for k, a := range answers {
		i := of[k]
		if engine.IsStopped(a.Err) {
			return nil, a.Err
		}
		if measured, problem := checkRating(out[i].filed, engine.Describe(part[i].puzzle, rater, a), a.Err); problem != "" {
			out[i].problem = &PoolProblem{ID: part[i].ID, Recorded: out[i].filed.Level, Measured: measured, Problem: problem}
		}
	}
	return out, nil
}

// checkSolution says what is wrong with the solution on record of a puzzle; "" when nothing is.
func checkSolution(ctx context.Context, v raters.Variant, s subject) (problem string, err error) {
	solved, err := v.Solver.Solve(ctx, s.puzzle)
	switch {
	case engine.IsStopped(err):
		return "", err
	case err != nil:
		return err.Error(), nil
	case solved.Verdict != raters.Unique:
		return engine.SolutionsText(solved), nil
	case solved.Solutions[0] != s.solution:
		return "its solution is another than the recorded one", nil
	}
	return "", nil
}

// checkRating says what is wrong with the level by which a puzzle is filed; "" when nothing is.
func checkRating(filed pools.Filing, rating engine.Rating, err error) (measured, problem string) {
	switch {
	case err != nil:
		return "", err.Error()
	case rating.Level != filed.Level || (rating.Outcome == string(raters.Stuck)) != filed.Stuck:
		return rating.Level, fmt.Sprintf("recorded as %s, rated %s", filedAs(filed), ratedAs(rating))
	}
	return "", ""
}

func ratedAs(v engine.Rating) string {
	switch {
	case v.Level == "":
		return v.Outcome
	case v.Outcome == string(raters.Stuck):
		return v.Level + " (stuck)"
	case v.Tier > 0:
		return v.Level + " (tier " + strconv.Itoa(v.Tier) + ")"
	}
	return v.Level
}

func filedAs(f pools.Filing) string {
	if f.Stuck {
		return f.Level + " (stuck)"
	}
	return f.Level
}
