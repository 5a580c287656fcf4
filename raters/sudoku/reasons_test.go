package sudoku

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// facts is all a verifier knows: the literals a step says it relies on, nothing else of the grid.
type facts map[refLit]bool

func (f facts) left(cell int) (digits []int) {
	for d := 1; d <= 9; d++ {
		if !f[refLit{cell, d}] {
			digits = append(digits, d)
		}
	}
	return digits
}

func (f facts) places(unit []int, d int) (cells []int) {
	for _, c := range unit {
		if !f[refLit{c, d}] {
			cells = append(cells, c)
		}
	}
	return cells
}

func lit(l logic.Literal) refLit { return refLit{l.Variable(), l.Value() + 1} }

func lits(in []logic.Literal) (out []refLit) {
	for _, l := range in {
		out = append(out, lit(l))
	}
	return out
}

// unitNamed reads "row 3", "column 4" or "box 9".
func unitNamed(s string) []int {
	kind, number, _ := strings.Cut(s, " ")
	return refUnits[map[string]int{"row": 0, "column": 9, "box": 18}[kind]+int(number[0]-'1')]
}

// linesNamed reads "rows 2 and 7" or "columns 1, 4 and 7".
func linesNamed(s string) (lines [][]int, across int) {
	kind, rest, _ := strings.Cut(s, "s ")
	for _, n := range strings.FieldsFunc(rest, func(r rune) bool { return r < '1' || r > '9' }) {
		lines = append(lines, unitNamed(kind+" "+n))
	}
	return lines, map[string]int{"row": 9, "column": 0}[kind]
}

func cellsNamed(s string) (cells []int) {
	for _, n := range strings.Fields(s) {
		cells = append(cells, 9*int(n[1]-'1')+int(n[3]-'1'))
	}
	return cells
}

func seesAll(c int, cells []int) bool {
	return !slices.ContainsFunc(cells, func(x int) bool { return !refSees(c, x) })
}

// verifiers prove a step from its reasons and its rule instance alone; each returns what is wrong.
var verifiers = map[string]func(f facts, instance string, placed, removed []refLit) string{
	"naked-single": func(f facts, instance string, placed, removed []refLit) string {
		c := cellsNamed(instance)[0]
		return unless(len(placed) == 1 && placed[0].cell == c && len(removed) == 0 && slices.Equal(f.left(c), []int{placed[0].digit}), "the cell keeps other digits")
	},
	"hidden-single": func(f facts, instance string, placed, removed []refLit) string {
		p := placed[0]
		for _, r := range removed {
			if r.cell != p.cell || r.digit == p.digit {
				return "removes beside the cell"
			}
		}
		return unless(slices.Equal(f.places(unitNamed(instance), p.digit), []int{p.cell}), "the digit has other places")
	},
	"pointing":           verifyLocked,
	"box-line-reduction": verifyLocked,
	"naked-pair":         func(f facts, i string, _, r []refLit) string { return verifyNaked(f, i, r, 2) },
	"naked-triple":       func(f facts, i string, _, r []refLit) string { return verifyNaked(f, i, r, 3) },
	"hidden-pair": func(f facts, instance string, _, removed []refLit) string {
		byCells := map[string][]int{}
		for d := 1; d <= 9; d++ {
			if p := f.places(unitNamed(instance), d); len(p) == 2 {
				byCells[fmt.Sprint(p)] = append(byCells[fmt.Sprint(p)], d)
			}
		}
		for _, r := range removed {
			proved := false
			for d1 := 1; d1 <= 9; d1++ {
				p := f.places(unitNamed(instance), d1)
				pair := byCells[fmt.Sprint(p)]
				proved = proved || len(pair) == 2 && slices.Contains(p, r.cell) && !slices.Contains(pair, r.digit)
			}
			if !proved {
				return "removes what is not beside a pair"
			}
		}
		return ""
	},
	"x-wing":    func(f facts, i string, _, r []refLit) string { return verifyFish(f, i, r, 2) },
	"swordfish": func(f facts, i string, _, r []refLit) string { return verifyFish(f, i, r, 3) },
	"xy-wing": func(f facts, instance string, _, removed []refLit) string {
		c := cellsNamed(instance)
		p, a, b := f.left(c[0]), f.left(c[1]), f.left(c[2])
		if len(p) != 2 || len(a) != 2 || len(b) != 2 || !refSees(c[0], c[1]) || !refSees(c[0], c[2]) {
			return "no pivot and wings"
		}
		for _, r := range removed {
			// Whatever the pivot is, a wing is the digit: without z in the cell's way both wings take a digit of the pivot.
			if !slices.Contains(a, r.digit) || !slices.Contains(b, r.digit) || slices.Contains(p, r.digit) ||
				slices.Equal(a, b) || !seesAll(r.cell, c[1:]) {
				return "removes what a wing need not be"
			}
			for _, d := range append(a, b...) {
				if d != r.digit && !slices.Contains(p, d) {
					return "a wing has a digit of its own"
				}
			}
		}
		return ""
	},
	"simple-coloring": verifyColoring,
	"unique-rectangle": func(f facts, instance string, _, removed []refLit) string {
		kind, rest, _ := strings.Cut(strings.TrimPrefix(instance, "type "), " ")
		return verifyRectangle(f, kind, cellsNamed(rest), removed)
	},
}

