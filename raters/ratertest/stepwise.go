package ratertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"

	"assay/raters"
	"assay/raters/logic"
)

// Stepwise describes a genre whose default rater solves by steps with reasons. The rater is a raters.Profiled.
type Stepwise struct {
	// Tiny returns a random board that is small enough for Naive, with any number of solutions.
	Tiny func(seed uint64) raters.Puzzle
	// Naive finds all solutions of a tiny board, by trying everything. It shares no code with the solver.
	Naive func(p raters.Puzzle) []string
	// Prove returns the verifier of a solve of the puzzle. It reports whether these literals and the givens alone prove
	// the step of that number, counted from 1.
	Prove func(p raters.Puzzle, of raters.Solve) func(step int, because []logic.Literal) bool
	// Rescan rates as the default rater does, but looks everywhere after each step.
	Rescan func(ctx context.Context, p raters.Puzzle) (raters.Rating, error)
	// Budgeted rates as the default rater does, with this many units of work.
	Budgeted func(ctx context.Context, p raters.Puzzle, work uint64) (raters.Rating, error)
	// Chains are the techniques that suppose, with the largest number of steps of their chains; 0 is any number.
	Chains map[string]int
	// Seeds is how many puzzles are generated and checked, using the suite's requests in turn; with ASSAY_FULL=1 ten
	// times as many.
	Seeds int
}

// tinyBoards is how many tiny boards are solved.
const tinyBoards = 3000

// complete reports whether no part is missing without which a check would pass and check nothing.
func (s Stepwise) complete(v raters.Variant) bool {
	_, profiled := v.Scales[0].Rater.(raters.Profiled)
	return profiled && v.Hinter != nil && s.Seeds > 0 && s.Tiny != nil && s.Naive != nil && v.Values != nil &&
		s.Prove != nil && s.Rescan != nil && s.Budgeted != nil
}

func (s Suite) stepwiseChecks() []check {
	solves := new(solves)
	each := func(look func(context.Context, ratedPuzzle) error) func(context.Context) error {
		return func(ctx context.Context) error { return solves.each(ctx, s, look) }
	}
	return []check{
		{"verdicts", s.verdicts},
		{"steps", each(s.steps)},
		{"contradictions", each(s.contradicts)},
		{"waking", each(s.waking)},
		{"levels", each(s.hardest)},
		{"cut profile", each(s.notBelow)},
		{"hints", each(s.hintsAreTheSteps)},
		{"budget", s.budget},
	}
}

// verdicts compares the solver with trying everything.
func (s Suite) verdicts(ctx context.Context) error {
	seen := map[raters.Verdict]int{}
	for seed := range uint64(tinyBoards) {
		p := s.Stepwise.Tiny(seed)
		got, err := s.variant().Solver.Solve(ctx, p)
		if err != nil {
			return fmt.Errorf("solving %q: %w", p.Text, err)
		}
		all := s.Stepwise.Naive(p)
		want := [...]raters.Verdict{raters.None, raters.Unique, raters.Multiple}[min(len(all), 2)]
		if got.Verdict != want || len(got.Solutions) != min(len(all), 2) {
			return fmt.Errorf("%q has %d solutions, and the solver says %+v", p.Text, len(all), got)
		}
		for i, solution := range got.Solutions {
			if !slices.Contains(all, solution) || slices.Contains(got.Solutions[:i], solution) {
				return fmt.Errorf("%q is no solution of %q, or one twice", solution, p.Text)
			}
		}
		seen[want]++
	}
	for _, v := range []raters.Verdict{raters.None, raters.Unique, raters.Multiple} {
		if seen[v] == 0 {
			return fmt.Errorf("no tiny board of verdict %s", v)
		}
	}
	return nil
}

// ratedPuzzle is a generated puzzle and its rating.
type ratedPuzzle struct {
	raters.Rating
	puzzle   raters.Puzzle
	solution string
}

// solves are the generated puzzles for the checks, made once.
type solves struct {
	once sync.Once
	all  []ratedPuzzle
	err  error
}

// each runs a check over generated puzzles of every request.
func (m *solves) each(ctx context.Context, s Suite, look func(context.Context, ratedPuzzle) error) error {
	m.once.Do(func() { m.err = m.make(ctx, s) })
	if m.err != nil {
		return m.err
	}
	for _, p := range m.all {
		if err := look(ctx, p); err != nil {
			return fmt.Errorf("%q: %w", p.puzzle.Text, err)
		}
	}
	return nil
}

func (m *solves) make(ctx context.Context, s Suite) error {
	n := s.Stepwise.Seeds
	if os.Getenv("ASSAY_FULL") != "" {
		n *= 10
	}
	for i := range n {
		r := s.Requests[i%len(s.Requests)]
		r.Seed = uint64(i)
		g, err := s.variant().Generator.Generate(ctx, r)
		if err != nil {
			return fmt.Errorf("generating %+v: %w", r, err)
		}
		rating, err := s.rater().Rate(ctx, g.Puzzle)
		if err != nil {
			return fmt.Errorf("rating %q: %w", g.Puzzle.Text, err)
		}
		if rating.Level != g.Level || r.Level != "" && r.Level != g.Level {
			return fmt.Errorf("generating %+v: level %q, the rater says %q", r, g.Level, rating.Level)
		}
		m.all = append(m.all, ratedPuzzle{rating, g.Puzzle, g.Solution})
	}
	return nil
}

