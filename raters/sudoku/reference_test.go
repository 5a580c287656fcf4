package sudoku

import (
	"math/rand/v2"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// reference is the rater once more, written for clarity alone: a grid of yes and no, no table, every
// technique a loop over all places it might apply. It shares no code with the rater.
type reference struct {
	digit [81]int      // 0 for none
	can   [81][10]bool // candidates of empty cells
}

// refStep is a step as far as its order is documented.
type refStep struct {
	technique string
	placed    string
	removed   []string // sorted
}

var refUnits = func() (units [][]int) {
	for r := range 9 {
		var u []int
		for c := range 9 {
			u = append(u, 9*r+c)
		}
		units = append(units, u)
	}
	for c := range 9 {
		var u []int
		for r := range 9 {
			u = append(u, 9*r+c)
		}
		units = append(units, u)
	}
	for b := range 9 {
		var u []int
		for i := range 9 {
			u = append(u, 9*(b/3*3+i/3)+b%3*3+i%3)
		}
		units = append(units, u)
	}
	return units
}()

func refSees(a, b int) bool {
	return a != b && (a/9 == b/9 || a%9 == b%9 || a/27 == b/27 && a%9/3 == b%9/3)
}

// subsets gives the k-element subsets of a list in order.
func subsets(list []int, k int) (out [][]int) {
	if k == 0 {
		return [][]int{nil}
	}
	for i, x := range list {
		for _, rest := range subsets(list[i+1:], k-1) {
			out = append(out, append([]int{x}, rest...))
		}
	}
	return out
}

func newReference(cells *[81]uint8) *reference {
	g := new(reference)
	for c, v := range cells {
		g.digit[c] = int(v)
	}
	for c := range 81 {
		for d := 1; d <= 9; d++ {
			g.can[c][d] = g.digit[c] == 0
			for o := range 81 {
				if refSees(c, o) && g.digit[o] == d {
					g.can[c][d] = false
				}
			}
		}
	}
	return g
}

// with gives the cells of a unit that have a candidate.
func (g *reference) with(unit []int, d int) (out []int) {
	for _, c := range unit {
		if g.can[c][d] {
			out = append(out, c)
		}
	}
	return out
}

// digits gives the candidates that any of the cells has.
func (g *reference) digits(cells ...int) (out []int) {
	for d := 1; d <= 9; d++ {
		for _, c := range cells {
			if g.can[c][d] {
				out = append(out, d)
				break
			}
		}
	}
	return out
}

type refLit struct{ cell, digit int }

func refText(l refLit) string { return naming.Text(logic.Lit(l.cell, l.digit-1)) }

// seeingAll gives those of the digits' candidates whose cells see all the given cells.
func (g *reference) seeingAll(cells []int, digits ...int) (out []refLit) {
	for c := range 81 {
		all := true
		for _, x := range cells {
			all = all && refSees(c, x)
		}
		for _, d := range digits {
			if all && g.can[c][d] {
				out = append(out, refLit{c, d})
			}
		}
	}
	return out
}

// refMove is what a technique of the reference finds: a placement, or removals, or nothing.
type refMove struct {
	place   *refLit
	removes []refLit
}

func (m refMove) found() bool { return m.place != nil || len(m.removes) > 0 }

func (g *reference) nakedSingle() (m refMove) {
	for c := range 81 {
		if d := g.digits(c); len(d) == 1 {
			return refMove{place: &refLit{c, d[0]}}
		}
	}
	return m
}

func (g *reference) hiddenSingle() (m refMove) {
	for _, u := range refUnits {
		for _, c := range u {
			for _, d := range g.digits(c) {
				if len(g.with(u, d)) == 1 {
					m.place = &refLit{c, d}
					for _, e := range g.digits(c) {
						if e != d {
							m.removes = append(m.removes, refLit{c, e})
						}
					}
					return m
				}
			}
		}
	}
	return m
}

// locked looks, for each of the units and each digit, for another kind of unit that holds all its places.
func (g *reference) locked(units, others [][]int) (m refMove) {
	for _, u := range units {
		for d := 1; d <= 9; d++ {
			in := g.with(u, d)
			for _, o := range others {
				if len(in) == 0 || slices.ContainsFunc(in, func(c int) bool { return !slices.Contains(o, c) }) {
					continue
				}
				for _, c := range g.with(o, d) {
					if !slices.Contains(u, c) {
						m.removes = append(m.removes, refLit{c, d})
					}
				}
				if m.found() {
					return m
				}
			}
		}
	}
	return m
}

func (g *reference) pointing() refMove { return g.locked(refUnits[18:], refUnits[:18]) }
func (g *reference) boxLine() refMove  { return g.locked(refUnits[:18], refUnits[18:]) }

func (g *reference) naked(k int) (m refMove) {
	for _, u := range refUnits {
		var open []int
		for _, c := range u {
			if len(g.digits(c)) > 1 { // one is a single, also where singles are switched off
				open = append(open, c)
			}
		}
		for _, cells := range subsets(open, k) {
			if digits := g.digits(cells...); len(digits) == k {
				if m.removes = g.seeingAll(cells, digits...); m.found() {
					return m
				}
			}
		}
	}
	return m
}

func (g *reference) hiddenPair() (m refMove) {
	for _, u := range refUnits {
		for _, cells := range subsets(u, 2) {
			var in []int
			for _, d := range g.digits(cells...) {
				if slices.Equal(g.with(u, d), cells) {
					in = append(in, d)
				}
			}
			if len(in) != 2 {
				continue
			}
			for _, c := range cells {
				for _, d := range g.digits(c) {
					if !slices.Contains(in, d) {
						m.removes = append(m.removes, refLit{c, d})
					}
				}
			}
			if m.found() {
				return m
			}
		}
	}
	return m
}

func (g *reference) fish(k int) (m refMove) {
	for _, base := range [][][]int{refUnits[:9], refUnits[9:18]} {
		for _, lines := range subsets([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, k) {
			for d := 1; d <= 9; d++ {
				if m.removes = g.fishOf(base, lines, d); m.found() {
					return m
				}
			}
		}
	}
	return m
}

func (g *reference) fishOf(base [][]int, lines []int, d int) (out []refLit) {
	across := map[int]bool{}
	for _, l := range lines {
		in := 0
		for i, c := range base[l] {
			if g.can[c][d] {
				across[i] = true
				in++
			}
		}
		if in < 2 {
			return nil
		}
	}
	if len(across) != len(lines) {
		return nil
	}
	for l := range 9 {
		for i := range 9 {
			if c := base[l][i]; across[i] && !slices.Contains(lines, l) && g.can[c][d] {
				out = append(out, refLit{c, d})
			}
		}
	}
	return out
}

func (g *reference) xyWing() (m refMove) {
	for p := range 81 {
		for a := range 81 {
			for b := a + 1; b < 81; b++ {
				if !refSees(p, a) || !refSees(p, b) {
					continue
				}
				dp, da, db := g.digits(p), g.digits(a), g.digits(b)
				if len(dp) != 2 || len(da) != 2 || len(db) != 2 || len(g.digits(p, a, b)) != 3 || slices.Equal(da, db) || slices.Equal(da, dp) || slices.Equal(db, dp) {
					continue
				}
				for _, z := range da {
					if slices.Contains(db, z) {
						m.removes = g.seeingAll([]int{a, b}, z)
					}
				}
				if m.found() {
					return m
				}
			}
		}
	}
	return m
}

// colors colors the component of a cell; 1 for the cell itself, 2 for its partners.
func (g *reference) colors(first, d int) map[int]int {
	color := map[int]int{first: 1}
	for changed := true; changed; {
		changed = false
		for _, u := range refUnits {
			in := g.with(u, d)
			if len(in) != 2 {
				continue
			}
			for i, c := range in {
				if color[c] != 0 && color[in[1-i]] == 0 {
					color[in[1-i]] = 3 - color[c]
					changed = true
				}
			}
		}
	}
	return color
}

func (g *reference) coloring() (m refMove) {
	for first := range 81 {
		for _, d := range g.digits(first) {
			color := g.colors(first, d)
			smallest := first
			for c := range color {
				smallest = min(smallest, c)
			}
			if smallest != first {
				continue
			}
			if m.removes = g.wrapOrTrap(color, d); m.found() {
				return m
			}
		}
	}
	return m
}

func (g *reference) wrapOrTrap(color map[int]int, d int) (out []refLit) {
	for k := 1; k <= 2; k++ {
		wraps := false
		for a := range color {
			for b := range color {
				wraps = wraps || color[a] == k && color[b] == k && refSees(a, b)
			}
		}
		for c := range color {
			if wraps && color[c] == k {
				out = append(out, refLit{c, d})
			}
		}
		if wraps {
			return out
		}
	}
	for c := range 81 {
		var seen [3]bool
		for x, k := range color {
			seen[k] = seen[k] || refSees(c, x)
		}
		if g.can[c][d] && color[c] == 0 && seen[1] && seen[2] {
			out = append(out, refLit{c, d})
		}
	}
	return out
}

func (g *reference) rectangle() (m refMove) {
	for tl := range 81 {
		for tr := tl + 1; tr < 81; tr++ {
			for bl := tl + 9; bl < 81; bl += 9 {
				if tr/9 != tl/9 {
					continue
				}
				corners := []int{tl, tr, bl, bl + tr - tl}
				boxes := map[int]bool{}
				for _, c := range corners {
					boxes[c/27*3+c%9/3] = true
				}
				if len(boxes) != 2 {
					continue
				}
				for _, pair := range subsets([]int{1, 2, 3, 4, 5, 6, 7, 8, 9}, 2) {
					if m.removes = g.rectangleOf(corners, pair); m.found() {
						return m
					}
				}
			}
		}
	}
	return m
}

func (g *reference) rectangleOf(corners, pair []int) (out []refLit) {
	var bare, rich []int
	for _, c := range corners {
		if !g.can[c][pair[0]] || !g.can[c][pair[1]] {
			return nil
		}
		if slices.Equal(g.digits(c), pair) {
			bare = append(bare, c)
		} else {
			rich = append(rich, c)
		}
	}
	if len(bare) == 3 {
		return []refLit{{rich[0], pair[0]}, {rich[0], pair[1]}}
	}
	if len(bare) != 2 || bare[0]/9 != bare[1]/9 && bare[0]%9 != bare[1]%9 {
		return nil
	}
	if all := g.digits(rich...); len(all) == 3 && slices.Equal(g.digits(rich[0]), g.digits(rich[1])) {
		extra := slices.DeleteFunc(all, func(d int) bool { return slices.Contains(pair, d) })
		if out = g.seeingAll(rich, extra...); len(out) > 0 {
			return out
		}
	}
	for i, d := range pair {
		for _, u := range refUnits {
			if slices.Equal(g.with(u, d), rich) {
				return []refLit{{rich[0], pair[1-i]}, {rich[1], pair[1-i]}}
			}
		}
	}
	return nil
}

var refTechniques = map[string]func(g *reference) refMove{
	"naked-single":       (*reference).nakedSingle,
	"hidden-single":      (*reference).hiddenSingle,
	"pointing":           (*reference).pointing,
	"box-line-reduction": (*reference).boxLine,
	"naked-pair":         func(g *reference) refMove { return g.naked(2) },
	"hidden-pair":        (*reference).hiddenPair,
	"naked-triple":       func(g *reference) refMove { return g.naked(3) },
	"x-wing":             func(g *reference) refMove { return g.fish(2) },
	"swordfish":          func(g *reference) refMove { return g.fish(3) },
	"xy-wing":            (*reference).xyWing,
	"simple-coloring":    (*reference).coloring,
	"unique-rectangle":   (*reference).rectangle,
}

// find gives the step of the first technique that makes one.
func (g *reference) find(order []logic.Technique) (logic.Technique, refMove) {
	for _, t := range order {
		if m := refTechniques[t.Name](g); m.found() {
			return t, m
		}
	}
	return logic.Technique{}, refMove{}
}

func (g *reference) take(m refMove) {
	for _, l := range m.removes {
		g.can[l.cell][l.digit] = false
	}
	if m.place == nil {
		return
	}
	g.digit[m.place.cell] = m.place.digit
	g.can[m.place.cell] = [10]bool{}
	for c := range 81 {
		if refSees(c, m.place.cell) {
			g.can[c][m.place.digit] = false
		}
	}
}

// solve gives the steps, and whether the grid got full.
func (g *reference) solve(order []logic.Technique) (steps []refStep, tier int, full bool) {
	tier = 1
	for {
		t, m := g.find(order)
		if !m.found() {
			return steps, tier, !slices.Contains(g.digit[:], 0)
		}
		tier = max(tier, t.Tier)
		s := refStep{technique: t.Name}
		if m.place != nil {
			s.placed = refText(*m.place)
		}
		for _, l := range m.removes {
			s.removed = append(s.removed, refText(l))
		}
		slices.Sort(s.removed)
		steps = append(steps, s)
		g.take(m)
	}
}

var refTiers = map[string]int{
	"naked-single": 1, "hidden-single": 1, "pointing": 2, "box-line-reduction": 2, "naked-pair": 2, "hidden-pair": 2,
	"naked-triple": 3, "x-wing": 3, "swordfish": 4, "xy-wing": 4, "simple-coloring": 4, "unique-rectangle": 5,
}

// asReference gives a step as the reference writes it.
func asReference(s logic.Step) (out refStep) {
	out.technique = s.Technique
	for _, l := range s.Placed {
		out.placed += naming.Text(l)
	}
	for _, l := range s.Removed {
		out.removed = append(out.removed, naming.Text(l))
	}
	slices.Sort(out.removed)
	return out
}

// compareWithReference checks tier, outcome and the whole step list of a puzzle with one solution.
func compareWithReference(t *testing.T, r rater, cells *[81]uint8) raters.Rating {
	got := r.rate(cells)
	steps := got.Steps()
	want, tier, full := newReference(cells).solve(r.Profile().Techniques)
	if !full {
		tier = 5
	}
	for i, w := range want {
		if i >= len(steps) {
			t.Fatalf("%s: ends before step %d, %v", text(cells), i+1, w)
		}
		g := asReference(steps[i])
		if g.technique != w.technique || g.placed != w.placed || !slices.Equal(g.removed, w.removed) {
			t.Fatalf("%s: step %d is %v, want %v", text(cells), i+1, g, w)
		}
	}
	if len(steps) != len(want) || got.Tier != tier || (got.Outcome == raters.Stuck) == full || got.Level != levels[tier] {
		t.Fatalf("%s: %s %s tier %d after %d steps, want tier %d after %d", text(cells), got.Outcome, got.Level, got.Tier, len(steps), tier, len(want))
	}
	return got
}

// A full run compares all of bench.sdm and 2,000 candidates beside.
func TestStepsAreThoseOfAClearRewrite(t *testing.T) {
	shelves, hard := readBench(t)
	used := map[string]bool{}
	compare := func(cells *[81]uint8) {
		for _, u := range compareWithReference(t, tiersRater, cells).Techniques {
			used[u.Name] = true
		}
	}
	for i := 0; i < len(shelves); i += size(7, 1) {
		compare(&shelves[i])
	}
	for i := 0; i < len(hard); i += size(7, 1) {
		compare(&hard[i])
	}
	for seed := range uint64(size(40, 2000)) {
		m := candidate(seed, 5)
		compare(&m.clues)
	}
	for _, q := range tiers {
		if !used[q.name] {
			t.Errorf("%s was not used", q.name)
		}
	}
}

// Whatever the order, and with whatever switched off, what techniques remember of what they looked at before
// changes no step.
func TestStepsUnderAnyProfile(t *testing.T) {
	shelves, hard := readBench(t)
	puzzles := slices.Concat(shelves, hard)
	for seed := range uint64(size(25, 2000)) {
		random := rand.New(rand.NewPCG(seed, 1))
		r, err := tiersRater.With(anyProfile(random))
		if err != nil {
			t.Fatal(err)
		}
		compareWithReference(t, r.(rater), &puzzles[random.IntN(len(puzzles))])
	}
}

// anyProfile draws some of the techniques in any order, with tiers that rise from anywhere to anywhere.
func anyProfile(random *rand.Rand) raters.Profile {
	p := tiersRater.Profile()
	random.Shuffle(len(tiers), func(i, j int) { p.Techniques[i], p.Techniques[j] = p.Techniques[j], p.Techniques[i] })
	p.Techniques = p.Techniques[:1+random.IntN(len(tiers))]
	tier := 1
	for i := range p.Techniques {
		tier = min(tier+random.IntN(2), evil)
		p.Techniques[i].Tier, p.Techniques[i].Level = tier, ""
	}
	return p
}
