package sudoku

import (
	"maps"
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

// The techniques of sudoku.canonical once more, on the grid of yes and no of the reference. They share no code with
// the rater.

// refKind gives the units of a kind: rows, columns, boxes.
func refKind(kind int) [][]int { return refUnits[9*kind : 9*kind+9] }

var refAll = []int{1, 2, 3, 4, 5, 6, 7, 8, 9}

func (g *reference) hiddenSingleByDigit() (m refMove) {
	for _, u := range refUnits {
		for _, d := range refAll {
			if in := g.with(u, d); len(in) == 1 {
				m.place = &refLit{in[0], d}
				for _, e := range g.digits(in[0]) {
					if e != d {
						m.removes = append(m.removes, refLit{in[0], e})
					}
				}
				return m
			}
		}
	}
	return m
}

// confinedTo looks for two or more places of a digit in a unit that another unit holds as well.
func (g *reference) confinedTo(units, others [][]int) (m refMove) {
	for _, u := range units {
		for _, d := range refAll {
			in := g.with(u, d)
			for _, o := range others {
				if len(in) < 2 || slices.ContainsFunc(in, func(c int) bool { return !slices.Contains(o, c) }) {
					continue
				}
				for _, c := range g.with(o, d) {
					if !slices.Contains(u, c) {
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

func (g *reference) nakedIn(k int) (m refMove) {
	for _, u := range refUnits {
		var open []int
		for _, c := range u {
			if n := len(g.digits(c)); n >= 2 && n <= k {
				open = append(open, c)
			}
		}
		for _, cells := range subsets(open, k) {
			digits := g.digits(cells...)
			if len(digits) != k {
				continue
			}
			for _, c := range u {
				for _, d := range digits {
					if g.can[c][d] && !slices.Contains(cells, c) {
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

func (g *reference) hiddenIn(k int) (m refMove) {
	for _, u := range refUnits {
		var few []int
		for _, d := range refAll {
			if n := len(g.with(u, d)); n >= 2 && n <= k {
				few = append(few, d)
			}
		}
		for _, digits := range subsets(few, k) {
			cells := map[int]bool{}
			for _, d := range digits {
				for _, c := range g.with(u, d) {
					cells[c] = true
				}
			}
			for c := range cells {
				for _, d := range g.digits(c) {
					if len(cells) == k && !slices.Contains(digits, d) {
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

func (g *reference) fishByDigit(k int) (m refMove) {
	for kind := range 2 {
		for _, d := range refAll {
			for _, lines := range subsets([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, k) {
				if m.removes = g.fishOf(refKind(kind), lines, d); m.found() {
					return m
				}
			}
		}
	}
	return m
}

// bivalue gives the cells with two candidates.
func (g *reference) bivalue() (cells []int) {
	for c := range 81 {
		if len(g.digits(c)) == 2 {
			cells = append(cells, c)
		}
	}
	return cells
}

// wing tries, for a pivot and two cells with two candidates, whether every digit of the pivot leaves z in one of the
// three.
func (g *reference) wing(pivot int) (m refMove) {
	for p := range 81 {
		if len(g.digits(p)) != pivot {
			continue
		}
		for _, two := range subsets(g.bivalue(), 2) {
			a, b := two[0], two[1]
			if !refSees(p, a) || !refSees(p, b) || slices.Equal(g.digits(a), g.digits(b)) || len(g.digits(p, a, b)) != 3 {
				continue
			}
			for _, z := range g.digits(a) {
				if !g.can[b][z] || !slices.Equal(without(g.digits(a, b), z), without(g.digits(p), z)) {
					continue
				}
				seen := []int{a, b}
				if g.can[p][z] {
					seen = append(seen, p)
				}
				m.removes = g.seeingAll(seen, z)
			}
			if m.found() {
				return m
			}
		}
	}
	return m
}

func without(list []int, x int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(y int) bool { return x == y })
}

func (g *reference) wWing() (m refMove) {
	for _, two := range subsets(g.bivalue(), 2) {
		a, b := two[0], two[1]
		digits := g.digits(a)
		if refSees(a, b) || !slices.Equal(digits, g.digits(b)) {
			continue
		}
		for i, x := range digits {
			for _, u := range refUnits {
				in := g.with(u, x)
				if len(in) == 2 && (refSees(in[0], a) && refSees(in[1], b) || refSees(in[0], b) && refSees(in[1], a)) {
					m.removes = g.seeingAll(two, digits[1-i])
				}
			}
			if m.found() {
				return m
			}
		}
	}
	return m
}

func (g *reference) skyscraper() (m refMove) {
	for kind := range 2 {
		for _, d := range refAll {
			for _, lines := range subsets([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, 2) {
				a, b := g.with(refKind(kind)[lines[0]], d), g.with(refKind(kind)[lines[1]], d)
				if len(a) != 2 || len(b) != 2 {
					continue
				}
				var tops []int
				for _, across := range refKind(1 - kind) {
					in := slices.DeleteFunc(slices.Clone(across), func(c int) bool { return !slices.Contains(a, c) && !slices.Contains(b, c) })
					if len(in) == 1 {
						tops = append(tops, in[0])
					}
				}
				if len(tops) == 2 {
					m.removes = g.seeingAll(tops, d)
				}
				if m.found() {
					return m
				}
			}
		}
	}
	return m
}

func (g *reference) kite() (m refMove) {
	for _, d := range refAll {
		for _, row := range refKind(0) {
			for _, column := range refKind(1) {
				if m.removes = g.kiteOf(g.with(row, d), g.with(column, d), d); m.found() {
					return m
				}
			}
		}
	}
	return m
}

func (g *reference) kiteOf(r, k []int, d int) []refLit {
	all := map[int]bool{}
	for _, c := range slices.Concat(r, k) {
		all[c] = true
	}
	if len(r) != 2 || len(k) != 2 || len(all) != 4 {
		return nil
	}
	for i, x := range r {
		for j, y := range k {
			if x/27 != y/27 || x%9/3 != y%9/3 {
				continue
			}
			if out := g.seeingAll([]int{r[1-i], k[1-j]}, d); len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

func (g *reference) coloringByDigit() (m refMove) {
	for _, d := range refAll {
		for first := range 81 {
			if !g.can[first][d] {
				continue
			}
			color := g.colors(first, d)
			if slices.Min(slices.Collect(maps.Keys(color))) != first {
				continue
			}
			if m.removes = g.wrapOrTrap(color, d); m.found() {
				return m
			}
		}
	}
	return m
}

// linked tells whether a digit has these two places alone in a unit.
func (g *reference) linked(a, b, d int) bool {
	for _, u := range refUnits {
		if in := g.with(u, d); len(in) == 2 && a != b && slices.Contains(in, a) && slices.Contains(in, b) {
			return true
		}
	}
	return false
}

func (g *reference) xChain() (m refMove) {
	for _, d := range refAll {
		for first := range 81 {
			if !g.can[first][d] {
				continue
			}
			if m.removes = g.xChainFrom(first, d); m.found() {
				return m
			}
		}
	}
	return m
}

// reached is what a chain comes to: the cells on the way.
type reached map[refLit][]int

// next gives what follows from what was reached last, each from the first cell in order whose way has not come
// through it, and is not known already.
func (r reached) next(known reached, all []refLit, follows func(from, to refLit) bool) reached {
	out, from := reached{}, slices.Collect(maps.Keys(r))
	slices.SortFunc(from, func(a, b refLit) int { return a.cell - b.cell })
	for _, to := range all {
		for _, l := range from {
			if known[to] == nil && out[to] == nil && !slices.Contains(r[l], to.cell) && follows(l, to) {
				out[to] = append(slices.Clone(r[l]), to.cell)
			}
		}
	}
	maps.Copy(known, out)
	return out
}

// xChainFrom follows links, strong and weak in turn.
func (g *reference) xChainFrom(first, d int) []refLit {
	var all []refLit
	for c := range 81 {
		if g.can[c][d] && c != first {
			all = append(all, refLit{c, d})
		}
	}
	now := reached{{first, d}: {first}}
	not, is := maps.Clone(now), reached{}
	for n := 1; len(now) > 0; n++ {
		if n%2 == 0 {
			now = now.next(not, all, func(a, b refLit) bool { return refSees(a.cell, b.cell) })
			continue
		}
		now = now.next(is, all, func(a, b refLit) bool { return g.linked(a.cell, b.cell, d) })
		for last := range 81 {
			if n > 1 && now[refLit{last, d}] != nil {
				if out := g.seeingAll([]int{first, last}, d); len(out) > 0 {
					return out
				}
			}
		}
	}
	return nil
}

func (g *reference) xyChain() (m refMove) {
	for _, first := range g.bivalue() {
		for _, z := range g.digits(first) {
			if m.removes = g.xyChainFrom(first, z); m.found() {
				return m
			}
		}
	}
	return m
}

// xyChainFrom follows what cells with two candidates hold, if the first does not hold z.
func (g *reference) xyChainFrom(first, z int) []refLit {
	var all []refLit
	for _, c := range without(g.bivalue(), first) {
		for _, d := range g.digits(c) {
			all = append(all, refLit{c, d})
		}
	}
	now := reached{{first, without(g.digits(first), z)[0]}: {first}}
	known := maps.Clone(now)
	for n := 2; len(now) > 0; n++ {
		now = now.next(known, all, func(a, b refLit) bool {
			return refSees(a.cell, b.cell) && g.can[b.cell][a.digit] && a.digit != b.digit
		})
		for last := range 81 {
			if n > 2 && now[refLit{last, z}] != nil {
				if out := g.seeingAll([]int{first, last}, z); len(out) > 0 {
					return out
				}
			}
		}
	}
	return nil
}

var refCanonical = map[string]func(g *reference) refMove{
	"naked-single":    (*reference).nakedSingle,
	"hidden-single":   (*reference).hiddenSingleByDigit,
	"pointing":        func(g *reference) refMove { return g.confinedTo(refUnits[18:], refUnits[:18]) },
	"claiming":        func(g *reference) refMove { return g.confinedTo(refUnits[:18], refUnits[18:]) },
	"naked-pair":      func(g *reference) refMove { return g.nakedIn(2) },
	"hidden-pair":     func(g *reference) refMove { return g.hiddenIn(2) },
	"naked-triple":    func(g *reference) refMove { return g.nakedIn(3) },
	"hidden-triple":   func(g *reference) refMove { return g.hiddenIn(3) },
	"naked-quad":      func(g *reference) refMove { return g.nakedIn(4) },
	"hidden-quad":     func(g *reference) refMove { return g.hiddenIn(4) },
	"x-wing":          func(g *reference) refMove { return g.fishByDigit(2) },
	"swordfish":       func(g *reference) refMove { return g.fishByDigit(3) },
	"jellyfish":       func(g *reference) refMove { return g.fishByDigit(4) },
	"xy-wing":         func(g *reference) refMove { return g.wing(2) },
	"xyz-wing":        func(g *reference) refMove { return g.wing(3) },
	"w-wing":          (*reference).wWing,
	"skyscraper":      (*reference).skyscraper,
	"two-string-kite": (*reference).kite,
	"simple-coloring": (*reference).coloringByDigit,
	"x-chain":         (*reference).xChain,
	"xy-chain":        (*reference).xyChain,
}

// solveAs takes steps by these techniques, as far as they lead.
func (g *reference) solveAs(order []logic.Technique) (steps []refStep, level string, full bool) {
	level = "easy"
	for {
		i, m := 0, refMove{}
		for ; i < len(order) && !m.found(); i++ {
			m = refCanonical[order[i].Name](g)
		}
		if !m.found() {
			return steps, level, !slices.Contains(g.digit[:], 0)
		}
		t := order[i-1]
		if names := canonicalProfile.Levels(); slices.Index(names, t.Level) > slices.Index(names, level) {
			level = t.Level
		}
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

// compareWithRewrite checks the level, the outcome and all steps that count.
func compareWithRewrite(t *testing.T, r *deduce.Rater[*[81]uint8], cells *[81]uint8) raters.Rating {
	t.Helper()
	got, err := r.Rate(t.Context(), puzzle(cells))
	if err != nil {
		t.Fatal(err)
	}
	want, level, full := newReference(cells).solveAs(r.Profile().Techniques)
	n := 0
	for _, s := range got.Steps() {
		if s.Level == "" {
			continue
		}
		g := asReference(s)
		if n == len(want) || g.technique != want[n].technique || g.placed != want[n].placed || !slices.Equal(g.removed, want[n].removed) {
			t.Fatalf("%s: step %d is %v, want %v", text(cells), n+1, g, want[n:min(n+1, len(want))])
		}
		n++
	}
	if n != len(want) || (got.Outcome == raters.Rated) != full || full && got.Level != level {
		t.Fatalf("%s: %s %s after %d steps, want level %s after %d", text(cells), got.Outcome, got.Level, n, level, len(want))
	}
	return got
}

// A full run compares all of bench.sdm.
func TestCanonicalStepsAreThoseOfAClearRewrite(t *testing.T) {
	shelves, hard := readBench(t)
	used := map[string]int{}
	for i, cells := range slices.Concat(shelves, hard) {
		if i%size(8, 1) != 0 {
			continue
		}
		for _, u := range compareWithRewrite(t, canonicalRater, &cells).Techniques {
			used[u.Name] += u.Uses
		}
	}
	t.Log(used)
	for _, name := range []string{"claiming", "hidden-triple", "swordfish", "two-string-kite", "x-chain", "xy-chain"} {
		if used[name] == 0 {
			t.Errorf("%s was not used", name)
		}
	}
}

// Under other orders rare patterns come up first, also where singles are switched off.
func TestCanonicalStepsUnderAnyProfile(t *testing.T) {
	shelves, hard := readBench(t)
	puzzles := slices.Concat(shelves, hard)
	used := map[string]int{}
	for seed := range uint64(size(30, 500)) {
		r := seedrand.New(seed)
		rater, err := canonicalRater.With(anyCanonicalProfile(r))
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range compareWithRewrite(t, rater.(*deduce.Rater[*[81]uint8]), &puzzles[r.IntN(len(puzzles))]).Techniques {
			used[u.Name] += u.Uses
		}
	}
	t.Log(used)
	for _, q := range canonicalProfile.Techniques {
		if used[q.Name] == 0 {
			t.Errorf("%s was not used", q.Name)
		}
	}
}

// anyCanonicalProfile draws some of the techniques in any order, with levels that rise from anywhere to anywhere.
func anyCanonicalProfile(r *seedrand.Rand) raters.Profile {
	p := canonicalProfile
	p.Techniques = slices.Clone(p.Techniques)
	r.Shuffle(len(p.Techniques), func(i, j int) { p.Techniques[i], p.Techniques[j] = p.Techniques[j], p.Techniques[i] })
	p.Techniques = p.Techniques[:r.Between(1, len(p.Techniques))]
	names, level := canonicalProfile.Levels(), 0
	for i := range p.Techniques {
		level = r.Between(level, min(level+1, len(names)-1))
		p.Techniques[i].Level = names[level]
	}
	return p
}
