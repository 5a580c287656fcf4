package kakurasu

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
	"assay/raters/seedrand"
)

// marked writes a board: the puzzle and what is known of its cells.
func marked(p raters.Puzzle, g *grid, gone []logic.Literal) string {
	cells := slices.Repeat([]byte{'.'}, g.rows*g.columns)
	for _, l := range gone {
		cells[l.Variable()] = "+#"[l.Value()]
	}
	out := p.Text
	for r := range g.rows {
		out += "\n" + strings.Join(strings.Split(string(cells[r*g.columns:(r+1)*g.columns]), ""), " ")
	}
	return out
}

// Whoever marks what a hint says, and what follows by itself, goes the way of the rating: after each step the hint
// is the next one that counts. It is given the marks and nothing else.
func TestHintsFollowTheRating(t *testing.T) {
	for seed := range uint64(100) {
		p := generate(t, raters.Request{Variant: "7x7", Level: builtIn.Levels()[seed%4], Seed: seed}).Puzzle
		rating, err := canonical.Rate(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		g, err := parse(p)
		if err != nil {
			t.Fatal(err)
		}
		steps := rating.Steps()
		var gone []logic.Literal
		for i, step := range steps {
			next := slices.IndexFunc(steps[i:], func(s logic.Step) bool { return s.Level != "" })
			hint, err := canonical.Hint(t.Context(), p, marked(p, &g, gone), 0)
			if err != nil {
				t.Fatal(err)
			}
			if next < 0 && hint.Kind != raters.HintNone || next >= 0 && hint.Move != steps[i+next].Text(rating.Naming) {
				t.Fatalf("%s\nafter %d steps: hint %+v", marked(p, &g, gone), i, hint)
			}
			gone = append(gone, step.Removed...)
		}
		hint, err := canonical.Hint(t.Context(), p, marked(p, &g, gone), 0)
		if err != nil || hint.Kind != raters.HintNone || hint.Area == "" {
			t.Fatalf("on a full board: %+v, error %v", hint, err)
		}
	}
}

// moves returns what the reference's steps say that count, as a hint's move says it.
func (r *reference) moves() (all []string) {
	for _, text := range r.solve() {
		said, _, _ := strings.Cut(text, " because")
		if said != "stuck" && !strings.HasPrefix(said, refBookkeeping.name) {
			before, placed, _ := strings.Cut(strings.TrimSuffix(said, "]"), "[")
			all = append(all, before+strings.ReplaceAll(placed, " ", ", "))
		}
	}
	return all
}

// The hint for any correct marks, after any number of skipped steps, is the step that the reference takes there. There
// is none exactly when the reference finds none.
func TestHintsAreTheStepsOfTheReference(t *testing.T) {
	asked, stuck := 0, 0
	for seed := range uint64(500) {
		side := 6 + int(seed/2%2)
		s := draw(side, side, seed)
		g := s.clued(side, side)
		if found, _, err := (solver{budget: solveBudget}).search(t.Context(), &g); err != nil || len(found) != 1 {
			continue
		}
		known, gone := map[int]int{}, []logic.Literal(nil)
		r := seedrand.New(seed)
		for c, value := range values(raters.Puzzle{}, s.text(side, side)) {
			if r.IntN(100) < int(seed%2*(seed%40)) {
				known[c], gone = int(value), append(gone, logic.Lit(c, 1-int(value)))
			}
		}
		want := (&reference{&g, known, map[int]int{}, 1}).moves()
		board := marked(g.puzzle(), &g, gone)
		for skip := range len(want) + 2 {
			got, err := canonical.Hint(t.Context(), g.puzzle(), board, skip)
			if err != nil {
				t.Fatal(err)
			}
			if hinted := skip < len(want); hinted != (got.Kind == raters.HintStep) || hinted && (got.Move != want[skip] || !got.Writes || len(got.Removed) == 0) {
				t.Fatalf("%s\nafter %d of %d steps: %+v", board, skip, len(want), got)
			}
			if asked++; got.Kind == raters.HintNone && got.Area == "" {
				stuck++
			}
		}
	}
	if asked < 1000 || stuck < 3 {
		t.Errorf("%d hints, and %d where no technique applies: too few to check them", asked, stuck)
	}
}

func TestHintsOfWrongMarks(t *testing.T) {
	p := raters.Puzzle{Genre: Name, Variant: "5x5", Text: sample}
	for marks, want := range map[string]raters.Hint{
		"##.## ##### ##### ##### #####": {Kind: raters.HintMistake, Technique: "clue-passed", Area: "row 1", Move: "clue-passed, row 1"},
		"+++++ ..... ..... ..... .....": {Kind: raters.HintMistake, Technique: "clue-out-of-reach", Area: "row 1", Move: "clue-out-of-reach, row 1"},
	} {
		if got, err := canonical.Hint(t.Context(), p, sample+"\n"+marks, 0); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, error %v", marks, got, err)
		}
	}
	// r1c1 is not shaded in the solution, and no rule says so yet: the hint goes on from the mark.
	if got, err := canonical.Hint(t.Context(), p, sample+"\n#.... ..... ..... ..... .....", 0); err != nil || got.Kind != raters.HintStep {
		t.Errorf("%+v, error %v", got, err)
	}
}

