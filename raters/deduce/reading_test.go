package deduce_test

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

// A square of 4×4 cells in two colours with givens: every row and column has two cells of each colour, and no three
// neighbours in it are equal. Bookkeeping: of three neighbours of which two are equal, the third is not. full-line: a
// line that has two cells of a colour has no more of it. look-ahead and chain suppose.

// twoPart is some cells of a line, and which fillings they may have; bit i is the colour of cell i.
type twoPart struct {
	name  string
	cells []int
	may   func(fill int) bool
}

// twoParts returns the lines, and the threes of neighbours.
func twoParts() (lines, threes []twoPart) {
	halves := func(fill int) bool { return bits.OnesCount(uint(fill)) == 2 }
	mixed := func(fill int) bool { return fill != 0 && fill != 7 }
	for n := range 8 {
		name := fmt.Sprint([]string{"row ", "column "}[n/4], n%4+1)
		cells := [][]int{{4 * n, 4*n + 1, 4*n + 2, 4*n + 3}, {n - 4, n, n + 4, n + 8}}[n/4]
		lines = append(lines, twoPart{name, cells, halves})
		threes = append(threes, twoPart{name, cells[:3], mixed}, twoPart{name, cells[1:], mixed})
	}
	return lines, threes
}

// twoRule makes a rule that goes by the number of equal cells in a part: two leave no third, three are too many.
func twoRule(name string, parts []twoPart, broken bool) deduce.Rule {
	r := deduce.Rule{Name: name, Instances: len(parts)}
	r.Where = func(n int, _ []uint16) string { return parts[n].name }
	r.At = func(n int) logic.Literal { return logic.Lit(parts[n].cells[0], 0) }
	r.Wakes = func(l logic.Literal, to []int) []int {
		for n := range parts {
			if slices.Contains(parts[n].cells, l.Variable()) {
				to = append(to, n)
			}
		}
		return to
	}
	r.Find = func(p *deduce.Position, n int, f *deduce.Finding) bool {
		var of [2]int
		for _, c := range parts[n].cells {
			if p.Written(c) {
				of[p.Value(c)]++
			}
		}
		colour, found := slices.Index(of[:], 2), broken && max(of[0], of[1]) > 2
		for _, c := range parts[n].cells {
			if !broken && colour >= 0 && !p.Written(c) {
				f.Remove(logic.Lit(c, colour))
				found = true
			}
		}
		return found
	}
	r.Because = func(p *deduce.Past, c *deduce.Claim, to []logic.Literal) []logic.Literal {
		for _, v := range parts[c.Instance].cells {
			to = p.AppendGone(to, v)
		}
		return to
	}
	r.Prove = func(f *deduce.Facts, c *deduce.Claim) bool {
		t, possible := parts[c.Instance], false
		for fill := range 1 << len(t.cells) {
			ok, against := t.may(fill), false
			for i, cell := range t.cells {
				ok = ok && f.Left(cell)>>(fill>>i&1)&1 != 0
				against = against || slices.Contains(c.Removed, logic.Lit(cell, fill>>i&1))
			}
			if possible = possible || ok; ok && against {
				return false
			}
		}
		return possible != broken
	}
	return r
}

// twoProfile is the built-in profile; others leave out its first techniques.
var twoProfile = raters.Profile{Rater: "two.canonical", Version: 1, Techniques: []logic.Technique{
	{Name: "full-line", Level: "easy"}, {Name: "look-ahead", Level: "hard"}, {Name: "chain", Level: "expert"},
}}

// twoRater rates squares.
type twoRater struct {
	spec   deduce.Spec
	engine *deduce.Engine
	filled []int // all squares that keep the rules; bit v is the colour of cell v
}

