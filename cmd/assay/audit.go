package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/schedule"
)

func (a *app) auditCommand() *cobra.Command {
	var series string
	cmd := &cobra.Command{
		Use:   "audit DATE|ID",
		Short: "Tell why a day got its label, each line with the event it comes from",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			report, err := r.AuditOf(ctx, series, args[0])
			if err != nil {
				return err
			}
			err = a.print(report, func(p *printer) { a.auditText(p, report) })
			if err == nil && report.Unpublished != "" {
				return &exitError{exitFinding}
			}
			return err
		}),
	}
	seriesFlag(cmd, &series)
	return cmd
}

func (a *app) auditText(p *printer, report registry.Audit) {
	if report.Unpublished != "" {
		unpublishedText(p, report)
		return
	}
	if report.Publication != nil {
		date, _ := schedule.ParseDate(report.Date)
		p.boldf("%s · %s · %s", date.Long(), report.Series, strings.ToUpper(report.Label))
	} else {
		p.boldf("%s", report.Puzzle.ID+" · never published")
	}
	seenText(p, report)
	p.linef("")
	a.boardText(p, report.Puzzle.Genre, report.Puzzle.Variant, report.Puzzle.Text)
	p.linef("  %s%s", report.Puzzle.ID, releaseText(report))
	p.linef("")
	policyText(p, report)
	originText(p, report)
	dropsText(p, report)
	ratingText(p, report)
	sinceText(p, report)
	if report.Regenerated != "" {
		p.evidence("Regenerated", regeneratedText[report.Regenerated], "")
	}
	if proof := report.Proof; proof != nil {
		p.evidence("Proof", fmt.Sprintf("event %s of %s, under the checkpoint signed by %s", number(proof.Seq), number(proof.Size), proof.Origin), "")
	}
}

// seenText says first what readers saw and what does not stand now.
func seenText(p *printer, report registry.Audit) {
	for _, s := range report.Seen {
		if s.Revision != report.Publication.Revision {
			p.evidence("Readers saw", fmt.Sprintf("%s, %s, which was withdrawn %s", s.ID, s.Label, byWhom(s.Withdrawn.Time, s.Withdrawn.Actor, s.Withdrawn.Reason)), s.Event)
		}
	}
	if report.Empty != "" {
		p.evidence("Now empty", report.Empty, report.Publication.Withdrawn.Event)
	}
}

// unpublishedText tells why a day has no puzzle.
func unpublishedText(p *printer, report registry.Audit) {
	date, _ := schedule.ParseDate(report.Date)
	p.boldf("%s · %s · NOT PUBLISHED", date.Long(), report.Series)
	p.linef("")
	p.evidence("Why not", report.Unpublished, "")
	policyText(p, report)
	p.evidence("Log", fmt.Sprintf("%s events", number(report.Events)), "")
}

// shownPassed is how many of the puzzles that were passed over an audit names.
const shownPassed = 3

// passedText tells of the puzzles that were passed over.
func passedText(p *printer, d *registry.Publication) {
	what := plural(len(d.Passed), "puzzle") + " that look like other days:"
	switch len(d.Passed) {
	case 0:
		return
	case 1:
		what = "1 puzzle that looks like another day:"
	}
	p.evidence("Passed over", what, d.Event)
	var texts []string
	for i, passed := range d.Passed {
		if i == shownPassed {
			texts = append(texts, fmt.Sprintf("… and %d more", len(d.Passed)-shownPassed))
			break
		}
		texts = append(texts, fmt.Sprintf("%s (like that of %s)", passed.Puzzle, passed.Like.Date))
	}
	for _, line := range wrapped(texts, ", ") {
		p.evidence("", "  "+line, "")
	}
}

func releaseText(report registry.Audit) string {
	if report.Policy == nil {
		return ""
	}
	local, err := time.Parse(time.RFC3339, report.Policy.ReleaseLocal)
	utc, err2 := time.Parse(time.RFC3339, report.Policy.ReleaseUTC)
	if err != nil || err2 != nil {
		return ""
	}
	const minute = "2006-01-02 15:04"
	return fmt.Sprintf("      release %s %s (%s UTC)", local.Format(minute), report.Policy.Zone, utc.Format(minute))
}

