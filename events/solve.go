package events

import (
	"errors"
	"fmt"
)

// Solve is the steps of a solve and what is needed to read them without the engine that took them.
//
// A literal is one value of one variable: the variable's index times 16 plus the index of the value.
type Solve struct {
	Columns    int      // of a grid, whose variable v is the cell r<v/Columns+1>c<v%Columns+1>; else 0
	Variables  []string // names of variables, when they are not the cells of a grid
	Values     []string // names of values
	Techniques []Technique
	Steps      []Step
}

// Technique is one technique of a rater. Tier is 0 when the rater has no tiers.
type Technique struct {
	_     struct{} `cbor:",toarray"`
	Name  string   `json:"name"`
	Level string   `json:"level"`
	Tier  int      `json:"tier"`
}

// Step is one deduction.
type Step struct {
	Technique int      // index into the solve's techniques
	Instance  string   // where the rule applies
	Placed    []uint16 // literals written
	Removed   []uint16 // literals removed
	Because   []uint16 // literals relied on: already removed
	From      []uint16 // numbers, from 1, of the earlier steps that removed those

	// Chain is set for a step that supposes the opposite of what it concludes: the steps from there to a
	// contradiction, and as the last one, which concludes nothing, the rule that is broken. In their From the
	// number of the step itself stands for the supposition, and the numbers after it for the steps of the chain.
	Chain []Step
}

// writtenSolve is a solve as it is written down.
type writtenSolve struct {
	_          struct{} `cbor:",toarray"`
	Columns    int
	Variables  []string
	Values     []string
	Techniques []Technique
	Steps      []writtenStep
}

// writtenChains is a solve with chains as it is written down: a list of one more, the chains. In a solve without
// them that is left out.
type writtenChains struct {
	_          struct{} `cbor:",toarray"`
	Columns    int
	Variables  []string
	Values     []string
	Techniques []Technique
	Steps      []writtenStep
	Chains     []writtenChain
}

// writtenChain is the chain of a step.
type writtenChain struct {
	_     struct{} `cbor:",toarray"`
	Step  int      // index
	Steps []writtenStep
}

// listOfSix is the first byte of a writtenChains.
const listOfSix = 0x86

// writtenStep is a step as it is written down, its lists as differences: literals of one solve lie close
// together, so that most take one byte.
type writtenStep struct {
	_         struct{} `cbor:",toarray"`
	Technique int
	Instance  string
	Placed    []int32
	Removed   []int32
	Because   []int32
	From      []int32
}

// EncodeSolve gives the bytes that Rated.Steps holds.
func EncodeSolve(s Solve) ([]byte, error) {
	var lists []int32
	w := writtenChains{Columns: s.Columns, Variables: s.Variables, Values: s.Values, Techniques: s.Techniques, Steps: writeSteps(&lists, s.Steps)}
	for i, step := range s.Steps {
		if len(step.Chain) > 0 {
			w.Chains = append(w.Chains, writtenChain{Step: i, Steps: writeSteps(&lists, step.Chain)})
		}
	}
	var data []byte
	var err error
	if len(w.Chains) > 0 {
		data, err = encoder.Marshal(w)
	} else {
		data, err = encoder.Marshal(writtenSolve{Columns: w.Columns, Variables: w.Variables, Values: w.Values, Techniques: w.Techniques, Steps: w.Steps})
	}
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	return data, nil
}

func writeSteps(lists *[]int32, steps []Step) []writtenStep {
	w := make([]writtenStep, len(steps))
	for i, step := range steps {
		w[i] = writtenStep{
			Technique: step.Technique, Instance: step.Instance,
			Placed: differences(lists, step.Placed), Removed: differences(lists, step.Removed),
			Because: differences(lists, step.Because), From: differences(lists, step.From),
		}
	}
	return w
}

// Solve reads the recorded steps. It gives false when none were recorded.
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

// decodeSolve reads the bytes of EncodeSolve: those that are as it writes them field by field, and others by
// reflection, which says what is wrong with them.
func decodeSolve(data []byte) (Solve, error) {
	if s, ok := readSolve(data); ok {
		return s, nil
	}
	return reflectSolve(data)
}

// readSolve reads a solve field by field.
func readSolve(data []byte) (s Solve, ok bool) {
	r := solveReader{Fields: FieldsOf(data), numbers: make([]uint16, 0, len(data))}
	lists := r.List()
	if lists != 5 && lists != 6 {
		return s, false
	}
	s.Columns, s.Variables, s.Values = r.Int(), r.texts(), r.texts()
	s.Techniques = make([]Technique, r.List())
	for i := range s.Techniques {
		r.expect(3)
		s.Techniques[i] = Technique{Name: r.Text(), Level: r.Text(), Tier: r.Int()}
	}
	r.techniques = len(s.Techniques)
	s.Steps = r.steps()
	if lists == 6 {
		r.chains(s.Steps)
	}
	return s, r.End() == nil && s.Columns >= 0
}

