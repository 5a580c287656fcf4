package sudoku

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/seedrand"
)

// hintOn returns a hint from cells on a board of a puzzle.
func hintOn(t *testing.T, q *parsed, board []uint8, skip int) raters.Hint {
	t.Helper()
	h, err := shapedHinter{newShapedTiers(q.of)}.Hint(t.Context(), q.puzzle(), cellText(board), skip)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (q *parsed) puzzle() raters.Puzzle {
	return raters.Puzzle{Genre: Name, Variant: q.of.name, Text: q.text()}
}

// From any board of a puzzle, and after any number of steps, a hint is the step that the rater takes there. It says where
// without naming cells, but for those that name a cage.
func TestHintsOfVariantsAreTheStepsOfTheRater(t *testing.T) {
	for _, v := range shaped() {
		r, rater, told := seedrand.New(5), newShapedTiers(v), map[raters.HintKind]int{}
		for seed := range uint64(size(12, 300)) {
			m := v.candidate(seed, 1+int(seed)%v.tiers)
			if m.puzzle == nil {
				continue
			}
			q, board := m.puzzle, append([]uint8(nil), m.puzzle.givens...)
			for _, c := range permutation(r, len(board))[:r.IntN(len(board)+1)] {
				board[c] = m.solution[c]
			}
			rating, err := rater.rate(t.Context(), &parsed{of: v, shape: q.shape, givens: board})
			if err != nil {
				t.Fatal(err)
			}
			steps := rating.Steps()
			skip := r.IntN(len(steps) + 1)
			h := hintOn(t, q, board, skip)
			told[h.Kind]++
			if skip == len(steps) {
				if h.Kind != raters.HintNone || h.Area != fullAfter(skip) {
					t.Fatalf("%s, %s: %+v after the last step", q.text(), cellText(board), h)
				}
				continue
			}
			want := steps[skip]
			if h.Kind != raters.HintStep || h.Move != want.Text(rating.Naming) || h.Technique != want.Technique || len(h.Removed) != len(want.Removed) {
				t.Fatalf("%s, %s: %+v, and step %d is %s", q.text(), cellText(board), h, skip+1, want.Text(rating.Naming))
			}
			if cage := strings.HasPrefix(h.Area, "the cage at "); h.Area == "" || strings.Contains(h.Area, "r1c") && !cage {
				t.Fatalf("area %q of %s", h.Area, h.Move)
			}
		}
		if told[raters.HintStep] == 0 || told[raters.HintNone] == 0 {
			t.Errorf("%s: hints %v", v.name, told)
		}
	}
}

// A board without a solution is a mistake: what clashes is told, or else a digit that cannot be.
func TestHintsOfVariantsTellMistakes(t *testing.T) {
	for _, v := range shaped() {
		for seed := range uint64(6) {
			m := v.candidate(seed, 1)
			if m.puzzle == nil {
				continue
			}
			q := m.puzzle
			for c, d := range q.givens {
				if d != 0 {
					continue
				}
				board := append([]uint8(nil), q.givens...)
				board[c] = m.solution[c]%uint8(q.size) + 1
				h := hintOn(t, q, board, 0)
				if clash := q.clash(board); h.Kind != raters.HintMistake || clash != "" && h.Move != clash || clash == "" && !strings.HasPrefix(h.Move, q.cellName(c)+" cannot be ") {
					t.Fatalf("%s, %s: %+v", q.text(), cellText(board), h)
				}
				if c > 12 {
					break
				}
			}
		}
	}
}

// A board is the cells, or the whole text of the puzzle; what says otherwise than the puzzle is refused at its place.
func TestBoardsOfVariants(t *testing.T) {
	v := named(t, "killer")
	q := v.candidate(1, 1).puzzle
	h := shapedHinter{newShapedTiers(v)}
	cells, err := h.Hint(t.Context(), q.puzzle(), cellText(q.givens), 0)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := h.Hint(t.Context(), q.puzzle(), q.text(), 0); err != nil || whole.Move != cells.Move {
		t.Errorf("%+v and %+v, error %v", cells, whole, err)
	}
	other := v.candidate(2, 1).puzzle
	for name, board := range map[string]string{"other cages": other.text(), "short": q.text()[1:], "long": q.text() + " "} {
		var syntax *raters.SyntaxError
		if _, err := h.Hint(t.Context(), q.puzzle(), board, 0); !errors.As(err, &syntax) || syntax.Column < 81 {
			t.Errorf("%s: %v", name, err)
		}
	}
	v = named(t, "giant16")
	q = v.candidate(1, 1).puzzle
	board := append([]uint8(nil), q.givens...)
	for c, d := range board {
		if d != 0 {
			board[c] = d%16 + 1
			var syntax *raters.SyntaxError
			if _, err := (shapedHinter{newShapedTiers(v)}).Hint(t.Context(), q.puzzle(), cellText(board), 0); !errors.As(err, &syntax) || syntax.Column != c+1 || !strings.Contains(syntax.Reason, "is given as") {
				t.Error(err)
			}
			break
		}
	}
}

// Where an instance is, told without its cells.
func TestAreasNameNoCells(t *testing.T) {
	for instance, want := range map[string]string{
		"r1c1":                         "box 1",
		"r5c5 r5c8 r4c4":               "box 5",
		"type 1 r1c1 r1c4 r2c1 r2c4":   "rows 1 and 2",
		"rows 2 and 7":                 "rows 2 and 7",
		"innies of columns 1, 2 and 3": "innies of columns 1, 2 and 3",
		"the cage at r1c1":             "the cage at r1c1",
	} {
		if got := classicShape.withoutCells(instance); got != want {
			t.Errorf("%s: %q, want %q", instance, got, want)
		}
	}
}
