package engine

import (
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
	Chain     []Step   `json:"chain,omitempty"` // of a supposition: what it leads to; see raters.Step
}

// StepsOf writes the steps of a rating out; none when its rater does not solve by steps.
func StepsOf(v raters.Rating) []Step {
	return writtenOut(v.Steps(), v.Naming, 1)
}

// writtenOut writes steps out, the first one of a number.
func writtenOut(solve []raters.Step, naming raters.Naming, first int) []Step {
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

func literals(n raters.Naming, list []raters.Literal) []string {
	texts := make([]string, len(list))
	for i, l := range list {
		texts[i] = n.Text(l)
	}
	return texts
}

// EncodedSteps gives the steps of a rating as they are recorded, nothing when there are none.
func EncodedSteps(rater raters.Rater, v raters.Rating) ([]byte, error) {
	steps := v.Steps()
	if len(steps) == 0 {
		return nil, nil
	}
	s := solveRecorder{rater: rater, index: map[string]int{}}
	s.solve = events.Solve{Columns: v.Naming.Columns, Variables: v.Naming.Variables, Values: v.Naming.Values}
	s.solve.Steps = s.record(steps)
	return events.EncodeSolve(s.solve)
}

// solveRecorder puts steps into the form in which they are recorded.
type solveRecorder struct {
	rater raters.Rater
	solve events.Solve
	index map[string]int // technique: where it stands in the solve
}

func (r *solveRecorder) record(steps []raters.Step) []events.Step {
	if len(steps) == 0 {
		return nil
	}
	out := make([]events.Step, len(steps))
	for i, step := range steps {
		at, ok := r.index[step.Technique]
		if !ok {
			at = len(r.solve.Techniques)
			r.index[step.Technique] = at
			r.solve.Techniques = append(r.solve.Techniques, events.Technique{Name: step.Technique, Level: step.Level, Tier: tierOf(r.rater, step.Technique)})
		}
		out[i] = events.Step{
			Technique: at, Instance: step.Instance, From: step.From, Chain: r.record(step.Chain),
			Placed: numbers(step.Placed), Removed: numbers(step.Removed), Because: numbers(step.Because),
		}
	}
	return out
}

func numbers(list []raters.Literal) []uint16 {
	out := make([]uint16, len(list))
	for i, n := range list {
		out[i] = uint16(n)
	}
	return out
}

func tierOf(rater raters.Rater, technique string) int {
	for _, t := range OrderOf(rater) {
		if t.Name == technique {
			return t.Tier
		}
	}
	return 0
}

// OrderOf gives the techniques of a rater as they are recorded; none when it has no order.
func OrderOf(rater raters.Rater) []events.Technique {
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

// RecordedSteps reads the steps of a rating on record; it needs no engine.
func RecordedSteps(b events.Rated) (raters.Rating, error) {
	s, _, err := b.Solve()
	if err != nil {
		return raters.Rating{}, err
	}
	naming := raters.Naming{Columns: s.Columns, Variables: s.Variables, Values: s.Values}
	return raters.Rating{Solve: raters.Steps(stepsOnRecord(s.Steps, s.Techniques)), Naming: naming}, nil
}

func stepsOnRecord(recorded []events.Step, techniques []events.Technique) []raters.Step {
	size := 0
	for _, step := range recorded {
		size += len(step.Placed) + len(step.Removed) + len(step.Because)
	}
	block := make([]raters.Literal, 0, size) // room for all lists
	literals := func(list []uint16) []raters.Literal {
		start := len(block)
		for _, n := range list {
			block = append(block, raters.Literal(n))
		}
		return block[start:len(block):len(block)]
	}
	if len(recorded) == 0 {
		return nil
	}
	steps := make([]raters.Step, len(recorded))
	for i, step := range recorded {
		t := techniques[step.Technique]
		steps[i] = raters.Step{
			Technique: t.Name, Level: t.Level, Instance: step.Instance, From: step.From, Chain: stepsOnRecord(step.Chain, techniques),
			Placed: literals(step.Placed), Removed: literals(step.Removed), Because: literals(step.Because),
		}
	}
	return steps
}
