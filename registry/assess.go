package registry

import (
	"context"
	"fmt"
	"strings"

	"assay/raters"
	"assay/registry/engine"
)

// assessor rates puzzles on record and compares the results with the record. It changes nothing. Several goroutines may
// use it.
type assessor struct {
	*Registry
	dry   bool                 // no rating will be recorded
	main  raters.Variant       // of the selection
	to    raters.Rater         // the rater of the main variant
	asks  engine.Askers        // the same rater for each variant
	bands []raters.ProfileBand // the bands of that rater
	from  map[string]filing    // variant: the rater that files its pool
}

// assessment is the result of rating a puzzle again.
type assessment struct {
	id      string
	outcome assessmentKind
	before  string          // the level on record; if the rater has bands, the side of the score
	after   string          // the same for the new rating
	cause   string          // of a move, if the rater has bands
	change  *ReplayChange   // set if the level moved
	unsound *engine.Unsound // set if the solution refutes the rating
	fact    *fact           // the rating; nil when it is not to be recorded, or is on record
}

// assessmentKind says how an assessment ended.
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

// assess lets the crew rate puzzles, and compares the ratings with the record.
func (a *assessor) assess(ctx context.Context, part []subject) ([]assessment, error) {
	out := make([]assessment, len(part))
	questions := make([]engine.Question, 0, len(part))
	of := make([]int, 0, len(part)) // the puzzle of each question
	for i := range part {
		s := &part[i]
		out[i].id = s.ID
		if filed := s.FiledBy(a.to.Name(), a.to.Version()); !a.dry && filed != "" && filed == a.filedBefore(s) {
			out[i].before, out[i].after = filed, filed // a rating is on record, so no level can move
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

// question returns the question to the rater about a puzzle.
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

// judge compares a verdict with the record of a puzzle.
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

// filedBefore returns the level by which the puzzle is filed, or "".
func (a *assessor) filedBefore(s *subject) string {
	filed := a.from[s.Variant]
	return s.FiledBy(filed.Rater, filed.Version)
}

// levelOnRecord returns the level that a rater version gave a puzzle, or unrated, or none.
func levelOnRecord(s *subject, rater, version string) string {
	level, is := s.RatedBy(rater, version)
	if !is {
		return engine.NoLevel
	}
	return engine.OrUnrated(level)
}
