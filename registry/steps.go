package registry

import (
	"context"
	"fmt"

	"assay/events"
	"assay/raters"
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
}

// StepsOf writes the steps of a rating out; none when its rater does not solve by steps.
func StepsOf(v raters.Rating) []Step {
	solve := v.Steps()
	steps := make([]Step, len(solve))
	for i, s := range solve {
		steps[i] = Step{
			N: i + 1, Technique: s.Technique, Level: s.Level, Text: s.Text(v.Naming),
			Placed: literals(v.Naming, s.Placed), Removed: literals(v.Naming, s.Removed), Because: literals(v.Naming, s.Because),
			From: make([]int, len(s.From)),
		}
		for k, n := range s.From {
			steps[i].From[k] = int(n)
		}
	}
	return steps
}

func literals(n raters.Naming, list []raters.Literal) []string {
	texts := make([]string, len(list))
	for i, l := range list {
		texts[i] = n.Text(l)
	}
	return texts
}

// encodedSteps gives the steps of a rating as they are recorded, nothing when there are none.
func encodedSteps(rater raters.Rater, v raters.Rating) ([]byte, error) {
	steps := v.Steps()
	if len(steps) == 0 {
		return nil, nil
	}
	s := events.Solve{Columns: v.Naming.Columns, Variables: v.Naming.Variables, Values: v.Naming.Values, Steps: make([]events.Step, len(steps))}
	index := map[string]int{}
	for i, step := range steps {
		at, ok := index[step.Technique]
		if !ok {
			at = len(s.Techniques)
			index[step.Technique] = at
			s.Techniques = append(s.Techniques, events.Technique{Name: step.Technique, Level: step.Level, Tier: tierOf(rater, step.Technique)})
		}
		s.Steps[i] = events.Step{
			Technique: at, Instance: step.Instance, From: step.From,
			Placed: numbers[uint16](step.Placed), Removed: numbers[uint16](step.Removed), Because: numbers[uint16](step.Because),
		}
	}
	return events.EncodeSolve(s)
}

func numbers[T, F ~uint16](list []F) []T {
	out := make([]T, len(list))
	for i, n := range list {
		out[i] = T(n)
	}
	return out
}

func tierOf(rater raters.Rater, technique string) int {
	for _, t := range orderOf(rater) {
		if t.Name == technique {
			return t.Tier
		}
	}
	return 0
}

// orderOf gives the techniques of a rater as they are recorded; none when it has no order.
func orderOf(rater raters.Rater) []events.Technique {
	profiled, ok := rater.(raters.Profiled)
	if !ok {
		return nil
	}
	var order []events.Technique
	for _, t := range profiled.Profile().Techniques {
		order = append(order, events.Technique{Name: t.Name, Level: t.Level, Tier: t.Tier})
	}
	return order
}

// recordedSteps reads the steps of a rating on record; it needs no engine.
func recordedSteps(b events.Rated) (raters.Rating, error) {
	s, _, err := b.Solve()
	if err != nil {
		return raters.Rating{}, err
	}
	steps := make(raters.Steps, len(s.Steps))
	for i, step := range s.Steps {
		t := s.Techniques[step.Technique]
		steps[i] = raters.Step{
			Technique: t.Name, Level: t.Level, Instance: step.Instance, From: step.From,
			Placed: numbers[raters.Literal](step.Placed), Removed: numbers[raters.Literal](step.Removed), Because: numbers[raters.Literal](step.Because),
		}
	}
	naming := raters.Naming{Columns: s.Columns, Variables: s.Variables, Values: s.Values}
	return raters.Rating{Solve: steps, Naming: naming}, nil
}

// solveOnRecord gives the recorded solve of a rating on record.
func (r *Registry) solveOnRecord(ctx context.Context, v Rating) (raters.Rating, error) {
	e, err := r.Log.Get(ctx, events.RatedKey(v.ID, v.Rater, string(v.Version)))
	if err != nil {
		return raters.Rating{}, err
	}
	b, ok := e.Body.(events.Rated)
	if !ok {
		return raters.Rating{}, fmt.Errorf("event %d under %s is of kind %s", e.Seq, e.Key, e.Body.Kind())
	}
	return recordedSteps(b)
}

// ShowSteps is Show, with the recorded steps of each rating.
func (r *Registry) ShowSteps(ctx context.Context, id string) (Record, error) {
	rec, err := r.Show(ctx, id)
	if err != nil {
		return rec, err
	}
	for i := range rec.Ratings {
		solve, err := r.solveOnRecord(ctx, rec.Ratings[i])
		if err != nil {
			return rec, err
		}
		rec.Ratings[i].Steps = StepsOf(solve)
	}
	return rec, nil
}
