package raters

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Literal is one value of one variable of a puzzle: the variable's index times 16 plus the index of the
// value, so that a puzzle has at most 4,096 variables of at most 16 values. Deduction removes literals.
type Literal uint16

// Lit gives the literal of a variable and one of its values, both counted from 0.
func Lit(variable, value int) Literal { return Literal(variable<<4 | value) }

// Variable gives the index of the literal's variable.
func (l Literal) Variable() int { return int(l >> 4) }

// Value gives the index of the literal's value.
func (l Literal) Value() int { return int(l & 15) }

// IsSo tells whether a solution, the index of the value of each variable, has the literal.
func (l Literal) IsSo(solution []uint8) bool {
	return l.Variable() < len(solution) && int(solution[l.Variable()]) == l.Value()
}

// Naming turns literals into text. It is kept with the steps, so that they can be read when the engine
// that made them is gone.
type Naming struct {
	Columns   int      // of a grid, whose variable v is the cell r<v/Columns+1>c<v%Columns+1>; else 0
	Variables []string // names of variables, when they are not the cells of a grid
	Values    []string // names of values
}

// Text writes a literal: "r1c2=5". What the naming does not know is written as a number in brackets.
func (n Naming) Text(l Literal) string {
	return n.Variable(l.Variable()) + "=" + name(n.Values, l.Value())
}

// Variable names a variable: "r1c2".
func (n Naming) Variable(v int) string {
	if n.Columns > 0 {
		return fmt.Sprintf("r%dc%d", v/n.Columns+1, v%n.Columns+1)
	}
	return name(n.Variables, v)
}

func name(names []string, i int) string {
	if i >= 0 && i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("[%d]", i)
}

// Step is one deduction: one instance of a technique's rule, with everything it concludes.
type Step struct {
	Technique string    // kebab-case
	Level     string    // "" for bookkeeping, which counts for neither level nor score
	Instance  string    // where the rule applies: "row 3", "rows 2 and 7", "r5c5 r5c8 r4c4"
	Placed    []Literal // values written
	Removed   []Literal // removed, the other values of a variable that is written included
	Because   []Literal // relied on: already removed when the step was taken, or written
	From      []uint16  // numbers (from 1) of the earlier steps that removed these, ascending; the givens removed the rest

	// Chain is set for a step that supposes the opposite of what it concludes: the steps that lead from there to
	// a contradiction, and as the last one, which concludes nothing, the rule that is broken. In their From the
	// number of the step itself stands for the supposition, and the numbers after it for the steps of the chain.
	Chain []Step
}

// Text says what a step does: "x-wing, rows 2 and 7: not r4c2=5, not r8c2=5".
func (s Step) Text(n Naming) string {
	var out []string
	for _, l := range s.Placed {
		out = append(out, n.Text(l))
	}
	if len(s.Placed) == 0 {
		for _, l := range s.Removed {
			out = append(out, "not "+n.Text(l))
		}
	}
	text := s.Technique + ", " + s.Instance
	if len(out) > 0 { // what is broken concludes nothing
		text += ": " + strings.Join(out, ", ")
	}
	return text
}

// Solve is a solve by steps in the form in which its engine keeps it: writing every step out takes about as
// long as finding it, and few who rate a puzzle read its steps.
type Solve interface {
	// Steps writes the steps out, in order.
	Steps() []Step
	// Contradicts tells, without writing the steps out, whether they remove or write what is not as in a solution,
	// which is the index of the value of each variable.
	Contradicts(solution []uint8) bool
}

// Steps is a solve that is written out.
type Steps []Step

// Steps gives the steps themselves.
func (s Steps) Steps() []Step { return s }

// Contradicts looks at what each step removes and writes.
func (s Steps) Contradicts(solution []uint8) bool {
	return slices.ContainsFunc(s, func(step Step) bool {
		_, is := step.Contradicted(solution)
		return is
	})
}

// Contradicted gives the first literal that the step removes although it is so in a solution, or writes although it is
// not.
func (s Step) Contradicted(solution []uint8) (l Literal, is bool) {
	for _, l := range s.Removed {
		if l.IsSo(solution) {
			return l, true
		}
	}
	for _, l := range s.Placed {
		if !l.IsSo(solution) {
			return l, true
		}
	}
	return 0, false
}

// Steps writes out the steps of the solve, in order; nil when the rater does not solve by steps.
func (r Rating) Steps() []Step {
	if r.Solve == nil {
		return nil
	}
	return r.Solve.Steps()
}

// Technique is one entry of a rater's order.
type Technique struct {
	Name  string // kebab-case
	Level string
	Tier  int // 0 when the rater has no tiers
}

// Hinter helps a player on.
type Hinter interface {
	// Hint gives the step that comes after the first skip steps from a board: the puzzle's givens and what the
	// player wrote, in the form of the puzzle's text. It knows nothing else: no solution and no pencil marks. It
	// takes those of a rater's steps that count, in the rater's order. A skip below 0 is 0. A board that is not one
	// of the puzzle is a *SyntaxError; a puzzle without exactly one solution is a *NotUniqueError or a
	// *NoSolutionError; it may also give ErrBudget or the context's error.
	Hint(ctx context.Context, p Puzzle, board string, skip int) (Hint, error)
}

// HintKind says what a hint is about.
type HintKind string

// The kinds of hints.
const (
	HintStep    HintKind = "step"    // a technique applies
	HintMistake HintKind = "mistake" // the board has no solution any more
	HintNone    HintKind = "none"    // no technique applies, or nothing is left to do: Area says so
)

// Hint is a step that the board allows, in three parts of which each gives away more; what comes after the move
// belongs to the third.
type Hint struct {
	Kind      HintKind
	Area      string   // where to look
	Technique string   // what to look for: the technique's name
	Move      string   // what to do
	Removed   []string // the candidates that go
	Writes    bool     // the move writes a value
	LeadsTo   string   // of a move that writes none: the next value that the techniques write, "" when they write none
	InSteps   int      // how many steps that count there are from the move to that value
}

// HintOf makes a hint of one of the steps of a path, which the index gives. The path goes on to the next value that a
// step writes, or as far as the techniques go.
func HintOf(path []Step, at int, area string, n Naming) Hint {
	step := path[at]
	h := Hint{Kind: HintStep, Area: area, Technique: step.Technique, Move: step.Text(n), Writes: len(step.Placed) > 0}
	for _, l := range step.Removed {
		h.Removed = append(h.Removed, n.Text(l))
	}
	for _, later := range path[at+1:] {
		if h.Writes || h.LeadsTo != "" {
			break
		}
		if later.Level != "" {
			h.InSteps++
		}
		if len(later.Placed) > 0 {
			h.LeadsTo = n.Text(later.Placed[0])
		}
	}
	if h.LeadsTo == "" {
		h.InSteps = 0
	}
	return h
}
