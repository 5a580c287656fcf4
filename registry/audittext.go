package registry

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/events"
	"assay/events/plain"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/public"
	"assay/registry/schedule"
)

// auditWriter writes the text of an audit.
type auditWriter struct {
	*Audit
	to      public.Audience
	variant raters.Variant // zero when this program does not know the variant
	out     public.Words
}

func (t *auditWriter) add(name, text string, event events.Seq) {
	t.out.Lines = append(t.out.Lines, public.Line{Name: name, Text: text, Event: event})
}

// more adds a line that continues the one before it.
func (t *auditWriter) more(text string, event events.Seq) { t.add("", text, event) }

// tell writes the text of an audit.
func (r *Registry) tell(a *Audit, to public.Audience) {
	t := auditWriter{Audit: a, to: to}
	t.variant, _ = engine.Find(r.Genres, a.Puzzle.Genre, a.Puzzle.Variant) // the common words do without
	if a.Unpublished != "" {
		t.unpublished()
	} else {
		t.whole()
	}
	a.Words = &t.out
}

func (t *auditWriter) whole() {
	t.out.Title = t.Puzzle.ID + " · never published"
	if t.Publication != nil {
		t.out.Title = t.day(t.Label)
	}
	t.out.Release = t.release()
	t.seen()
	t.policy()
	if t.to >= public.Afterwards {
		t.origin()
	}
	if t.to == public.Operators {
		t.drops()
	}
	t.rating()
	t.since()
	if t.Regenerated != "" {
		t.add("Regenerated", regeneratedText[t.Regenerated], 0)
	}
	if proof := t.Audit.Proof; proof != nil {
		t.add("Proof", fmt.Sprintf("event %s of %s, under the checkpoint signed by %s", plain.Number(proof.Seq), plain.Number(proof.Size), proof.Origin), 0)
	}
}

// day names the day, followed by a word about its state.
func (t *auditWriter) day(what string) string {
	date, _ := schedule.ParseDate(t.Date)
	return fmt.Sprintf("%s · %s · %s", date.Long(), t.Series, strings.ToUpper(what))
}

// seen begins the text with what readers saw and no longer stands.
func (t *auditWriter) seen() {
	for _, s := range t.Seen {
		if s.Revision != t.Publication.Revision {
			text := fmt.Sprintf("%s, which was withdrawn %s", t.revision(s), t.by(s.Withdrawn.Time, s.Withdrawn.Actor, s.Withdrawn.Reason))
			t.out.Notices = append(t.out.Notices, public.Line{Name: "Readers saw", Text: text, Event: s.Event})
		}
	}
	if t.Empty != "" {
		t.out.Notices = append(t.out.Notices, public.Line{Name: "Now empty", Text: t.Empty, Event: t.Publication.Withdrawn.Event})
	}
}

// unpublished explains why a day has no puzzle.
func (t *auditWriter) unpublished() {
	t.out.Title = t.day("not published")
	t.add("Why not", t.Unpublished, 0)
	t.policy()
	t.add("Log", plain.Number(t.Events)+" events", 0)
}

// shownPassed is how many of the skipped puzzles an audit names.
const shownPassed = 3

// passed names the puzzles that were skipped.
func (t *auditWriter) passed(d *Publication) {
	what := plain.Plural(len(d.Passed), "puzzle") + " that look like other days:"
	switch len(d.Passed) {
	case 0:
		return
	case 1:
		what = "1 puzzle that looks like another day:"
	}
	t.add("Passed over", what, d.Event)
	var texts []string
	for i, passed := range d.Passed {
		if i == shownPassed {
			texts = append(texts, fmt.Sprintf("… and %d more", len(d.Passed)-shownPassed))
			break
		}
		texts = append(texts, fmt.Sprintf("%s (like that of %s)", passed.Puzzle, passed.Like.Date))
	}
	for _, line := range wrapped(texts, ", ") {
		t.more(line, 0)
	}
}

// release says when the day is released.
func (t *auditWriter) release() string {
	if t.Policy == nil {
		return ""
	}
	local, err := time.Parse(time.RFC3339, t.Policy.ReleaseLocal)
	utc, err2 := time.Parse(time.RFC3339, t.Policy.ReleaseUTC)
	if err != nil || err2 != nil {
		return ""
	}
	const minute = "2006-01-02 15:04"
	return fmt.Sprintf("release %s %s (%s UTC)", local.Format(minute), t.Policy.Zone, utc.Format(minute))
}