// contradicts checks that a solve finds out, without writing its steps out, what they contradict: not its solution, and
// another assignment exactly when a step that is written out does.
func (s Suite) contradicts(_ context.Context, p ratedPuzzle) error {
	values := s.variant().Values(p.puzzle, p.solution)
	steps := raters.Steps(p.Steps())
	for v := range values {
		was := values[v]
		for other := range uint8(len(p.Naming.Values)) {
			values[v] = other
			if got := p.Solve.Contradicts(values); got != steps.Contradicts(values) || got && other == was {
				return fmt.Errorf("with %s the solve contradicts: %t", p.Naming.Text(logic.Lit(v, int(other))), got)
			}
		}
		values[v] = was
	}
	return nil
}

// waking checks that looking only at what changed finds the same steps as looking everywhere.
func (s Suite) waking(ctx context.Context, p ratedPuzzle) error {
	again, err := s.Stepwise.Rescan(ctx, p.puzzle)
	if err != nil {
		return err
	}
	var a, b strings.Builder
	writeRating(&a, p.Rating)
	writeRating(&b, again)
	if a.String() != b.String() {
		return fmt.Errorf("looking everywhere finds other steps: %s", firstDifference(a.String(), b.String()))
	}
	return nil
}

// hardest checks that the level is that of the hardest technique, the lowest when bookkeeping was enough, and that
// the score is the size of the counted steps.
func (s Suite) hardest(_ context.Context, p ratedPuzzle) error {
	levels := s.rater().(raters.Profiled).Profile().Levels()
	most, score := 0, 0
	for _, step := range p.Steps() {
		if step.Level == "" {
			continue
		}
		rank := slices.Index(levels, step.Level)
		if rank < 0 {
			return fmt.Errorf("level %q of %s is none of %v", step.Level, step.Technique, levels)
		}
		most = max(most, rank)
		score += len(step.Removed) + len(step.Because)
	}
	if p.Level != levels[most] {
		return fmt.Errorf("level %q, the hardest step is %s", p.Level, levels[most])
	}
	if p.Score == nil || *p.Score != score {
		return fmt.Errorf("score %s, the steps come to %d", number("", p.Score), score)
	}
	return nil
}

// notBelow checks that the techniques below the level do not finish.
func (s Suite) notBelow(ctx context.Context, p ratedPuzzle) error {
	profiled := s.rater().(raters.Profiled)
	cut := profiled.Profile()
	n := slices.IndexFunc(cut.Techniques, func(t logic.Technique) bool { return t.Level == p.Level })
	if n == 0 {
		return nil
	}
	cut.Techniques = cut.Techniques[:n]
	rater, err := profiled.With(cut)
	if err != nil {
		return err
	}
	below, err := rater.Rate(ctx, p.puzzle)
	if err != nil {
		return err
	}
	if below.Outcome != raters.Unrated {
		return fmt.Errorf("of level %s, and without it %s %s", p.Level, below.Outcome, below.Level)
	}
	return nil
}

// hintsAreTheSteps checks that the hints on an empty board are the counted steps, in their order, whose reasons are
// known to prove them without the solution, and that there is none after the last: the first two and the last two are
// asked for.
func (s Suite) hintsAreTheSteps(ctx context.Context, p ratedPuzzle) error {
	steps := p.Steps()
	var counted []int
	for i, step := range steps {
		if step.Level != "" {
			counted = append(counted, i)
		}
	}
	for _, skip := range []int{0, 1, len(counted) - 1, len(counted)} {
		hint, err := s.variant().Hinter.Hint(ctx, p.puzzle, p.puzzle.Text, skip)
		if err != nil {
			return err
		}
		want := raters.Hint{Kind: raters.HintNone, Area: hint.Area}
		if at := max(skip, 0); at < len(counted) {
			want = raters.HintOf(steps, counted[at], hint.Area, p.Naming)
		}
		if !reflect.DeepEqual(hint, want) || hint.Kind == raters.HintStep && hint.Area == "" {
			return fmt.Errorf("after %d steps the hint is %+v, not %+v", skip, hint, want)
		}
	}
	return nil
}

// budget checks that a rating ends with raters.ErrBudget and nothing else, or as it does without a bound.
func (s Suite) budget(ctx context.Context) error {
	for _, p := range s.Puzzles {
		want, err := s.rater().Rate(ctx, p)
		if err != nil {
			return err
		}
		if err := s.exhausted(ctx, p, want); err != nil {
			return fmt.Errorf("rating %q: %w", p.Text, err)
		}
	}
	return nil
}

func (s Suite) exhausted(ctx context.Context, p raters.Puzzle, want raters.Rating) error {
	for work := uint64(1); ; work += 1 + work/4 {
		got, err := s.Stepwise.Budgeted(ctx, p, work)
		switch {
		case work > 1<<40:
			return errors.New("no budget is enough")
		case errors.Is(err, raters.ErrBudget) && got.Outcome == "":
			continue
		case err != nil:
			return fmt.Errorf("with %d units of work: %w", work, err)
		case work == 1:
			return errors.New("one unit of work is enough")
		}
		var a, b strings.Builder
		writeRating(&a, want)
		writeRating(&b, got)
		if a.String() != b.String() {
			return fmt.Errorf("with %d units of work the rating is another: %s", work, firstDifference(a.String(), b.String()))
		}
		return nil
	}
}
