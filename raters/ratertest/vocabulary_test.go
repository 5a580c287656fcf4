package ratertest

import (
	"context"
	"strings"
	"testing"

	"assay/raters"
)

// A rater that says what it does not declare is found.
func TestSuiteFindsWhatIsNotDeclared(t *testing.T) {
	for name, c := range map[string]struct {
		rating raters.Rating
		want   string
	}{
		"a level without techniques": {raters.Rating{Outcome: raters.Rated, Level: "easy"}, `outcome "rated" with level "easy"`},
		"a score":                    {raters.Rating{Outcome: raters.Rated, Score: new(int)}, "gives a score: false"},
		"a term":                     {raters.Rating{Outcome: raters.Rated, Terms: []raters.Term{{Name: "luck"}}}, "terms of the score"},
		"a step":                     {raters.Rating{Outcome: raters.Rated, Solve: raters.Steps{{Technique: "read"}}}, "does not solve by steps"},
		"":                           {raters.Rating{Outcome: raters.Rated}, ""},
	} {
		y := &toy{rate: func(ctx context.Context, _ raters.Puzzle) (raters.Rating, error) { return c.rating, ctx.Err() }}
		err := y.suite().vocabulary(t.Context())
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
