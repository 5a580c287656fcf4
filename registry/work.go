package registry

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
	generateKind = "generate"
)

// Work gives the kinds of work that any process can do for a registry: what raters say of puzzles, and what generators
// make of seeds. Both are pure functions of what they are given; the record is the affair of whoever asks.
func Work(genres []raters.Genre) jobs.Kinds {
	kinds := jobs.Kinds{}
	jobs.Add(kinds, verdicts(genres))
	jobs.Add(kinds, candidates(genres))
	return kinds
}

// pool is where raters and generators run.
func (r *Registry) pool() jobs.Pool {
	if r.Pool == nil {
		return jobs.Local{}
	}
	return r.Pool
}

// engine names a rater of a variant, and the generator beside it, so that another process or a later program finds the same
// ones or none.
type engine struct {
	Genre     string
	Variant   string
	Generator int // version; 0 when it is not used
	Rater     string
	Version   string // "" for the one that is built in
	Profile   string // TOML; "" for the built-in one
}

func engineOf(v raters.Variant, rater raters.Rater) engine {
	e := engine{Genre: v.Genre, Variant: v.Name, Rater: rater.Name(), Version: rater.Version()}
	if p, ok := rater.(raters.Profiled); ok && hasOwnProfile(rater) {
		e.Profile = p.Profile().Text()
	}
	return e
}

// find finds the engine among those of this program: the one place that says which engine answers for a variant, a name
// and a version. It is an error when there is none any more.
func (e engine) find(genres []raters.Genre) (raters.Variant, raters.Rater, error) {
	v, err := Find(genres, e.Genre, e.Variant)
	if err != nil {
		return v, nil, err
	}
	choice := RaterChoice{Name: e.Rater}
	if e.Profile != "" {
		choice.Profile = []byte(e.Profile)
	}
	rater, err := choice.Choose(v)
	switch {
	case err != nil:
		return v, nil, err
	case e.Version != "" && rater.Version() != e.Version:
		return v, nil, fmt.Errorf("this program has %s %s, not %s", e.Rater, rater.Version(), e.Version)
	case e.Generator != 0 && v.Generator.Version() != e.Generator:
		return v, nil, fmt.Errorf("this program has version %d of the generator of %s, not %d", v.Generator.Version(), v, e.Generator)
	}
	return v, rater, nil
}

// question asks a rater about a puzzle.
type question struct {
	_        struct{} `cbor:",toarray"`
	Genre    string
	Variant  string
	Text     string
	Solution string // on record: each step is held against it; "" holds none
	Want     want   // what of the rating is wanted
	Unless   string // a level other than this one makes everything wanted; "" none does
}

func (q question) puzzle() raters.Puzzle {
	return raters.Puzzle{Genre: q.Genre, Variant: q.Variant, Text: q.Text}
}

func (q question) id() string { return q.puzzle().ID() }

// wanted tells how much of a rating is wanted.
func (q question) wanted(v raters.Rating) want {
	if q.Unless != "" && orUnrated(v.Level) != q.Unless {
		return theSteps
	}
	return q.Want
}

// about gives a question about a puzzle.
func about(p raters.Puzzle) question {
	return question{Genre: p.Genre, Variant: p.Variant, Text: p.Text}
}

// want says how much of a rating is wanted.
type want int

const (
	theLevel   want = iota // outcome, level and score
	theSummary             // and what decided them
	theSteps               // and the solve
)

// verdict is what a rater says of a puzzle.
type verdict struct {
	rating    raters.Rating
	refused   string   // when there is no rating: not_unique, no_solution, budget
	solutions []string // when not_unique: two different ones
	reason    string   // when no_solution
	unsound   *Unsound // the first step that the solution refutes, of a puzzle without its ID
	err       error

	want  want
	rater raters.Rater
}

// verdicts is the kind of work that asks raters.
func verdicts(genres []raters.Genre) jobs.Kind[engine, question, verdict] {
	return jobs.Kind[engine, question, verdict]{Name: rateKind, Check: verdictChecks(genres), Title: question.id, Open: func(e engine) (func(context.Context, question) verdict, error) {
		variant, rater, err := e.find(genres)
		return func(ctx context.Context, q question) verdict {
			v := ask(ctx, rater, q.puzzle())
			v.want = q.wanted(v.rating)
			if v.err == nil && v.refused == "" && q.Solution != "" {
				v.unsound = unsound(variant, q.puzzle(), q.Solution, v.rating)
			}
			return v
		}, err
	}}
}

// ask asks a rater. That it refuses a puzzle is a verdict, not an error.
func ask(ctx context.Context, rater raters.Rater, p raters.Puzzle) (v verdict) {
	v.rater = rater
	v.rating, v.err = rater.Rate(ctx, p)
	if v.err == nil {
		return v
	}
	var multiple *raters.NotUniqueError
	var none *raters.NoSolutionError
	switch {
	case errors.As(v.err, &multiple):
		v.refused, v.solutions, v.err = NotUnique, multiple.Solutions[:], nil
	case errors.As(v.err, &none):
		v.refused, v.reason, v.err = NoSolution, none.Reason, nil
	case errors.Is(v.err, raters.ErrBudget):
		v.refused, v.err = Budget, nil
	}
	return v
}

// Unsound is a step that the solution refutes.
type Unsound struct {
	ID      string `json:"id"`
	Step    int    `json:"step"`
	Literal string `json:"literal"` // that it removes, and that is so
	Text    string `json:"text"`
}

