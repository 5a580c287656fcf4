package registry

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters"
	"assay/registry/jobs"
)

// PoolCheck is the verdict of the gate: the object pool-verify/1.
type PoolCheck struct {
	Schema   string        `json:"schema"`
	Pool     string        `json:"pool"`
	Rater    string        `json:"rater"`
	Version  Version       `json:"version"`
	OK       bool          `json:"ok"`
	Puzzles  int           `json:"puzzles"` // all on record
	Unrated  int           `json:"unrated"` // of these, puzzles to which the rater has given no level; the others are
	Problems []PoolProblem `json:"problems"`
	Seq      events.Seq    `json:"seq"`
	Shelved  int           `json:"on_shelves"` // on the shelves,
	Stuck    int           `json:"stuck"`      // on the shelves of stuck puzzles, and
	Outside  int           `json:"outside"`    // on no shelf, being dropped or the same as earlier ones up to symmetry
}

// PoolProblem is a puzzle that is not what the record says.
type PoolProblem struct {
	ID       string `json:"id"`
	Problem  string `json:"problem"`
	Recorded string `json:"recorded"`           // level
	Measured string `json:"measured,omitempty"` // level, when there is one solution
}

// checked is what checking a stored puzzle showed.
type checked struct {
	filed   pools.Filing
	onShelf bool
	problem *PoolProblem
	err     error
}

// VerifyPool solves every puzzle of a pool on record again, counts its solutions, and rates it afresh with
// the rater that files the pool. Progress is told the number of puzzles now and then; nil for nobody.
func (r *Registry) VerifyPool(ctx context.Context, pool string, progress func(done, total int)) (PoolCheck, error) {
	name, err := parsePool(pool, false)
	if err != nil {
		return PoolCheck{}, err
	}
	if err := r.catchUp(ctx); err != nil {
		return PoolCheck{}, err
	}
	adoption, err := r.shelves(name)
	if err != nil {
		return PoolCheck{}, err
	}
	v, rater, err := r.poolRater(ctx, adoption.Adopted)
	if err != nil {
		return PoolCheck{}, err
	}
	c := PoolCheck{Schema: "pool-verify/1", Pool: name.String(), Rater: rater.Name(), Version: Version(adoption.Adopted.Version), Problems: []PoolProblem{}}
	if c.Seq, err = r.Store.Cursor(pools.Table.Name()); err != nil {
		return c, err
	}
	total, err := r.members(name, everyone)
	if err != nil {
		return c, err
	}
	check := func(ctx context.Context, s subject) checked {
		result := checked{err: s.err, onShelf: s.OnShelf()}
		if result.filed, _ = s.Filing(rater.Name(), rater.Version()); s.err == nil {
			result.problem, result.err = checkStored(ctx, v, rater, s, result.filed)
		}
		return result
	}
	for result := range jobs.Map(ctx, r.membersOf(name, everyone), check) {
		if result.err != nil {
			return c, result.err
		}
		c.add(result)
		if progress != nil && (c.Puzzles%500 == 0 || c.Puzzles == total) {
			progress(c.Puzzles, total)
		}
	}
	c.OK = len(c.Problems) == 0
	return c, ctx.Err()
}

func (c *PoolCheck) add(result checked) {
	c.Puzzles++
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

// everyone belongs to a pool.
func everyone(pools.Member) bool { return true }

// members counts the puzzles of a pool's genre and variant on record that belong.
func (r *Registry) members(name poolName, belongs func(pools.Member) bool) (n int, err error) {
	err = r.Store.View(pools.Table.Name(), func(tx *projections.Tx) error {
		for m, err := range pools.Puzzles(tx, name.genre, name.variant) {
			if err != nil {
				return err
			}
			if belongs(m) {
				n++
			}
		}
		return nil
	})
	return n, err
}

// checkStored holds a puzzle against what is on record of it.
func checkStored(ctx context.Context, v raters.Variant, rater raters.Rater, s subject, filed pools.Filing) (*PoolProblem, error) {
	problem := func(measured, format string, args ...any) (*PoolProblem, error) {
		return &PoolProblem{ID: s.ID, Recorded: filed.Level, Measured: measured, Problem: fmt.Sprintf(format, args...)}, nil
	}
	solved, err := v.Solver.Solve(ctx, s.puzzle)
	switch {
	case isStopped(err):
		return nil, err
	case err != nil:
		return problem("", "%v", err)
	case solved.Verdict != raters.Unique:
		return problem("", "%s", solutionsText(solved))
	case solved.Solutions[0] != s.solution:
		return problem("", "its solution is another than the recorded one")
	case filed.Level == "":
		return nil, nil
	}
	rating, err := Rate(ctx, rater, s.puzzle)
	switch {
	case isStopped(err):
		return nil, err
	case err != nil:
		return problem("", "%v", err)
	case rating.Level != filed.Level || (rating.Outcome == string(raters.Stuck)) != filed.Stuck:
		return problem(rating.Level, "recorded as %s, rated %s", filedAs(filed), ratedAs(rating))
	}
	return nil, nil
}

func isStopped(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

func solutionsText(s raters.Solution) string {
	if s.Verdict == raters.None {
		return "no solution"
	}
	return "more than one solution"
}

func ratedAs(v Rating) string {
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