// solveReader reads the parts of a solve.
type solveReader struct {
	Fields
	techniques int
	numbers    []uint16 // room for all lists: each number takes a byte at least
}

// expect reads the beginning of a list of so many.
func (r *solveReader) expect(n int) { r.bad = r.List() != n || r.bad }

func (r *solveReader) texts() []string {
	list := make([]string, r.List())
	for i := range list {
		list[i] = r.Text()
	}
	return list
}

func (r *solveReader) steps() []Step {
	steps := make([]Step, r.List())
	for i := range steps {
		if r.expect(6); r.bad {
			return nil
		}
		steps[i] = Step{Technique: r.Int(), Instance: r.Text(), Placed: r.sums(), Removed: r.sums(), Because: r.sums(), From: r.sums()}
		r.bad = r.bad || steps[i].Technique < 0 || steps[i].Technique >= r.techniques
	}
	return steps
}

// sums reads a list of differences.
func (r *solveReader) sums() []uint16 {
	start, at := len(r.numbers), 0
	for range r.List() {
		if at += r.Int(); at < 0 || at > 1<<16-1 || len(r.numbers) == cap(r.numbers) {
			r.bad = true
			return nil
		}
		r.numbers = append(r.numbers, uint16(at))
	}
	return r.numbers[start:len(r.numbers):len(r.numbers)]
}

func (r *solveReader) chains(steps []Step) {
	n, before := r.List(), -1
	r.bad = r.bad || n == 0
	for range n {
		r.expect(2)
		at, chain := r.Int(), r.steps()
		if at <= before || at >= len(steps) || len(chain) == 0 {
			r.bad = true
			return
		}
		steps[at].Chain, before = chain, at
	}
}

// reflectSolve reads a solve by reflection.
func reflectSolve(data []byte) (Solve, error) {
	w, err := unmarshalSolve(data)
	if err != nil {
		return Solve{}, err
	}
	s := Solve{Columns: w.Columns, Variables: w.Variables, Values: w.Values, Techniques: w.Techniques}
	if s.Columns < 0 {
		return Solve{}, errors.New("a grid of less than no columns")
	}
	if s.Steps, err = readSteps(w.Steps, len(w.Techniques)); err != nil {
		return Solve{}, err
	}
	before := -1
	for _, c := range w.Chains {
		if c.Step <= before || c.Step >= len(s.Steps) || len(c.Steps) == 0 {
			return Solve{}, fmt.Errorf("a chain of %d steps of step %d of %d", len(c.Steps), c.Step+1, len(s.Steps))
		}
		before = c.Step
		if s.Steps[c.Step].Chain, err = readSteps(c.Steps, len(w.Techniques)); err != nil {
			return Solve{}, fmt.Errorf("chain of step %d: %w", c.Step+1, err)
		}
	}
	return s, nil
}

func unmarshalSolve(data []byte) (w writtenChains, err error) {
	if data[0] == listOfSix {
		err = decoder.Unmarshal(data, &w)
		if err == nil && len(w.Chains) == 0 {
			err = errors.New("a list of chains with none")
		}
		return w, err
	}
	var plain writtenSolve
	err = decoder.Unmarshal(data, &plain)
	return writtenChains{Columns: plain.Columns, Variables: plain.Variables, Values: plain.Values, Techniques: plain.Techniques, Steps: plain.Steps}, err
}

func readSteps(w []writtenStep, techniques int) ([]Step, error) {
	steps := make([]Step, len(w))
	for i := range w {
		if err := steps[i].read(w[i], techniques); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return steps, nil
}

func (s *Step) read(w writtenStep, techniques int) error {
	if w.Technique < 0 || w.Technique >= techniques {
		return fmt.Errorf("technique %d of %d", w.Technique, techniques)
	}
	s.Technique, s.Instance = w.Technique, w.Instance
	for _, list := range []struct {
		to   *[]uint16
		from []int32
	}{{&s.Placed, w.Placed}, {&s.Removed, w.Removed}, {&s.Because, w.Because}, {&s.From, w.From}} {
		sums, ok := sumsOf(list.from)
		if !ok {
			return errors.New("a number below 0 or over 65,535")
		}
		*list.to = sums
	}
	return nil
}

// differences gives each number of a list less the one before it. The room comes from block.
func differences(block *[]int32, list []uint16) []int32 {
	start, before := len(*block), uint16(0)
	for _, n := range list {
		*block = append(*block, int32(n)-int32(before))
		before = n
	}
	return (*block)[start:len(*block):len(*block)]
}

// sumsOf undoes differences.
func sumsOf(list []int32) ([]uint16, bool) {
	if len(list) == 0 {
		return nil, true
	}
	sums, at := make([]uint16, len(list)), int64(0)
	for i, d := range list {
		if at += int64(d); at < 0 || at > 1<<16-1 {
			return nil, false
		}
		sums[i] = uint16(at)
	}
	return sums, true
}
