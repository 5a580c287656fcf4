package registry

import (
	"fmt"

	"assay/projections/archive"
	"assay/registry/schedule"
)

// heldBy says why no publisher gives a date a puzzle of its own accord, or "" when one does.
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

// ruleFor returns the rule that a date is published under: that of the publication which was withdrawn, so that a
// replacement keeps the label and the source of its day, or else the one in force.
func (p *publisher) ruleFor(date schedule.Date, day archive.Day) (schedule.Rule, error) {
	if last, ok := day.Last(); ok {
		return p.rules[last.Published.Policy-1], nil
	}
	rule, ok := p.rules.At(date)
	if !ok {
		return rule, badInput("no policy of %s is in force on %s; the first is from %s", p.series, date, p.rules[0].Effective())
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
