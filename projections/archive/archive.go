// Package archive is the table of days: what each series published on each date, what was withdrawn, and the policies
// in force.
//
//	d/<series>/<date>       → Day
//	p/<series>/<revision>   → Rule
package archive

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"time"

	"assay/events"
	"assay/projections"
)

// Table is the projection.
var Table projections.Projection = table{}

type table struct{}

func (table) Name() string { return "archive" }
func (table) Version() int { return 2 } // version 1 did not say which dates stay empty

// Day is everything that a series published on one date, revision by revision.
type Day struct {
	Series    string     `cbor:"1,keyasint"`
	Date      string     `cbor:"2,keyasint"`
	Revisions []Revision `cbor:"3,keyasint"` // revision 0 first
}

// Revision is one publication and, if it was withdrawn, its end.
type Revision struct {
	_         struct{} `cbor:",toarray"`
	Published events.Published
	At        Mark
	Withdrawn *Mark
	Empty     bool // the date stays without a puzzle until somebody publishes exactly that date
}

// Seen reports whether readers saw the publication: it stood when it was released, or it still stands.
func (r Revision) Seen() bool {
	return r.Withdrawn == nil || r.Withdrawn.Millis >= r.Published.Release
}

// Mark says which event a line of the record comes from.
type Mark struct {
	_      struct{} `cbor:",toarray"`
	Seq    events.Seq
	Millis int64 // Unix
	Actor  string
	Reason string
}

// Time returns when the event was recorded, UTC.
func (m Mark) Time() time.Time { return time.UnixMilli(m.Millis).UTC() }

// Rule is a policy and the event that put it on record.
type Rule struct {
	_      struct{} `cbor:",toarray"`
	Policy events.Policy
	At     Mark
}

// Standing returns the publication that was not withdrawn, if there is one.
func (d Day) Standing() (Revision, bool) {
	last, ok := d.Last()
	if ok && last.Withdrawn == nil {
		return last, true
	}
	return Revision{}, false
}

// Last returns the newest publication, withdrawn or not, if there is one.
func (d Day) Last() (Revision, bool) {
	if n := len(d.Revisions); n > 0 {
		return d.Revisions[n-1], true
	}
	return Revision{}, false
}

// Next returns the revision number of the next publication of the day.
func (d Day) Next() int { return len(d.Revisions) }

func (table) Apply(tx *projections.Tx, e events.Event) error {
	switch b := e.Body.(type) {
	case events.Policy:
		return tx.Put(ruleKey(b.Series, b.Revision), Rule{Policy: b, At: mark(e, b.Reason)})
	case events.Published:
		return publish(tx, b, mark(e, b.Reason))
	case events.Withdrawn:
		return withdraw(tx, b, mark(e, b.Reason))
	}
	return nil
}

func publish(tx *projections.Tx, p events.Published, at Mark) error {
	day, err := Get(tx, p.Series, p.Date)
	if err != nil {
		return err
	}
	if _, stands := day.Standing(); stands || p.Revision != day.Next() {
		return fmt.Errorf("publication %d of %s %s does not follow revision %d", p.Revision, p.Series, p.Date, day.Next()-1)
	}
	day.Revisions = append(day.Revisions, Revision{Published: p, At: at})
	return tx.Put(dayKey(p.Series, p.Date), day)
}

func withdraw(tx *projections.Tx, w events.Withdrawn, at Mark) error {
	day, err := Get(tx, w.Series, w.Date)
	if err != nil {
		return err
	}
	if _, stands := day.Standing(); !stands || w.Revision != day.Next()-1 {
		return fmt.Errorf("withdrawal of publication %d of %s %s, which does not stand", w.Revision, w.Series, w.Date)
	}
	day.Revisions[w.Revision].Withdrawn, day.Revisions[w.Revision].Empty = &at, w.Empty
	return tx.Put(dayKey(w.Series, w.Date), day)
}

func mark(e events.Event, reason string) Mark {
	return Mark{Seq: e.Seq, Millis: e.Time.UnixMilli(), Actor: e.Actor, Reason: reason}
}

// Get returns a day. It has no revisions when nothing was ever published on it.
func Get(tx *projections.Tx, series, date string) (Day, error) {
	day := Day{Series: series, Date: date}
	_, err := tx.Get(dayKey(series, date), &day)
	return day, err
}

// Days returns the days of a series between two dates, both inclusive, sorted by date. "" leaves an end open.
func Days(tx *projections.Tx, series, from, to string) iter.Seq2[Day, error] {
	return func(yield func(Day, error) bool) {
		for day, err := range projections.Rows[Day](tx, dayKey(series, ""), dayKey(series, from)) {
			if to != "" && day.Date > to || !yield(day, err) {
				return
			}
		}
	}
}

// Rules returns the policies of a series in order of revision.
func Rules(tx *projections.Tx, series string) ([]Rule, error) {
	return projections.List[Rule](tx, []byte("p/"+series+"/"))
}

// SeriesNames returns the names of all series that have a policy, in order.
func SeriesNames(tx *projections.Tx) ([]string, error) {
	rules, err := projections.List[Rule](tx, []byte("p/"))
	var names []string
	for _, r := range rules {
		names = append(names, r.Policy.Series)
	}
	return slices.Compact(names), err
}

func dayKey(series, date string) []byte { return []byte("d/" + series + "/" + date) }

func ruleKey(series string, revision int) []byte {
	return binary.BigEndian.AppendUint32([]byte("p/"+series+"/"), uint32(revision))
}
