package registry

import (
	"context"

	"assay/events"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/jobs"
)

// Rating is what a rater says of a puzzle: the object rating/1.
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
	Steps      []Step     `json:"steps,omitempty"`     // the solve, when it was asked for
	Event      events.Seq `json:"event,omitempty"`     // where it is on record

	measured raters.Rating // what the rater said; zero in a rating from the log
}

// WithSteps gives the rating with the steps of its solve written out, if its rater solves by steps.
func (r Rating) WithSteps() Rating {
	r.Steps = StepsOf(r.measured)
	return r
}

// The outcomes of a rating that are results and never facts.
const (
	NotUnique  = "not_unique"
	NoSolution = "no_solution"
	Budget     = "budget"
)

// Techniques is written as an object with a key a technique, in the rater's order.
type Techniques []raters.TechniqueUse

// Terms is written as an object with a key a term, in the rater's order.
type Terms []raters.Term

// Rate asks a rater about a puzzle and records nothing. A puzzle that cannot be rated is an outcome,
// not an error.
func Rate(ctx context.Context, rater raters.Rater, p raters.Puzzle) (Rating, error) {
	v := ask(ctx, rater, p)
	return describe(p, rater, v), v.err
}

// Asker asks one rater about many puzzles.
type Asker struct {
	pool  jobs.Pool
	rater raters.Rater
	work  jobs.Work[question, verdict]
	want  want
}

// NewAsker gives an asker that has a pool do the rating. With steps the solve is at hand in each rating.
func NewAsker(pool jobs.Pool, genres []raters.Genre, v raters.Variant, rater raters.Rater, steps bool) (Asker, error) {
	a := Asker{pool: pool, rater: rater, want: theSummary}
	if steps {
		a.want = theSteps
	}
	var err error
	a.work, err = verdicts(genres).Under(engineOf(v, rater))
	return a, err
}

// Rate rates puzzles as Rate does, each with its rating or its error.
func (a Asker) Rate(ctx context.Context, puzzles []raters.Puzzle) ([]Rating, []error) {
	questions := make([]question, len(puzzles))
	for i, p := range puzzles {
		questions[i] = about(p)
		questions[i].Want = a.want
	}
	ratings, errs := make([]Rating, len(puzzles)), make([]error, len(puzzles))
	answers, err := jobs.Do(ctx, a.pool, a.work, questions...)
	for i, p := range puzzles {
		if errs[i] = err; err == nil {
			ratings[i], errs[i] = describe(p, a.rater, answers[i]), answers[i].err
		}
	}
	return ratings, errs
}

// describe says what a rater said; nothing when that is an error.
func describe(p raters.Puzzle, rater raters.Rater, v verdict) Rating {
	if v.err != nil {
		return Rating{}
	}
	r := v.rating
	out := Rating{
		Schema: "rating/1", ID: p.ID(), Genre: p.Genre, Variant: p.Variant,
		Rater: rater.Name(), Version: Version(rater.Version()),
		Outcome: string(r.Outcome), Level: r.Level, Tier: r.Tier, Score: r.Score, Hardest: r.Hardest,
		Techniques: r.Techniques, Terms: r.Terms, Solutions: v.solutions, Reason: v.reason, measured: r,
	}
	if v.refused != "" {
		out.Outcome = v.refused
	}
	return out
}

// IsFact tells whether the rating is one that can be recorded: a verdict that is the same for ever.
func (r Rating) IsFact() bool {
	return r.Outcome == string(raters.Rated) || r.Outcome == string(raters.Stuck) || r.Outcome == string(raters.Unrated)
}

// RateRecorded rates a puzzle that is on record and records the verdict, if it is a fact, and the profile it
// stands on. What stands for this rater version stands.
func (r *Registry) RateRecorded(ctx context.Context, id string, choice RaterChoice, actor string) (Rating, error) {
	known, err := r.lookUp(ctx, id)
	if err != nil {
		return Rating{}, err
	}
	v, err := Find(r.Genres, known.Puzzle.Genre, known.Puzzle.Variant)
	if err != nil {
		return Rating{}, err
	}
	rater, err := r.ChooseRater(ctx, v, choice)
	if err != nil {
		return Rating{}, err
	}
	rating, err := Rate(ctx, rater, known.Puzzle)
	if err != nil || !rating.IsFact() {
		return rating, err
	}
	f, err := ratedFact(rater, rating, puzzles.SourceOf(known.Facts))
	if err != nil {
		return Rating{}, err
	}
	receipt, err := r.record(ctx, actor, append(profileFacts(rater), f)...)
	if err != nil {
		return Rating{}, err
	}
	rating.Event = receipt[len(receipt)-1].Seq
	return rating, nil
}

// ratedFact is the fact that a rating of a puzzle from a source is.
func ratedFact(rater raters.Rater, v Rating, from puzzles.Source) (fact, error) {
	steps, err := encodedSteps(rater, v.measured)
	if err != nil {
		return fact{}, err
	}
	body := events.Rated{
		Puzzle: v.ID, Genre: v.Genre, Variant: v.Variant, Rater: v.Rater, Version: string(v.Version),
		Outcome: v.Outcome, Level: v.Level, Tier: v.Tier, Score: v.Score, Hardest: v.Hardest,
		Clues: v.measured.Clues, Origin: from.Origin, Steps: steps,
	}
	for _, t := range v.Techniques {
		body.Techniques = append(body.Techniques, events.TechniqueUse{Name: t.Name, Level: t.Level, Uses: t.Uses, Removed: t.Removed, Placed: t.Placed})
	}
	for _, t := range v.Terms {
		body.Terms = append(body.Terms, events.Term{Name: t.Name, Value: t.Value})
	}
	return fact{key: events.RatedKey(v.ID, v.Rater, body.Version), body: body, cause: from.Key}, nil
}

// recordedRating is the rating that a recorded fact is.
func recordedRating(e events.Event, b events.Rated) Rating {
	v := Rating{
		Schema: "rating/1", ID: b.Puzzle, Genre: b.Genre, Variant: b.Variant, Rater: b.Rater, Version: Version(b.Version),
		Outcome: b.Outcome, Level: b.Level, Tier: b.Tier, Score: b.Score, Hardest: b.Hardest, Event: e.Seq,
	}
	for _, t := range b.Techniques {
		v.Techniques = append(v.Techniques, raters.TechniqueUse{Name: t.Name, Level: t.Level, Uses: t.Uses, Removed: t.Removed, Placed: t.Placed})
	}
	for _, t := range b.Terms {
		v.Terms = append(v.Terms, raters.Term{Name: t.Name, Value: t.Value})
	}
	return v
}
