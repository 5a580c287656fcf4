package registry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"assay/events"
	"assay/projections/archive"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/integrity"
	"assay/registry/public"
	"assay/registry/schedule"
)

// Audit explains why a day got its label, line by line, each with its event: the object audit/1. The audit of a puzzle
// that was never published has no series, date, label and policy.
type Audit struct {
	Schema      string         `json:"schema"`
	Series      string         `json:"series,omitempty"`
	Date        string         `json:"date,omitempty"`
	Label       string         `json:"label,omitempty"`
	Publication *Publication   `json:"publication,omitempty"`
	Policy      *AuditPolicy   `json:"policy,omitempty"`
	Unpublished string         `json:"unpublished,omitempty"` // why the date has no puzzle; then the fields below are empty
	Puzzle      AuditPuzzle    `json:"puzzle,omitzero"`
	Generation  *Generation    `json:"generation,omitempty"` // absent for an import
	Import      *Import        `json:"import,omitempty"`
	Provenance  []Provenance   `json:"provenance,omitempty"` // what came along with the puzzle, for operators
	Drops       []Drop         `json:"drops,omitempty"`      // of the puzzle, from the shelves
	Rating      *engine.Rating `json:"rating,omitempty"`
	Hardest     *AuditStep     `json:"hardest,omitempty"`   // when the rating has steps
	Band        *AuditBand     `json:"band,omitempty"`      // when the rater has bands
	Revisions   []Publication  `json:"revisions,omitempty"` // all of the day, first to last
	Empty       string         `json:"empty,omitempty"`     // why the date has no puzzle now, when its last one was withdrawn
	// Seen are the revisions that readers saw and that no longer stand.
	Seen []Publication `json:"seen,omitempty"`
	// LabelChanged says that the revisions of the day do not all have the same label.
	LabelChanged bool             `json:"label_changed,omitempty"`
	Later        []Later          `json:"later"`                 // what happened to this publication since
	Regenerated  string           `json:"regenerated,omitempty"` // identical, retired or different; absent for an import
	Proof        *integrity.Proof `json:"proof,omitempty"`       // that the log has the publication
	Events       events.Seq       `json:"events"`                // how long the log is
	Words        *public.Words    `json:"words"`
}

// AuditPolicy is the rule that gave a day its label.
type AuditPolicy struct {
	Revision     int        `json:"revision"`
	Effective    string     `json:"effective"`
	Weekday      string     `json:"weekday"`
	Label        string     `json:"label"`
	Source       string     `json:"source"`
	Genre        string     `json:"genre"`
	Variant      string     `json:"variant"`
	Level        string     `json:"level"`
	Stuck        bool       `json:"stuck,omitempty"` // it asks for puzzles of the level that the rater could not finish
	Zone         string     `json:"zone"`
	ReleaseLocal string     `json:"release_local"` // RFC 3339 in the zone
	ReleaseUTC   string     `json:"release_utc"`
	Actor        string     `json:"actor"`
	Reason       string     `json:"reason,omitempty"`
	Event        events.Seq `json:"event"`
	InForce      *InForce   `json:"in_force,omitempty"` // the policy in force when the day was published, if that is another one
}

// InForce is the policy that was in force on a date when the date was published under an older one. Replacements are.
type InForce struct {
	Revision  int        `json:"revision"`
	Effective string     `json:"effective"`
	Label     string     `json:"label"` // the label of the weekday under it
	Event     events.Seq `json:"event"`
}

// Grade returns the grade that the policy asks for on the weekday.
func (p AuditPolicy) Grade() Grade { return Grade{Level: p.Level, Stuck: p.Stuck} }

// Grade returns the grade of the puzzle: by its rating or, if that is only a score, by the level requested from the
// generator.
func (a Audit) Grade() (has Grade) {
	if a.Rating != nil {
		has = gradeOf(a.Rating.Level, a.Rating.Outcome)
	}
	if has == (Grade{}) && a.Generation != nil {
		has.Level = a.Generation.Requested
	}
	return has
}

