package deduce_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// A start that is none of the shape is an error, and what was solved before does not shine through; one that is at the
// edge of what may be is solved, broken, or out of work.
func TestStartsThatAreNone(t *testing.T) {
	s := newSquare(4)
	e, o := s.engine(), deduce.NewOrder(s.techniques(), profile, profile)
	with := func(v int, m uint16) []uint16 {
		all := open(16)
		all[v] = m
		return all
	}
	ask := func(start deduce.Start, work uint64) error {
		_, rate := e.Rate(t.Context(), o, start, work)
		_, grade := e.Grade(t.Context(), o, start, work)
		_, hint := e.Hint(t.Context(), o, start, work, 0)
		var broken *deduce.BrokenError
		if (rate == nil) != (grade == nil) || rate == nil != (hint == nil) && !errors.As(rate, &broken) {
			t.Errorf("%+v: rating says %v, grading %v, hinting %v", start, rate, grade, hint)
		}
		return rate
	}
	for says, start := range map[string]deduce.Start{
		"0 variables":      {},
		"15 variables":     {Candidates: open(15)},
		"17 variables":     {Candidates: open(17)},
		"a value beyond 2": {Candidates: with(3, 5)},
		"variable -1":      {Candidates: open(16), Written: []int{-1}},
		"variable 16":      {Candidates: open(16), Written: []int{16}},
		"variable 2":       {Candidates: open(16), Written: []int{2}},
		"variable 1":       {Candidates: with(1, 1), Written: []int{1, 1}},
	} {
		if err := ask(start, budget); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: error %v, want %q", start, err, says)
		}
	}
	var broken *deduce.BrokenError
	if err := ask(deduce.Start{Candidates: make([]uint16, 16)}, budget); !errors.As(err, &broken) {
		t.Errorf("without candidates: %v", err)
	}
	if err := ask(deduce.Start{Candidates: open(16)}, 0); !errors.Is(err, raters.ErrBudget) {
		t.Errorf("without work: %v", err)
	}
	if err := ask(deduce.Start{Candidates: open(16)}, budget); err != nil {
		t.Errorf("an empty board: %v", err)
	}
}

// What no step is, and literals that the shape lacks, prove nothing.
func TestProofsOfWhatIsNoStep(t *testing.T) {
	s, all := starts(1)
	e, o := s.engine(), deduce.NewOrder(s.techniques(), profile, profile)
	rating, err := e.Rate(t.Context(), o, all[0], budget)
	if err != nil {
		t.Fatal(err)
	}
	steps := rating.Steps()
	because := steps[0].Because
	if !e.Prove(rating.Solve, 1, because) {
		t.Fatal("the first step is not proved")
	}
	for _, step := range []int{math.MinInt, -1, 0, len(steps) + 1, math.MaxInt} {
		if e.Prove(rating.Solve, step, because) {
			t.Errorf("step %d of %d is proved", step, len(steps))
		}
	}
	for _, beyond := range []logic.Literal{logic.Lit(36, 0), math.MaxUint16} {
		if e.Prove(rating.Solve, 1, append(slices.Clone(because), beyond)) {
			t.Errorf("the first step is proved with %d", beyond)
		}
	}
	if e.Prove(raters.Steps(steps), 1, because) || e.Prove(nil, 1, because) {
		t.Error("a step of no engine is proved")
	}
}

func TestLevelsThatAreNone(t *testing.T) {
	s, all := starts(20)
	e, setting := s.engine(), deduce.NewRater(new(deduce.Genre[int]), s.techniques(), profile)
	bookkeeping := setting.Order.UpTo("no such level")
	for _, start := range all {
		hint, err := e.Hint(t.Context(), bookkeeping, start, budget, 0)
		if err != nil || hint.Kind != raters.HintNone {
			t.Errorf("without techniques: %+v, error %v", hint, err)
		}
	}
	for _, offered := range [][]string{nil, {}, {"easy"}} {
		for _, r := range []raters.Request{{Level: "no such level"}, {Cap: "no such level"}, {Level: "extreme"}, {Level: "easy", Cap: "easy"}} {
			var refused *raters.RequestError
			if _, err := setting.Asked(r, "toy", offered); !errors.As(err, &refused) {
				t.Errorf("%+v of %q: error %v", r, offered, err)
			}
		}
	}
	var refused *raters.RequestError
	if _, err := setting.Asked(raters.Request{}, "toy", nil); !errors.As(err, &refused) {
		t.Errorf("any level of none: error %v", err)
	}
}
