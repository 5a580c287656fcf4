package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/raters"
	"assay/raters/seedrand"
)

// maxUnder limits the candidates of one puzzle, so that they fit into a record.
const maxUnder = 10_000

// IsUnder reports whether the requested level is that of a rater under a profile of its own. Generators use the
// built-in profile, so they only make candidates for such a request.
func IsUnder(rater raters.Rater, req raters.Request) bool {
	return HasOwnProfile(rater) && req.Cap == ""
}

// VersionUnder returns the rater version to record with such a puzzle; "" for any other puzzle.
func VersionUnder(rater raters.Rater, req raters.Request) string {
	if IsUnder(rater, req) {
		return rater.Version()
	}
	return ""
}

// growUnder generates candidates until one has the requested level, or any level, by a rater under a profile of its
// own. Candidate n comes from the sub-seed (seed, rater and version, 0, n). Its cap is each level of the built-in rater
// in turn.
func growUnder(ctx context.Context, of raters.Variant, rater raters.Rater, req raters.Request) Grown {
	caps, err := capsUnder(of, rater, req)
	if err != nil {
		return Grown{Err: err}
	}
	var attempts []raters.Attempt
	for n := 1; n <= maxUnder; n++ {
		c := raters.Request{Variant: req.Variant, Rater: req.Rater, Cap: caps[(n-1)%len(caps)]}
		c.Seed = seedrand.Sub(req.Seed, rater.Name()+"@"+rater.Version(), 0, uint64(n))
		g := Grow(ctx, of, rater, c)
		outcome := "accepted"
		switch {
		case errors.Is(g.Err, raters.ErrBudget):
			outcome = "no verdict within the budget"
		case g.Err != nil:
			return g
		case g.Level == "":
			outcome = "beyond the techniques"
		case req.Level != "" && g.Level != req.Level:
			outcome = "earned " + g.Level
		}
		attempts = append(attempts, raters.Attempt{N: n, Outcome: outcome})
		if outcome == "accepted" {
			g.Made.Level, g.Made.Attempts = g.Level, attempts
			return g
		}
	}
	return Grown{Err: fmt.Errorf("%d candidates without one of level %s by %s %s: %w", maxUnder, req.Level, rater.Name(), rater.Version(), raters.ErrBudget)}
}

// capsUnder returns the caps of the candidates. It refuses a level that no technique of the rater leads to.
func capsUnder(of raters.Variant, rater raters.Rater, req raters.Request) ([]string, error) {
	scale, _ := of.Scale(rater.Name())
	var offered []string
	for _, level := range rater.(raters.Profiled).Profile().Levels() {
		if slices.Contains(scale.Levels, level) {
			offered = append(offered, level)
		}
	}
	if len(offered) == 0 {
		return nil, &raters.RequestError{Reason: fmt.Sprintf("%s %s has no levels to ask for", rater.Name(), rater.Version())}
	}
	if req.Level != "" && !slices.Contains(offered, req.Level) {
		return nil, &raters.RequestError{Reason: fmt.Sprintf("%s has no level %q by %s %s; offered: %s", of, req.Level, rater.Name(), rater.Version(), strings.Join(offered, ", "))}
	}
	return scale.Levels, nil
}