// AuditPuzzle is the puzzle that the audit is about.
type AuditPuzzle struct {
	ID       string `json:"id"`
	Genre    string `json:"genre"`
	Variant  string `json:"variant"`
	Text     string `json:"text"`
	Solution string `json:"solution"`
}

// AuditBand is the band that the score was compared with.
type AuditBand struct {
	Band
	Position string `json:"position"` // below, inside or above
}

// AuditDay audits a date of a series: the publication that stands, or else the last one.
func (r *Registry) AuditDay(ctx context.Context, series string, date schedule.Date) (Audit, error) {
	return r.auditDay(ctx, series, date, public.Operators)
}

// Why returns the words of the audit of a published day for an audience. public.Reader calls it. It runs no engine.
func (r *Registry) Why(ctx context.Context, series string, date schedule.Date, to public.Audience) (public.Words, error) {
	a, err := r.auditDay(ctx, series, date, to)
	if err != nil {
		return public.Words{}, err
	}
	return *a.Words, nil
}

func (r *Registry) auditDay(ctx context.Context, series string, date schedule.Date, to public.Audience) (Audit, error) {
	rules, err := r.Series(ctx, series)
	if err != nil {
		return Audit{}, err
	}
	history, err := r.dayHistory(series, date)
	if err != nil {
		return Audit{}, err
	}
	if len(history.Revisions) == 0 {
		return r.auditUnpublished(ctx, rules, series, date)
	}
	return r.auditRevision(ctx, rules, history, history.Revisions[len(history.Revisions)-1], to)
}

// auditUnpublished explains why a date has no puzzle, if the reason is an empty shelf.
func (r *Registry) auditUnpublished(ctx context.Context, rules schedule.Series, series string, date schedule.Date) (Audit, error) {
	nothing := input.Errorf("nothing is published on %s in %s", date, series)
	rule, ok := rules.At(date)
	if !ok {
		return Audit{}, nothing
	}
	day, empty, err := r.emptyShelf(series, date, rule)
	if err != nil {
		return Audit{}, err
	}
	if !empty {
		return Audit{}, nothing
	}
	a := Audit{Schema: "audit/1", Series: series, Date: day.Date, Label: day.Label, Unpublished: day.Reason, Later: []Later{}}
	if a.Events, err = r.Store.Cursor(archive.Table.Name()); err != nil {
		return a, err
	}
	a.Policy, err = r.auditPolicy(ctx, rules, events.Published{
		Series: series, Date: day.Date, Policy: rule.Policy.Revision, Release: rule.Release(date).UnixMilli(),
	})
	r.tell(&a, public.Operators)
	return a, err
}

// AuditOf audits the day of a date, or else the puzzle of an ID.
func (r *Registry) AuditOf(ctx context.Context, series, what string) (Audit, error) {
	if !schedule.IsDateLike(what) {
		return r.AuditPuzzleID(ctx, series, what)
	}
	date, err := schedule.ParseDate(what)
	if err != nil {
		return Audit{}, &input.Error{Reason: err.Error()}
	}
	return r.AuditDay(ctx, series, date)
}

// AuditPuzzleID audits a puzzle: its last publication in the series, or the puzzle alone when the series never
// published it.
func (r *Registry) AuditPuzzleID(ctx context.Context, series, id string) (Audit, error) {
	rec, err := r.Show(ctx, id)
	if err != nil {
		return Audit{}, err
	}
	for i := len(rec.Publications) - 1; i >= 0; i-- {
		p := rec.Publications[i]
		if p.Series != series {
			continue
		}
		date, err := schedule.ParseDate(p.Date)
		if err != nil {
			return Audit{}, err
		}
		rules, err := r.Series(ctx, series)
		if err != nil {
			return Audit{}, err
		}
		history, err := r.dayHistory(series, date)
		if err != nil {
			return Audit{}, err
		}
		return r.auditRevision(ctx, rules, history, history.Revisions[p.Revision], public.Operators)
	}
	a, err := r.auditRecord(ctx, rec, nil, public.Operators)
	if err != nil {
		return Audit{}, err
	}
	if err := r.auditLater(ctx, &a, rec, nil); err != nil {
		return Audit{}, err
	}
	err = r.auditProof(ctx, &a)
	r.tell(&a, public.Operators)
	return a, err
}

