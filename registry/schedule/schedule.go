// Package schedule turns a series' policy into days: which label a date has, where its puzzle comes from, and when it
// is released. A date belongs to the policy's zone and is always computed from an instant and that zone.
package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"assay/events"
)

// Rule is a policy that has passed its checks.
type Rule struct {
	Policy    events.Policy
	effective Date
	zone      *time.Location
	release   time.Duration // wall clock since midnight
}

// The sources of a day's puzzle.
const (
	FromGenerator = "generator"
	FromShelf     = "shelf"
)

// Daily returns the first policy of a registry: the chain of the day, with a label for each weekday in a zone. It is in
// force from a date on.
func Daily(effective Date, zone string) events.Policy {
	day := func(label string) events.DayRule {
		return events.DayRule{Label: label, Source: FromGenerator, Genre: "chain", Variant: "daily", Level: label}
	}
	easy, medium, hard := day("easy"), day("medium"), day("hard")
	return events.Policy{
		Series: "daily", Revision: 1, Effective: effective.String(),
		Zone: zone, Release: "00:00",
		Days: [7]events.DayRule{easy, easy, medium, medium, hard, hard, medium},
	}
}

// DailyZone is the zone of a registry's first policy, unless another is given.
const DailyZone = "Asia/Jerusalem"

// IsWord reports whether a name is one of up to 40 small letters, digits and hyphens, of which the first is no hyphen.
func IsWord(s string) bool {
	for i, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && (c != '-' || i == 0) {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 40
}

// notAWord describes why a name in a policy is refused.
func notAWord(name, value string) string {
	if value == "" {
		return fmt.Sprintf("the %s is missing", name)
	}
	return fmt.Sprintf("%s %q is not a word of 1 to 40 of the characters a-z, 0-9 and -, the first not -", name, value)
}

// New checks a policy and returns its rule. The error says which part of the policy is wrong.
func New(p events.Policy) (Rule, error) {
	if !IsWord(p.Series) {
		return Rule{}, errors.New(notAWord("series", p.Series))
	}
	effective, err := ParseDate(p.Effective)
	if err != nil {
		return Rule{}, fmt.Errorf("effective date: %w", err)
	}
	zone, err := Zone(p.Zone)
	if err != nil {
		return Rule{}, err
	}
	clock, err := time.Parse("15:04", p.Release)
	if err != nil {
		return Rule{}, fmt.Errorf("release time %q is not HH:MM", p.Release)
	}
	for i, d := range p.Days {
		if err := checkDay(d); err != nil {
			return Rule{}, fmt.Errorf("%s: %w", weekday(i), err)
		}
	}
	if err := checkNames(p); err != nil {
		return Rule{}, err
	}
	release := time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute
	return Rule{Policy: p, effective: effective, zone: zone, release: release}, nil
}

// Check refuses a policy that nobody may adopt, although New accepts it if it is on record.
func Check(p events.Policy) error {
	for _, i := range p.Stuck {
		if d := p.Days[i]; d.Source == FromGenerator {
			return fmt.Errorf("%s: stuck = true takes a puzzle from a shelf, and its source is %s: say source = %q", weekday(i), d.Source, FromShelf)
		}
	}
	_, err := New(p)
	return err
}

// zones are the time zones found so far, each a *time.Location by its name, because finding one reads a file.
var zones sync.Map

// Zone finds a time zone by its IANA name.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, fmt.Errorf("zone %q is not the name of a time zone, such as %s", name, DailyZone)
	}
	if zone, found := zones.Load(name); found {
		return zone.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("zone: %w", err)
	}
	zones.Store(name, zone)
	return zone, nil
}

func checkDay(d events.DayRule) error {
	for _, part := range []struct{ name, value string }{
		{"label", d.Label}, {"genre", d.Genre}, {"variant", d.Variant}, {"level", d.Level},
	} {
		if !IsWord(part.value) {
			return errors.New(notAWord(part.name, part.value))
		}
	}
	if d.Source != FromGenerator && d.Source != FromShelf {
		return fmt.Errorf("source %q is neither %q nor %q", d.Source, FromGenerator, FromShelf)
	}
	return nil
}

// maxName is the longest name of a label in characters.
const maxName = 100

func checkNames(p events.Policy) error {
	for _, n := range p.Names {
		if !slices.ContainsFunc(p.Days[:], func(d events.DayRule) bool { return d.Label == n.Label }) {
			return fmt.Errorf("labels: no day has the label %q", n.Label)
		}
		if length := utf8.RuneCountInString(n.Name); strings.TrimSpace(n.Name) == "" || length > maxName {
			return fmt.Errorf("labels: the name of %s has %d characters, not 1 to %d", n.Label, length, maxName)
		}
		if err := events.CheckText("the name of "+n.Label, n.Name); err != nil {
			return fmt.Errorf("labels: %w", err)
		}
	}
	return nil
}

// weekday names the i-th day of a policy's week, Monday first.
func weekday(i int) time.Weekday { return time.Weekday((i + 1) % 7) }

// Day returns the rule for the weekday of a date.
func (r Rule) Day(d Date) events.DayRule { return r.Policy.Days[(d.Weekday()+6)%7] }

// Name returns the name of a label for readers: the policy's name for it, or the label itself.
func (r Rule) Name(label string) string {
	for _, n := range r.Policy.Names {
		if n.Label == label {
			return n.Name
		}
	}
	return label
}

// Stuck reports whether a date takes its puzzle from those of its level that the rater could not finish. A generator
// makes no such puzzles.
func (r Rule) Stuck(d Date) bool {
	return r.Day(d).Source == FromShelf && slices.Contains(r.Policy.Stuck, int(d.Weekday()+6)%7)
}

// Effective returns the first date on which the rule is in force.
func (r Rule) Effective() Date { return r.effective }

// Today returns the date at an instant in the rule's zone.
func (r Rule) Today(now time.Time) Date { return DateIn(now, r.zone) }

// Local returns an instant in the rule's zone.
func (r Rule) Local(at time.Time) time.Time { return at.In(r.zone) }

// Series is all rules of a series in order of revision.
type Series []Rule

// At returns the rule in force on a date: the newest one that is effective by then.
func (s Series) At(d Date) (Rule, bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i].effective.Compare(d) <= 0 {
			return s[i], true
		}
	}
	return Rule{}, false
}

// Current returns the newest rule that is in force at an instant in its own zone, or the first rule
// when none is yet.
func (s Series) Current(now time.Time) Rule {
	for i := len(s) - 1; i > 0; i-- {
		if s[i].effective.Compare(s[i].Today(now)) <= 0 {
			return s[i]
		}
	}
	return s[0]
}