func unless(ok bool, wrong string) string {
	if ok {
		return ""
	}
	return wrong
}

func verifyLocked(f facts, instance string, _, removed []refLit) string {
	unit := unitNamed(instance)
	for _, r := range removed {
		if slices.Contains(unit, r.cell) || !seesAll(r.cell, f.places(unit, r.digit)) {
			return "removes what a place does not see"
		}
	}
	return ""
}

func verifyNaked(f facts, instance string, removed []refLit, k int) string {
	var cells, digits []int
	for _, c := range unitNamed(instance) {
		if left := f.left(c); len(left) <= k {
			cells = append(cells, c)
			digits = append(digits, left...)
		}
	}
	slices.Sort(digits)
	digits = slices.Compact(digits)
	if len(cells) != k || len(digits) != k {
		return "no set of cells"
	}
	for _, r := range removed {
		if !slices.Contains(digits, r.digit) || !seesAll(r.cell, cells) {
			return "removes beside the set"
		}
	}
	return ""
}

func verifyFish(f facts, instance string, removed []refLit, k int) string {
	lines, across := linesNamed(instance)
	d := removed[0].digit
	var cover, base []int
	for _, l := range lines {
		base = append(base, l...)
		for _, c := range f.places(l, d) {
			cover = append(cover, map[int]int{0: c / 9, 9: c % 9}[across])
		}
	}
	slices.Sort(cover)
	cover = slices.Compact(cover)
	if len(lines) != k || len(cover) != k {
		return "no fish"
	}
	for _, r := range removed {
		line := map[int]int{0: r.cell / 9, 9: r.cell % 9}[across]
		if r.digit != d || slices.Contains(base, r.cell) || !slices.Contains(cover, line) {
			return "removes beside the fish"
		}
	}
	return ""
}

func verifyColoring(f facts, instance string, _, removed []refLit) string {
	d := removed[0].digit
	g := new(reference)
	for c := range 81 {
		g.can[c][d] = !f[refLit{c, d}]
	}
	color := g.colors(cellsNamed(instance)[0], d)
	if len(color) == 1 { // the first cell is in no link that is used: start from one that is
		for c := range 81 {
			if other := g.colors(c, d); len(other) > len(color) {
				color = other
			}
		}
	}
	for _, r := range removed {
		var seen [3]bool
		wraps := false
		for a, k := range color {
			seen[k] = seen[k] || refSees(r.cell, a)
			for b := range color {
				wraps = wraps || color[r.cell] == k && color[b] == k && refSees(a, b)
			}
		}
		if r.digit != d || !wraps && !(color[r.cell] == 0 && seen[1] && seen[2]) {
			return "removes what is neither wrapped nor trapped"
		}
	}
	return ""
}

func verifyRectangle(f facts, kind string, corners []int, removed []refLit) string {
	boxes := map[int]bool{}
	var bare, rich, pair []int
	for _, c := range corners {
		boxes[c/27*3+c%9/3] = true
		if left := f.left(c); len(left) == 2 {
			bare, pair = append(bare, c), left
		} else {
			rich = append(rich, c)
		}
	}
	for _, c := range bare {
		if !slices.Equal(f.left(c), pair) {
			return "bare corners differ"
		}
	}
	if len(boxes) != 2 {
		return "not two boxes"
	}
	inLine := len(rich) == 2 && (rich[0]/9 == rich[1]/9 || rich[0]%9 == rich[1]%9)
	for _, r := range removed {
		ok := false
		switch kind {
		case "1":
			ok = len(bare) == 3 && r.cell == rich[0] && slices.Contains(pair, r.digit)
		case "2":
			want := append(slices.Clone(pair), r.digit)
			slices.Sort(want)
			ok = inLine && seesAll(r.cell, rich) && slices.Equal(f.left(rich[0]), want) && slices.Equal(f.left(rich[1]), want)
		case "4":
			for _, u := range refUnits {
				for _, d := range pair {
					ok = ok || inLine && slices.Contains(rich, r.cell) && slices.Contains(pair, r.digit) && d != r.digit && slices.Equal(f.places(u, d), rich)
				}
			}
		}
		if !ok {
			return "removes what the rectangle allows"
		}
	}
	return ""
}

