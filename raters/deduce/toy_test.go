package deduce_test

import (
	"fmt"
	"math/bits"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// The toy genre: a square of even size in two colours. Each line has as many cells of one as of the other, and
// never three alike side by side. It shows all that a genre does for the engine.

// square is a toy's board: the shape, and nothing of a puzzle, since its givens are the start.
type square struct {
	size int
	runs [][3]int // three cells side by side
}

func newSquare(size int) *square {
	s := &square{size: size}
	for line := range 2 * size {
		for i := range size - 2 {
			s.runs = append(s.runs, [3]int{s.cell(line, i), s.cell(line, i+1), s.cell(line, i+2)})
		}
	}
	return s
}

// cell returns the i-th cell of a line; rows come first.
func (s *square) cell(line, i int) int {
	if line < s.size {
		return line*s.size + i
	}
	return i*s.size + line - s.size
}

func (s *square) engine() *deduce.Engine { return deduce.New(deduce.NewTopology(s.spec()), nil) }

func (s *square) spec() deduce.Spec {
	return deduce.Spec{
		Variables: s.size * s.size, Values: 2, AtOnce: true,
		Bookkeeping: []deduce.Rule{{
			Name: "full-line", Instances: 4 * s.size, Where: s.whereLine, Wakes: s.wakesLines,
			Find: s.findFull, Because: s.becauseFull, Prove: s.proveFull,
		}},
		Techniques: s.techniques(),
		Broken: []deduce.Rule{{
			Name: "three-alike", Instances: len(s.runs), Where: s.whereRun, Wakes: s.wakesRuns,
			Find: s.findAlike, Because: s.becauseRun, Prove: s.proveAlike,
		}, {
			Name: "too-many", Instances: 4 * s.size, Where: s.whereLine, Wakes: s.wakesLines,
			Find:    func(p *deduce.Position, i int, _ *deduce.Finding) bool { return s.count(p.Mask, i) > s.size/2 },
			Because: s.becauseFull,
			Prove:   func(f *deduce.Facts, c *deduce.Claim) bool { return s.count(f.Left, c.Instance) > s.size/2 },
		}},
		Naming: logic.Naming{Columns: s.size, Values: []string{"black", "white"}},
	}
}

func (s *square) techniques() []deduce.Technique {
	return []deduce.Technique{
		{Propagates: true, Rule: deduce.Rule{
			Name: "no-three", Instances: len(s.runs), Where: s.whereRun, Wakes: s.wakesRuns,
			Find: s.findThree, Because: s.becauseRun, Prove: s.proveThree,
		}},
		{Rule: deduce.Rule{Name: "immediate-break"}, Suppose: &deduce.Trial{Rounds: 1}},
		{Rule: deduce.Rule{Name: "two-rounds"}, Suppose: &deduce.Trial{Rounds: 2}},
		{Rule: deduce.Rule{Name: "chain-6"}, Suppose: &deduce.Trial{Steps: 6}},
		{Rule: deduce.Rule{Name: "chain-20"}, Suppose: &deduce.Trial{Steps: 20}},
	}
}

// profile is the toy's built-in profile.
var profile = raters.Profile{Rater: "toy.canonical", Version: 1, Techniques: []logic.Technique{
	{Name: "no-three", Level: "easy"}, {Name: "immediate-break", Level: "medium"}, {Name: "two-rounds", Level: "medium"},
	{Name: "chain-6", Level: "hard"}, {Name: "chain-20", Level: "expert"},
}}

// Instance 2·line + colour of full-line and too-many: the line has enough, or too many, cells of the colour.
func (s *square) whereLine(i int, _ []uint16) string {
	return fmt.Sprintf("%s %d, colour %d", []string{"row", "column"}[i/2/s.size], i/2%s.size+1, i%2)
}

func (s *square) wakesLines(l logic.Literal, to []int) []int {
	row, column := l.Variable()/s.size, s.size+l.Variable()%s.size
	return append(to, 2*row, 2*row+1, 2*column, 2*column+1)
}

// count returns the cells of a line that are of the colour; what is known of a cell is its mask.
func (s *square) count(mask func(int) uint16, i int) (n int) {
	for k := range s.size {
		if mask(s.cell(i/2, k)) == 1<<(i%2) {
			n++
		}
	}
	return n
}

func (s *square) findFull(p *deduce.Position, i int, f *deduce.Finding) bool {
	if s.count(p.Mask, i) != s.size/2 {
		return false
	}
	for k := range s.size {
		f.Remove(logic.Lit(s.cell(i/2, k), i%2)) // passes over those written
	}
	return true
}

func (s *square) becauseFull(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
	for k := range s.size {
		if l := logic.Lit(s.cell(c.Instance/2, k), 1-c.Instance%2); p.Gone(l) {
			to = append(to, l)
		}
	}
	return to
}

func (s *square) proveFull(f *deduce.Facts, c *deduce.Claim) bool {
	return s.count(f.Left, c.Instance) == s.size/2
}

func (s *square) whereRun(i int, _ []uint16) string {
	run, name := s.runs[i], logic.Naming{Columns: s.size}
	return name.Variable(run[0]) + " to " + name.Variable(run[2])
}

func (s *square) wakesRuns(l logic.Literal, to []int) []int {
	for i, run := range s.runs {
		if run[0] == l.Variable() || run[1] == l.Variable() || run[2] == l.Variable() {
			to = append(to, i)
		}
	}
	return to
}

func (s *square) findThree(p *deduce.Position, i int, f *deduce.Finding) bool {
	run := s.runs[i]
	for k, v := range run {
		a, b := p.Mask(run[(k+1)%3]), p.Mask(run[(k+2)%3])
		if !p.Written(v) && a == b && bits.OnesCount16(a) == 1 {
			f.RemoveMask(v, a)
			return true
		}
	}
	return false
}

func (s *square) becauseRun(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
	for _, v := range s.runs[c.Instance] {
		to = p.AppendGone(to, v)
	}
	return to
}

// proveThree: with the removed colour the three would be alike.
func (s *square) proveThree(f *deduce.Facts, c *deduce.Claim) bool {
	if len(c.Removed) != 1 {
		return false
	}
	for _, v := range s.runs[c.Instance] {
		value, written := f.Written(v)
		if v != c.Removed[0].Variable() && (!written || value != c.Removed[0].Value()) {
			return false
		}
	}
	return true
}

func (s *square) findAlike(p *deduce.Position, i int, _ *deduce.Finding) bool {
	run := s.runs[i]
	return p.Written(run[0]) && p.Mask(run[0]) == p.Mask(run[1]) && p.Mask(run[0]) == p.Mask(run[2])
}

func (s *square) proveAlike(f *deduce.Facts, c *deduce.Claim) bool {
	colours := uint16(0)
	for _, v := range s.runs[c.Instance] {
		colours |= f.Left(v)
	}
	return bits.OnesCount16(colours) == 1
}
