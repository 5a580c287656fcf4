package engine

import (
	"context"

	"assay/events"
	"assay/raters"
	"assay/registry/jobs"
)

// Rating is a rater's verdict on a puzzle: the object rating/1.
type Rating struct {
	Schema     string     `json:"schema"`
	ID         string     `json:"id"`
	Genre      string     `json:"genre"`
	Variant    string     `json:"variant"`
	Rater      string     `json:"rater"`
	Version    Version    `json:"version"`
	Outcome    string     `json:"outcome"` // rated, stuck, unrated, not_unique, no_solution, budget
	Level      string     `json:"level,omitempty"`
	Tier       int        `json:"tier,omitempty"`
	Score      *int       `json:"score,omitempty"`
	Hardest    string     `json:"hardest,omitempty"`
	Techniques Techniques `json:"techniques,omitempty"`
	Terms      Terms      `json:"terms,omitempty"`
	Solutions  []string   `json:"solutions,omitempty"` // two different ones when not_unique
	Reason     string     `json:"reason,omitempty"`    // when no_solution
	Steps      []Step     `json:"steps,omitempty"`     // the solve, if requested
	Event      events.Seq `json:"event,omitempty"`     // where it is on record

	Measured raters.Rating `json:"-"` // the rater's own result; zero in a rating from the log
}

// WithSteps returns the rating with its steps as objects, if its rater solves by steps.
func (r Rating) WithSteps() Rating {
	r.Steps = StepsOf(r.Measured)
	return r
}

// These outcomes of a rating are results but never facts.
const (
	NotUnique  = "not_unique"
	NoSolution = "no_solution"
	Budget     = "budget"
)

// Techniques is written as an object with a key for each technique, in the rater's order.
type Techniques []raters.TechniqueUse

// Terms is written as an object with a key for each term, in the rater's order.
type Terms []raters.Term

// Rate asks a rater about a puzzle and records nothing. A puzzle that cannot be rated is an outcome,
// not an error.
func Rate(ctx context.Context, rater raters.Rater, p raters.Puzzle) (Rating, error) {
	v := Ask(ctx, rater, p)
	return Describe(p, rater, v), v.Err
}

// Asker asks one rater about many puzzles.
type Asker struct {
	crew  jobs.Crew
	rater raters.Rater
	work  jobs.Work[Question, Verdict]
	want  Want
}

// NewAsker returns an asker that lets a crew rate. With steps, the solve comes with each rating.
func NewAsker(crew jobs.Crew, genres []raters.Genre, v raters.Variant, rater raters.Rater, steps bool) (Asker, error) {
	a := Asker{crew: crew, rater: rater, want: theSummary}
	if steps {
		a.want = TheSteps
	}
	var err error
	a.work, err = Verdicts(genres).Under(Of(v, rater))
	return a, err
}

// Rate rates puzzles as Rate does, each with its rating or its error.
func (a Asker) Rate(ctx context.Context, puzzles []raters.Puzzle) ([]Rating, []error) {
	questions := make([]Question, len(puzzles))
	for i, p := range puzzles {
		questions[i] = About(p)
		questions[i].Want = a.want
	}
	ratings, errs := make([]Rating, len(puzzles)), make([]error, len(puzzles))
	answers, err := jobs.Do(ctx, a.crew, a.work, questions...)
	for i, p := range puzzles {
		if errs[i] = err; err == nil {
			ratings[i], errs[i] = Describe(p, a.rater, answers[i]), answers[i].Err
		}
	}
	return ratings, errs
}

// Describe turns a rater's verdict into a Rating.
func Describe(p raters.Puzzle, rater raters.Rater, v Verdict) Rating {
	if v.Err != nil {
		return Rating{}
	}
	r := v.Rating
	out := Rating{
		Schema: "rating/1", ID: p.ID(), Genre: p.Genre, Variant: p.Variant,
		Rater: rater.Name(), Version: Version(rater.Version()),
		Outcome: string(r.Outcome), Level: r.Level, Tier: r.Tier, Score: r.Score, Hardest: r.Hardest,
		Techniques: r.Techniques, Terms: r.Terms, Solutions: v.solutions, Reason: v.reason, Measured: r,
	}
	if v.Refused != "" {
		out.Outcome = v.Refused
	}
	return out
}

// IsFact reports whether the rating is one that can be recorded: a verdict that is the same for ever.
func (r Rating) IsFact() bool {
	return r.Outcome == string(raters.Rated) || r.Outcome == string(raters.Stuck) || r.Outcome == string(raters.Unrated)
}
