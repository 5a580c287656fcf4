package deduce_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

const budget = 1 << 22

// solutions enumerates the squares that fit the start by trying both colours of each cell, checking complete
// squares and prefixes of rows by the rules as they are worded.
func (s *square) solutions(start []uint16) (all [][]int) {
	grid := make([]int, s.size*s.size)
	var fill func(v int)
	fill = func(v int) {
		if v == len(grid) {
			all = append(all, slices.Clone(grid))
			return
		}
		for colour := range 2 {
			if start[v]>>colour&1 == 0 {
				continue
			}
			grid[v] = colour
			if s.allows(grid, v) {
				fill(v + 1)
			}
		}
	}
	fill(0)
	return all
}

// allows reports whether the lines of cell v are right as far as they are filled.
func (s *square) allows(grid []int, v int) bool {
	for _, line := range []int{v / s.size, s.size + v%s.size} {
		var n [2]int
		filled := v%s.size + 1
		if line >= s.size {
			filled = v/s.size + 1
		}
		for i := range filled {
			n[grid[s.cell(line, i)]]++
			if i >= 2 && grid[s.cell(line, i)] == grid[s.cell(line, i-1)] && grid[s.cell(line, i)] == grid[s.cell(line, i-2)] {
				return false
			}
		}
		if n[0] > s.size/2 || n[1] > s.size/2 {
			return false
		}
	}
	return true
}

// start draws some cells of a random square.
func (s *square) start(r *seedrand.Rand, all [][]int) []uint16 {
	full := all[r.IntN(len(all))]
	start := make([]uint16, len(full))
	given := r.Between(2, 4)
	for v, colour := range full {
		start[v] = 3
		if r.IntN(8) < given {
			start[v] = 1 << colour
		}
	}
	return start
}

func open(n int) []uint16 {
	start := make([]uint16, n)
	for v := range start {
		start[v] = 3
	}
	return start
}

// The toy's steps are sound: no solution has a removed literal, and what is left when nothing applies is a
// superset of the solutions. Each step is proved by its reasons and by nothing less.
func TestToyStepsAreSoundAndProved(t *testing.T) {
	for _, size := range []int{4, 6} {
		s := newSquare(size)
		e, rescan := s.engine(), s.engine()
		rescan.Rescan = true
		o := deduce.NewOrder(s.techniques(), profile, profile)
		all := s.solutions(open(size * size))
		r := seedrand.New(uint64(size))
		used := map[string]int{}
		for range 2000 {
			start := s.start(r, all)
			got, err := e.Rate(t.Context(), o, deduce.Start{Candidates: start}, budget)
			if err != nil {
				t.Fatalf("%v: %v", start, err)
			}
			again, err := rescan.Rate(t.Context(), o, deduce.Start{Candidates: start}, budget)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := fmt.Sprintf("%+v", got.Steps()), fmt.Sprintf("%+v", again.Steps()); a != b || *got.Score != *again.Score {
				t.Fatalf("%v: woken steps\n%s\nrescanned\n%s", start, a, b)
			}
			left := s.solutions(start)
			replay(t, e, got, start, left, false)
			if (len(got.Open) == 0) != (got.Outcome == raters.Rated) || got.Outcome == raters.Rated && len(left) != 1 {
				t.Fatalf("%v: %s, %d open, %d solutions", start, got.Outcome, len(got.Open), len(left))
			}
			for _, st := range got.Steps() {
				used[st.Technique]++
			}
		}
		t.Log(size, used)
		for _, name := range []string{"full-line", "no-three", "immediate-break", "two-rounds", "chain-6", "chain-20"} {
			if used[name] < 10 && size > 4 {
				t.Errorf("%s was used %d times: too few to check it", name, used[name])
			}
		}
	}
}

