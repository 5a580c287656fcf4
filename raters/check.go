package raters

import (
	"fmt"
	"slices"

	"assay/events/plain"
	"assay/raters/logic"
)

// Vocabulary is what a rater's ratings of a puzzle may say, beside what its profile says.
type Vocabulary struct {
	Variables int          // of the puzzle's literals; 0 when the rater does not solve by steps
	Naming    logic.Naming // of the same
	// Rules are the names of steps that count for neither level nor score: bookkeeping, and what is broken at the end of
	// a chain.
	Rules []string
	// ByLiterals: the score is how many literals the steps of techniques remove and rely on.
	ByLiterals bool
	Terms      []string // of the score, in the rater's order
	Counted    []string // of these, those that add up to the score
}

// Spoken is a rater that declares what its ratings may say. One that does not has no steps, no terms and no score.
type Spoken interface {
	Rater
	Vocabulary(p Puzzle) Vocabulary
}

// Checker tells of ratings that no rater can have given. It looks at what every rating of a rater has in common, and
// solves nothing: one that passes may be wrong.
type Checker struct {
	rater  Rater
	levels []string // lowest first
	stuck  string   // the level of a puzzle that the techniques do not finish; "" when it has none
	tiered bool
	order  []logic.Technique
	at     map[string]int // technique: its place in the order
}

// NewChecker returns the checker of the rater of a scale, which may have a profile of its own.
func NewChecker(s Scale, rater Rater) Checker {
	c := Checker{rater: rater, stuck: s.Stuck, at: map[string]int{}}
	if builtIn, ok := s.Rater.(Profiled); ok {
		profile := builtIn.Profile()
		c.levels = profile.Levels()
		c.tiered = slices.ContainsFunc(profile.Techniques, func(t logic.Technique) bool { return t.Tier > 0 })
		if c.stuck != "" && !slices.Contains(c.levels, c.stuck) { // no technique is as hard
			c.levels = append(c.levels, c.stuck)
		}
	}
	if p, ok := rater.(Profiled); ok {
		c.order = p.Profile().Techniques
	}
	for i, t := range c.order {
		c.at[t.Name] = i
	}
	return c
}

func (c Checker) vocabulary(p Puzzle) Vocabulary {
	if s, ok := c.rater.(Spoken); ok {
		return s.Vocabulary(p)
	}
	return Vocabulary{}
}

// Verdict tells what cannot be about the outcome, the level and the tier of a rating, and whether it has a score; nil
// when all can.
func (c Checker) Verdict(p Puzzle, r Rating) error { return c.verdict(c.vocabulary(p), r) }

func (c Checker) verdict(v Vocabulary, r Rating) error {
	if err := c.outcome(r); err != nil {
		return err
	}
	tier := 0
	if r.Level != "" {
		at := slices.Index(c.levels, r.Level)
		if at < 0 {
			return fmt.Errorf("%s has no level %q", c.rater.Name(), r.Level)
		}
		if c.tiered {
			tier = at + 1
		}
	}
	if r.Tier != tier {
		return fmt.Errorf("tier %d of level %q, not %d", r.Tier, r.Level, tier)
	}
	if scores := v.ByLiterals || len(v.Counted) > 0; scores != (r.Score != nil) {
		return fmt.Errorf("%s gives a score: %v, and here is one: %v", c.rater.Name(), scores, r.Score != nil)
	}
	return nil
}

// outcome checks that a rating has a level where the outcome gives one.
func (c Checker) outcome(r Rating) error {
	fits := false
	switch r.Outcome {
	case Rated:
		fits = (r.Level == "") == (len(c.levels) == 0)
	case Stuck:
		fits = c.stuck != "" && r.Level == c.stuck
	case Unrated:
		fits = c.stuck == "" && len(c.levels) > 0 && r.Level == ""
	}
	if !fits {
		return fmt.Errorf("outcome %q with level %q", r.Outcome, r.Level)
	}
	return nil
}