// checkReasons replays a rating: each step's reasons prove it, were there before it, and come from the
// steps it names; what it concludes agrees with the solution.
func checkReasons(t *testing.T, cells *[81]uint8, got raters.Rating, used map[string]int) {
	solution := solve(t, cells).Solutions[0]
	g := newReference(cells)
	by := map[refLit]uint16{}
	for i, s := range got.Steps() {
		used[s.Technique]++
		placed, removed, because := lits(s.Placed), lits(s.Removed), lits(s.Because)
		f, from := facts{}, []uint16{}
		for _, l := range because {
			if g.can[l.cell][l.digit] || g.digit[l.cell] == l.digit || f[l] {
				t.Fatalf("%s: step %d relies on %s, which is not removed or named twice", text(cells), i+1, refText(l))
			}
			f[l] = true
			if n := by[l]; n > 0 {
				from = append(from, n)
			}
		}
		slices.Sort(from)
		if from = slices.Compact(from); !slices.Equal(from, s.From) {
			t.Fatalf("%s: step %d comes from %v, not %v", text(cells), i+1, from, s.From)
		}
		if wrong := verifiers[s.Technique](f, s.Instance, placed, removed); wrong != "" {
			t.Fatalf("%s: step %d, %s: %s", text(cells), i+1, s.Text(naming), wrong)
		}
		checkConclusions(t, cells, g, s, solution)
		if s.Technique == "unique-rectangle" {
			checkCorners(t, cells, g, s)
		}
		for _, l := range because {
			delete(f, l)
			if s.Technique != "simple-coloring" && verifiers[s.Technique](f, s.Instance, placed, removed) == "" {
				t.Fatalf("%s: step %d, %s, does not need %s", text(cells), i+1, s.Text(naming), refText(l))
			}
			f[l] = true
		}
		before := *g
		m := refMove{removes: removed}
		if len(placed) > 0 {
			m.place = &placed[0]
		}
		g.take(m)
		for c := range 81 {
			for d := 1; d <= 9; d++ {
				if before.can[c][d] && !g.can[c][d] && g.digit[c] != d {
					by[refLit{c, d}] = uint16(i + 1)
				}
			}
		}
	}
}

func checkConclusions(t *testing.T, cells *[81]uint8, g *reference, s logic.Step, solution string) {
	for _, l := range lits(s.Placed) {
		if !g.can[l.cell][l.digit] || solution[l.cell] != byte('0'+l.digit) {
			t.Fatalf("%s: %s places what was gone or is wrong", text(cells), s.Text(naming))
		}
	}
	for _, l := range lits(s.Removed) {
		if !g.can[l.cell][l.digit] || solution[l.cell] == byte('0'+l.digit) {
			t.Fatalf("%s: %s removes what was gone or is right", text(cells), s.Text(naming))
		}
	}
}

// checkCorners checks that the corners are neither given nor filled and hold both digits of the bare ones.
func checkCorners(t *testing.T, cells *[81]uint8, g *reference, s logic.Step) {
	corners := cellsNamed(s.Instance[len("type 1 "):])
	var pair []int
	for _, c := range corners {
		if d := g.digits(c); pair == nil || len(d) < len(pair) {
			pair = d
		}
	}
	for _, c := range corners {
		if cells[c] != 0 || len(pair) != 2 || !g.can[c][pair[0]] || !g.can[c][pair[1]] {
			t.Fatalf("%s: %s: corner %s", text(cells), s.Text(naming), cellNames[c])
		}
	}
}

func TestReasonsProveEachStep(t *testing.T) {
	shelves, hard := readBench(t)
	used := map[string]int{}
	for _, cells := range append(shelves, hard...) {
		checkReasons(t, &cells, tiersRater.rate(&cells), used)
	}
	for _, q := range tiers {
		if used[q.name] < 5 {
			t.Errorf("%s was used %d times: too few to check it", q.name, used[q.name])
		}
	}
	t.Log(used)
}
