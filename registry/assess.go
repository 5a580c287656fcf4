package registry

import (
	"context"
	"fmt"
	"strings"

	"assay/raters"
	"assay/registry/engine"
)

// assessor says what a rater makes of puzzles on record, beside what the record says of them. It changes nothing, and many
// chunks of puzzles are assessed side by side.
type assessor struct {
	*Registry
	dry   bool                 // no rating is to be recorded
	main  raters.Variant       // of the selection
	to    raters.Rater         // as the main variant has it
	asks  engine.Askers        // it, as each variant has it
	bands []raters.ProfileBand // of it
	from  map[string]filing    // variant: the rater that files its pool
}

// assessment is what a rater makes of a puzzle.
type assessment struct {
	id      string
	outcome assessmentKind
	before  string          // the level on record or, of a rater with bands, where its score lies
	after   string          // the same of the new rating
	cause   string          // of a move of a rater with bands
	change  *ReplayChange   // of a puzzle that moved
	unsound *engine.Unsound // of one whose rating is refuted
	fact    *fact           // the rating; nil when it is not to be recorded, or stands already
}

// assessmentKind tells assessments apart.
type assessmentKind int

const (
	stays     assessmentKind = iota
	moves                    // to another level
	exhausted                // the rater's budget: there is no rating
	refuted                  // the solution refutes a step of the rating
)

// newAssessor finds the rater of a replay, and the raters that file the pools of the puzzles.
func (r *Registry) newAssessor(ctx context.Context, req ReplayRequest) (*assessor, error) {
	named, err := req.Rater.Rater()
	if err != nil {
		return nil, err
	}
	variants, err := r.variantsOf(req.Selection, named)
	if err != nil {
		return nil, err
	}
	a := &assessor{Registry: r, dry: req.DryRun, main: variants[0], from: map[string]filing{}}
	if a.to, err = r.ChooseRater(ctx, a.main, req.Rater); err != nil {
		return nil, err
	}
	a.asks, a.bands = engine.AskersOf(r.Genres, variants, engine.Of(a.main, a.to)), bandsOf(a.to)
	if _, err := a.asks.Rater(raters.Puzzle{Genre: a.main.Genre, Variant: a.main.Name}); err != nil {
		return nil, err
	}
	for _, v := range variants {
		adoption, err := r.adoption(poolName{genre: v.Genre, variant: v.Name})
		if err != nil {
			return nil, err
		}
		if a.from[v.Name], err = a.filingOf(ctx, v, adoption.Adopted); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// assess asks the rater about puzzles, in the pool, and compares what it says with the record.
func (a *assessor) assess(ctx context.Context, part []subject) ([]assessment, error) {
	out := make([]assessment, len(part))
	questions := make([]engine.Question, 0, len(part))
	of := make([]int, 0, len(part)) // the puzzle of each question
	for i := range part {
		s := &part[i]
		out[i].id = s.ID
		if filed := s.FiledBy(a.to.Name(), a.to.Version()); !a.dry && filed != "" && filed == a.filedBefore(s) {
			out[i].before, out[i].after = filed, filed // the rating stands, and no level can move
			continue
		}
		questions, of = append(questions, a.question(s)), append(of, i)
	}
	answers, err := a.asks.Ask(ctx, a.crew(), questions)
	if err != nil {
		return nil, err
	}
	var moved []move
	for k, i := range of {
		if out[i], err = a.judge(ctx, &part[i], &answers[k]); err != nil {
			return nil, err
		}
		if out[i].outcome == moves {
			moved = append(moved, move{part[i], answers[k].Rating, &out[i]})
		}
	}
	return out, a.explain(ctx, moved)
}

// question returns what to ask about a puzzle.
func (a *assessor) question(s *subject) engine.Question {
	q := engine.About(s.puzzle)
	q.Solution = s.solution
	if !a.dry {
		q.Want = engine.TheSteps
	}
	filed := a.from[s.Variant]
	if before := levelOnRecord(s, filed.Rater, filed.Version); before != engine.NoLevel && len(a.bands) == 0 {
		q.Unless = before
	}
	return q
}

// judge says what a verdict means for a puzzle.
func (a *assessor) judge(ctx context.Context, s *subject, v *engine.Verdict) (got assessment, err error) {
	got.id = s.ID
	switch {
	case v.Err != nil:
		return got, v.Err
	case v.Refused == engine.Budget:
		got.outcome = exhausted
		return got, nil
	case v.Refused != "":
		return got, fmt.Errorf("puzzle %s is on record with one solution, and %s says: %s", s.ID, a.to.Name(), strings.ReplaceAll(v.Refused, "_", " "))
	case v.Unsound != nil:
		got.outcome, got.unsound = refuted, v.Unsound
		got.unsound.ID = s.ID
		return got, nil
	}
	if len(a.bands) > 0 {
		got.before, got.after, got.cause, err = a.bandSides(ctx, s, v.Rating.Score)
	} else {
		filed := a.from[s.Variant]
		got.before, got.after = levelOnRecord(s, filed.Rater, filed.Version), engine.OrUnrated(v.Rating.Level)
	}
	if got.before != got.after && got.before != engine.NoLevel {
		got.outcome = moves
	}
	if err == nil && !a.dry {
		got.fact, err = a.factOf(s, v)
	}
	return got, err
}

func (a *assessor) factOf(s *subject, v *engine.Verdict) (*fact, error) {
	from, err := a.source(s.ID)
	if err != nil {
		return nil, err
	}
	rater, err := a.asks.Rater(s.puzzle)
	if err != nil {
		return nil, err
	}
	f, err := ratedFact(rater, engine.Describe(s.puzzle, rater, *v), from)
	return &f, err
}

// filedBefore is the level by which the puzzle is filed, or "".
func (a *assessor) filedBefore(s *subject) string {
	filed := a.from[s.Variant]
	return s.FiledBy(filed.Rater, filed.Version)
}

// levelOnRecord returns the level that a rater version gave a puzzle, unrated, or none.
func levelOnRecord(s *subject, rater, version string) string {
	level, is := s.RatedBy(rater, version)
	if !is {
		return engine.NoLevel
	}
	return engine.OrUnrated(level)
}
