package engine

import (
	"context"
	"testing"

	"assay/raters"
	"assay/raters/chain"
)

// counted is a rater that counts how often it is asked.
type counted struct {
	raters.Rater
	asked *int
}

func (c counted) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	*c.asked++
	return c.Rater.Rate(ctx, p)
}

// The check of a generated puzzle rates it; the rating is reused when the puzzle is recorded.
func TestWhatAWorkerMadeIsRatedOnce(t *testing.T) {
	g, asked := chain.Genre(), 0
	v := &g.Variants[0]
	v.Scales[0].Rater = counted{v.Scales[0].Rater, &asked}
	rater := v.Scales[0].Rater
	req := raters.Request{Variant: v.Name, Seed: 7}
	made := Grow(t.Context(), *v, rater, req)
	check, err := grownChecks([]raters.Genre{g})(Of(*v, rater))
	if err != nil {
		t.Fatal(err)
	}
	if doubtful, err := check(t.Context(), req, &made); doubtful || err != nil {
		t.Fatal(doubtful, err)
	}
	if verdict := made.Ask(t.Context(), rater); verdict.Rating.Score == nil || asked != 1 {
		t.Errorf("asked %d times: %+v", asked, verdict)
	}
	made.Level = "hard"
	if _, err := check(t.Context(), req, &made); err == nil {
		t.Error("the level of another puzzle")
	}
}
