package deduce

import (
	"context"
	"errors"
	"math/bits"

	"assay/raters"
	"assay/raters/logic"
)

// tally counts the steps of techniques.
type tally struct {
	uses    []raters.TechniqueUse // by technique
	hardest rankedTechnique       // index -1 for none
	counted int
	score   int // removed and relied-on literals (L17)
	longest int // steps of a supposition
	widest  int // literals that one step removes
}

func (t *tally) reset() {
	clear(t.uses)
	*t = tally{uses: t.uses, hardest: rankedTechnique{index: -1}}
}

// count counts the last step.
func (e *Engine) count(o *rankedTechnique) {
	x, t := &e.rec.entries[e.rec.top], &e.tally
	u := &t.uses[o.index]
	u.Uses++
	u.Removed += x.removed.len()
	u.Placed += x.placed.len()
	t.counted++
	t.score += x.removed.len() + x.because.len()
	t.longest = max(t.longest, int(x.inner)-1)
	t.widest = max(t.widest, x.removed.len())
	if t.hardest.index < 0 || o.rank > t.hardest.rank {
		t.hardest = *o
	}
}

// Rate solves a puzzle by the techniques of an order and returns the rating without the number of clues: level, score
// (L17), techniques, steps, and metrics (L18). The metrics are the counted steps, the longest supposition's steps, and
// the most literals that one step removes. When no technique applies any more, the outcome is raters.Unrated, and Open
// lists the remaining candidates. Running out of work is raters.ErrBudget; a puzzle that contradicts the rules is a
// *BrokenError.
func (e *Engine) Rate(ctx context.Context, o *Order, s Start, budget uint64) (raters.Rating, error) {
	err := e.begin(s, budget, true)
	if err == nil {
		err = e.solve(ctx, o)
	}
	if err != nil {
		return raters.Rating{}, err
	}
	t := &e.tally
	score := t.score
	out := raters.Rating{
		Outcome: raters.Rated, Score: &score, Solve: e.record(o), Naming: e.spec.Naming,
		Metrics: []raters.Term{{Name: "steps", Value: t.counted}, {Name: "longest_chain", Value: t.longest}, {Name: "widest_step", Value: t.widest}},
	}
	for _, technique := range o.list {
		if u := t.uses[technique.index]; u.Uses > 0 {
			u.Name, u.Level = e.spec.Techniques[technique.index].Name, o.levelOf[technique.index]
			out.Techniques = append(out.Techniques, u)
			out.Hardest = u.Name
		}
	}
	out.Level = e.level(o)
	if e.p.open > 0 {
		out.Outcome, out.Level, out.Hardest, out.Open = raters.Unrated, "", "", e.left()
	}
	return out, nil
}

// level returns the level of the hardest technique used, or the lowest if only bookkeeping was used.
func (e *Engine) level(o *Order) string {
	if e.tally.hardest.index < 0 {
		return o.levels[0]
	}
	return o.levels[e.tally.hardest.rank]
}

// left lists the candidates of variables not written.
func (e *Engine) left() (open []logic.Literal) {
	for v, m := range e.p.mask {
		for ; m != 0 && !e.p.Written(v); m &= m - 1 {
			open = append(open, logic.Lit(v, bits.TrailingZeros16(m)))
		}
	}
	return open
}

// Grade returns the level of a puzzle as Rate does, without reasons: "" when the techniques do not finish. Mask returns
// the candidates at the end.
func (e *Engine) Grade(ctx context.Context, o *Order, s Start, budget uint64) (level string, err error) {
	if err := e.begin(s, budget, false); err != nil {
		return "", err
	}
	if err := e.solve(ctx, o); err != nil || e.p.open > 0 {
		return "", err
	}
	return e.level(o), nil
}

// Mask returns the candidates of a variable at the end of the last solve.
func (e *Engine) Mask(v int) uint16 { return e.p.mask[v] }

// Hint returns the counted step after the first skip ones (L20). A position that breaks a rule, at once or on the way, is
// a mistake, and the hint says which rule it breaks and where.
func (e *Engine) Hint(ctx context.Context, o *Order, s Start, budget uint64, skip int) (raters.Hint, error) {
	if err := e.begin(s, budget, true); err != nil {
		return raters.Hint{}, err
	}
	got := e.advance(ctx, o)
	for ; got == progress && skip > 0; skip-- {
		got = e.advance(ctx, o)
	}
	if got != progress {
		return e.noStep(e.err(ctx, got))
	}
	area, at := e.area(), int(e.steps)-1
	wrote := e.rec.entries[e.rec.top].placed.len() > 0
	for open := e.p.open; got == progress && !wrote; wrote = e.p.open < open {
		got = e.advance(ctx, o)
	}
	if got == stopped {
		return raters.Hint{}, e.err(ctx, got)
	}
	return raters.HintOf(e.record(o).Steps(), at, area, e.spec.Naming), nil
}

// noStep returns the hint when there is no step: a mistake, nothing, or the error that ended the search.
func (e *Engine) noStep(err error) (raters.Hint, error) {
	var broken *BrokenError
	switch {
	case errors.As(err, &broken):
		return raters.Hint{Kind: raters.HintMistake, Area: broken.Instance, Technique: broken.Rule, Move: broken.Rule + ", " + broken.Instance}, nil
	case err != nil:
		return raters.Hint{}, err
	}
	return raters.Hint{Kind: raters.HintNone, Area: e.nothingLeft()}, nil
}

// nothingLeft returns the reason why no step is left: "" when no technique applies.
func (e *Engine) nothingLeft() string {
	switch last := len(e.rec.entries) - 1; {
	case e.p.open > 0:
		return ""
	case last >= 0 && int(e.rec.entries[e.rec.top].rule) < e.technique(0):
		return "what is left follows from the rules by themselves"
	}
	return "nothing is left to do"
}

// area says where to look for the last step.
func (e *Engine) area() string {
	x := &e.rec.entries[e.rec.top]
	if x.inner > 0 {
		return "the whole grid"
	}
	return e.rules[x.rule].Where(int(x.instance), part(e.rec.details, x.detail))
}