func policyText(p *printer, report registry.Audit) {
	rule := report.Policy
	if rule == nil {
		return
	}
	p.evidence("Why "+report.Label, fmt.Sprintf("%s is %s under policy %d, in force since %s", rule.Weekday, rule.Label, rule.Revision, rule.Effective), rule.Event)
	d := report.Publication
	if f := rule.InForce; f != nil {
		text := fmt.Sprintf("  policy %d, in force since %s, says %s", f.Revision, f.Effective, f.Label)
		if d.Revision > 0 {
			text += "; the label is that of the day it replaces"
		}
		p.evidence("", text, f.Event)
	}
	switch {
	case d != nil && d.Chosen:
		p.evidence("", "  "+chosenText(report.Grade(), rule.Grade()), d.Event)
	case rule.Source == schedule.FromShelf:
		p.evidence("", fmt.Sprintf("  from %s/%s/%s", rule.Genre, rule.Variant, rule.Grade()), rule.Event)
	}
	if d != nil {
		publicationText(p, d)
	}
}

// chosenText holds what a puzzle has that a person named against what the policy asks for.
func chosenText(has, wanted registry.Grade) string {
	if has == wanted {
		return fmt.Sprintf("chosen; %s, as the policy asks", has)
	}
	return fmt.Sprintf("chosen; %s, and the policy asks for %s", has, wanted)
}

// publicationText says who published the puzzle, and why it is this one.
func publicationText(p *printer, d *registry.Publication) {
	name := "Published"
	if d.Chosen {
		name = "Chosen"
	}
	p.evidence(name, byWhom(d.Time, d.Actor, d.Reason), d.Event)
	if n := len(d.Skipped); n > 0 {
		p.evidence("Skipped", plural(n, "seed")+" that gave puzzles which the series had before", d.Event)
	}
	passedText(p, d)
	if d.Like != nil {
		text := fmt.Sprintf("%s (%s)", d.Like.Date, d.Like.Puzzle)
		if !d.Chosen {
			text += ": no other puzzle was to be had"
		}
		p.evidence("Looks like", text, d.Event)
	}
}

func originText(p *printer, report registry.Audit) {
	switch g := report.Generation; {
	case g != nil:
		n := len(g.Attempts)
		p.evidence("How made", fmt.Sprintf("generator %d, seed %s, attempt %d", g.Generator, g.Seed, n), g.Event)
		for _, line := range attemptLines(g.Attempts) {
			p.evidence("", "  "+line, "")
		}
		p.evidence("Sound", soundText(report), g.Event)
	case report.Import != nil:
		importText(p, *report.Import)
	}
}

// dropsText tells of the drops before the publication; those after it are in what happened since.
func dropsText(p *printer, report registry.Audit) {
	if report.Publication == nil {
		return
	}
	for _, d := range report.Drops {
		if d.Event > report.Publication.Event {
			continue
		}
		p.evidence("Dropped", byWhom(d.Time, d.Actor, d.Reason), d.Event)
		if back := d.Restored; back != nil {
			p.evidence("", "  restored "+byWhom(back.Time, back.Actor, back.Reason), back.Event)
		}
	}
}

// attemptLines tells of each attempt, a few to a line.
func attemptLines(attempts []registry.Attempt) []string {
	texts := make([]string, len(attempts))
	for i, at := range attempts {
		texts[i] = fmt.Sprintf("%d %s", at.N, at.Outcome)
		if at.Score != nil && at.Outcome != "accepted" {
			texts[i] = fmt.Sprintf("%d score %d, %s", at.N, *at.Score, at.Outcome)
		}
	}
	return wrapped(texts, " · ")
}

// wrapped joins texts, in lines that fit beside the names of an audit.
func wrapped(texts []string, separator string) []string {
	var lines []string
	line := ""
	for _, text := range texts {
		switch {
		case line == "":
			line = text
		case len([]rune(line))+len([]rune(text)) > 70:
			lines, line = append(lines, line), text
		default:
			line += separator + text
		}
	}
	if line == "" {
		return nil
	}
	return append(lines, line)
}

func soundText(report registry.Audit) string {
	if report.Puzzle.Genre == "chain" {
		return fmt.Sprintf("one winning set (%s), %s, all %s plays tried",
			tile(report.Puzzle.Solution), orderings(report.Rating), number(report.Generation.Nodes))
	}
	return "one solution, proven in " + plural(int(report.Generation.Nodes), "node")
}