// replay checks each step of a rating against the solutions, its reasons and its provenance.
func replay(t *testing.T, e *deduce.Engine, got raters.Rating, start []uint16, solutions [][]int, byStep bool) {
	t.Helper()
	by := map[logic.Literal]uint16{}
	for v, m := range start {
		for value := range 16 {
			if m>>value&1 == 0 {
				by[logic.Lit(v, value)] = 0
			}
		}
	}
	for i, step := range got.Steps() {
		name := fmt.Sprintf("%v, step %d, %s", start, i+1, step.Text(got.Naming))
		for _, l := range step.Removed {
			if _, gone := by[l]; gone {
				t.Fatalf("%s: removes what was gone", name)
			}
			for _, s := range solutions {
				if s[l.Variable()] == l.Value() {
					t.Fatalf("%s: %s is in a solution", name, got.Naming.Text(l))
				}
			}
		}
		if !e.Prove(got.Solve, i+1, step.Because) {
			t.Fatalf("%s: not proved by %v", name, step.Because)
		}
		for k := range step.Because {
			if e.Prove(got.Solve, i+1, slices.Delete(slices.Clone(step.Because), k, k+1)) {
				t.Fatalf("%s: does not need %s", name, got.Naming.Text(step.Because[k]))
			}
		}
		if from := origins(by, step.Because); !byStep && !slices.Equal(from, step.From) {
			t.Fatalf("%s: from %v, not %v", name, step.From, from)
		}
		checkChain(t, name, step, uint16(i+1), by)
		for _, l := range step.Removed {
			by[l] = uint16(i + 1)
		}
	}
}

// origins returns the steps that removed the literals, ascending, without the start.
func origins(by map[logic.Literal]uint16, because []logic.Literal) (from []uint16) {
	for _, l := range because {
		if n, gone := by[l]; n > 0 || !gone {
			from = append(from, n)
		}
	}
	slices.Sort(from)
	return slices.Compact(from)
}

// checkChain checks that every step of a chain is one that its break rests on, and that its length is in bounds.
func checkChain(t *testing.T, name string, step logic.Step, number uint16, by map[logic.Literal]uint16) {
	t.Helper()
	const any = 1 << 16
	bound := map[string]int{"chain-8": 8, "chain-6": 6, "chain-20": 20, "chain": any, "immediate-break": any, "two-rounds": any}[step.Technique]
	if (bound > 0) != (len(step.Chain) > 0) || len(step.Chain)-1 > bound {
		t.Fatalf("%s: a chain of %d", name, len(step.Chain))
	}
	if bound == 0 {
		return
	}
	relied := map[uint16]bool{}
	for _, inside := range step.Chain {
		for _, n := range inside.From {
			relied[n] = true
		}
	}
	last := step.Chain[len(step.Chain)-1]
	if len(last.Removed)+len(last.Placed) > 0 {
		t.Fatalf("%s: the break concludes something: %+v", name, last)
	}
	for k := range len(step.Chain) - 1 {
		if !relied[number+uint16(k)+1] {
			t.Fatalf("%s: nothing relies on step %d of the chain %+v", name, k+1, step.Chain)
		}
	}
	if !relied[number] {
		t.Fatalf("%s: nothing relies on the assumption", name)
	}
	for n := range relied {
		if n < number && !slices.Contains(step.From, n) {
			t.Fatalf("%s: step %d is not among %v", name, n, step.From)
		}
	}
}

func TestBudgetAndCancellationEndARating(t *testing.T) {
	s := newSquare(6)
	e, o := s.engine(), deduce.NewOrder(s.techniques(), profile, profile)
	start := s.start(seedrand.New(3), s.solutions(open(36)))
	want, err := e.Rate(t.Context(), o, deduce.Start{Candidates: start}, budget)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for work := uint64(0); ; work++ {
		got, err := e.Rate(t.Context(), o, deduce.Start{Candidates: start}, work)
		if err == nil {
			if !reflect.DeepEqual(got.Steps(), want.Steps()) {
				t.Fatalf("with %d units of work the steps are others", work)
			}
			break
		}
		if !errors.Is(err, raters.ErrBudget) || got.Outcome != "" {
			t.Fatalf("with %d units of work: %+v, error %v", work, got, err)
		}
		ended++
	}
	if ended < 50 {
		t.Errorf("only %d budgets were too small", ended)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Rate(gone, o, deduce.Start{Candidates: start}, budget); !errors.Is(err, context.Canceled) {
		t.Errorf("under a cancelled context: error %v", err)
	}
}
