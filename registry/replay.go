package registry

import (
	"context"
	"fmt"
	"strings"

	"assay/events"
	"assay/projections"
	"assay/projections/archive"
	"assay/raters"
	"assay/registry/jobs"
)

// ReplayRequest asks what a rater says of puzzles on record.
type ReplayRequest struct {
	Selection
	Rater    RaterChoice
	DryRun   bool // record nothing
	Actor    string
	Change   func(ReplayChange) error // told each change, in order of ID; nil for nobody
	Progress func(done, total int)    // told now and then; nil for nobody
}

// Replay tells what a rater says of puzzles on record: the object replay/1.
type Replay struct {
	Schema   string         `json:"schema"`
	Of       string         `json:"of"` // the pool, the shelf or the series
	From     RaterVersion   `json:"from"`
	To       RaterVersion   `json:"to"`
	DryRun   bool           `json:"dry_run"`
	Puzzles  int            `json:"puzzles"`
	Changed  int            `json:"changed"` // levels that are another
	Matrix   Matrix         `json:"matrix"`
	Causes   map[string]int `json:"causes"`  // changes by cause
	Unsound  []Unsound      `json:"unsound"` // ratings that rest on a step which the solution refutes; not recorded
	Budget   []string       `json:"budget"`  // IDs of puzzles on which the rater ran out of its budget; not recorded
	Days     []MovedDay     `json:"days"`    // scheduled, not released, of a puzzle whose level is another
	Recorded int            `json:"recorded"`
}

// ReplayChange is a puzzle whose level is another: the object replay-change/1.
type ReplayChange struct {
	Schema string      `json:"schema"`
	ID     string      `json:"id"`
	From   string      `json:"from"`
	To     string      `json:"to"`
	Cause  string      `json:"cause"`            // of several differences "together: …", and " (not minimal)" when a smaller set may do
	First  *Difference `json:"first_difference"` // null when the steps conclude the same
}

// Difference is where two solves part.
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

// levelOnRecord gives the level that a rater version gave a puzzle, unrated, or none.
func levelOnRecord(s *subject, rater, version string) string {
	level, is := s.RatedBy(rater, version)
	if !is {
		return noLevel
	}
	return orUnrated(level)
}

// replayer goes over puzzles.
type replayer struct {
	*Registry
	req    ReplayRequest
	genre  string
	to     raters.Rater         // as the first variant has it
	asks   askers               // it, as each variant has it
	bands  []raters.ProfileBand // of it
	result *Replay
	from   map[string]filing // variant: the rater that files its pool
	facts  []fact
	size   int
	moved  map[string]ReplayChange

	changes []ReplayChange      // told when it is sure that none of them is wrong
	spoilt  int                 // results that turned out wrong before this replay began
	lost    map[events.Key]bool // under which wrong results are on record
}

// replayed is what a rater says of a puzzle.
type replayed struct {
	id      string
	outcome string // when there is no rating: not_unique, no_solution, budget
	before  string // the level on record or, of a rater with bands, where its score lies
	after   string // the same of the new rating
	cause   string // of a move of a rater with bands
	change  *ReplayChange
	unsound *Unsound
	fact    *fact // to be recorded; nil in a dry run, and when it stands already
	err     error
}

// Replay rates puzzles on record with a rater and compares the levels with those on record. Unless it is a dry
// run the ratings are recorded, beside those that stand; what was recorded before stands, so that a replay which
// was interrupted goes on where it was.
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

// replay is Replay as long as nothing that it is given turns out wrong, with the changes in order of ID.
func (r *Registry) replay(ctx context.Context, req ReplayRequest) (Replay, []ReplayChange, error) {
	result := Replay{Schema: "replay/1", DryRun: req.DryRun, Causes: map[string]int{}, Unsound: []Unsound{}, Budget: []string{}, Days: []MovedDay{}}
	p, err := r.newReplayer(ctx, req, &result)
	if err != nil {
		return result, nil, err
	}
	subjects, total, err := r.selected(ctx, p.genre, req.Selection, req.Progress != nil)
	if err != nil {
		return result, nil, err
	}
	for got := range jobs.Spread(ctx, r.pool(), subjects, p.rate) {
		if ctx.Err() != nil {
			break
		}
		if got.err == nil {
			got.err = p.take(ctx, got)
		}
		if got.err != nil {
			return result, nil, got.err
		}
		if req.Progress != nil && (result.Puzzles%500 == 0 || result.Puzzles == total) {
			req.Progress(result.Puzzles, total)
		}
	}
	if err := ctx.Err(); err != nil {
		stands := "what was recorded stands, and the next replay goes on from there"
		if req.DryRun {
			stands = "nothing was recorded"
		}
		return result, nil, fmt.Errorf("stopped after %d puzzles; %s: %w", result.Puzzles, stands, err)
	}
	if err := p.flush(ctx); err != nil {
		return result, nil, err
	}
	result.Days, err = r.movedDays(p.moved)
	return result, p.changes, err
}

