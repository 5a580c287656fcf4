package registry

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/events"
	"assay/registry/calendar"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/schedule"
)

// Policy is the rule that gives each date of a series its label and puzzle: the object policy/1.
type Policy struct {
	Schema    string      `json:"schema"`
	Series    string      `json:"series"`
	Revision  int         `json:"revision"`
	Effective string      `json:"effective"`
	Zone      string      `json:"zone"`
	Release   string      `json:"release"`
	Days      []PolicyDay `json:"days"` // Monday first
	Reason    string      `json:"reason,omitempty"`
	Event     events.Seq  `json:"event"`
	// Untouched are the dates from the effective one on that were published under an older policy and keep what they
	// have; it is filled when the policy is adopted.
	Untouched []string `json:"untouched,omitempty"`
	Stood     bool     `json:"stood,omitempty"` // it was on record before it was adopted now
}

// PolicyDay is the rule for a weekday.
type PolicyDay struct {
	Weekday   string `json:"weekday" toml:"-"`
	Label     string `json:"label" toml:"label"`
	LabelName string `json:"label_name" toml:"-"` // what people read for the label
	Source    string `json:"source" toml:"source"`
	Genre     string `json:"genre" toml:"genre"`
	Variant   string `json:"variant" toml:"variant"`
	Level     string `json:"level" toml:"level"`
	Stuck     bool   `json:"stuck,omitempty" toml:"stuck"` // of the puzzles of the level that the rater could not finish
}

// PolicyExample shows the file that a policy is adopted from.
const PolicyExample = `A policy file:

  series = "daily"
  effective = "2027-01-01"
  zone = "Asia/Jerusalem"
  release = "00:00"

  [days]
  monday    = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
  tuesday   = { label = "hard", source = "shelf", genre = "sudoku", variant = "classic", level = "hard" }
  wednesday = …

  [labels]
  hard = "schwer"

The label is the site's own word of a-z, 0-9 and -; [labels] gives it a name for people, in any script. A day is made when
it is published (source generator), or is the oldest puzzle of a shelf that assay pool fill has filled (source shelf). With
stuck = true it comes from those puzzles of the level that the rater could not finish.`

// policyFile is a policy as an operator writes it.
type policyFile struct {
	Series    string               `toml:"series"`
	Effective string               `toml:"effective"`
	Zone      string               `toml:"zone"`
	Release   string               `toml:"release"`
	Labels    map[string]string    `toml:"labels"` // label: what people read for it
	Days      map[string]PolicyDay `toml:"days"`
}

// maxPolicy is the largest policy file in bytes.
const maxPolicy = 64 << 10

// Policies returns the policies of a series in order of revision.
func (r *Registry) Policies(ctx context.Context, series string) ([]Policy, error) {
	rules, err := r.Series(ctx, series)
	if err != nil {
		return nil, err
	}
	list := make([]Policy, len(rules))
	for i, rule := range rules {
		e, err := r.Log.Get(ctx, events.PolicyKey(series, rule.Policy.Revision))
		if err != nil {
			return nil, err
		}
		list[i] = recordedPolicy(rule.Policy, e.Seq)
	}
	return list, nil
}

// CurrentPolicies returns the policy in force of each series, in order of name.
func (r *Registry) CurrentPolicies(ctx context.Context) (list []Policy, err error) {
	if err := r.catchUp(ctx); err != nil {
		return nil, err
	}
	names, err := r.seriesNames()
	if err != nil {
		return nil, err
	}
	for _, series := range names {
		rules, err := r.rules(series)
		if err != nil {
			return nil, err
		}
		p := rules.Current(r.Now()).Policy
		e, err := r.Log.Get(ctx, events.PolicyKey(series, p.Revision))
		if err != nil {
			return nil, err
		}
		list = append(list, recordedPolicy(p, e.Seq))
	}
	return list, nil
}

// PolicyRequest asks to adopt a policy.
type PolicyRequest struct {
	Text     []byte // TOML, see PolicyExample
	Backdate bool   // allow an effective date before today in the policy's zone
	Actor    string
	Reason   string
}

