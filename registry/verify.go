package registry

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"assay/events"
	"assay/projections"
	"assay/projections/archive"
	"assay/raters"
	"assay/registry/jobs"
	"assay/registry/schedule"
)

// Verification tells whether everything is as it was recorded: the object verify/1.
type Verification struct {
	Schema     string      `json:"schema"`
	OK         bool        `json:"ok"`
	Events     events.Seq  `json:"events"`              // read, and found to be what was recorded
	Root       string      `json:"root"`                // of the checkpoint that the log was compared with
	Checkpoint events.Seq  `json:"checkpoint"`          // its size
	Recovered  []LateEvent `json:"recovered,omitempty"` // were not signed when the log was opened for this, and are now
	Problems   []Problem   `json:"problems"`

	// Unsigned is how many events follow that the registry that signs has not signed yet. On a log of one's own there are none.
	Unsigned events.Seq `json:"unsigned,omitempty"`
	Log      events.Seq `json:"log,omitempty"` // events in the log, where some are unsigned
}

// Problem is one thing that is not as it was recorded.
type Problem struct {
	Seq     events.Seq `json:"seq,omitempty"` // the event that it is about
	Problem string     `json:"problem"`
}

// NotVerified is the verification of a directory that cannot even be opened.
func NotVerified(err error) Verification {
	return Verification{Schema: "verify/1", Problems: []Problem{{Problem: err.Error()}}}
}

// VerifyMemory is how many bytes of memory a process that does nothing but verify is to keep to: the garbage
// collector would let it have twice what it needs. BenchmarkVerify reports what it takes.
const VerifyMemory = 224 << 20

// VerifyRequest says how deep to look.
type VerifyRequest struct {
	Deep     bool             // also rate and generate again what this program's versions made
	Progress func(events.Seq) // told how many events were read; nil for nobody
}

// Verify reads the whole log and compares it with the ledger, every table with a fresh one, and the secret of
// every series with the newest day that was made with it.
func (r *Registry) Verify(ctx context.Context, req VerifyRequest) (Verification, error) {
	report, err := r.Ledger.Verify(ctx, r.Log, req.Progress)
	if err != nil {
		return Verification{}, err
	}
	v := Verification{
		Schema: "verify/1", Events: report.Events, Root: report.Checkpoint.Root.String(), Checkpoint: report.Checkpoint.Size,
		Recovered: r.Recovered, Problems: []Problem{},
	}
	for _, p := range report.Problems {
		v.Problems = append(v.Problems, Problem{Seq: p.Seq, Problem: p.What})
	}
	if err := r.countUnsigned(ctx, &v); err != nil {
		return Verification{}, err
	}
	if len(v.Problems) == 0 { // tables of a damaged log say nothing more
		if err := r.verifyTables(ctx, &v); err != nil {
			return Verification{}, err
		}
	}
	if len(v.Problems) == 0 { // they are looked up in the tables
		if err := r.verifySecrets(&v); err != nil {
			return Verification{}, err
		}
	}
	if req.Deep && len(v.Problems) == 0 {
		if err := r.verifyEngines(ctx, &v); err != nil {
			return Verification{}, err
		}
	}
	v.OK = len(v.Problems) == 0
	return v, nil
}

// countUnsigned counts the events after the checkpoint, where the log is whole up to it.
func (r *Registry) countUnsigned(ctx context.Context, v *Verification) error {
	if len(v.Problems) > 0 {
		return nil
	}
	last := v.Checkpoint
	for e, err := range r.Log.Read(ctx, v.Checkpoint) {
		if errors.Is(err, events.ErrDamaged) {
			v.Problems = append(v.Problems, Problem{Problem: err.Error()})
			return nil
		}
		if err != nil {
			return err
		}
		if last = e.Seq; last > r.Ledger.Size() { // else it was appended, and signed, meanwhile
			v.Unsigned++
		}
	}
	if v.Unsigned > 0 {
		v.Log = last
	}
	return nil
}

// verifyTables compares every table with one built afresh.
func (r *Registry) verifyTables(ctx context.Context, v *Verification) error {
	all, err := r.Store.Compare(ctx, r.Log, Tables()...)
	if err != nil {
		return err
	}
	for _, c := range all {
		switch {
		case events.Shortage(c.Err): // nothing is known of the table
			return c.Err
		case c.Err != nil:
			v.Problems = append(v.Problems, Problem{Problem: c.Err.Error()})
		case c.Stands != c.Fresh:
			v.Problems = append(v.Problems, Problem{Problem: fmt.Sprintf("table %s has digest %s, built afresh %s: assay rebuild mends it",
				c.Table, hex.EncodeToString(c.Stands[:8]), hex.EncodeToString(c.Fresh[:8]))})
		}
	}
	return nil
}

