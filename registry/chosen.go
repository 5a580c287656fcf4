package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/events"
	"assay/projections/archive"
	"assay/projections/puzzles"
	"assay/raters"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/schedule"
)

// DateRequest asks for the puzzle of one date by name. The date may be one whose puzzle was withdrawn.
type DateRequest struct {
	Series   string
	Date     schedule.Date
	Puzzle   string // its ID; "" for a puzzle by the policy
	Released bool   // even if readers saw another puzzle, which was withdrawn
	Actor    string
	Reason   string
}

// PublishDate gives one date a puzzle, or a chosen puzzle, unless a publication stands; added reports whether it did.
// Dates that no publisher fills by itself get a puzzle again in this way. A chosen puzzle must have the genre and
// variant of the date's policy, and no series may have published it. If its grade is not the policy's, it needs a
// reason.
func (r *Registry) PublishDate(ctx context.Context, req DateRequest) (day Day, added bool, err error) {
	if err := checkText("reason", req.Reason); err != nil {
		return Day{}, false, err
	}
	p, err := r.publisher(ctx, req.Series, req.Actor, req.Reason)
	if err != nil {
		return Day{}, false, err
	}
	if err := r.checkClock(ctx, r.Now()); err != nil {
		return Day{}, false, err
	}
	placed, added, err := p.place(ctx, req.Date, func(history archive.Day) ([]fact, error) {
		if err := checkReplaces(history, req); err != nil {
			return nil, err
		}
		rule, err := p.ruleFor(req.Date, history)
		switch {
		case err != nil:
			return nil, err
		case req.Puzzle != "":
			return p.chosen(ctx, rule, req, history.Next())
		}
		return p.publication(ctx, rule, req.Date, history.Next())
	})
	if err != nil {
		return Day{}, false, err
	}
	if req.Puzzle != "" && placed.ID != req.Puzzle {
		err = input.Errorf("%s has %s already: withdraw it first", req.Date, placed.ID)
	}
	return *placed, added, err
}

// checkReplaces refuses to replace a puzzle that readers saw, unless the request says so and has a reason.
func checkReplaces(history archive.Day, req DateRequest) error {
	last, ok := history.Last()
	if !ok || !last.Seen() {
		return nil
	}
	if !req.Released || strings.TrimSpace(req.Reason) == "" {
		return input.Errorf("readers saw another puzzle on %s, which was withdrawn after its release: say --released and --reason to put one in its place", req.Date)
	}
	return nil
}

// chosen returns the facts of the publication of a puzzle that a person named.
func (p *publisher) chosen(ctx context.Context, rule schedule.Rule, req DateRequest, revision int) ([]fact, error) {
	k, err := p.lookUp(ctx, req.Puzzle)
	if err != nil {
		return nil, err
	}
	day := rule.Day(req.Date)
	if k.Puzzle.Genre != day.Genre || k.Puzzle.Variant != day.Variant {
		return nil, input.Errorf("%s is of %s/%s, and %s asks for %s/%s on %s",
			k.ID, k.Puzzle.Genre, k.Puzzle.Variant, p.nameOf(rule, req.Date), day.Genre, day.Variant, req.Date)
	}
	if err := p.checkFree(k.ID); err != nil {
		return nil, err
	}
	v, err := engine.Find(p.Genres, day.Genre, day.Variant)
	if err != nil {
		return nil, err
	}
	adoption, err := p.adoption(poolName{genre: day.Genre, variant: day.Variant})
	if err != nil {
		return nil, err
	}
	rated, has, err := p.measured(ctx, k, adoption.Adopted)
	if err != nil {
		return nil, err
	}
	if wanted := (Grade{day.Level, rule.Stuck(req.Date)}); has != wanted && strings.TrimSpace(req.Reason) == "" {
		return nil, input.Errorf("%s is %s, and %s asks for %s on %s: say why with --reason", k.ID, has, p.nameOf(rule, req.Date), wanted, req.Date)
	}
	body := p.published(rule, req.Date, revision)
	body.Chosen = true
	if body.Like, err = p.likeOf(v, k.Puzzle, k.Solution, req.Date); err != nil {
		return nil, err
	}
	facts, err := p.onRecord(ctx, k.ID, adoption.Adopted, body)
	return append(rated, facts...), err
}

// nameOf names the policy under which a date is published, and says so if it is not the one in force.
func (p *publisher) nameOf(rule schedule.Rule, date schedule.Date) string {
	if now, ok := p.rules.At(date); ok && now.Policy.Revision != rule.Policy.Revision {
		return fmt.Sprintf("policy %d, of the day it replaces,", rule.Policy.Revision)
	}
	return "the policy"
}

// Grade is what a policy asks for, or what a puzzle has: a level, and whether the rater got stuck.
type Grade struct {
	Level string
	Stuck bool
}

// String writes a grade for people: "evil, stuck".
func (g Grade) String() string {
	text := cmp.Or(g.Level, "without a level")
	if g.Stuck {
		text += ", stuck"
	}
	return text
}

// gradeOf returns the grade of a verdict.
func gradeOf(level, outcome string) Grade {
	return Grade{Level: level, Stuck: outcome == string(raters.Stuck)}
}

// checkFree refuses a puzzle that a series published, or that was dropped.
func (r *Registry) checkFree(id string) error {
	p, err := r.pooled(id)
	switch {
	case err != nil:
		return err
	case p.Published:
		return input.Errorf("%s was published before: assay history %s tells where", id, id)
	case p.Dropped:
		return input.Errorf("%s was dropped: assay pool restore %s takes that back", id, id)
	}
	return nil
}

// measured returns the grade that the rater of a pool gave a puzzle. If there is no rating on record, it also returns
// the new rating as a fact. If the rater has no levels, the grade is the level that was requested from the generator.
func (r *Registry) measured(ctx context.Context, k known, a events.Adopted) (rated []fact, has Grade, err error) {
	key := events.RatedKey(k.ID, a.Rater, a.Version)
	if slices.ContainsFunc(k.Facts, func(f puzzles.Fact) bool { return f.Key == key }) {
		_, b, err := events.Of[events.Rated](ctx, r.Log, key)
		if err != nil {
			return nil, has, err
		}
		has = gradeOf(b.Level, b.Outcome)
	} else if rated, has, err = r.rateFor(ctx, k, a); err != nil {
		return nil, has, err
	}
	if has == (Grade{}) {
		has.Level = puzzles.SourceOf(k.Facts).Label
	}
	return rated, has, err
}

// rateFor rates a puzzle on record with the rater of a pool, and returns the facts and the grade.
func (r *Registry) rateFor(ctx context.Context, k known, a events.Adopted) ([]fact, Grade, error) {
	_, rater, err := r.poolRater(ctx, a)
	if err != nil {
		return nil, Grade{}, err
	}
	rating, err := engine.Rate(ctx, rater, k.Puzzle)
	if err == nil && !rating.IsFact() {
		err = fmt.Errorf("%s %s finds %s %s", a.Rater, a.Version, k.ID, rating.Outcome)
	}
	if err != nil {
		return nil, Grade{}, err
	}
	f, err := ratedFact(rater, rating, puzzles.SourceOf(k.Facts))
	return append(profileFacts(rater), f), gradeOf(rating.Level, rating.Outcome), err
}
