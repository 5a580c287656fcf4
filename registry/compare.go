package registry

import (
	"context"
	"strings"

	"assay/raters"
	"assay/registry/jobs"
)

// CompareRequest asks how two raters differ over puzzles on record. A rater is named as rater or rater@version.
type CompareRequest struct {
	Selection
	A, B       string
	Difference func(CompareDifference) error // told each puzzle with two levels, in order of ID; nil for nobody
	Progress   func(done, total int)         // told now and then; nil for nobody
}

// RaterComparison tells how two raters differ: the object compare/1.
type RaterComparison struct {
	Schema  string       `json:"schema"`
	Of      string       `json:"of"`
	A       RaterVersion `json:"a"`
	B       RaterVersion `json:"b"`
	Puzzles int          `json:"puzzles"`
	Same    int          `json:"same"`
	Differ  int          `json:"differ"`
	Without int          `json:"without"` // puzzles to which one of the two gives no level
	Matrix  Matrix       `json:"matrix"`  // from a's levels to b's
}

// CompareDifference is a puzzle with two levels: the object compare-difference/1.
type CompareDifference struct {
	Schema string `json:"schema"`
	ID     string `json:"id"`
	A      string `json:"a"`
	B      string `json:"b"`
}

// rated is a rater version whose levels are on record, or that can be run.
type comparedRater struct {
	RaterVersion
	runs raters.Rater // nil when this program cannot run it
}

// levelOf gives the level of a puzzle: the one on record, or else what the rater says, or none.
func (c comparedRater) levelOf(ctx context.Context, s subject) (string, error) {
	if level := s.FiledBy(c.Rater, string(c.Version)); level != "" {
		return level, nil
	}
	if c.runs == nil {
		return noLevel, nil
	}
	v, _, err := verdictOf(ctx, c.runs, s.puzzle)
	return orNone(v.Level), err
}

// Compare compares two raters over puzzles on record, and records nothing. It takes the levels on record, and runs
// a rater on the puzzles that it has not rated.
func (r *Registry) Compare(ctx context.Context, req CompareRequest) (RaterComparison, error) {
	if err := r.catchUp(ctx); err != nil {
		return RaterComparison{}, err
	}
	name, _, _ := strings.Cut(req.A, "@")
	g, err := r.genreOf(req.Selection, name)
	if err != nil {
		return RaterComparison{}, err
	}
	a, err := r.comparedRater(ctx, g, req.A)
	if err != nil {
		return RaterComparison{}, err
	}
	b, err := r.comparedRater(ctx, g, req.B)
	if err != nil {
		return RaterComparison{}, err
	}
	subjects, total, err := r.selected(ctx, g, req.Selection, req.Progress != nil)
	if err != nil {
		return RaterComparison{}, err
	}
	result := RaterComparison{Schema: "compare/1", Of: req.Selection.String(), A: a.RaterVersion, B: b.RaterVersion}
	result.Matrix.levels = bothLevels(a, b)
	type levels struct {
		id   string
		a, b string
		err  error
	}
	both := func(ctx context.Context, s subject) levels {
		l := levels{id: s.ID, err: s.err}
		if l.err == nil {
			l.a, l.err = a.levelOf(ctx, s)
		}
		if l.err == nil {
			l.b, l.err = b.levelOf(ctx, s)
		}
		return l
	}
	for l := range jobs.Map(ctx, subjects, both) {
		if l.err != nil {
			return result, l.err
		}
		if err := result.add(l.id, l.a, l.b, req.Difference); err != nil {
			return result, err
		}
		if req.Progress != nil && (result.Puzzles%500 == 0 || result.Puzzles == total) {
			req.Progress(result.Puzzles, total)
		}
	}
	return result, ctx.Err()
}

func (c *RaterComparison) add(id, a, b string, tell func(CompareDifference) error) error {
	c.Puzzles++
	c.Matrix.add(a, b)
	switch {
	case a == noLevel || b == noLevel:
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

// comparedRater finds a rater by name, at the version that this program has unless another one is named.
func (r *Registry) comparedRater(ctx context.Context, g raters.Genre, text string) (comparedRater, error) {
	name, version, given := strings.Cut(text, "@")
	if !given {
		rater, err := Rater(g, name)
		if err != nil {
			return comparedRater{}, err
		}
		version = rater.Version()
	}
	c := comparedRater{RaterVersion: RaterVersion{name, Version(version)}}
	rater, runs, err := r.raterAt(ctx, g, name, version)
	if runs {
		c.runs = rater
	}
	return c, err
}

// bothLevels gives the levels of two raters, lowest first: those of the first, then what the second has beside.
func bothLevels(a, b comparedRater) []string {
	var levels []string
	for _, c := range []comparedRater{a, b} {
		if c.runs != nil {
			levels = levelsOf(c.runs, levels)
		}
	}
	return levels
}