// AdoptPolicy records a policy as the next revision of its series. If it is already in force, nothing is recorded.
func (r *Registry) AdoptPolicy(ctx context.Context, req PolicyRequest) (Policy, error) {
	p, err := parsePolicy(req.Text)
	if err != nil {
		return Policy{}, err
	}
	if err := checkText("reason", req.Reason); err != nil {
		return Policy{}, err
	}
	rules, err := r.rulesNow(ctx, p.Series)
	if err != nil {
		return Policy{}, err
	}
	if n := len(rules); n > 0 && samePolicy(rules[n-1].Policy, p) { // it stands
		return r.adopted(ctx, rules[n-1].Policy, true)
	}
	p.Revision, p.Reason = len(rules)+1, req.Reason
	if err := r.checkEffective(p, req.Backdate); err != nil {
		return Policy{}, err
	}
	if err := r.Adopt(ctx, p, req.Actor); err != nil {
		return Policy{}, err
	}
	return r.adopted(ctx, p, false)
}

// adopted describes a policy on record to its adopter.
func (r *Registry) adopted(ctx context.Context, p events.Policy, stood bool) (Policy, error) {
	e, err := r.Log.Get(ctx, events.PolicyKey(p.Series, p.Revision))
	if err != nil {
		return Policy{}, err
	}
	adopted := recordedPolicy(p, e.Seq)
	adopted.Stood = stood
	adopted.Untouched, err = r.untouched(p)
	return adopted, err
}

// checkEffective refuses a policy that is effective before today in its zone, unless backdate is set: past days would
// be published under it.
func (r *Registry) checkEffective(p events.Policy, backdate bool) error {
	rule, err := schedule.New(p)
	if err != nil {
		return &input.Error{Reason: err.Error()}
	}
	if today := rule.Today(r.Now()); !backdate && rule.Effective().Compare(today) < 0 {
		return input.Errorf("the effective date %s is before today, %s in %s: give today or a later date, or say --backdate", p.Effective, today, p.Zone)
	}
	return nil
}

// untouched returns the dates, from the effective date of a new policy on, that were published under an older policy.
func (r *Registry) untouched(p events.Policy) (dates []string, err error) {
	for day, err := range calendar.All(r.Store, p.Series, p.Effective, "") {
		if err != nil {
			return nil, err
		}
		if standing, ok := day.Standing(); ok && standing.Published.Policy < p.Revision {
			dates = append(dates, day.Date)
		}
	}
	return dates, nil
}

// samePolicy reports whether a policy states the same as another on record.
func samePolicy(recorded, p events.Policy) bool {
	p.Revision, p.Reason = recorded.Revision, recorded.Reason
	return events.SameBody(recorded, p)
}

// parsePolicy reads a policy file; an error names the line, or the part that is wrong.
func parsePolicy(text []byte) (events.Policy, error) {
	if len(text) > maxPolicy {
		return events.Policy{}, input.Errorf("a policy of %d bytes is longer than %d", len(text), maxPolicy)
	}
	var f policyFile
	if err := engine.ReadTOML(text, &f); err != nil {
		return events.Policy{}, &input.Error{Reason: engine.TOMLReason(err)}
	}
	p := events.Policy{Series: f.Series, Effective: f.Effective, Zone: f.Zone, Release: f.Release}
	for i := range p.Days {
		name := strings.ToLower(weekdayName(i))
		d, ok := f.Days[name]
		if !ok {
			return events.Policy{}, input.Errorf("days has no %s", name)
		}
		p.Days[i] = events.DayRule{Label: d.Label, Source: d.Source, Genre: d.Genre, Variant: d.Variant, Level: d.Level}
		if d.Stuck {
			p.Stuck = append(p.Stuck, i)
		}
		delete(f.Days, name)
	}
	for name := range f.Days {
		return events.Policy{}, input.Errorf("days has %q, which is no weekday", name)
	}
	for _, label := range slices.Sorted(maps.Keys(f.Labels)) {
		p.Names = append(p.Names, events.LabelName{Label: label, Name: f.Labels[label]})
	}
	if err := schedule.Check(p); err != nil {
		return events.Policy{}, &input.Error{Reason: err.Error()}
	}
	return p, nil
}

// weekdayName names the i-th day of a policy's week, Monday first.
func weekdayName(i int) string { return time.Weekday((i + 1) % 7).String() }

func recordedPolicy(b events.Policy, at events.Seq) Policy {
	p := Policy{
		Schema: "policy/1", Series: b.Series, Revision: b.Revision, Effective: b.Effective,
		Zone: b.Zone, Release: b.Release, Reason: b.Reason, Event: at,
	}
	rule := schedule.Rule{Policy: b}
	for i, d := range b.Days {
		p.Days = append(p.Days, PolicyDay{
			Weekday: weekdayName(i), Label: d.Label, LabelName: rule.Name(d.Label), Source: d.Source,
			Genre: d.Genre, Variant: d.Variant, Level: d.Level, Stuck: slices.Contains(b.Stuck, i),
		})
	}
	return p
}