// unsound finds the step of a solve that a solution refutes, if there is one.
func unsound(of raters.Variant, p raters.Puzzle, solution string, v raters.Rating) *Unsound {
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

// briefVerdict is a rating between processes of which no more than the level is wanted: a list of four.
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

// MarshalCBOR writes what was wanted.
func (v verdict) MarshalCBOR() ([]byte, error) {
	r := v.rating
	brief := briefVerdict{Outcome: r.Outcome, Level: r.Level, Tier: r.Tier}
	if r.Score != nil {
		brief.Score = []int{*r.Score}
	}
	if v.want == theLevel && v.refused == "" && v.unsound == nil && v.err == nil {
		return cbor.Marshal(brief)
	}
	w := wholeVerdict{
		Brief: brief, Hardest: r.Hardest, Techniques: r.Techniques, Terms: r.Terms, Clues: r.Clues,
		Refused: v.refused, Solutions: v.solutions, Reason: v.reason, Unsound: v.unsound,
	}
	var err error
	if v.want == theSteps {
		w.Steps, err = encodedSteps(v.rater, r)
	}
	if v.err != nil {
		w.Failed = v.err.Error()
	}
	if err != nil {
		return nil, err
	}
	return cbor.Marshal(w)
}

// UnmarshalCBOR reads what MarshalCBOR wrote. Who has workers rate reads one brief verdict after the other.
func (v *verdict) UnmarshalCBOR(data []byte) error {
	if f := events.FieldsOf(data); f.List() == 4 {
		v.rating = raters.Rating{Outcome: raters.Outcome(f.Text()), Level: f.Text(), Tier: f.Int()}
		for range f.List() {
			v.rating.Score = new(f.Int())
		}
		return f.End()
	}
	var w wholeVerdict
	err := cbor.Unmarshal(data, &w)
	if err != nil {
		return err
	}
	*v = verdict{refused: w.Refused, solutions: w.Solutions, reason: w.Reason, unsound: w.Unsound}
	if v.rating, err = recordedSteps(events.Rated{Steps: w.Steps}); err != nil {
		return err
	}
	r := &v.rating
	r.Outcome, r.Level, r.Tier = w.Brief.Outcome, w.Brief.Level, w.Brief.Tier
	r.Hardest, r.Techniques, r.Terms, r.Clues = w.Hardest, w.Techniques, w.Terms, w.Clues
	for _, score := range w.Brief.Score {
		r.Score = new(score)
	}
	if w.Failed != "" {
		v.err = errors.New(w.Failed)
	}
	return nil
}

// grown is what a generator made of a request, or why nothing.
type grown struct {
	made  raters.Generated
	level string // that the rater gives, "" when it got stuck; under a profile of its own it may be another than the generator's
	err   error
}

// candidates is the kind of work that makes puzzles.
func candidates(genres []raters.Genre) jobs.Kind[engine, raters.Request, grown] {
	return jobs.Kind[engine, raters.Request, grown]{Name: generateKind, Check: grownChecks(genres), Title: requestTitle, Open: func(e engine) (func(context.Context, raters.Request) grown, error) {
		v, rater, err := e.find(genres)
		return func(ctx context.Context, req raters.Request) grown { return grow(ctx, v, rater, req) }, err
	}}
}

// grow makes a puzzle, and rates it when that is by another profile than the generator's.
func grow(ctx context.Context, of raters.Variant, rater raters.Rater, req raters.Request) grown {
	if isUnder(rater, req) {
		return growUnder(ctx, of, rater, req)
	}
	made, err := of.Generator.Generate(ctx, req)
	if err != nil || !hasOwnProfile(rater) { // the generator goes by the built-in one
		return grown{made: made, level: made.Level, err: err}
	}
	v := ask(ctx, rater, made.Puzzle)
	if v.err == nil && v.refused != "" {
		v.err = fmt.Errorf("the rater finds it %s", v.refused)
	}
	return grown{made: made, level: filledLevel(v.rating), err: v.err}
}

// filledLevel gives the level of a rating, as filling goes by it: "" when the rater got stuck, since the shelf of a level
// holds what techniques solve.
func filledLevel(v raters.Rating) string {
	if v.Outcome == raters.Stuck {
		return ""
	}
	return v.Level
}

// writtenGrown is a puzzle that was made, between processes.
type writtenGrown struct {
	_      struct{} `cbor:",toarray"`
	Made   raters.Generated
	Level  string
	Budget bool
	Denied bool // a *raters.RequestError
	Failed string
}

// MarshalCBOR writes the puzzle, or the error so that it can be told what it is.
func (g grown) MarshalCBOR() ([]byte, error) {
	w := writtenGrown{Made: g.made, Level: g.level}
	if g.err != nil {
		var denied *raters.RequestError
		w.Budget, w.Denied, w.Failed = errors.Is(g.err, raters.ErrBudget), errors.As(g.err, &denied), g.err.Error()
	}
	return cbor.Marshal(w)
}

// UnmarshalCBOR reads what MarshalCBOR wrote.
func (g *grown) UnmarshalCBOR(data []byte) error {
	var w writtenGrown
	if err := cbor.Unmarshal(data, &w); err != nil {
		return err
	}
	*g = grown{made: w.Made, level: w.Level}
	switch {
	case w.Budget:
		g.err = fmt.Errorf("%s: %w", w.Failed, raters.ErrBudget)
	case w.Denied:
		g.err = &raters.RequestError{Reason: w.Failed}
	case w.Failed != "":
		g.err = errors.New(w.Failed)
	}
	return nil
}
