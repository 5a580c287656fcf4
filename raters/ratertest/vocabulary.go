package ratertest

import (
	"context"
	"errors"
	"fmt"

	"assay/raters"
	"assay/raters/logic"
)

// vocabulary checks that what every rater says of every puzzle passes the check that what others say has to pass, and that
// a word of it changed does not.
func (s Suite) vocabulary(ctx context.Context) error {
	puzzles := s.Puzzles
	for _, r := range s.Requests {
		if g, err := s.variant().Generator.Generate(ctx, r); err == nil { // else another check tells
			puzzles = append(puzzles[:len(puzzles):len(puzzles)], g.Puzzle)
		}
	}
	for _, scale := range s.variant().Scales {
		rater := scale.Rater
		c := raters.NewChecker(scale, rater)
		for _, p := range puzzles {
			rating, err := rater.Rate(ctx, p)
			if err != nil {
				continue // the same
			}
			if err := errors.Join(c.Rating(p, rating), spoilt(c, p, rating)); err != nil {
				return fmt.Errorf("%s of %q: %w", rater.Name(), p.Text, err)
			}
		}
	}
	return nil
}

// spoilt checks that a rating with one thing changed does not pass.
func spoilt(c raters.Checker, p raters.Puzzle, r raters.Rating) error {
	for name, spoil := range spoilers {
		changed := r
		changed.Techniques = append([]raters.TechniqueUse{}, r.Techniques...)
		changed.Terms = append([]raters.Term{}, r.Terms...)
		changed.Solve = raters.Steps(append([]logic.Step{}, r.Steps()...))
		if spoil(&changed) && c.Rating(p, changed) == nil {
			return errors.New("it passes the check with " + name)
		}
	}
	return nil
}

// spoilers change one thing, if there is one to change.
var spoilers = map[string]func(*raters.Rating) bool{
	"an outcome of its own":  func(r *raters.Rating) bool { r.Outcome = "guessed"; return true },
	"an unknown level":       func(r *raters.Rating) bool { r.Level = "no/such\x1b[31m"; return true },
	"tier 99":                func(r *raters.Rating) bool { r.Tier = 99; return true },
	"another hardest":        func(r *raters.Rating) bool { r.Hardest += "s"; return true },
	"clues below none":       func(r *raters.Rating) bool { r.Clues = -1; return true },
	"a score more, or one":   func(r *raters.Rating) bool { r.Score = raised(r.Score); return true },
	"a term of its own":      func(r *raters.Rating) bool { r.Terms = append(r.Terms, raters.Term{Name: "luck"}); return true },
	"a technique of its own": func(r *raters.Rating) bool { r.Techniques = append(r.Techniques, luckyUse); return true },
	"a step of its own":      func(r *raters.Rating) bool { return further(r, logic.Step{Technique: "guess", Level: "easy"}) },
	"a use more":             func(r *raters.Rating) bool { return first(r, func(u *raters.TechniqueUse) { u.Uses++; u.Removed++ }) },
	"a candidate less":       func(r *raters.Rating) bool { return first(r, func(u *raters.TechniqueUse) { u.Removed-- }) },
	"a level of a technique": func(r *raters.Rating) bool { return first(r, func(u *raters.TechniqueUse) { u.Level += "er" }) },
	"no steps":               func(r *raters.Rating) bool { n := len(r.Steps()); r.Solve = nil; return n > 0 && len(r.Techniques) > 0 },
	"a literal off the board": func(r *raters.Rating) bool {
		return firstStep(r, func(s *logic.Step) {
			s.Because = append(s.Because[:len(s.Because):len(s.Because)], logic.Lit(4095, 15))
		})
	},
	"an escape in an instance": func(r *raters.Rating) bool { return firstStep(r, func(s *logic.Step) { s.Instance += "\x1b" }) },
	"a step that comes from itself": func(r *raters.Rating) bool {
		return firstStep(r, func(s *logic.Step) { s.From = []uint16{1} })
	},
	"a step twice": func(r *raters.Rating) bool {
		steps := r.Steps()
		return len(steps) > 0 && further(r, steps[0])
	},
	"other names": func(r *raters.Rating) bool { r.Naming.Values = []string{"\x1b"}; return len(r.Steps()) > 0 },
}

var luckyUse = raters.TechniqueUse{Name: "guess", Level: "easy", Uses: 1, Placed: 1}

func raised(score *int) *int {
	if score == nil {
		return new(int)
	}
	return new(*score + 1)
}

func first(r *raters.Rating, spoil func(*raters.TechniqueUse)) bool {
	if len(r.Techniques) == 0 || len(r.Steps()) == 0 {
		return false
	}
	spoil(&r.Techniques[0])
	return true
}

func firstStep(r *raters.Rating, spoil func(*logic.Step)) bool {
	steps := r.Steps()
	if len(steps) == 0 {
		return false
	}
	spoil(&steps[0])
	return true
}

func further(r *raters.Rating, step logic.Step) bool {
	r.Solve = raters.Steps(append(r.Steps(), step))
	return true
}