func (r *Registry) auditRevision(ctx context.Context, rules schedule.Series, history archive.Day, rev archive.Revision, to public.Audience) (Audit, error) {
	p := rev.Published
	k, err := r.known(p.Puzzle)
	if err != nil {
		return Audit{}, err
	}
	rec, err := r.recordOf(ctx, k)
	if err != nil {
		return Audit{}, err
	}
	a, err := r.auditRecord(ctx, rec, &p, to)
	if err != nil {
		return Audit{}, err
	}
	a.Series, a.Date, a.Label = p.Series, p.Date, p.Label
	a.addRevisions(history)
	a.Publication = &a.Revisions[p.Revision]
	if err := r.auditLater(ctx, &a, rec, rules); err != nil {
		return Audit{}, err
	}
	if a.Policy, err = r.auditPolicy(ctx, rules, p); err != nil {
		return Audit{}, err
	}
	if a.Policy.InForce, err = r.inForce(ctx, rules, *a.Publication); err != nil {
		return Audit{}, err
	}
	err = r.auditProof(ctx, &a)
	r.tell(&a, to)
	return a, err
}

// addRevisions adds all publications of the day.
func (a *Audit) addRevisions(history archive.Day) {
	for _, revision := range history.Revisions {
		p := archivedPublication(revision)
		a.Revisions = append(a.Revisions, p)
		if revision.Withdrawn != nil && revision.Seen() {
			a.Seen = append(a.Seen, p)
		}
		a.LabelChanged = a.LabelChanged || p.Label != a.Revisions[0].Label
	}
	if _, stands := history.Standing(); !stands {
		if a.Empty = heldBy(history); a.Empty == "" {
			a.Empty = "its puzzle was withdrawn, and the next publisher gives it another"
		}
	}
}

// subject returns the main event of the audit: the publication, or else the event that brought the puzzle.
func (a *Audit) subject() events.Seq {
	switch {
	case a.Publication != nil:
		return a.Publication.Event
	case a.Generation != nil:
		return a.Generation.Event
	case a.Import != nil:
		return a.Import.Event
	}
	return 0
}

// auditProof proves the subject, and checks the proof. If another process signs the log, an event may not be signed
// yet.
func (r *Registry) auditProof(ctx context.Context, a *Audit) error {
	if r.Ledger == nil {
		return nil
	}
	proof, err := r.Holdings().ProveEvent(ctx, a.subject())
	if errors.Is(err, events.ErrNotFound) && a.subject() > r.Ledger.Size() {
		return nil
	}
	a.Proof = &proof
	return err
}

// auditRecord audits a puzzle by its record; p is the publication in question, if any.
func (r *Registry) auditRecord(ctx context.Context, rec Record, p *events.Published, to public.Audience) (Audit, error) {
	a := Audit{
		Schema: "audit/1", Later: []Later{}, Drops: rec.Drops,
		Puzzle: AuditPuzzle{ID: rec.ID, Genre: rec.Genre, Variant: rec.Variant, Text: rec.Text, Solution: rec.Solution},
	}
	a.Generation = generationOf(rec, p)
	if a.Generation == nil && len(rec.Imports) > 0 {
		a.Import = &rec.Imports[0]
	}
	if to == public.Operators {
		a.Provenance = rec.Provenance
	}
	a.Rating = ratingOf(rec, p)
	var err error
	if a.Hardest, err = r.hardestStep(ctx, rec, a.Rating); err != nil {
		return Audit{}, err
	}
	if a.Generation != nil && to == public.Operators { // readers do not wait for it
		if a.Regenerated, err = r.regenerateEvent(ctx, a.Generation.Event); err != nil {
			return Audit{}, err
		}
	}
	if a.Band, err = r.auditBand(ctx, rec.Genre, a); err != nil {
		return Audit{}, err
	}
	a.Events, err = r.Store.Cursor(archive.Table.Name())
	return a, err
}

