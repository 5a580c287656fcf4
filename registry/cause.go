package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/events"
	"assay/raters"
)

// move is a puzzle that goes elsewhere.
type move struct {
	subject
	rating raters.Rating // the new one
	got    *replayed
}

// explain tells of each move where the solve parts from the one on record, and why.
func (p *replayer) explain(ctx context.Context, moved []move) error {
	keys := make([]events.Key, 0, len(moved))
	for _, m := range moved {
		m.got.change = &ReplayChange{Schema: "replay-change/1", ID: m.ID, From: m.got.before, To: m.got.after, Cause: "band"}
		a := p.from[m.Variant]
		keys = append(keys, events.RatedKey(m.ID, a.Rater, a.Version))
	}
	if len(p.bands) > 0 {
		return nil
	}
	recorded, err := events.GetEach(ctx, p.Log, keys)
	if err != nil {
		return err
	}
	for i, m := range moved {
		was, err := solveOf(recorded[i])
		if err != nil {
			return err
		}
		a, c := p.from[m.Variant], m.got.change
		c.Cause, c.First = cause(countedSteps(was.Steps()), countedSteps(m.rating.Steps()), a.Order, p.order, m.rating.Naming)
		if a.Rater != p.to.Name() {
			c.Cause = "another rater"
		}
	}
	return nil
}

// countedStep is a step that counts, with its number in the solve; bookkeeping does not.
type countedStep struct {
	number int
	raters.Step
}

func countedSteps(solve []raters.Step) (steps []countedStep) {
	for i, s := range solve {
		if s.Level != "" {
			steps = append(steps, countedStep{i + 1, s})
		}
	}
	return steps
}

// cause compares two solves. They part where a step does something else; a step of another level only does not
// count.
func cause(old, now []countedStep, oldOrder, order []events.Technique, n raters.Naming) (string, *Difference) {
	i := 0
	for i < len(old) && i < len(now) && sameStep(old[i].Step, now[i].Step) {
		i++
	}
	if i == len(old) && i == len(now) {
		return tierCause(old, now), nil
	}
	d := &Difference{}
	var was, is string
	if i < len(old) {
		d.Step, was, d.From = old[i].number, old[i].Technique, old[i].Text(n)
	}
	if i < len(now) {
		d.Step, is, d.To = now[i].number, now[i].Technique, now[i].Text(n)
	}
	has := func(order []events.Technique, name string) bool {
		return slices.ContainsFunc(order, func(t events.Technique) bool { return t.Name == name })
	}
	switch {
	case was != "" && !has(order, was):
		return was + " removed", d
	case is != "" && !has(oldOrder, is):
		return is + " added", d
	case was != is && was != "" && is != "":
		return "order: " + is + " before " + was, d
	}
	return "another step of " + cmp.Or(is, was), d
}

func sameStep(a, b raters.Step) bool {
	return a.Technique == b.Technique && slices.Equal(a.Placed, b.Placed) && slices.Equal(a.Removed, b.Removed)
}

// tierCause names the techniques that moved between levels, of those that decide the level in one of two solves
// with the same steps.
func tierCause(old, now []countedStep) string {
	for i := len(old) - 1; i >= 0; i-- {
		if old[i].Level != now[i].Level {
			return "tier of " + old[i].Technique
		}
	}
	return "the rule for levels"
}

// bandsOf gives the bands of a rater that sorts its scores by them.
func bandsOf(rater raters.Rater) []raters.ProfileBand {
	if p, ok := rater.(raters.Profiled); ok {
		return p.Profile().Bands
	}
	return nil
}

// bandSides tells where the score on record lies by the bands it was filed by, and the new one by the new bands,
// both of the label that the puzzle was generated for.
func (p *replayer) bandSides(ctx context.Context, s *subject, score *int) (before, after string, err error) {
	a := p.from[s.Variant]
	e, err := p.Log.Get(ctx, events.RatedKey(s.ID, a.Rater, a.Version))
	if errors.Is(err, events.ErrNotFound) {
		return noLevel, noLevel, nil
	}
	if err != nil {
		return "", "", err
	}
	rated, ok := e.Body.(events.Rated)
	if !ok {
		return "", "", fmt.Errorf("event %d under %s is of kind %s", e.Seq, e.Key, e.Body.Kind())
	}
	_, label, err := p.originAndLabel(s.ID)
	if err != nil {
		return "", "", err
	}
	filer, ok, err := p.raterAt(ctx, p.genre, a.Rater, a.Version)
	if err != nil || !ok {
		return noLevel, noLevel, err
	}
	return side(bandsOf(filer), label, rated.Score), side(p.bands, label, score), nil
}

// side tells where a score lies.
func side(bands []raters.ProfileBand, label string, score *int) string {
	i := slices.IndexFunc(bands, func(b raters.ProfileBand) bool { return b.Label == label })
	switch {
	case i < 0 || score == nil:
		return noLevel
	case *score < bands[i].Low:
		return "below"
	case *score > bands[i].High:
		return "above"
	}
	return "inside"
}

// levelsOf gives the levels of a rater, and those of a pool, lowest first.
func levelsOf(rater raters.Rater, filed []string) []string {
	levels := slices.Clone(filed)
	if p, ok := rater.(raters.Profiled); ok {
		for _, level := range p.Profile().Levels() {
			if !slices.Contains(levels, level) {
				levels = append(levels, level)
			}
		}
		if len(p.Profile().Bands) > 0 {
			levels = []string{"below", "inside", "above"}
		}
	}
	return levels
}