func ratingText(p *printer, report registry.Audit) {
	v := report.Rating
	if v == nil {
		return
	}
	switch {
	case len(v.Terms) > 0:
		p.evidence(fmt.Sprintf("Score %d", *v.Score), termsText(v.Terms), v.Event)
	default:
		p.evidence("Level "+v.Level, levelText(v), v.Event)
		stepText(p, report.Hardest)
	}
	if b := report.Band; b != nil {
		p.evidence(fmt.Sprintf("Band %d–%d", b.Low, b.High), fmt.Sprintf("%s; %dth to %dth percentile of %s candidates, %d is their median",
			b.Position, b.Percentiles[0], b.Percentiles[1], number(b.Sample), b.Median), b.Event)
	}
}

func levelText(v *registry.Rating) string {
	text := "hardest step " + v.Hardest
	if v.Outcome == "stuck" {
		text = "no technique goes on from here; hardest step before it " + v.Hardest
	}
	if v.Score != nil {
		text = fmt.Sprintf("score %d, %s", *v.Score, text)
	}
	if v.Tier > 0 {
		text = fmt.Sprintf("tier %d, %s", v.Tier, text)
	}
	return fmt.Sprintf("%s (%s %s)", text, v.Rater, v.Version)
}

// stepText shows the step that decided the level, and the grid that it was taken from.
func stepText(p *printer, hardest *registry.AuditStep) {
	if hardest == nil {
		return
	}
	if s := hardest.Step; s != nil {
		for _, line := range wrapped(strings.SplitAfter(fmt.Sprintf("step %d of %d: %s", s.N, hardest.Steps, s.Text), ", "), "") {
			p.evidence("", "  "+strings.TrimRight(line, " "), "")
		}
		for _, line := range wrapped(s.Because, ", ") {
			p.evidence("", "  without "+line, "")
		}
	}
	for _, row := range hardest.Grid {
		p.evidence("", "  "+row, "")
	}
}

// termsText writes the score as the sum it is: capped and discounted terms with what they were before.
func termsText(terms registry.Terms) string {
	value := map[string]int{}
	for _, t := range terms {
		value[t.Name] = t.Value
	}
	text := fmt.Sprintf("branching %d + near misses %d", value["branching"], value["near_misses_counted"])
	if value["near_misses"] != value["near_misses_counted"] {
		text += fmt.Sprintf(" (of %d)", value["near_misses"])
	}
	text += fmt.Sprintf(" + decoys %d", value["decoys"])
	for _, bonus := range []string{"divide", "swap"} {
		if value[bonus] != 0 {
			text += fmt.Sprintf(" + %s %d", bonus, value[bonus])
		}
	}
	return text + fmt.Sprintf(" − orderings %d", -value["orderings_discount"])
}

// orderings says how many plays of the winning set reach the target.
func orderings(v *registry.Rating) string {
	n := 0
	if v != nil {
		for _, t := range v.Terms {
			if t.Name == "orderings" {
				n = t.Value
			}
		}
	}
	return plural(n, "ordering")
}

func sinceText(p *printer, report registry.Audit) {
	if report.Publication != nil {
		p.evidence("Since then", labelText(report), "")
	}
	for _, l := range report.Later {
		p.evidence("Since then", l.Text+" "+byWhom(l.Time, l.Actor, l.Reason), l.Event)
	}
	for _, rev := range report.Revisions { // none of a puzzle that was never published
		if rev.Revision == report.Publication.Revision {
			continue
		}
		p.evidence(fmt.Sprintf("Revision %d", rev.Revision), rev.ID+", "+rev.Label+", published "+byWhom(rev.Time, rev.Actor, rev.Reason), rev.Event)
		if w := rev.Withdrawn; w != nil {
			p.evidence("", "  withdrawn "+byWhom(w.Time, w.Actor, w.Reason), w.Event)
		}
	}
}

// labelText says what became of the label and the publication.
func labelText(report registry.Audit) string {
	label := "label unchanged, "
	if report.LabelChanged {
		var labels []string
		for _, rev := range report.Revisions {
			labels = append(labels, rev.Label)
		}
		label = "LABEL CHANGED from " + strings.Join(slices.Compact(labels), " to ") + "; "
	}
	if report.Publication.Withdrawn != nil {
		return label + "withdrawn"
	}
	return label + "not withdrawn"
}

func byWhom(at, actor, reason string) string {
	text := at + " by " + actor
	if at, err := time.Parse(time.RFC3339, at); err == nil {
		text = at.Format("2006-01-02 15:04 UTC") + " by " + actor
	}
	if reason != "" {
		text += ": " + reason
	}
	return text
}

var regeneratedText = map[string]string{
	registry.Identical: "identical, just now",
	registry.Retired:   "generator retired, content from the log",
	registry.Different: "DIFFERENT: this program makes another puzzle of the seed",
}
