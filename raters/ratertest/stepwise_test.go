package ratertest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// stepper is the toy as a genre that solves by steps. Its variable is the digit. A first step, by the givens, leaves
// the digit and the next one; a second one removes that, since the one after is gone: directly for easy digits, by
// supposing it for hard ones.
type stepper struct {
	*toy
	techniques []logic.Technique
	alter      func(*raters.Rating, raters.Steps) // breaks a rating
	cheap      bool                               // gives a verdict whatever the budget
	kind       raters.HintKind                    // of hints
	sees       bool                               // a solver that finds a solution of any text
	stays      bool                               // hints pass no step over
	everywhere string                             // what looking everywhere calls the first technique
}

const direct, guess = "direct", "guess"

var stepperProfile = raters.Profile{Rater: "toy.size", Version: 1, Techniques: []logic.Technique{{Name: direct, Level: "easy"}, {Name: guess, Level: "hard"}}}

func (s *stepper) Profile() raters.Profile { return stepperProfile }

func (s *stepper) With(p raters.Profile) (raters.Rater, error) {
	return &stepper{toy: s.toy, techniques: p.Techniques, alter: s.alter}, nil
}

func (s *stepper) knows(name string) bool {
	return s.techniques == nil || slices.ContainsFunc(s.techniques, func(t logic.Technique) bool { return t.Name == name })
}

// lit is the literal of the n-th digit after one.
func lit(digit, n int) logic.Literal { return logic.Lit(0, (digit-1+n)%9) }

func (s *stepper) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	d, err := strconv.Atoi(p.Text)
	if err != nil {
		return raters.Rating{}, err
	}
	name, level := direct, toyLevel(p.Text)
	if level == "hard" {
		name = guess
	}
	first := logic.Step{Technique: direct, Level: "easy", Instance: "all"}
	for n := 2; n < 9; n++ {
		first.Removed = append(first.Removed, lit(d, n))
	}
	second := logic.Step{Technique: name, Level: level, Instance: "all", Removed: []logic.Literal{lit(d, 1)}, Because: []logic.Literal{lit(d, 2)}, From: []uint16{1}}
	if name == guess {
		second.Chain = []logic.Step{
			{Technique: direct, Instance: "in", Removed: []logic.Literal{lit(d, 0)}, Because: []logic.Literal{lit(d, 2)}, From: []uint16{1, 2}},
			{Technique: "none-left", Instance: "all", Because: []logic.Literal{lit(d, 2)}, From: []uint16{3}},
		}
	}
	steps := raters.Steps{first, second}
	score := 9
	out := raters.Rating{Outcome: raters.Rated, Level: level, Score: &score, Hardest: name, Solve: steps}
	if !s.knows(name) {
		out.Outcome, out.Level = raters.Unrated, ""
	}
	if s.alter != nil {
		s.alter(&out, steps)
	}
	return out, ctx.Err()
}

func (s *stepper) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	if len(p.Text) == 2 {
		return raters.Solution{Verdict: raters.Multiple, Solutions: []string{p.Text[:1], p.Text[1:]}, Nodes: 1}, ctx.Err()
	}
	if p.Text == "0" && !s.sees {
		return raters.Solution{Verdict: raters.None, Nodes: 1}, ctx.Err()
	}
	return toySolve(ctx, p)
}

func (s *stepper) Hint(ctx context.Context, p raters.Puzzle, board string, skip int) (raters.Hint, error) {
	r, err := (&stepper{toy: s.toy}).Rate(ctx, p)
	if err != nil {
		return raters.Hint{}, err
	}
	steps := r.Steps()
	if skip >= len(steps) {
		return raters.Hint{Kind: raters.HintNone}, nil
	}
	if s.stays {
		skip = 0
	}
	h := raters.HintOf(steps, skip, "all", r.Naming)
	h.Kind = s.kind
	return h, nil
}

// tinyDigits has none, one and two solutions in turn.
func tinyDigits(seed uint64) raters.Puzzle {
	return raters.Puzzle{Genre: "toy", Variant: "one", Text: []string{"0", "7", "12"}[seed%3]}
}

func naiveDigits(p raters.Puzzle) (all []string) {
	for _, r := range p.Text {
		if r != '0' {
			all = append(all, string(r))
		}
	}
	return all
}

