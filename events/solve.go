package events

import (
	"fmt"

	"assay/raters/logic"
)

// Solve is the steps of a solve, with what is needed to read them without the engine that took them.
type Solve struct {
	Naming     logic.Naming
	Techniques []logic.Technique // the techniques whose tiers are recorded, among them those of the steps
	Steps      []logic.Step
}

// writtenSolve is the encoded form of a solve.
type writtenSolve struct {
	_          struct{} `cbor:",toarray"`
	Columns    int
	Variables  []string
	Values     []string
	Techniques []logic.Technique // in the order in which the steps begin to use them
	Steps      []writtenStep
}

// writtenChains is the encoded form of a solve with chains: a list with one more element, the chains. A solve without
// chains leaves it out.
type writtenChains struct {
	_          struct{} `cbor:",toarray"`
	Columns    int
	Variables  []string
	Values     []string
	Techniques []logic.Technique
	Steps      []writtenStep
	Chains     []writtenChain
}

// writtenChain is the encoded form of the chain of a step.
type writtenChain struct {
	_     struct{} `cbor:",toarray"`
	Step  int      // index
	Steps []writtenStep
}

// writtenStep is the encoded form of a step. Its technique is an index and its lists are differences: the literals of
// one solve are close together, so most differences take one byte.
type writtenStep struct {
	_         struct{} `cbor:",toarray"`
	Technique int
	Instance  string
	Placed    []int32
	Removed   []int32
	Because   []int32
	From      []int32
}

// EncodeSolve returns the bytes of Rated.Steps.
func EncodeSolve(s Solve) ([]byte, error) {
	w := solveWriter{known: s.Techniques, index: map[rule]int{}}
	steps := w.steps(s.Steps)
	var data []byte
	var err error
	if len(w.chains) > 0 {
		data, err = encoder.Marshal(writtenChains{Columns: s.Naming.Columns, Variables: s.Naming.Variables, Values: s.Naming.Values,
			Techniques: w.techniques, Steps: steps, Chains: w.chains})
	} else {
		data, err = encoder.Marshal(writtenSolve{Columns: s.Naming.Columns, Variables: s.Naming.Variables, Values: s.Naming.Values,
			Techniques: w.techniques, Steps: steps})
	}
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	return data, nil
}

// rule is what takes a step: a technique at its level.
type rule struct{ name, level string }

// solveWriter encodes steps.
type solveWriter struct {
	known      []logic.Technique
	techniques []logic.Technique // used so far
	index      map[rule]int      // its place among these
	chains     []writtenChain
	numbers    []int32 // room for all lists
}

func (w *solveWriter) steps(steps []logic.Step) []writtenStep {
	out := make([]writtenStep, len(steps))
	for i, step := range steps {
		out[i] = w.step(step)
		if len(step.Chain) > 0 {
			w.chains = append(w.chains, writtenChain{Step: i, Steps: w.steps(step.Chain)})
		}
	}
	return out
}

func (w *solveWriter) step(s logic.Step) writtenStep {
	by := rule{s.Technique, s.Level}
	at, ok := w.index[by]
	if !ok {
		at = len(w.techniques)
		w.index[by] = at
		w.techniques = append(w.techniques, logic.Technique{Name: s.Technique, Level: s.Level, Tier: w.tier(s.Technique)})
	}
	return writtenStep{
		Technique: at, Instance: s.Instance,
		Placed: differences(&w.numbers, s.Placed), Removed: differences(&w.numbers, s.Removed),
		Because: differences(&w.numbers, s.Because), From: differences(&w.numbers, s.From),
	}
}

// tier returns the tier of a technique; bookkeeping has none.
func (w *solveWriter) tier(technique string) int {
	for _, t := range w.known {
		if t.Name == technique {
			return t.Tier
		}
	}
	return 0
}

// differences returns each number of a list minus the one before it. Its result uses the memory of block.
func differences[N ~uint16](block *[]int32, list []N) []int32 {
	start, before := len(*block), N(0)
	for _, n := range list {
		*block = append(*block, int32(n)-int32(before))
		before = n
	}
	return (*block)[start:len(*block):len(*block)]
}

// Solve reads the recorded steps. It returns false when none were recorded.
func (r Rated) Solve() (Solve, bool, error) {
	if len(r.Steps) == 0 {
		return Solve{}, false, nil
	}
	s, err := decodeSolve(r.Steps)
	if err != nil {
		return Solve{}, false, fmt.Errorf("steps of %s: %w", r.Puzzle, err)
	}
	return s, true, nil
}

// decodeSolve reads the bytes of EncodeSolve.
func decodeSolve(data []byte) (s Solve, err error) {
	r := solveReader{Fields: FieldsOf(data), literals: make([]logic.Literal, 0, len(data)), from: make([]uint16, 0, len(data)/4)}
	parts := r.List()
	r.require(parts == 5 || parts == 6)
	s.Naming = logic.Naming{Columns: r.Int(), Variables: r.texts(), Values: r.texts()}
	r.require(s.Naming.Columns >= 0)
	r.techniques = make([]logic.Technique, r.List())
	for i := range r.techniques {
		r.expect(3)
		r.techniques[i] = logic.Technique{Name: r.Text(), Level: r.Text(), Tier: r.Int()}
	}
	s.Techniques, s.Steps = r.techniques, r.steps()
	if parts == 6 {
		r.chains(s.Steps)
	}
	if err := r.End(); err != nil {
		return Solve{}, err
	}
	return s, nil
}

// solveReader reads the parts of a solve.
type solveReader struct {
	Fields
	techniques []logic.Technique
	literals   []logic.Literal // room for all lists: each number takes a byte at least
	from       []uint16        // the same
}

// expect reads the beginning of a list that must have n elements.
func (r *solveReader) expect(n int) { r.require(r.List() == n) }

func (r *solveReader) texts() []string {
	list := make([]string, r.List())
	for i := range list {
		list[i] = r.Text()
	}
	return list
}

func (r *solveReader) steps() []logic.Step {
	steps := make([]logic.Step, r.List())
	for i := range steps {
		r.expect(6)
		technique := r.Int()
		if r.require(technique >= 0 && technique < len(r.techniques)); r.bad {
			return nil
		}
		t := r.techniques[technique]
		steps[i] = logic.Step{
			Technique: t.Name, Level: t.Level, Instance: r.Text(),
			Placed: sums(r, &r.literals), Removed: sums(r, &r.literals), Because: sums(r, &r.literals), From: sums(r, &r.from),
		}
	}
	return steps
}

// sums reads a list of differences. Its result uses the memory of block.
func sums[N ~uint16](r *solveReader, block *[]N) []N {
	start, at := len(*block), 0
	for range r.List() {
		at += r.Int()
		if r.require(at >= 0 && at < 1<<16); r.bad {
			return nil
		}
		*block = append(*block, N(at))
	}
	return (*block)[start:len(*block):len(*block)]
}

func (r *solveReader) chains(steps []logic.Step) {
	n, before := r.List(), -1
	r.require(n > 0)
	for range n {
		r.expect(2)
		at, chain := r.Int(), r.steps()
		if r.require(at > before && at < len(steps) && len(chain) > 0); r.bad {
			return
		}
		steps[at].Chain, before = chain, at
	}
}
