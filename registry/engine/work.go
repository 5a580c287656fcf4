package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"assay/events"
	"assay/raters"
	"assay/registry/jobs"
)

// The kinds of work.
const (
	rateKind     = "rate"
	GenerateKind = "generate"
)

// Work returns the kinds of work that any process can do for a registry: rating puzzles, and generating puzzles from
// seeds. Both are pure functions of their input. Only the caller deals with the record.
func Work(genres []raters.Genre) jobs.Kinds {
	kinds := jobs.Kinds{}
	jobs.Add(kinds, Verdicts(genres))
	jobs.Add(kinds, Candidates(genres))
	return kinds
}

// Question asks a rater about a puzzle.
type Question struct {
	_        struct{} `cbor:",toarray"`
	Genre    string
	Variant  string
	Text     string
	Solution string // on record: each step is compared with it; "" for no comparison
	Want     Want   // how much of the rating to return
	Unless   string // if the level differs from this one, return everything; "" never does
}

// Puzzle returns the puzzle of the question.
func (q Question) Puzzle() raters.Puzzle {
	return raters.Puzzle{Genre: q.Genre, Variant: q.Variant, Text: q.Text}
}

// ID returns the ID of the puzzle.
func (q Question) ID() string { return q.Puzzle().ID() }

// wanted returns how much of a rating to return.
func (q Question) wanted(v raters.Rating) Want {
	if q.Unless != "" && OrUnrated(v.Level) != q.Unless {
		return TheSteps
	}
	return q.Want
}

// About returns a question about a puzzle.
func About(p raters.Puzzle) Question {
	return Question{Genre: p.Genre, Variant: p.Variant, Text: p.Text}
}

// Want says how much of a rating to return.
type Want int

const (
	theLevel   Want = iota // outcome, level and score
	theSummary             // and what decided them
	TheSteps               // and the solve
)

// Verdict is a rater's answer about a puzzle.
type Verdict struct {
	Rating    raters.Rating
	Refused   string   // when there is no rating: not_unique, no_solution, budget
	solutions []string // when not_unique: two different ones
	reason    string   // when no_solution
	Unsound   *Unsound // the first step that the solution refutes, without the puzzle's ID
	Err       error

	want  Want
	rater raters.Rater
}

// Verdicts is the kind of work that asks raters.
func Verdicts(genres []raters.Genre) jobs.Kind[Name, Question, Verdict] {
	return jobs.Kind[Name, Question, Verdict]{Name: rateKind, Check: verdictChecks(genres), Title: Question.ID, Open: func(e Name) (func(context.Context, Question) Verdict, error) {
		engine, err := e.Open(genres)
		return engine.Rate, err
	}}
}

// Ask asks a rater. A refused puzzle is a verdict, not an error.
func Ask(ctx context.Context, rater raters.Rater, p raters.Puzzle) (v Verdict) {
	v.rater = rater
	v.Rating, v.Err = rater.Rate(ctx, p)
	if v.Err == nil {
		return v
	}
	var multiple *raters.NotUniqueError
	var none *raters.NoSolutionError
	switch {
	case errors.As(v.Err, &multiple):
		v.Refused, v.solutions, v.Err = NotUnique, multiple.Solutions[:], nil
	case errors.As(v.Err, &none):
		v.Refused, v.reason, v.Err = NoSolution, none.Reason, nil
	case errors.Is(v.Err, raters.ErrBudget):
		v.Refused, v.Err = Budget, nil
	}
	return v
}

// Unsound is a step that the solution refutes.
type Unsound struct {
	ID      string `json:"id"`
	Step    int    `json:"step"`
	Literal string `json:"literal"` // that it removes although it is in the solution
	Text    string `json:"text"`
}

// FindUnsound finds the step of a solve that a solution refutes, if there is one.
func FindUnsound(of raters.Variant, p raters.Puzzle, solution string, v raters.Rating) *Unsound {
	if v.Solve == nil || of.Values == nil {
		return nil
	}
	values := of.Values(p, solution)
	if !v.Solve.Contradicts(values) {
		return nil
	}
	for i, step := range v.Steps() {
		if l, is := step.Contradicted(values); is {
			return &Unsound{Step: i + 1, Literal: v.Naming.Text(l), Text: step.Text(v.Naming)}
		}
	}
	return &Unsound{Text: "the solve removes what is so, and no step of it says so"}
}

// briefVerdict is the form between processes of a rating of which only the level is wanted: a list of four.
type briefVerdict struct {
	_       struct{} `cbor:",toarray"`
	Outcome raters.Outcome
	Level   string
	Tier    int
	Score   []int // one or none
}

// wholeVerdict is any other verdict.
type wholeVerdict struct {
	_          struct{} `cbor:",toarray"`
	Brief      briefVerdict
	Hardest    string
	Techniques []raters.TechniqueUse
	Terms      []raters.Term
	Clues      int
	Steps      []byte // as in events.Rated
	Refused    string
	Solutions  []string
	Reason     string
	Unsound    *Unsound
	Failed     string
}

