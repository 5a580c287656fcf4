package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/events"
	"assay/raters"
	"assay/raters/logic"
	"assay/registry/engine"
)

// move is a puzzle whose level moves.
type move struct {
	subject
	rating raters.Rating // the new one
	got    *assessment
}

// filing is the rater that files a pool, and the possible causes for other levels of the new rater.
type filing struct {
	events.Adopted
	cause       string // the cause of every move; "" when the new rater is the same in the same version
	differences        // between the two profiles, if cause is ""
}

// filingOf compares the rater that files a pool with the new one.
func (a *assessor) filingOf(ctx context.Context, v raters.Variant, by events.Adopted) (filing, error) {
	f := filing{Adopted: by, cause: a.codeCause(by.Rater, by.Version)}
	if f.cause != "" {
		return f, nil
	}
	was, runs, err := a.raterAt(ctx, v, by.Rater, by.Version)
	if err != nil {
		return f, err
	}
	if !runs {
		f.cause = "version"
		return f, nil
	}
	is, err := a.asks.Rater(raters.Puzzle{Genre: v.Genre, Variant: v.Name})
	if err != nil {
		return f, nil // a puzzle of the variant is an error when there is one
	}
	f.differences, err = differencesBetween(v, was, is)
	return f, err
}

// codeCause returns the cause of every move when the new rater is another one, or another version, whatever its
// profile.
func (a *assessor) codeCause(rater, version string) string {
	was, _, _ := strings.Cut(version, "+")
	is, _, _ := strings.Cut(a.to.Version(), "+")
	switch {
	case rater != a.to.Name():
		return "rater"
	case was != is:
		return "version"
	}
	return ""
}

// differencesBetween compares two profiles of one of a variant's raters.
func differencesBetween(v raters.Variant, was, is raters.Rater) (differences, error) {
	old, profiled := was.(raters.Profiled)
	if !profiled {
		return differences{}, nil
	}
	builtIn, err := engine.ProfiledOf(v, was.Name())
	if err != nil {
		return differences{}, err
	}
	return differencesOf(old.Profile(), is.(raters.Profiled).Profile(), builtIn.Profile().Levels())
}

// explain finds for each move the cause, and the first step that differs from the recorded solve.
func (a *assessor) explain(ctx context.Context, moved []move) error {
	keys := make([]events.Key, 0, len(moved))
	for i := range moved {
		m := &moved[i]
		cause, err := a.cause(ctx, m)
		if err != nil {
			return err
		}
		m.got.change = &ReplayChange{Schema: "replay-change/1", ID: m.ID, From: m.got.before, To: m.got.after, Cause: cause}
		filed := a.from[m.Variant]
		keys = append(keys, events.RatedKey(m.ID, filed.Rater, filed.Version))
	}
	if len(a.bands) > 0 {
		return nil
	}
	recorded, err := events.GetEach(ctx, a.Log, keys)
	if err != nil {
		return err
	}
	for i, m := range moved {
		rated, err := events.As[events.Rated](recorded[i])
		if err != nil {
			return err
		}
		was, err := engine.RecordedSteps(rated)
		if err != nil {
			return err
		}
		m.got.change.First = firstDifference(countedSteps(was.Steps()), countedSteps(m.rating.Steps()), m.rating.Naming)
	}
	return nil
}

// cause names the smallest set of differences that gives the new level when it is put into the old profile.
func (a *assessor) cause(ctx context.Context, m *move) (string, error) {
	f := a.from[m.Variant]
	if cause := cmp.Or(m.got.cause, f.cause); cause != "" {
		return cause, nil
	}
	set, minimal, err := smallest(len(f.list), func(set uint64) (bool, error) {
		level, err := a.levelUnder(ctx, f.under(set), m.puzzle)
		return level == m.got.after, err
	})
	text := f.text(set)
	if !minimal {
		text += " (not minimal)"
	}
	return text, err
}

// levelUnder returns the level of a puzzle under another profile of the new rater; "" when there is none, for example
// without techniques.
func (a *assessor) levelUnder(ctx context.Context, profile raters.Profile, puzzle raters.Puzzle) (string, error) {
	if err := ctx.Err(); err != nil || len(profile.Techniques) == 0 {
		return "", err
	}
	of, err := a.asks.Rater(puzzle)
	if err != nil {
		return "", err
	}
	rater, err := of.(raters.Profiled).With(profile)
	if err != nil {
		return "", fmt.Errorf("a part of the differences makes no profile: %w", err)
	}
	v := engine.Ask(ctx, rater, puzzle)
	if v.Err != nil || v.Refused != "" {
		return "", v.Err
	}
	return engine.OrUnrated(v.Rating.Level), nil
}

// countedStep is a step with its number in the solve. Bookkeeping is not counted.
type countedStep struct {
	number int
	logic.Step
}

func countedSteps(solve []logic.Step) (steps []countedStep) {
	for i, s := range solve {
		if s.Level != "" {
			steps = append(steps, countedStep{i + 1, s})
		}
	}
	return steps
}

// firstDifference finds where two solves differ: where a step has another conclusion. Another technique or level alone
// does not count.
func firstDifference(old, now []countedStep, n logic.Naming) *Difference {
	i := 0
	for i < len(old) && i < len(now) && sameStep(old[i].Step, now[i].Step) {
		i++
	}
	if i == len(old) && i == len(now) {
		return nil
	}
	d := &Difference{}
	if i < len(old) {
		d.Step, d.From = old[i].number, old[i].Text(n)
	}
	if i < len(now) {
		d.Step, d.To = now[i].number, now[i].Text(n)
	}
	return d
}

func sameStep(a, b logic.Step) bool {
	return slices.Equal(a.Placed, b.Placed) && slices.Equal(a.Removed, b.Removed)
}