func (t *auditWriter) policy() {
	rule := t.Policy
	if rule == nil {
		return
	}
	t.add("Why "+t.Label, fmt.Sprintf("%s is %s under policy %d, in force since %s", rule.Weekday, rule.Label, rule.Revision, rule.Effective), rule.Event)
	d := t.Publication
	if f := rule.InForce; f != nil {
		text := fmt.Sprintf("policy %d, in force since %s, says %s", f.Revision, f.Effective, f.Label)
		if d.Revision > 0 {
			text += "; the label is that of the day it replaces"
		}
		t.more(text, f.Event)
	}
	switch {
	case d != nil && d.Chosen:
		t.more(chosenText(t.Grade(), rule.Grade()), d.Event)
	case rule.Source == schedule.FromShelf:
		t.more(fmt.Sprintf("from %s/%s/%s", rule.Genre, rule.Variant, rule.Grade()), rule.Event)
	}
	if d != nil {
		t.publication(d)
	}
}

// chosenText compares the grade of a puzzle that a person named with the grade that the policy asks for.
func chosenText(has, wanted Grade) string {
	if has == wanted {
		return fmt.Sprintf("chosen; %s, as the policy asks", has)
	}
	return fmt.Sprintf("chosen; %s, and the policy asks for %s", has, wanted)
}

// publication says who published the puzzle, and why this one.
func (t *auditWriter) publication(d *Publication) {
	name := "Published"
	if d.Chosen {
		name = "Chosen"
	}
	t.add(name, t.by(d.Time, d.Actor, d.Reason), d.Event)
	if t.to != public.Operators { // the rest is about other puzzles
		return
	}
	if n := len(d.Skipped); n > 0 {
		t.add("Skipped", plain.Plural(n, "seed")+" that gave puzzles which the series had before", d.Event)
	}
	t.passed(d)
	if d.Like != nil {
		text := fmt.Sprintf("%s (%s)", d.Like.Date, d.Like.Puzzle)
		if !d.Chosen {
			text += ": no other puzzle was to be had"
		}
		t.add("Looks like", text, d.Event)
	}
}

func (t *auditWriter) origin() {
	switch g := t.Generation; {
	case g != nil:
		t.add("How made", fmt.Sprintf("generator %d, seed %s, attempt %d", g.Generator, g.Seed, len(g.Attempts)), g.Event)
		for _, line := range attemptLines(g.Attempts) {
			t.more(line, 0)
		}
		t.add("Sound", t.sound(), g.Event)
	case t.Import != nil && t.to == public.Operators:
		t.out.Lines = append(t.out.Lines, t.Import.Line())
	}
	for _, p := range t.Provenance {
		t.out.Lines = append(t.out.Lines, p.Line())
	}
}

// Line describes an import: from where, and why.
func (i Import) Line() public.Line {
	actor := i.Actor
	if i.Source != "" {
		actor += " from " + i.Source
	}
	return public.Line{Name: "Imported", Text: ByWhom(i.Time, actor, i.Reason), Event: i.Event}
}

// drops lists the drops before the publication. Later drops are among the later events.
func (t *auditWriter) drops() {
	if t.Publication == nil {
		return
	}
	for _, d := range t.Drops {
		if d.Event > t.Publication.Event {
			continue
		}
		t.add("Dropped", ByWhom(d.Time, d.Actor, d.Reason), d.Event)
		if back := d.Restored; back != nil {
			t.more("restored "+ByWhom(back.Time, back.Actor, back.Reason), back.Event)
		}
	}
}

// attemptLines describes each attempt, a few to a line.
func attemptLines(attempts []events.Attempt) []string {
	texts := make([]string, len(attempts))
	for i, at := range attempts {
		texts[i] = fmt.Sprintf("%d %s", at.N, at.Outcome)
		if at.Score != nil && at.Outcome != "accepted" {
			texts[i] = fmt.Sprintf("%d score %d, %s", at.N, *at.Score, at.Outcome)
		}
	}
	return wrapped(texts, " · ")
}

// wrapped joins texts into lines that fit beside the names of an audit.
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

func (t *auditWriter) sound() string {
	if t.variant.Teller != nil {
		return t.variant.Teller.Proof(t.Puzzle.Solution, t.Generation.Nodes, t.terms())
	}
	return "one solution, proven in " + plain.Plural(int(t.Generation.Nodes), "node")
}

