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
	w := writtenSolve{Columns: s.Columns, Variables: s.Variables, Values: s.Values, Techniques: s.Techniques, Steps: make([]writtenStep, len(s.Steps))}
	var lists []int32
	for i, step := range s.Steps {
		w.Steps[i] = writtenStep{
			Technique: step.Technique, Instance: step.Instance,
			Placed: differences(&lists, step.Placed), Removed: differences(&lists, step.Removed),
			Because: differences(&lists, step.Because), From: differences(&lists, step.From),
		}
	}
	data, err := encoder.Marshal(w)
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	return data, nil
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

func decodeSolve(data []byte) (Solve, error) {
	var w writtenSolve
	if err := decoder.Unmarshal(data, &w); err != nil {
		return Solve{}, err
	}
	s := Solve{Columns: w.Columns, Variables: w.Variables, Values: w.Values, Techniques: w.Techniques, Steps: make([]Step, len(w.Steps))}
	if s.Columns < 0 {
		return Solve{}, errors.New("a grid of less than no columns")
	}
	for i := range w.Steps {
		if err := s.Steps[i].read(w.Steps[i], len(w.Techniques)); err != nil {
			return Solve{}, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return s, nil
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