// MarshalCBOR writes the wanted part.
func (v Verdict) MarshalCBOR() ([]byte, error) {
	r := v.Rating
	brief := briefVerdict{Outcome: r.Outcome, Level: r.Level, Tier: r.Tier}
	if r.Score != nil {
		brief.Score = []int{*r.Score}
	}
	if v.want == theLevel && v.Refused == "" && v.Unsound == nil && v.Err == nil {
		return cbor.Marshal(brief)
	}
	w := wholeVerdict{
		Brief: brief, Hardest: r.Hardest, Techniques: r.Techniques, Terms: r.Terms, Clues: r.Clues,
		Refused: v.Refused, Solutions: v.solutions, Reason: v.reason, Unsound: v.Unsound,
	}
	var err error
	if v.want == TheSteps {
		w.Steps, err = EncodedSteps(v.rater, r)
	}
	if v.Err != nil {
		w.Failed = v.Err.Error()
	}
	if err != nil {
		return nil, err
	}
	return cbor.Marshal(w)
}

// UnmarshalCBOR reads what MarshalCBOR wrote. It is fast for brief verdicts, because workers return many of them.
func (v *Verdict) UnmarshalCBOR(data []byte) error {
	if f := events.FieldsOf(data); f.List() == 4 {
		v.Rating = raters.Rating{Outcome: raters.Outcome(f.Text()), Level: f.Text(), Tier: f.Int()}
		for range f.List() {
			v.Rating.Score = new(f.Int())
		}
		return f.End()
	}
	var w wholeVerdict
	err := cbor.Unmarshal(data, &w)
	if err != nil {
		return err
	}
	*v = Verdict{Refused: w.Refused, solutions: w.Solutions, reason: w.Reason, Unsound: w.Unsound}
	if v.Rating, err = RecordedSteps(events.Rated{Steps: w.Steps}); err != nil {
		return err
	}
	r := &v.Rating
	r.Outcome, r.Level, r.Tier = w.Brief.Outcome, w.Brief.Level, w.Brief.Tier
	r.Hardest, r.Techniques, r.Terms, r.Clues = w.Hardest, w.Techniques, w.Terms, w.Clues
	for _, score := range w.Brief.Score {
		r.Score = new(score)
	}
	if w.Failed != "" {
		v.Err = errors.New(w.Failed)
	}
	return nil
}

// Grown is a puzzle that a generator made for a request, or the error why there is none.
type Grown struct {
	Made  raters.Generated
	Level string // by the rater, "" when it got stuck; under a profile of its own it may differ from the generator's
	Err   error

	verdict *Verdict // the rater's verdict on the puzzle; nil until it is asked
}

// Ask returns the rater's verdict on the puzzle. The rater is asked only once.
func (g *Grown) Ask(ctx context.Context, rater raters.Rater) Verdict {
	if g.verdict == nil {
		g.verdict = new(Ask(ctx, rater, g.Made.Puzzle))
	}
	return *g.verdict
}

// Candidates is the kind of work that makes puzzles.
func Candidates(genres []raters.Genre) jobs.Kind[Name, raters.Request, Grown] {
	return jobs.Kind[Name, raters.Request, Grown]{Name: GenerateKind, Check: grownChecks(genres), Title: requestTitle, Open: func(e Name) (func(context.Context, raters.Request) Grown, error) {
		engine, err := e.Open(genres)
		return engine.Make, err
	}}
}

// Grow generates a puzzle, and rates it if the level is by another profile than the generator's.
func Grow(ctx context.Context, of raters.Variant, rater raters.Rater, req raters.Request) Grown {
	if IsUnder(rater, req) {
		return growUnder(ctx, of, rater, req)
	}
	made, err := of.Generator.Generate(ctx, req)
	if err != nil || !HasOwnProfile(rater) { // the generator uses the built-in one
		return Grown{Made: made, Level: made.Level, Err: err}
	}
	v := Ask(ctx, rater, made.Puzzle)
	if v.Err == nil && v.Refused != "" {
		v.Err = fmt.Errorf("the rater finds it %s", v.Refused)
	}
	return Grown{Made: made, Level: filledLevel(v.Rating), Err: v.Err, verdict: &v}
}

// filledLevel returns the level by which a filling files a rating. It is "" when the rater got stuck, because the shelf
// of a level has only puzzles that techniques solve.
func filledLevel(v raters.Rating) string {
	if v.Outcome == raters.Stuck {
		return ""
	}
	return v.Level
}

// writtenGrown is the form of a generated puzzle between processes.
type writtenGrown struct {
	_      struct{} `cbor:",toarray"`
	Made   raters.Generated
	Level  string
	Budget bool
	Denied bool // a *raters.RequestError
	Failed string
}

// MarshalCBOR writes the puzzle, or the error in a form that keeps its kind.
func (g Grown) MarshalCBOR() ([]byte, error) {
	w := writtenGrown{Made: g.Made, Level: g.Level}
	if g.Err != nil {
		var denied *raters.RequestError
		w.Budget, w.Denied, w.Failed = errors.Is(g.Err, raters.ErrBudget), errors.As(g.Err, &denied), g.Err.Error()
	}
	return cbor.Marshal(w)
}

// UnmarshalCBOR reads what MarshalCBOR wrote.
func (g *Grown) UnmarshalCBOR(data []byte) error {
	var w writtenGrown
	if err := cbor.Unmarshal(data, &w); err != nil {
		return err
	}
	*g = Grown{Made: w.Made, Level: w.Level}
	switch {
	case w.Budget:
		g.Err = fmt.Errorf("%s: %w", w.Failed, raters.ErrBudget)
	case w.Denied:
		g.Err = &raters.RequestError{Reason: w.Failed}
	case w.Failed != "":
		g.Err = errors.New(w.Failed)
	}
	return nil
}