// verifySecrets tells of secrets that are not those that the newest days were made with. One that is missing
// is asked for when it is needed.
func (r *Registry) verifySecrets(v *Verification) error {
	names, err := r.seriesNames()
	if err != nil {
		return err
	}
	for _, series := range names {
		newest, err := r.newestMade(series)
		if err != nil {
			return err
		}
		if newest.Published.Origin == nil {
			continue
		}
		var input *InputError
		switch same, err := r.madeWithSecret(newest.Published); {
		case errors.Is(err, ErrNoSecret):
		case errors.As(err, &input), events.Shortage(err): // about a secret that was given just now, or that could not be read
			return err
		case err != nil:
			v.Problems = append(v.Problems, Problem{Problem: err.Error()})
		case !same:
			v.Problems = append(v.Problems, Problem{newest.At.Seq, fmt.Sprintf("%s %s was made with another secret of the series than there is now: put the right one back",
				series, newest.Published.Date)})
		}
	}
	return nil
}

// newestMade gives the publication of a series that was recorded last of those whose puzzle was made for the
// day; one without an origin when there is none.
func (r *Registry) newestMade(series string) (newest archive.Revision, err error) {
	rules, err := r.rules(series)
	if err != nil {
		return newest, err
	}
	err = r.Store.View(archive.Table.Name(), func(tx *projections.Tx) error {
		for day, err := range archive.Days(tx, series, "", "") {
			if err != nil {
				return err
			}
			for _, revision := range day.Revisions {
				if revision.At.Seq > newest.At.Seq && madeForTheDay(rules, revision.Published) {
					newest = revision
				}
			}
		}
		return nil
	})
	return newest, err
}

func madeForTheDay(rules schedule.Series, p events.Published) bool {
	date, err := schedule.ParseDate(p.Date)
	if err != nil || p.Origin == nil {
		return false
	}
	rule, ok := rules.At(date)
	return ok && rule.Policy.Revision == p.Policy && rule.Day(date).Source != schedule.FromShelf
}

func (r *Registry) madeWithSecret(p events.Published) (bool, error) {
	secret, err := r.Secrets.Secret(p.Series)
	if err != nil {
		return false, err
	}
	date, err := schedule.ParseDate(p.Date)
	return daySeed(secret, date, p.Revision, len(p.Skipped)) == p.Origin.Seed, err
}

// verifyEngines makes and rates again what was made and rated by versions that this program still has.
func (r *Registry) verifyEngines(ctx context.Context, v *Verification) error {
	var readErr error
	log := func(yield func(events.Event) bool) {
		for e, err := range r.Log.Read(ctx, 0) {
			if err != nil {
				readErr = err
				return
			}
			if !yield(e) {
				return
			}
		}
	}
	for problem := range jobs.Map(ctx, iter.Seq[events.Event](log), r.repeat) {
		if problem.Problem != "" {
			v.Problems = append(v.Problems, problem)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return readErr
}

// repeat does again what an event says an engine did, and tells what came out otherwise.
func (r *Registry) repeat(ctx context.Context, e events.Event) Problem {
	var err error
	switch b := e.Body.(type) {
	case events.Generated:
		err = r.repeatGenerated(ctx, b)
	case events.Rated:
		err = r.repeatRated(ctx, b)
	}
	if err != nil {
		return Problem{Seq: e.Seq, Problem: err.Error()}
	}
	return Problem{}
}

func (r *Registry) repeatGenerated(ctx context.Context, b events.Generated) error {
	regenerated, err := r.regenerate(ctx, b)
	if err == nil && regenerated == Different {
		err = fmt.Errorf("generator %d of %s makes another puzzle of seed %d now", b.Origin.Version, b.Genre, b.Origin.Seed)
	}
	return err
}

func (r *Registry) repeatRated(ctx context.Context, b events.Rated) error {
	v, err := Find(r.Genres, b.Genre, b.Variant)
	if err != nil {
		return nil // the variant is gone; its ratings stand
	}
	rater, ok, err := r.raterAt(ctx, v, b.Rater, b.Version)
	if err != nil || !ok { // not ok: retired
		return err
	}
	k, ok, err := r.find(b.Puzzle)
	if err != nil || !ok {
		return fmt.Errorf("puzzle %s is rated and not on record: %w", b.Puzzle, err)
	}
	again, err := Rate(ctx, rater, raters.Puzzle{Genre: b.Genre, Variant: b.Variant, Text: k.Puzzle.Text})
	if err != nil {
		return err
	}
	f, err := ratedFact(rater, again, b.Origin)
	if err != nil {
		return err
	}
	if !events.SameBody(f.body, b) {
		return fmt.Errorf("%s %s rates %s otherwise now", b.Rater, b.Version, b.Puzzle)
	}
	return nil
}
