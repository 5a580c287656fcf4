package deduce

import (
	"slices"

	"assay/raters"
)

// Order is a prepared profile: the order in which a rater tries its techniques, and their levels.
type Order struct {
	list        []rankedTechnique
	propagating []int    // techniques, in the order of Spec.Techniques
	levelOf     []string // technique: its level, "" when it is switched off
	levels      []string // lowest first
	steps       int      // of the longest supposition
}

// rankedTechnique is a technique with its rank in the order of levels.
type rankedTechnique struct {
	index int // in Spec.Techniques
	rank  int // of its level
}

// NewOrder prepares a profile. The built-in profile lists the techniques in the order of techniques, and the other one
// has passed its Check.
func NewOrder(techniques []Technique, builtIn, p raters.Profile) *Order {
	o := &Order{levels: builtIn.Levels(), levelOf: make([]string, len(techniques))}
	for _, t := range p.Techniques {
		i := slices.IndexFunc(techniques, func(u Technique) bool { return u.Name == t.Name })
		o.levelOf[i] = t.Level
		o.list = append(o.list, rankedTechnique{index: i, rank: slices.Index(o.levels, t.Level)})
		if trial := techniques[i].Suppose; trial != nil && trial.Rounds == 0 {
			o.steps = max(o.steps, limit(trial.Steps))
		}
	}
	for i := range techniques {
		if techniques[i].Propagates && o.levelOf[i] != "" {
			o.propagating = append(o.propagating, i)
		}
	}
	return o
}

// UpTo returns the order without the techniques above a level. A level that the profile does not have leaves no
// technique. Techniques that propagate in suppositions stay.
func (o *Order) UpTo(level string) *Order {
	cut := *o
	rank := slices.Index(o.levels, level)
	n := slices.IndexFunc(o.list, func(t rankedTechnique) bool { return t.rank > rank })
	if n >= 0 {
		cut.list = o.list[:n]
	}
	return &cut
}

// longest returns how many steps are worth tracing. A break that depends on more steps is of no use to any supposition of this kind.
func (o *Order) longest(t *Trial) int {
	if t.Rounds > 0 {
		return limit(t.Steps)
	}
	return o.steps
}