// terms returns the terms of the score, none when there is no rating.
func (t *auditWriter) terms() []raters.Term {
	if t.Rating == nil {
		return nil
	}
	return t.Rating.Terms
}

func (t *auditWriter) rating() {
	v := t.Rating
	if v == nil {
		return
	}
	switch {
	case len(v.Terms) > 0:
		t.add(fmt.Sprintf("Score %d", *v.Score), t.score(), v.Event)
	default:
		t.add("Level "+v.Level, levelText(v), v.Event)
		t.hardest()
	}
	if b := t.Band; b != nil {
		t.add(fmt.Sprintf("Band %d–%d", b.Low, b.High), fmt.Sprintf("%s; %dth to %dth percentile of %s candidates, %d is their median",
			b.Position, b.Percentiles[0], b.Percentiles[1], plain.Number(b.Sample), b.Median), b.Event)
	}
}

// score writes the score as the genre sums it up, else term by term.
func (t *auditWriter) score() string {
	if t.variant.Teller != nil {
		return t.variant.Teller.Score(t.terms())
	}
	var texts []string
	for _, term := range t.terms() {
		texts = append(texts, fmt.Sprintf("%s %d", strings.ReplaceAll(term.Name, "_", " "), term.Value))
	}
	return strings.Join(texts, ", ")
}

func levelText(v *engine.Rating) string {
	text := "hardest step " + v.Hardest
	if v.Outcome == string(raters.Stuck) {
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

// hardest shows the step that decided the level, and the grid that it was taken from.
func (t *auditWriter) hardest() {
	hardest := t.Hardest
	if hardest == nil || t.to == public.Anyone {
		return
	}
	if s := hardest.Step; s != nil {
		for _, line := range wrapped(strings.SplitAfter(fmt.Sprintf("step %d of %d: %s", s.N, hardest.Steps, s.Text), ", "), "") {
			t.more(strings.TrimRight(line, " "), 0)
		}
		for _, line := range wrapped(hardest.written, ", ") {
			t.more("with "+line, 0)
		}
		for _, line := range wrapped(hardest.gone, ", ") {
			t.more("without "+line, 0)
		}
	}
	if hardest.cages {
		return
	}
	for _, row := range hardest.Grid {
		t.more(row, 0)
	}
}

func (t *auditWriter) since() {
	if t.Publication != nil {
		t.add("Since then", t.label(), 0)
	}
	if t.to == public.Operators {
		for _, l := range t.Later {
			t.add("Since then", l.Text+" "+ByWhom(l.Time, l.Actor, l.Reason), l.Event)
		}
	}
	for _, rev := range t.Revisions { // none of a puzzle that was never published
		if rev.Revision == t.Publication.Revision {
			continue
		}
		t.add(fmt.Sprintf("Revision %d", rev.Revision), t.revision(rev)+", published "+t.by(rev.Time, rev.Actor, rev.Reason), rev.Event)
		if w := rev.Withdrawn; w != nil {
			t.more("withdrawn "+t.by(w.Time, w.Actor, w.Reason), w.Event)
		}
	}
}

// label says whether the label and the publication changed.
func (t *auditWriter) label() string {
	label := "label unchanged, "
	if t.LabelChanged {
		var labels []string
		for _, rev := range t.Revisions {
			labels = append(labels, rev.Label)
		}
		label = "LABEL CHANGED from " + strings.Join(slices.Compact(labels), " to ") + "; "
	}
	if t.Publication.Withdrawn != nil {
		return label + "withdrawn"
	}
	return label + "not withdrawn"
}

// revision names the puzzle of a revision, for operators, and its label.
func (t *auditWriter) revision(p Publication) string {
	if t.to == public.Operators {
		return p.ID + ", " + p.Label
	}
	return p.Label
}

// by is ByWhom, with the actor for operators only.
func (t *auditWriter) by(at, actor, reason string) string {
	if t.to != public.Operators {
		actor = ""
	}
	return ByWhom(at, actor, reason)
}

// ByWhom says when something was done, by whom unless that is "", and why.
func ByWhom(at, actor, reason string) string {
	text := at
	if at, err := time.Parse(time.RFC3339, at); err == nil {
		text = at.Format("2006-01-02 15:04 UTC")
	}
	if actor != "" {
		text += " by " + actor
	}
	if reason != "" {
		text += ": " + reason
	}
	return text
}

var regeneratedText = map[string]string{
	Identical: "identical, just now",
	Retired:   "generator retired, content from the log",
	Different: "DIFFERENT: this program makes another puzzle of the seed",
}