// Summary is Verdict for a rating with what decided it, its steps left out.
func (c Checker) Summary(p Puzzle, r Rating) error { return c.summary(c.vocabulary(p), p, r) }

func (c Checker) summary(v Vocabulary, p Puzzle, r Rating) error {
	if err := c.verdict(v, r); err != nil {
		return err
	}
	if r.Clues < 0 || r.Clues > len(p.Text) {
		return fmt.Errorf("%d clues in a text of %d bytes", r.Clues, len(p.Text))
	}
	if err := c.uses(r.Techniques); err != nil {
		return err
	}
	if err := c.hardest(r); err != nil {
		return err
	}
	return v.terms(r)
}

// uses checks the counts of techniques: each is in the order, once, and each step did something.
func (c Checker) uses(list []TechniqueUse) error {
	before := -1
	for _, u := range list {
		at, known := c.at[u.Name]
		switch {
		case !known:
			return fmt.Errorf("the profile of %s has no technique %q", c.rater.Name(), u.Name)
		case u.Level != c.order[at].Level:
			return fmt.Errorf("technique %s is of level %q, not %s", u.Name, u.Level, c.order[at].Level)
		case at <= before:
			return fmt.Errorf("technique %s is out of order, or twice", u.Name)
		case u.Uses < 1 || u.Removed < 0 || u.Placed < 0 || u.Removed+u.Placed < u.Uses:
			return fmt.Errorf("technique %s was used %d times, and removed %d and placed %d", u.Name, u.Uses, u.Removed, u.Placed)
		}
		before = at
	}
	return nil
}

// hardest checks that the last technique used decides the level: the order never descends in level.
func (c Checker) hardest(r Rating) error {
	name, level := "", ""
	if len(c.levels) > 0 {
		level = c.levels[0]
	}
	if n := len(r.Techniques); n > 0 {
		name, level = r.Techniques[n-1].Name, r.Techniques[n-1].Level
	}
	switch r.Outcome {
	case Stuck:
		level = r.Level
	case Unrated:
		name, level = "", ""
	}
	if r.Hardest != name || r.Level != level {
		return fmt.Errorf("level %q by %q, and the techniques used make it %q by %q", r.Level, r.Hardest, level, name)
	}
	return nil
}

// terms checks the names of a score's terms, and that those which count add up to it.
func (v Vocabulary) terms(r Rating) error {
	names, sum := make([]string, 0, len(r.Terms)), 0
	for _, t := range r.Terms {
		names = append(names, t.Name)
		if slices.Contains(v.Counted, t.Name) {
			sum += t.Value
		}
	}
	switch {
	case !slices.Equal(names, v.Terms):
		return fmt.Errorf("the terms of the score are %q, not %q", names, v.Terms)
	case len(v.Counted) > 0 && sum != *r.Score:
		return fmt.Errorf("the terms add up to %d, not to the score %d", sum, *r.Score)
	}
	return nil
}