func (r *Registry) newReplayer(ctx context.Context, req ReplayRequest, result *Replay) (*replayer, error) {
	if err := events.CheckActor(req.Actor); err != nil && !req.DryRun {
		return nil, &InputError{Reason: err.Error()}
	}
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	named, err := req.Rater.rater()
	if err != nil {
		return nil, err
	}
	variants, err := r.variantsOf(req.Selection, named)
	if err != nil {
		return nil, err
	}
	main := variants[0]
	p := &replayer{Registry: r, req: req, genre: main.Genre, result: result, from: map[string]filing{}, moved: map[string]ReplayChange{}}
	if p.to, err = r.ChooseRater(ctx, main, req.Rater); err != nil {
		return nil, err
	}
	p.asks = r.askers(variants, engineOf(main, p.to))
	if _, err := p.asks.of(main.Name); err != nil {
		return nil, err
	}
	p.spoilt = r.spoilt(ctx)
	if p.lost, err = r.lostKeys(ctx); err != nil {
		return nil, err
	}
	p.bands = bandsOf(p.to)
	result.Of, result.To = req.Selection.String(), RaterVersion{p.to.Name(), Version(p.to.Version())}
	for _, v := range variants {
		a, err := r.adoption(poolName{genre: v.Genre, variant: v.Name})
		if err != nil {
			return nil, err
		}
		if p.from[v.Name], err = p.filingOf(ctx, v, a.Adopted); err != nil {
			return nil, err
		}
	}
	a := p.from[main.Name]
	result.From = RaterVersion{a.Rater, Version(a.Version)}
	result.Matrix.levels = levelsOf(p.to, a.Levels)
	return p, nil
}

// rate asks the rater about puzzles, in the pool, and compares what it says with the record.
func (p *replayer) rate(ctx context.Context, part []subject) []replayed {
	out := make([]replayed, len(part))
	questions := make([]question, 0, len(part))
	of := make([]int, 0, len(part)) // the puzzle of each question
	for i := range part {
		q, asks := p.question(&part[i], &out[i])
		if out[i].err != nil {
			return out[:i+1]
		}
		if asks {
			questions, of = append(questions, q), append(of, i)
		}
	}
	answers, err := p.asks.ask(ctx, p.pool(), questions)
	if err != nil {
		return []replayed{{err: err}}
	}
	var moved []move
	for k, i := range of {
		p.judge(ctx, &part[i], &answers[k], &out[i])
		if out[i].moves() {
			moved = append(moved, move{part[i], answers[k].rating, &out[i]})
		}
	}
	if err := p.explain(ctx, moved); err != nil {
		return []replayed{{err: err}}
	}
	return out
}

// question gives what to ask about a puzzle; nothing when the rating stands already and no level can move.
func (p *replayer) question(s *subject, got *replayed) (q question, asks bool) {
	if got.id, got.err = s.ID, s.err; s.err != nil {
		return q, false
	}
	if filed := s.FiledBy(p.to.Name(), p.to.Version()); !p.req.DryRun && filed != "" && filed == p.filedBefore(s) {
		got.before, got.after = filed, filed
		return q, false
	}
	q = about(s.puzzle)
	q.Solution = s.solution
	if !p.req.DryRun {
		q.Want = theSteps
	}
	if len(p.bands) > 0 {
		return q, true
	}
	a := p.from[s.Variant]
	if got.before = levelOnRecord(s, a.Rater, a.Version); got.before != noLevel {
		q.Unless = got.before
	}
	return q, true
}

