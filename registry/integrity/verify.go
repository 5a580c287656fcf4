// Package integrity shows that a registry has what was recorded: it verifies, proves, backs up, copies and exports, and
// builds the tables again.
package integrity

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"assay/events"
	"assay/events/ledger"
	"assay/projections"
	"assay/projections/archive"
	"assay/registry/calendar"
	"assay/registry/input"
	"assay/registry/jobs"
	"assay/registry/schedule"
)

// Holdings are the log, ledger and tables of a registry, with its Maker.
type Holdings struct {
	Log       events.Log
	Ledger    *ledger.Ledger // vouches for the log
	Store     *projections.Store
	Tables    []projections.Projection
	Maker     Maker
	Recovered []LateEvent // found when the log was opened; Verify reports them
}

// LateEvent is an event that was at the end of the log without a signature, and was signed later.
type LateEvent struct {
	Seq  events.Seq `json:"seq"`
	Key  events.Key `json:"key"`
	Time string     `json:"time"` // RFC 3339, UTC
}

// Maker makes again what is on record.
type Maker interface {
	// MadeWithSecret reports whether a day was made with the present secret of its series. Without a secret it returns
	// true: a missing secret is reported when it is needed.
	MadeWithSecret(p events.Published) (bool, error)
	// MakeAgain repeats what an engine did according to an event, if this program still has its version. A different
	// result is an error.
	MakeAgain(ctx context.Context, e events.Event) error
}

// Verification says whether everything is as it was recorded: the object verify/1.
type Verification struct {
	Schema     string      `json:"schema"`
	OK         bool        `json:"ok"`
	Events     events.Seq  `json:"events"`              // read, and found as recorded
	Root       string      `json:"root"`                // of the checkpoint that the log was compared with
	Checkpoint events.Seq  `json:"checkpoint"`          // its size
	Recovered  []LateEvent `json:"recovered,omitempty"` // not signed when the log was opened for this, and signed since
	Problems   []Problem   `json:"problems"`

	// Unsigned is how many later events the signing registry has not signed yet. If this registry signs, there are
	// none.
	Unsigned events.Seq `json:"unsigned,omitempty"`
	Log      events.Seq `json:"log,omitempty"` // events in the log, if some are unsigned
}

// Problem is one thing that is not as it was recorded.
type Problem = ledger.Problem

// NotVerified returns the verification of a directory that cannot be opened.
func NotVerified(err error) Verification {
	return Verification{Schema: "verify/1", Problems: []Problem{{Problem: err.Error()}}}
}

// VerifyMemory is the memory limit in bytes of a process that only verifies. Without it the garbage collector would let
// the process use twice what it needs. BenchmarkVerify reports the memory used.
const VerifyMemory = 224 << 20

// VerifyRequest says how much to verify.
type VerifyRequest struct {
	Deep     bool             // also rate and generate again what versions of this program made
	Progress func(events.Seq) // called with the number of events read; may be nil
}

// Verify reads the whole log and compares it with the ledger, every table with a new one, and the secret of every
// series with the newest day that was made with it.
func (h Holdings) Verify(ctx context.Context, req VerifyRequest) (Verification, error) {
	report, err := h.Ledger.Verify(ctx, h.Log, req.Progress)
	if err != nil {
		return Verification{}, err
	}
	v := Verification{
		Schema: "verify/1", Events: report.Events, Root: report.Checkpoint.Root.String(), Checkpoint: report.Checkpoint.Size,
		Recovered: h.Recovered, Problems: append([]Problem{}, report.Problems...),
	}
	if err := h.countUnsigned(ctx, &v); err != nil {
		return Verification{}, err
	}
	if len(v.Problems) == 0 { // if the log is damaged, its tables add nothing
		if err := h.verifyTables(ctx, &v); err != nil {
			return Verification{}, err
		}
	}
	if len(v.Problems) == 0 { // the check reads the tables
		if err := h.verifySecrets(&v); err != nil {
			return Verification{}, err
		}
	}
	if req.Deep && len(v.Problems) == 0 {
		if err := h.verifyEngines(ctx, &v); err != nil {
			return Verification{}, err
		}
	}
	v.OK = len(v.Problems) == 0
	return v, nil
}