// generationOf returns the generation that a publication came from, or the first.
func generationOf(rec Record, p *events.Published) *Generation {
	for i, g := range rec.Generations {
		if p == nil || p.Origin != nil && g.Generator == p.Origin.Version && g.Seed == fmt.Sprint(p.Origin.Seed) {
			return &rec.Generations[i]
		}
	}
	return nil
}

// ratingOf returns the rating on record when a puzzle was published, or the first.
func ratingOf(rec Record, p *events.Published) *engine.Rating {
	for i, v := range rec.Ratings {
		if p == nil || events.RatedKey(v.ID, v.Rater, fmt.Sprint(v.Version)) == p.Rating {
			return &rec.Ratings[i]
		}
	}
	return nil
}

// auditBand compares the score with the recorded band of the level that was requested from the generator; nil when
// there is none.
func (r *Registry) auditBand(ctx context.Context, genre string, a Audit) (*AuditBand, error) {
	if a.Generation == nil || a.Rating == nil || a.Rating.Score == nil {
		return nil, nil
	}
	band, err := r.bandOf(ctx, genre, a.Generation.Generator, *a.Rating, a.Generation.Requested)
	if err != nil || band == nil {
		return nil, err
	}
	position := "inside"
	switch score := *a.Rating.Score; {
	case score < band.Low:
		position = "below"
	case score > band.High:
		position = "above"
	}
	return &AuditBand{Band: *band, Position: position}, nil
}

func (r *Registry) auditPolicy(ctx context.Context, rules schedule.Series, p events.Published) (*AuditPolicy, error) {
	date, err := schedule.ParseDate(p.Date)
	if err != nil {
		return nil, err
	}
	e, err := r.Log.Get(ctx, events.PolicyKey(p.Series, p.Policy))
	if err != nil {
		return nil, fmt.Errorf("policy %d of %s: %w", p.Policy, p.Series, err)
	}
	rule := rules[p.Policy-1]
	day := rule.Day(date)
	return &AuditPolicy{
		Revision: p.Policy, Effective: rule.Policy.Effective, Weekday: date.Weekday().String(),
		Label: day.Label, Source: day.Source, Genre: day.Genre, Variant: day.Variant, Level: day.Level,
		Stuck: rule.Stuck(date), Zone: rule.Policy.Zone,
		ReleaseLocal: rule.Local(p.Released()).Format(time.RFC3339), ReleaseUTC: stamp(p.Released()),
		Actor: e.Actor, Reason: rule.Policy.Reason, Event: e.Seq,
	}, nil
}

// inForce returns the policy that was in force on a date when the date was published, if it was published under an
// older one.
func (r *Registry) inForce(ctx context.Context, rules schedule.Series, p Publication) (*InForce, error) {
	date, err := schedule.ParseDate(p.Date)
	if err != nil {
		return nil, err
	}
	for _, rule := range slices.Backward(rules[p.Policy:]) {
		e, err := r.Log.Get(ctx, events.PolicyKey(p.Series, rule.Policy.Revision))
		if err != nil {
			return nil, err
		}
		if e.Seq < p.Event && rule.Effective().Compare(date) <= 0 {
			return &InForce{Revision: rule.Policy.Revision, Effective: rule.Policy.Effective, Label: rule.Day(date).Label, Event: e.Seq}, nil
		}
	}
	return nil, nil
}

func archivedPublication(rev archive.Revision) Publication {
	p := recordedPublication(events.Event{Seq: rev.At.Seq, Time: rev.At.Time(), Actor: rev.At.Actor}, rev.Published)
	if w := rev.Withdrawn; w != nil {
		p.Withdrawn = &Ending{Time: stamp(w.Time()), Actor: w.Actor, Reason: w.Reason, Event: w.Seq}
	}
	return p
}
