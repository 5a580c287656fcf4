package registry

import (
	"fmt"

	"assay/projections/archive"
	"assay/registry/input"
	"assay/registry/schedule"
)

// heldBy says why no publisher gives a date a puzzle by itself, or "" when one does.
func heldBy(day archive.Day) string {
	last, ok := day.Last()
	switch {
	case !ok || last.Withdrawn == nil:
		return ""
	case last.Empty:
		return "its puzzle was withdrawn, and the date is to stay empty"
	case last.Seen():
		return "its puzzle was withdrawn after its release"
	}
	return ""
}

// ruleFor returns the rule that a date is published under. After a withdrawal that is the rule of the withdrawn
// publication, so that a replacement has the same label and source. Else it is the rule in force.
func (p *publisher) ruleFor(date schedule.Date, day archive.Day) (schedule.Rule, error) {
	if last, ok := day.Last(); ok {
		return p.rules[last.Published.Policy-1], nil
	}
	rule, ok := p.rules.At(date)
	if !ok {
		return rule, input.Errorf("no policy of %s is in force on %s; the first is from %s", p.series, date, p.rules[0].Effective())
	}
	return rule, nil
}

// vacant describes a date that has no puzzle.
func vacant(series string, date schedule.Date, rule schedule.Rule, reason string) Unpublished {
	day := rule.Day(date)
	u := Unpublished{Schema: "unpublished/1", Series: series, Date: date.String(), Label: day.Label, Reason: reason}
	if day.Source == schedule.FromShelf {
		u.Shelf = fmt.Sprintf("%s/%s/%s", day.Genre, day.Variant, day.Level)
	}
	return u
}

// keep notes that the day keeps the puzzle that stands, if one does.
func (u *Unpublished) keep(day archive.Day) {
	if standing, ok := day.Standing(); ok {
		u.Keeps, u.KeptPolicy = standing.Published.Puzzle, standing.Published.Policy
	}
}

// Outcome describes in a line what the date has, and why.
func (u Unpublished) Outcome() string {
	what := "gets no puzzle"
	switch {
	case u.Keeps != "":
		what = fmt.Sprintf("keeps its puzzle of policy %d", u.KeptPolicy)
	case u.StaysEmpty:
		what = "stays empty"
	}
	return fmt.Sprintf("%s %s: %s", u.Date, what, u.Reason)
}

// commandFor returns the command that gives a date a puzzle by name. If readers saw another puzzle, the command needs
// --released and a reason.
func commandFor(series string, date schedule.Date, seen bool) string {
	command := "assay publish"
	if series != DefaultSeries {
		command += " --series " + series
	}
	command += " --date " + date.String()
	if seen {
		command += " --released --reason …"
	}
	return command
}
