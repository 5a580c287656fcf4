package registry

import (
	"context"
	"fmt"

	"assay/events"
	"assay/registry/batch"
	"assay/registry/calendar"
	"assay/registry/engine"
	"assay/registry/input"
)

// ReplayRequest asks how a rater rates puzzles on record.
type ReplayRequest struct {
	Selection
	Rater    engine.RaterChoice
	DryRun   bool // record nothing
	Actor    string
	Change   func(ReplayChange) error // called with each change, sorted by ID; may be nil
	Progress func(done, total int)    // called now and then; may be nil
}

// Replay is how a rater rates puzzles on record: the object replay/1.
type Replay struct {
	Schema   string           `json:"schema"`
	Of       string           `json:"of"` // the pool, the shelf or the series
	From     RaterVersion     `json:"from"`
	To       RaterVersion     `json:"to"`
	DryRun   bool             `json:"dry_run"`
	Puzzles  int              `json:"puzzles"`
	Changed  int              `json:"changed"` // how many levels differ
	Matrix   engine.Matrix    `json:"matrix"`
	Causes   map[string]int   `json:"causes"`  // changes by cause
	Unsound  []engine.Unsound `json:"unsound"` // ratings with a step that the solution refutes; not recorded
	Budget   []string         `json:"budget"`  // IDs of puzzles on which the rater ran out of its budget; not recorded
	Days     []MovedDay       `json:"days"`    // scheduled days, not released, whose puzzle has another level
	Recorded int              `json:"recorded"`
}

// ReplayChange is a puzzle whose level differs: the object replay-change/1.
type ReplayChange struct {
	Schema string      `json:"schema"`
	ID     string      `json:"id"`
	From   string      `json:"from"`
	To     string      `json:"to"`
	Cause  string      `json:"cause"`            // of several differences "together: …", and " (not minimal)" when a smaller set may do
	First  *Difference `json:"first_difference"` // null when the steps conclude the same
}

// Difference is where two solves differ first.
type Difference struct {
	Step int    `json:"step"` // from 1, in the new solve; in the old one when the new one had ended
	From string `json:"from"` // what the step was, "" when the solve had ended
	To   string `json:"to"`
}

