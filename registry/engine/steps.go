package engine

import (
	"assay/events"
	"assay/raters"
	"assay/raters/logic"
)

// Step is one deduction of a solve, as scripts read it.
type Step struct {
	N         int      `json:"n"`
	Technique string   `json:"technique"`
	Level     string   `json:"level"`
	Placed    []string `json:"placed"`
	Removed   []string `json:"removed"`
	Because   []string `json:"because"`
	From      []int    `json:"from"` // numbers of the earlier steps that the reasons come from
	Text      string   `json:"text"`
	Chain     []Step   `json:"chain,omitempty"` // of a supposition: what it leads to; see logic.Step
}

// StepsOf returns the steps of a rating as objects; none when its rater does not solve by steps.
func StepsOf(v raters.Rating) []Step {
	return writtenOut(v.Steps(), v.Naming, 1)
}

// writtenOut returns steps as objects, numbered from first.
func writtenOut(solve []logic.Step, naming logic.Naming, first int) []Step {
	steps := make([]Step, len(solve))
	for i, s := range solve {
		steps[i] = Step{
			N: first + i, Technique: s.Technique, Level: s.Level, Text: s.Text(naming),
			Placed: literals(naming, s.Placed), Removed: literals(naming, s.Removed), Because: literals(naming, s.Because),
			From: make([]int, len(s.From)),
		}
		for k, n := range s.From {
			steps[i].From[k] = int(n)
		}
		if len(s.Chain) > 0 {
			steps[i].Chain = writtenOut(s.Chain, naming, first+i+1)
		}
	}
	return steps
}

func literals(n logic.Naming, list []logic.Literal) []string {
	texts := make([]string, len(list))
	for i, l := range list {
		texts[i] = n.Text(l)
	}
	return texts
}

// EncodedSteps returns the steps of a rating in recorded form, nil when there are none.
func EncodedSteps(rater raters.Rater, v raters.Rating) ([]byte, error) {
	steps := v.Steps()
	if len(steps) == 0 {
		return nil, nil
	}
	return events.EncodeSolve(events.Solve{Naming: v.Naming, Techniques: OrderOf(rater), Steps: steps})
}

// OrderOf returns the techniques of a rater in its order; none when it has no order.
func OrderOf(rater raters.Rater) []logic.Technique {
	if profiled, ok := rater.(raters.Profiled); ok {
		return profiled.Profile().Techniques
	}
	return nil
}

// RecordedSteps reads the steps of a rater on record; it needs no engine.
func RecordedSteps(b events.Rated) (raters.Rating, error) {
	s, _, err := b.Solve()
	return raters.Rating{Solve: raters.Steps(s.Steps), Naming: s.Naming}, err
}
