package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/schedule"
)

// Later is something that happened after the audited publication, sorted by event. Its kind is a word of the list
// below.
type Later struct {
	What    string         `json:"what"`
	Text    string         `json:"text"`              // what it means for the day
	Rater   string         `json:"rater,omitempty"`   // of rated and adopted
	Version engine.Version `json:"version,omitempty"` // of rated and adopted
	Level   string         `json:"level,omitempty"`   // that this rater version gives the puzzle
	Score   *int           `json:"score,omitempty"`   // that it gives the puzzle
	Outcome string         `json:"outcome,omitempty"` // of its rating: rated, stuck or unrated
	Policy  int            `json:"policy,omitempty"`  // of policy
	Label   string         `json:"label,omitempty"`   // that this policy gives the weekday
	Time    string         `json:"time"`
	Actor   string         `json:"actor"`
	Reason  string         `json:"reason,omitempty"`
	Event   events.Seq     `json:"event"`
}

// These kinds of event can come later.
const (
	laterWithdrawn = "withdrawn" // the publication
	laterRated     = "rated"     // the puzzle, by another rater or version: a replay's ratings are of this kind too
	laterAdopted   = "adopted"   // another rater files the pool
	laterPolicy    = "policy"    // another policy is in force on the date
	laterDropped   = "dropped"   // the puzzle, from the shelves
	laterRestored  = "restored"  // to them
)

// auditLater adds the events after the subject of an audit.
func (r *Registry) auditLater(ctx context.Context, a *Audit, rec Record, rules schedule.Series) error {
	after := a.subject()
	if a.Publication != nil {
		if w := a.Publication.Withdrawn; w != nil {
			a.Later = append(a.Later, Later{What: laterWithdrawn, Text: "withdrawn", Time: w.Time, Actor: w.Actor, Reason: w.Reason, Event: w.Event})
		}
	}
	a.Later = append(a.Later, laterDrops(rec.Drops, after)...)
	ratings := map[string]engine.Rating{} // by rater and version
	var seqs []events.Seq
	for _, v := range rec.Ratings {
		ratings[v.Rater+" "+string(v.Version)] = v
		if v.Event > after && (a.Rating == nil || v.Event != a.Rating.Event) {
			seqs = append(seqs, v.Event)
		}
	}
	adoptions, err := r.adoptionsAfter(rec.Genre, rec.Variant, after)
	if err != nil {
		return err
	}
	seqs = append(seqs, adoptions...)
	for _, seq := range seqs {
		e, err := events.At(ctx, r.Log, seq)
		if err != nil {
			return err
		}
		a.Later = append(a.Later, laterOf(e, ratings))
	}
	if err := r.laterPolicies(ctx, a, rules, after); err != nil {
		return err
	}
	slices.SortStableFunc(a.Later, func(x, y Later) int { return cmp.Compare(x.Event, y.Event) })
	return nil
}

// laterDrops returns the drops after a position, and their ends.
func laterDrops(drops []Drop, after events.Seq) (list []Later) {
	for _, d := range drops {
		list = append(list, Later{What: laterDropped, Text: "dropped", Time: d.Time, Actor: d.Actor, Reason: d.Reason, Event: d.Event})
		if back := d.Restored; back != nil {
			list = append(list, Later{What: laterRestored, Text: "restored", Time: back.Time, Actor: back.Actor, Reason: back.Reason, Event: back.Event})
		}
	}
	return slices.DeleteFunc(list, func(l Later) bool { return l.Event <= after })
}

// verdictText describes a rating in a word or two.
func verdictText(v engine.Rating) string {
	switch {
	case v.Level != "" && v.Outcome == string(raters.Stuck):
		return v.Level + " (stuck)"
	case v.Level != "":
		return v.Level
	case v.Score != nil:
		return fmt.Sprintf("score %d", *v.Score)
	}
	return v.Outcome
}

// laterOf describes a rating or an adoption; ratings has the rating of each rater version.
func laterOf(e events.Event, ratings map[string]engine.Rating) Later {
	l := Later{Time: stamp(e.Time), Actor: e.Actor, Event: e.Seq}
	switch b := e.Body.(type) {
	case events.Rated:
		l.What, l.Rater, l.Version = laterRated, b.Rater, engine.Version(b.Version)
		l.Text = fmt.Sprintf("rated %s by %s %s", verdictText(ratings[b.Rater+" "+b.Version]), b.Rater, b.Version)
	case events.Adopted:
		l.What, l.Rater, l.Version, l.Reason = laterAdopted, b.Rater, engine.Version(b.Version), b.Reason
		l.Text = fmt.Sprintf("%s %s files %s/%s, and calls this puzzle %s",
			b.Rater, b.Version, b.Genre, b.Variant, cmp.Or(verdictText(ratings[b.Rater+" "+b.Version]), "nothing"))
	}
	v := ratings[l.Rater+" "+string(l.Version)]
	l.Level, l.Score, l.Outcome = v.Level, v.Score, v.Outcome
	return l
}

// adoptionsAfter returns the events after a position that adopted a rater for a pool.
func (r *Registry) adoptionsAfter(genre, variant string, after events.Seq) (seqs []events.Seq, err error) {
	list, err := projections.Query(r.Store, pools.Table, func(tx *projections.Tx) ([]pools.Adoption, error) { return pools.Adoptions(tx, genre, variant) })
	for _, a := range list {
		if a.Seq > after {
			seqs = append(seqs, a.Seq)
		}
	}
	return seqs, err
}

// laterPolicies adds the policies that were recorded later and are in force on the date.
func (r *Registry) laterPolicies(ctx context.Context, a *Audit, rules schedule.Series, after events.Seq) error {
	if a.Publication == nil {
		return nil
	}
	date, err := schedule.ParseDate(a.Date)
	if err != nil {
		return err
	}
	for _, rule := range rules {
		p := rule.Policy
		if p.Revision <= a.Publication.Policy || rule.Effective().Compare(date) > 0 {
			continue
		}
		e, err := r.Log.Get(ctx, events.PolicyKey(p.Series, p.Revision))
		if err != nil {
			return err
		}
		if e.Seq < after {
			continue
		}
		label := rule.Day(date).Label
		a.Later = append(a.Later, Later{
			What: laterPolicy, Policy: p.Revision, Label: label, Text: fmt.Sprintf("policy %d, by which %ss are %s", p.Revision, date.Weekday(), label),
			Time: stamp(e.Time), Actor: e.Actor, Reason: p.Reason, Event: e.Seq,
		})
	}
	return nil
}