// MovedDay is a day whose label was given for a level that its puzzle would no longer have.
type MovedDay struct {
	Series string `json:"series"`
	Date   string `json:"date"`
	Label  string `json:"label"`
	ID     string `json:"id"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Replay rates puzzles on record with a rater and compares the levels with those on record. Unless it is a dry run, the
// ratings are recorded beside the existing ones. Recorded ratings stay, so that an interrupted replay continues where
// it was.
func (r *Registry) Replay(ctx context.Context, req ReplayRequest) (result Replay, err error) {
	var changes []ReplayChange
	err = r.soundly(ctx, func(r *Registry) error {
		result, changes, err = r.replay(ctx, req)
		return err
	})
	if err != nil || req.Change == nil {
		return result, err
	}
	for _, c := range changes {
		if err := req.Change(c); err != nil {
			return result, err
		}
	}
	return result, nil
}

// replay does the work of Replay, until a worker's result turns out wrong. The changes are sorted by ID.
func (r *Registry) replay(ctx context.Context, req ReplayRequest) (Replay, []ReplayChange, error) {
	if err := events.CheckActor(req.Actor); err != nil && !req.DryRun {
		return Replay{}, nil, &input.Error{Reason: err.Error()}
	}
	a, err := r.newAssessor(ctx, req)
	if err != nil {
		return Replay{}, nil, err
	}
	t, err := r.newTally(ctx, a, req)
	if err != nil {
		return Replay{}, nil, err
	}
	subjects, err := r.selected(ctx, a.main.Genre, req.Selection, req.Progress)
	if err != nil {
		return Replay{}, nil, err
	}
	t.result.Puzzles, err = walk(ctx, r.crew(), subjects, a.assess, t.take)
	if ctx.Err() != nil {
		return t.result, nil, t.stopped(ctx)
	}
	if err == nil {
		err = t.facts.Flush()
	}
	if err != nil {
		return t.result, nil, err
	}
	t.result.Days, err = r.movedDays(t.moved)
	return t.result, t.changes, err
}

// tally counts the results of puzzles, one after the other, and records their ratings.
type tally struct {
	dry     bool
	result  Replay
	facts   batch.Of[fact]
	lost    map[events.Key]bool // keys under which wrong results are on record
	moved   map[string]ReplayChange
	changes []ReplayChange // reported when no result can turn out wrong any more
}

// maxReplayed is how many ratings are recorded in one step, beside their profile.
const maxReplayed = 500

func (r *Registry) newTally(ctx context.Context, a *assessor, req ReplayRequest) (*tally, error) {
	filed := a.from[a.main.Name]
	t := &tally{dry: req.DryRun, moved: map[string]ReplayChange{}, result: Replay{
		Schema: "replay/1", Of: req.Selection.String(), DryRun: req.DryRun,
		From: RaterVersion{filed.Rater, engine.Version(filed.Version)}, To: RaterVersion{a.to.Name(), engine.Version(a.to.Version())},
		Matrix: engine.NewMatrix(levelsOf(a.to, filed.Levels)),
		Causes: map[string]int{}, Unsound: []engine.Unsound{}, Budget: []string{}, Days: []MovedDay{},
	}}
	spoilt := r.spoilt(ctx)
	t.facts = batch.Of[fact]{Most: maxReplayed, Bytes: batch.Bytes, Size: sizeOf, Append: func(facts []fact) error {
		if r.spoilt(ctx) != spoilt {
			return errSpoilt
		}
		receipt, err := r.record(ctx, req.Actor, append(profileFacts(a.to), facts...)...)
		t.result.Recorded += receipt[max(0, len(receipt)-len(facts)):].Appended()
		return err
	}}
	var err error
	t.lost, err = r.lostKeys(ctx)
	return t, err
}

// take counts a puzzle, and records its rating together with others.
func (t *tally) take(got assessment) error {
	switch got.outcome {
	case exhausted:
		t.result.Budget = append(t.result.Budget, got.id)
		return nil
	case refuted:
		t.result.Unsound = append(t.result.Unsound, *got.unsound)
		return nil
	}
	t.result.Matrix.Add(got.before, got.after)
	if c := got.change; c != nil {
		t.result.Changed++
		t.result.Causes[c.Cause]++
		t.moved[c.ID] = *c
		t.changes = append(t.changes, *c)
	}
	if got.fact == nil || t.lost[got.fact.key] {
		return nil
	}
	return t.facts.Add(*got.fact)
}

// stopped says what remains on record after an interrupted replay.
func (t *tally) stopped(ctx context.Context) error {
	stands := "what was recorded stands, and the next replay goes on from there"
	if t.dry {
		stands = "nothing was recorded"
	}
	return fmt.Errorf("stopped after %d puzzles; %s: %w", t.result.Puzzles, stands, ctx.Err())
}

// movedDays returns the scheduled days, not released, of puzzles that changed. They are sorted by series and date.
func (r *Registry) movedDays(moved map[string]ReplayChange) ([]MovedDay, error) {
	days := []MovedDay{}
	if len(moved) == 0 {
		return days, nil
	}
	names, err := r.seriesNames()
	if err != nil {
		return days, err
	}
	now := r.Now()
	for _, name := range names {
		for day, err := range calendar.All(r.Store, name, "", "") {
			if err != nil {
				return days, err
			}
			revision, stands := day.Standing()
			p := revision.Published
			change, is := moved[p.Puzzle]
			if stands && is && p.Released().After(now) {
				days = append(days, MovedDay{Series: name, Date: day.Date, Label: p.Label, ID: p.Puzzle, From: change.From, To: change.To})
			}
		}
	}
	return days, nil
}