// Rating is Summary for a rating with its steps: they say what the counts say, of literals of the puzzle.
func (c Checker) Rating(p Puzzle, r Rating) error {
	v := c.vocabulary(p)
	if err := c.summary(v, p, r); err != nil {
		return err
	}
	s := stepChecker{Checker: c, Vocabulary: v, gone: make([]uint16, v.Variables), uses: make([]TechniqueUse, len(c.order))}
	steps := r.Steps()
	switch {
	case s.Variables == 0 && len(steps) > 0:
		return fmt.Errorf("%s does not solve by steps, and here are %d", c.rater.Name(), len(steps))
	case s.Variables == 0:
		return nil
	case len(steps) > 0 && !s.Naming.Equal(r.Naming):
		return fmt.Errorf("the steps name literals otherwise than %s does", c.rater.Name())
	}
	for i, step := range steps {
		if err := s.step(i+1, step); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return s.total(r)
}

// maxInstance is the longest name of an instance in bytes: the longest chains of the genres have a tenth.
const maxInstance = 4000

// maxSteps is how many steps can be numbered.
const maxSteps = 1<<16 - 1

// stepChecker goes over the steps of a solve.
type stepChecker struct {
	Checker
	Vocabulary
	gone  []uint16       // variable: its values that were removed so far
	uses  []TechniqueUse // by place in the order
	score int
}

// step checks a step, from 1, and counts it.
func (s *stepChecker) step(n int, step logic.Step) error {
	if n > maxSteps {
		return fmt.Errorf("there are more than %d", maxSteps)
	}
	at, counts, err := s.technique(step)
	if err == nil {
		err = s.part(step, n-1)
	}
	if err != nil {
		return err
	}
	if len(step.Removed)+len(step.Placed) == 0 {
		return fmt.Errorf("%s concludes nothing", step.Technique)
	}
	for _, l := range step.Removed {
		gone, value := &s.gone[l.Variable()], uint16(1)<<l.Value()
		if *gone&value != 0 {
			return fmt.Errorf("%s was removed before", s.Naming.Text(l))
		}
		*gone |= value
	}
	for _, inside := range step.Chain {
		if _, _, err := s.technique(inside); err != nil {
			return err
		}
		if err := s.part(inside, n+len(step.Chain)-1); err != nil {
			return err
		}
	}
	if counts {
		u := &s.uses[at]
		u.Uses, u.Removed, u.Placed = u.Uses+1, u.Removed+len(step.Removed), u.Placed+len(step.Placed)
		s.score += len(step.Removed) + len(step.Because)
	}
	return nil
}

// technique finds a step's technique in the order; it may be a rule that does not count.
func (s *stepChecker) technique(step logic.Step) (at int, counts bool, err error) {
	at, counts = s.at[step.Technique]
	level := ""
	if counts {
		level = s.order[at].Level
	} else if !slices.Contains(s.Rules, step.Technique) {
		return 0, false, fmt.Errorf("the profile of %s has no technique %q", s.rater.Name(), step.Technique)
	}
	if step.Level != level {
		return 0, false, fmt.Errorf("%s is of level %q, not %q", step.Technique, step.Level, level)
	}
	return at, counts, nil
}

// part checks the names in a step, or a step of a chain, which may come from the steps up to a number.
func (s *stepChecker) part(step logic.Step, upTo int) error {
	if len(step.Instance) > maxInstance {
		return fmt.Errorf("an instance of %d bytes", len(step.Instance))
	}
	if err := plain.Check(step.Instance); err != nil {
		return fmt.Errorf("instance: %w", err)
	}
	for _, list := range [][]logic.Literal{step.Placed, step.Removed, step.Because} {
		for _, l := range list {
			if l.Variable() >= s.Variables || l.Value() >= len(s.Naming.Values) {
				return fmt.Errorf("the puzzle has no literal %s", s.Naming.Text(l))
			}
		}
	}
	before := 0
	for _, from := range step.From {
		if int(from) <= before || int(from) > upTo {
			return fmt.Errorf("it comes from step %d", from)
		}
		before = int(from)
	}
	return nil
}

// total checks that the steps add up to the counts, and to the score.
func (s *stepChecker) total(r Rating) error {
	told := make([]TechniqueUse, len(s.order))
	for _, u := range r.Techniques {
		told[s.at[u.Name]] = TechniqueUse{Uses: u.Uses, Removed: u.Removed, Placed: u.Placed}
	}
	for i, u := range s.uses {
		if u != told[i] {
			return fmt.Errorf("the steps of %s are %d, and removed %d and placed %d; counted are %d, %d and %d",
				s.order[i].Name, u.Uses, u.Removed, u.Placed, told[i].Uses, told[i].Removed, told[i].Placed)
		}
	}
	if s.ByLiterals && s.score != *r.Score {
		return fmt.Errorf("the steps make a score of %d, not %d", s.score, *r.Score)
	}
	return nil
}