// judge says what a verdict means for a puzzle.
func (p *replayer) judge(ctx context.Context, s *subject, v *verdict, got *replayed) {
	if got.outcome, got.err = v.refused, v.err; v.err != nil || v.refused != "" {
		return
	}
	if got.unsound = v.unsound; got.unsound != nil {
		got.unsound.ID = s.ID
		return
	}
	got.after = orUnrated(v.rating.Level)
	if len(p.bands) > 0 {
		got.before, got.after, got.cause, got.err = p.bandSides(ctx, s, v.rating.Score)
	}
	if got.err == nil && !p.req.DryRun {
		got.fact, got.err = p.factOf(s, v)
	}
}

// moves tells whether the puzzle goes elsewhere.
func (r replayed) moves() bool {
	return r.err == nil && r.outcome == "" && r.unsound == nil && r.before != r.after && r.before != noLevel
}

func (p *replayer) factOf(s *subject, v *verdict) (*fact, error) {
	origin, _, err := p.originAndLabel(s.ID)
	if err != nil {
		return nil, err
	}
	rater := p.asks[s.Variant].rater
	f, err := ratedFact(rater, describe(s.puzzle, rater, *v), origin)
	return &f, err
}

// filedBefore is the level by which the puzzle is filed, or "".
func (p *replayer) filedBefore(s *subject) string {
	a := p.from[s.Variant]
	return s.FiledBy(a.Rater, a.Version)
}

// take counts a puzzle, and records the rating with others.
func (p *replayer) take(ctx context.Context, got replayed) error {
	p.result.Puzzles++
	switch {
	case got.outcome == Budget:
		p.result.Budget = append(p.result.Budget, got.id)
		return nil
	case got.outcome != "":
		return fmt.Errorf("puzzle %s is on record with one solution, and %s says: %s", got.id, p.to.Name(), strings.ReplaceAll(got.outcome, "_", " "))
	case got.unsound != nil:
		p.result.Unsound = append(p.result.Unsound, *got.unsound)
		return nil
	}
	p.count(got)
	if got.fact == nil || p.lost[got.fact.key] {
		return nil
	}
	if size := sizeOf(*got.fact); len(p.facts) == maxReplayed || p.size+size > fillBytes {
		if err := p.flush(ctx); err != nil {
			return err
		}
	}
	p.facts, p.size = append(p.facts, *got.fact), p.size+sizeOf(*got.fact)
	return nil
}

// maxReplayed is how many ratings are recorded in one step, beside their profile.
const maxReplayed = 500

func (p *replayer) flush(ctx context.Context) error {
	if p.Registry.spoilt(ctx) != p.spoilt {
		return errSpoilt
	}
	if len(p.facts) == 0 {
		return nil
	}
	receipt, err := p.record(ctx, p.req.Actor, append(profileFacts(p.to), p.facts...)...)
	for _, placed := range receipt[max(0, len(receipt)-len(p.facts)):] {
		if placed.Appended {
			p.result.Recorded++
		}
	}
	p.facts, p.size = p.facts[:0], 0
	return err
}

// count counts where a puzzle goes, and notes its change.
func (p *replayer) count(got replayed) {
	p.result.Matrix.add(got.before, got.after)
	if got.change == nil {
		return
	}
	p.result.Changed++
	p.result.Causes[got.change.Cause]++
	p.moved[got.id] = *got.change
	if p.req.Change != nil {
		p.changes = append(p.changes, *got.change)
	}
}

// movedDays gives the days that are scheduled and not released, of puzzles that changed, series by series in order
// of date.
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
	err = r.Store.View(archive.Table.Name(), func(tx *projections.Tx) error {
		for _, name := range names {
			for day, err := range archive.Days(tx, name, "", "") {
				if err != nil {
					return err
				}
				revision, stands := day.Standing()
				p := revision.Published
				change, is := moved[p.Puzzle]
				if stands && is && p.Released().After(now) {
					days = append(days, MovedDay{Series: name, Date: day.Date, Label: p.Label, ID: p.Puzzle, From: change.From, To: change.To})
				}
			}
		}
		return nil
	})
	return days, err
}

// String names the puzzles of a selection.
func (s Selection) String() string {
	switch {
	case s.Using != "":
		return s.pool() + " using " + s.Using
	case s.Pool != "":
		return s.pool()
	case s.Series != "":
		return "series " + s.Series
	}
	return strings.Join(s.IDs, " ")
}