// countUnsigned counts the events after the checkpoint, if the log is whole up to it.
func (h Holdings) countUnsigned(ctx context.Context, v *Verification) error {
	if len(v.Problems) > 0 {
		return nil
	}
	last := v.Checkpoint
	for e, err := range h.Log.Read(ctx, v.Checkpoint) {
		if errors.Is(err, events.ErrDamaged) {
			v.Problems = append(v.Problems, Problem{Problem: err.Error()})
			return nil
		}
		if err != nil {
			return err
		}
		if last = e.Seq; last > h.Ledger.Size() { // otherwise it was appended, and signed, meanwhile
			v.Unsigned++
		}
	}
	if v.Unsigned > 0 {
		v.Log = last
	}
	return nil
}

// verifyTables compares every table with one built again.
func (h Holdings) verifyTables(ctx context.Context, v *Verification) error {
	all, err := h.Store.Compare(ctx, h.Log, h.Tables...)
	if err != nil {
		return err
	}
	for _, c := range all {
		switch {
		case events.Shortage(c.Err): // nothing is known about the table
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

// verifySecrets reports secrets that did not make the newest days.
func (h Holdings) verifySecrets(v *Verification) error {
	names, err := calendar.Series(h.Store)
	if err != nil {
		return err
	}
	for _, series := range names {
		newest, err := newestMade(h.Store, series)
		if err != nil {
			return err
		}
		if newest.Published.Origin == nil {
			continue
		}
		var wrong *input.Error
		switch same, err := h.Maker.MadeWithSecret(newest.Published); {
		case errors.As(err, &wrong), events.Shortage(err): // a secret that was just given, or that could not be read
			return err
		case err != nil:
			v.Problems = append(v.Problems, Problem{Problem: err.Error()})
		case !same:
			v.Problems = append(v.Problems, Problem{Seq: newest.At.Seq, Problem: fmt.Sprintf("%s %s was made with another secret of the series than there is now: put the right one back",
				series, newest.Published.Date)})
		}
	}
	return nil
}

// newestMade returns the publication of a series that was recorded last of those whose puzzle was made for the
// day; one without an origin when there is none.
func newestMade(t projections.Viewer, series string) (newest archive.Revision, err error) {
	rules, err := calendar.Rules(t, series)
	if err != nil {
		return newest, err
	}
	for day, err := range calendar.All(t, series, "", "") {
		if err != nil {
			return newest, err
		}
		for _, revision := range day.Revisions {
			if revision.At.Seq > newest.At.Seq && madeForTheDay(rules, revision.Published) {
				newest = revision
			}
		}
	}
	return newest, nil
}

func madeForTheDay(rules schedule.Series, p events.Published) bool {
	date, err := schedule.ParseDate(p.Date)
	if err != nil || p.Origin == nil {
		return false
	}
	rule, ok := rules.At(date)
	return ok && rule.Policy.Revision == p.Policy && rule.Day(date).Source != schedule.FromShelf
}

// verifyEngines generates and rates again what was made by versions that this program still has.
func (h Holdings) verifyEngines(ctx context.Context, v *Verification) error {
	var readErr error
	log := func(yield func(events.Event) bool) {
		for e, err := range h.Log.Read(ctx, 0) {
			if err != nil {
				readErr = err
				return
			}
			if !yield(e) {
				return
			}
		}
	}
	again := func(ctx context.Context, e events.Event) (p Problem) {
		if err := h.Maker.MakeAgain(ctx, e); err != nil {
			p = Problem{Seq: e.Seq, Problem: err.Error()}
		}
		return p
	}
	for problem := range jobs.Map(ctx, iter.Seq[events.Event](log), again) {
		if problem.Problem != "" {
			v.Problems = append(v.Problems, problem)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return readErr
}