// proveDigits replays by what the two steps are known to rest on.
func proveDigits(p raters.Puzzle, of raters.Solve) func(int, []logic.Literal) bool {
	d := int(p.Text[0] - '0')
	return func(step int, because []logic.Literal) bool {
		return step == 1 || slices.Contains(because, lit(d, 2))
	}
}

func (s *stepper) suite() Suite {
	if s.toy == nil {
		s.toy = new(toy)
	}
	out := s.toy.suite()
	if s.kind == "" {
		s.kind = raters.HintStep
	}
	v := &out.Genre.Variants[0]
	v.Scales, v.Solver, v.Hinter = []raters.Scale{{Rater: s, Levels: stepperProfile.Levels()}}, s, s
	v.Values = func(_ raters.Puzzle, solution string) []uint8 { return []uint8{solution[0] - '1'} }
	out.Stepwise = &Stepwise{
		Tiny: tinyDigits, Naive: naiveDigits, Prove: proveDigits, Chains: map[string]int{guess: 1}, Seeds: 40,
		Rescan: func(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
			r, err := s.Rate(ctx, p)
			if s.everywhere != "" {
				r.Steps()[0].Technique = s.everywhere
			}
			return r, err
		},
		Budgeted: func(ctx context.Context, p raters.Puzzle, work uint64) (raters.Rating, error) {
			if work < 20 && !s.cheap {
				return raters.Rating{}, raters.ErrBudget
			}
			return s.Rate(ctx, p)
		},
	}
	return out
}

func TestStepwiseSuitePassesASoundGenre(t *testing.T) {
	if failed := failures(t, new(stepper).suite()); failed != "" {
		t.Errorf("failed %s", failed)
	}
}

func TestStepwiseSuiteFindsWhatIsBroken(t *testing.T) {
	hard := func(break_ func(*logic.Step)) func(*raters.Rating, raters.Steps) {
		return func(r *raters.Rating, s raters.Steps) {
			if r.Hardest == guess {
				break_(&s[1])
			}
		}
	}
	for name, c := range map[string]struct {
		stepper stepper
		want    string
	}{
		"the solver sees a solution where none is": {stepper{sees: true}, "verdicts"},
		"a step removes the solution": {stepper{alter: func(r *raters.Rating, s raters.Steps) {
			s[1].Removed[0] = lit(int(s[1].Removed[0])+1, 8)
		}}, "steps, hints"},
		"a step removes what is gone": {stepper{alter: func(r *raters.Rating, s raters.Steps) { s[1].Removed = s[0].Removed[:1] }}, "steps, hints"},
		"a step writes what is wrong": {stepper{alter: func(r *raters.Rating, s raters.Steps) { s[1].Placed = s[1].Removed }}, "steps, hints"},
		"a step concludes nothing": {stepper{alter: func(r *raters.Rating, s raters.Steps) {
			s[1].Removed = nil
			*r.Score = 8
		}}, "steps, hints"},
		"a reason is missing": {stepper{alter: func(r *raters.Rating, s raters.Steps) {
			s[1].Because, s[1].From = nil, nil
			*r.Score = 8
		}}, "steps"},
		"a reason is not needed": {stepper{alter: func(r *raters.Rating, s raters.Steps) {
			s[1].Because = append(s[1].Because, s[0].Removed[3])
			*r.Score = 10
		}}, "steps"},
		"a step comes from elsewhere":        {stepper{alter: func(r *raters.Rating, s raters.Steps) { s[1].From = nil }}, "steps"},
		"a chain is too long":                {stepper{alter: hard(func(s *logic.Step) { s.Chain = slices.Insert(s.Chain, 1, s.Chain[0]) })}, "steps"},
		"a chain is missing":                 {stepper{alter: hard(func(s *logic.Step) { s.Chain = nil })}, "steps"},
		"a chain has no break":               {stepper{alter: hard(func(s *logic.Step) { s.Chain = s.Chain[:1] })}, "steps"},
		"a chain goes on after its break":    {stepper{alter: hard(func(s *logic.Step) { s.Chain[0].Removed = nil })}, "steps"},
		"a chain has a step too many":        {stepper{alter: hard(func(s *logic.Step) { s.Chain[1].From = nil })}, "steps"},
		"a chain does not need its premise":  {stepper{alter: hard(func(s *logic.Step) { s.Chain[0].From = []uint16{1} })}, "steps"},
		"a chain does not use its reason":    {stepper{alter: hard(func(s *logic.Step) { s.Chain[0].Because, s.Chain[1].Because = nil, nil })}, "steps"},
		"looking everywhere finds more":      {stepper{everywhere: "indirect"}, "waking"},
		"the level is not of the hardest":    {stepper{alter: func(r *raters.Rating, s raters.Steps) { s[1].Level = "easy" }}, "levels"},
		"a step of a level that is not":      {stepper{alter: func(r *raters.Rating, s raters.Steps) { s[0].Level = "trivial" }}, "levels"},
		"the score does not add up":          {stepper{alter: func(r *raters.Rating, s raters.Steps) { *r.Score++ }}, "levels"},
		"there is no score":                  {stepper{alter: func(r *raters.Rating, s raters.Steps) { r.Score = nil }}, "levels"},
		"easier techniques finish":           {stepper{alter: func(r *raters.Rating, s raters.Steps) { r.Outcome = raters.Rated }}, "cut profile"},
		"hints say nothing":                  {stepper{kind: raters.HintNone}, "hints"},
		"hints pass no step over":            {stepper{stays: true}, "hints"},
		"a verdict whatever the work":        {stepper{cheap: true}, "budget"},
		"a rating that finished is unrated":  {stepper{alter: func(r *raters.Rating, s raters.Steps) { r.Outcome = raters.Unrated }}, "steps"},
		"steps differ from what the hint is": {stepper{alter: func(r *raters.Rating, s raters.Steps) { s[0].Instance = "some" }}, "hints"},
	} {
		t.Run(name, func(t *testing.T) {
			if failed := failures(t, c.stepper.suite()); failed != c.want {
				t.Errorf("failed %q, want %q", failed, c.want)
			}
		})
	}
	if fmt.Sprint(lit(9, 1)) != fmt.Sprint(logic.Lit(0, 0)) {
		t.Error("the digits do not go round")
	}
}

