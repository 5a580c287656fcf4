package registry

import (
	"context"
	"slices"
	"strings"

	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
)

// CompareRequest asks how two raters differ over puzzles on record. A rater is named as rater or rater@version.
type CompareRequest struct {
	Selection
	A, B       string
	Difference func(CompareDifference) error // called with each puzzle with two levels, sorted by ID; may be nil
	Progress   func(done, total int)         // called now and then; may be nil
}

// RaterComparison says how two raters differ: the object compare/1.
type RaterComparison struct {
	Schema  string        `json:"schema"`
	Of      string        `json:"of"`
	A       RaterVersion  `json:"a"`
	B       RaterVersion  `json:"b"`
	Puzzles int           `json:"puzzles"`
	Same    int           `json:"same"`
	Differ  int           `json:"differ"`
	Without int           `json:"without"` // puzzles that one of the two has not rated and cannot rate now
	Matrix  engine.Matrix `json:"matrix"`  // from a's levels to b's
}

// CompareDifference is a puzzle with two levels: the object compare-difference/1.
type CompareDifference struct {
	Schema string `json:"schema"`
	ID     string `json:"id"`
	A      string `json:"a"`
	B      string `json:"b"`
}

// comparedRater is one of the two raters of a comparison.
type comparedRater struct {
	namedRater
	asks engine.Askers // the rater for each variant
}

func (r *Registry) compared(ctx context.Context, variants []raters.Variant, name string) (s comparedRater, err error) {
	if s.namedRater, err = r.named(ctx, variants[0], name); err == nil && s.runs != nil {
		s.asks = engine.AskersOf(r.Genres, variants, engine.Of(variants[0], s.runs))
	}
	return s, err
}

// levels returns the level that a rater version gives each puzzle: the one on record, or else a new one.
func (r *Registry) levels(ctx context.Context, n comparedRater, part []subject) ([]string, error) {
	levels := make([]string, len(part))
	var questions []engine.Question
	var of []int // the puzzle of each question
	for i, s := range part {
		levels[i] = levelOnRecord(&s, n.Rater, string(n.Version))
		if levels[i] == engine.NoLevel && n.runs != nil {
			questions, of = append(questions, engine.About(s.puzzle)), append(of, i)
		}
	}
	verdicts, err := n.asks.Ask(ctx, r.crew(), questions)
	if err != nil {
		return nil, err
	}
	for k, v := range verdicts {
		switch {
		case v.Err != nil:
			return nil, v.Err
		case v.Refused == "":
			levels[of[k]] = engine.OrUnrated(v.Rating.Level)
		}
	}
	return levels, nil
}

// Compare compares two raters over puzzles on record, and records nothing. It uses the levels on record, and runs a
// rater on the puzzles that it has not rated.
func (r *Registry) Compare(ctx context.Context, req CompareRequest) (result RaterComparison, err error) {
	var differences []CompareDifference
	own := req
	if req.Difference != nil { // called when no result can turn out wrong any more
		own.Difference = func(d CompareDifference) error { differences = append(differences, d); return nil }
	}
	err = r.soundly(ctx, func(r *Registry) error {
		differences = nil
		result, err = r.compare(ctx, own)
		return err
	})
	if err != nil {
		return result, err
	}
	for _, d := range differences {
		if err := req.Difference(d); err != nil {
			return result, err
		}
	}
	return result, nil
}

// compare does the work of Compare, until a worker's result turns out wrong.
func (r *Registry) compare(ctx context.Context, req CompareRequest) (RaterComparison, error) {
	name, _, _ := strings.Cut(req.A, "@")
	variants, err := r.variantsOf(req.Selection, name)
	if err != nil {
		return RaterComparison{}, err
	}
	a, err := r.compared(ctx, variants, req.A)
	if err != nil {
		return RaterComparison{}, err
	}
	b, err := r.compared(ctx, variants, req.B)
	if err != nil {
		return RaterComparison{}, err
	}
	subjects, err := r.selected(ctx, variants[0].Genre, req.Selection, req.Progress)
	if err != nil {
		return RaterComparison{}, err
	}
	result := RaterComparison{Schema: "compare/1", Of: req.Selection.String(), A: a.RaterVersion, B: b.RaterVersion}
	levelsOfBoth, err := r.bothLevels(variants, a.namedRater, b.namedRater)
	if err != nil {
		return result, err
	}
	result.Matrix = engine.NewMatrix(levelsOfBoth)
	type levels struct{ id, a, b string }
	both := func(ctx context.Context, part []subject) ([]levels, error) {
		ofA, err := r.levels(ctx, a, part)
		if err != nil {
			return nil, err
		}
		ofB, err := r.levels(ctx, b, part)
		if err != nil {
			return nil, err
		}
		out := make([]levels, len(part))
		for i, s := range part {
			out[i] = levels{s.ID, ofA[i], ofB[i]}
		}
		return out, nil
	}
	result.Puzzles, err = walk(ctx, r.crew(), subjects, both, func(l levels) error { return result.add(l.id, l.a, l.b, req.Difference) })
	return result, err
}

func (c *RaterComparison) add(id, a, b string, tell func(CompareDifference) error) error {
	c.Matrix.Add(a, b)
	switch {
	case a == engine.NoLevel || b == engine.NoLevel:
		c.Without++
	case a == b:
		c.Same++
	default:
		c.Differ++
		if tell != nil {
			return tell(CompareDifference{Schema: "compare-difference/1", ID: id, A: a, B: b})
		}
	}
	return nil
}

// bothLevels returns the levels of two raters, lowest first: those of the first, then the additional ones of the
// second.
func (r *Registry) bothLevels(variants []raters.Variant, a, b namedRater) (levels []string, err error) {
	for _, n := range []namedRater{a, b} {
		if n.runs != nil && len(bandsOf(n.runs)) > 0 {
			return nil, input.Errorf("%s gives scores and no levels: replay compares them by its bands", n.Rater)
		}
		for _, v := range variants {
			of, err := r.levelsBy(v, n)
			if err != nil {
				return nil, err
			}
			for _, level := range of {
				if !slices.Contains(levels, level) {
					levels = append(levels, level)
				}
			}
		}
	}
	return levels, nil
}
