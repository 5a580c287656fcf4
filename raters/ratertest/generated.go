package ratertest

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
)

// generated checks each request's puzzle: canonical, one solution, the requested level, and the attempts before it.
func (s Suite) generated(ctx context.Context) error {
	for _, r := range s.Requests {
		g, err := s.variant().Generator.Generate(ctx, r)
		if err == nil {
			err = s.canonical(g.Puzzle)
		}
		if err == nil {
			err = s.proven(ctx, g)
		}
		if err == nil {
			err = s.level(ctx, r, g)
		}
		if err == nil {
			err = attempts(g.Attempts)
		}
		if err != nil {
			return fmt.Errorf("generating %+v: %w", r, err)
		}
	}
	return nil
}

func (s Suite) proven(ctx context.Context, g raters.Generated) error {
	solution, err := s.solution(ctx, g.Puzzle)
	if err != nil {
		return err
	}
	if solution != g.Solution || g.Nodes == 0 {
		return fmt.Errorf("solution %q after %d nodes, the solver says %q", g.Solution, g.Nodes, solution)
	}
	return nil
}

// level checks that the requested rater measures what was requested: the level, or for a rater without levels a score
// in the band of that label.
func (s Suite) level(ctx context.Context, r raters.Request, g raters.Generated) error {
	scale, ok := s.variant().Scale(r.Rater)
	if !ok {
		return fmt.Errorf("no rater %q", r.Rater)
	}
	rating, err := scale.Rater.Rate(ctx, g.Puzzle)
	if err != nil {
		return fmt.Errorf("rating %q: %w", g.Puzzle.Text, err)
	}
	if rating.Level != g.Level {
		return fmt.Errorf("level %q, the rater says %q", g.Level, rating.Level)
	}
	if rating.Level == "" {
		return s.inBand(r.Level, rating.Score)
	}
	if r.Level != "" && rating.Level != r.Level {
		return fmt.Errorf("level %q was asked for, the rater says %q", r.Level, rating.Level)
	}
	return nil
}

// inBand checks a score against the band of a label, or against all bands when the label is "".
func (s Suite) inBand(label string, score *int) error {
	if s.variant().Bands == nil || score == nil {
		return errors.New("the rater gives no level, and no score with a band")
	}
	for _, b := range s.variant().Bands.Built().Bands {
		if (label == "" || label == b.Label) && b.Low <= *score && *score <= b.High {
			return nil
		}
	}
	return fmt.Errorf("score %d is in no band of label %q", *score, label)
}

// attempts checks that attempts are numbered from 1 and that only the last one was accepted.
func attempts(all []raters.Attempt) error {
	if len(all) == 0 {
		return errors.New("no attempt recorded")
	}
	for i, a := range all {
		last := i == len(all)-1
		if a.N != i+1 || a.Outcome == "" || (a.Outcome == "accepted") != last {
			return fmt.Errorf("attempt %d of %d is recorded as %+v", i+1, len(all), a)
		}
	}
	return nil
}

// refusedRequests checks that a request which no generator offers is a *raters.RequestError.
func (s Suite) refusedRequests(ctx context.Context) error {
	variant := s.variant().Name
	for _, r := range []raters.Request{
		{Variant: "no such variant"},
		{Variant: variant, Rater: "no such rater"},
		{Variant: variant, Level: "no such level"},
		{Variant: variant, Level: "extreme"},
		{Variant: variant, Cap: "no such level"},
	} {
		_, err := s.variant().Generator.Generate(ctx, r)
		var refused *raters.RequestError
		if !errors.As(err, &refused) || refused.Reason == "" {
			return fmt.Errorf("generating %+v: error %v, not a request error with its reason", r, err)
		}
	}
	return nil
}