func TestBoardsOfAnotherKindAreRefused(t *testing.T) {
	p := raters.Puzzle{Genre: Name, Variant: "5x5", Text: sample}
	for board, reason := range map[string]string{
		"":                                 "wanted the number of rows",
		"5 5\n8 10 9 9 7\n9 6 7 2 15":      "another puzzle",
		sample + "\n.":                     "end after 1 of 25",
		sample + "\n..... .....":           "end after 10 of 25",
		sample + strings.Repeat(" .", 26):  "more than 25",
		sample + "\n....?":                 "wanted # for a shaded cell",
		sample + strings.Repeat(".", 5000): "longer than 4096",
	} {
		_, err := canonical.Hint(t.Context(), p, board, 0)
		var syntax *raters.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Reason, reason) {
			t.Errorf("%q: error %v", board, err)
		}
	}
	two := raters.Puzzle{Genre: Name, Variant: "4x4", Text: twins(t)}
	var many *raters.NotUniqueError
	if _, err := canonical.Hint(t.Context(), two, two.Text, 0); !errors.As(err, &many) || many.Solutions[0] == many.Solutions[1] {
		t.Errorf("a puzzle with two solutions: error %v", err)
	}
	var none *raters.NoSolutionError
	empty := raters.Puzzle{Genre: Name, Variant: "4x4", Text: "4 4\n1 1 1 1\n11 1 1 1"}
	if _, err := canonical.Hint(t.Context(), empty, empty.Text, 0); !errors.As(err, &none) || none.Reason == "" {
		t.Errorf("a puzzle without a solution: error %v", err)
	}
}

// twins returns a puzzle with two solutions, the first by text.
func twins(t *testing.T) string {
	t.Helper()
	var texts []string
	for text, all := range all4x4() {
		if len(all) > 1 {
			texts = append(texts, text)
		}
	}
	return slices.Min(texts)
}

// Whatever the board: an error with a place in it, or a hint. A mistake is said of marks that no solution has.
func FuzzHint(f *testing.F) {
	p := raters.Puzzle{Genre: Name, Variant: "5x5", Text: sample}
	solved, err := solver{budget: solveBudget}.Solve(f.Context(), p)
	if err != nil {
		f.Fatal(err)
	}
	solution := values(p, solved.Solutions[0])
	for _, marks := range []string{"", "\n#####", "\n##.## ##### ##### ##### #####", "\n+x..#" + strings.Repeat(" +", 20), "\né"} {
		f.Add(sample+marks, 0)
	}
	f.Fuzz(func(t *testing.T, board string, skip int) {
		hint, err := canonical.Hint(t.Context(), p, board, skip)
		var syntax *raters.SyntaxError
		if err != nil {
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%q: error %v", board, err)
			}
			return
		}
		g, err := parse(p)
		if err != nil {
			t.Fatal(err)
		}
		gone, err := g.marks(board)
		if err != nil {
			t.Fatal(err)
		}
		wrong := slices.ContainsFunc(gone, func(l logic.Literal) bool { return l.IsSo(solution) })
		if hint.Kind == raters.HintMistake && !wrong {
			t.Fatalf("%q: %+v", board, hint)
		}
	})
}