func newTwoRater() *twoRater {
	lines, threes := twoParts()
	r := &twoRater{spec: deduce.Spec{
		Variables: 16, Values: 2, AtOnce: true, Naming: logic.Naming{Columns: 4, Values: []string{"black", "white"}},
		Bookkeeping: []deduce.Rule{twoRule("two-of-three", threes, false)},
		Techniques: []deduce.Technique{
			{Rule: twoRule("full-line", lines, false), Propagates: true},
			{Rule: deduce.Rule{Name: "look-ahead"}, Suppose: &deduce.Trial{Rounds: 1}},
			{Rule: deduce.Rule{Name: "chain"}, Suppose: &deduce.Trial{}},
		},
		Broken: []deduce.Rule{twoRule("three-equal", threes, true), twoRule("three-in-line", lines, true)},
	}}
	r.engine = deduce.New(deduce.NewTopology(r.spec), nil)
	for square := range 1 << 16 {
		bad := func(t twoPart) bool {
			fill := 0
			for i, c := range t.cells {
				fill |= square >> c & 1 << i
			}
			return !t.may(fill)
		}
		if !slices.ContainsFunc(append(threes, lines...), bad) {
			r.filled = append(r.filled, square)
		}
	}
	return r
}

// unique reports whether just one square has these candidates.
func (r *twoRater) unique(candidates []uint16) error {
	n := 0
	for _, square := range r.filled {
		ok := 1
		for v, mask := range candidates {
			ok &= int(mask) >> (square >> v & 1)
		}
		n += ok
	}
	return []error{&raters.NoSolutionError{}, nil, &raters.NotUniqueError{}}[min(n, 2)]
}

// rate rates the square with these candidates without the first techniques of the built-in profile.
func (r *twoRater) rate(without int, candidates []uint16) (rating raters.Rating, err error) {
	if err := r.unique(candidates); err != nil {
		return rating, err
	}
	profile := twoProfile
	profile.Techniques = profile.Techniques[without:]
	order := deduce.NewOrder(r.spec.Techniques, twoProfile, profile)
	rating, err = r.engine.Rate(context.Background(), order, deduce.Start{Candidates: candidates}, 1<<20)
	for _, mask := range candidates {
		rating.Clues += 2 - bits.OnesCount16(mask)
	}
	return rating, err
}

func TestReading(t *testing.T) {
	fast, slow, rnd := newTwoRater(), newTwoRater(), rand.New(rand.NewPCG(1, 2))
	slow.engine.Rescan = true
	uses := map[string]int{} // of techniques, outcomes and levels
	for n := range 400 {
		square, candidates := fast.filled[rnd.IntN(len(fast.filled))], make([]uint16, 16)
		for v := range candidates {
			candidates[v] = 1 << (square >> v & 1)
		}
		for _, v := range rnd.Perm(16) {
			if candidates[v] = 3; fast.unique(candidates) != nil {
				candidates[v] = 1 << (square >> v & 1)
			}
		}
		rating, err := fast.rate(n%3, candidates)
		again, err2 := slow.rate(n%3, candidates)
		steps := rating.Steps()
		if err != nil || err2 != nil || !reflect.DeepEqual(steps, again.Steps()) {
			t.Fatalf("%v: %v %v, looking everywhere %v %v", candidates, steps, err, again.Steps(), err2)
		}
		uses[string(rating.Outcome)+" "+rating.Level]++
		for i, s := range steps {
			uses[s.Technique]++
			so := func(l logic.Literal) bool { return square>>l.Variable()&1 == l.Value() }
			not := func(l logic.Literal) bool { return !so(l) }
			if slices.ContainsFunc(s.Removed, so) || slices.ContainsFunc(s.Placed, not) {
				t.Errorf("%v: %s, which is wrong", candidates, s.Text(rating.Naming))
			}
			for k := range len(s.Because) + 1 { // all reasons, then all but one
				because := slices.Delete(slices.Clone(s.Because), max(k-1, 0), k)
				if fast.engine.Prove(rating.Solve, i+1, because) != (k == 0) {
					t.Errorf("%v: %s by %v, of which %v", candidates, s.Text(rating.Naming), because, s.Because)
				}
			}
		}
	}
	if t.Log(uses); len(uses) != 1+2*len(twoProfile.Techniques) {
		t.Error("not all techniques and levels")
	}
}