// A generator that says another level than the rater is found by every check that looks into what it makes.
func TestStepwiseSuiteFindsLevelsThatAreNotEarned(t *testing.T) {
	y := &toy{generate: func(ctx context.Context, r raters.Request) (raters.Generated, error) {
		g, err := toyGenerate(ctx, r)
		g.Level = "medium"
		return g, err
	}}
	const want = "generated, steps, contradictions, waking, levels, cut profile, hints"
	if failed := failures(t, (&stepper{toy: y}).suite()); failed != want {
		t.Errorf("failed %q, want %q", failed, want)
	}
}

func TestStepwiseSuiteFindsWhatIsMissing(t *testing.T) {
	for name, drop := range map[string]func(*Suite){
		"tiny":     func(s *Suite) { s.Stepwise.Tiny = nil },
		"naive":    func(s *Suite) { s.Stepwise.Naive = nil },
		"values":   func(s *Suite) { s.Genre.Variants[0].Values = nil },
		"prove":    func(s *Suite) { s.Stepwise.Prove = nil },
		"rescan":   func(s *Suite) { s.Stepwise.Rescan = nil },
		"budgeted": func(s *Suite) { s.Stepwise.Budgeted = nil },
		"seeds":    func(s *Suite) { s.Stepwise.Seeds = 0 },
		"hints":    func(s *Suite) { s.Genre.Variants[0].Hinter = nil },
		"profile":  func(s *Suite) { s.Genre.Variants[0].Scales = new(toy).suite().variant().Scales },
	} {
		s := new(stepper).suite()
		if err := s.complete(t.Context()); err != nil {
			t.Fatal(err)
		}
		drop(&s)
		if err := s.complete(t.Context()); err == nil {
			t.Errorf("without %s the suite counts as complete", name)
		}
	}
}

func TestNoBudgetIsEverEnough(t *testing.T) {
	s := new(stepper).suite()
	s.Stepwise.Budgeted = func(context.Context, raters.Puzzle, uint64) (raters.Rating, error) {
		return raters.Rating{}, raters.ErrBudget
	}
	if failed := failures(t, s); failed != "budget" {
		t.Errorf("failed %q", failed)
	}
}
