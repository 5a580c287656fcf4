package sudoku

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/raters"
)

func hint(t *testing.T, givens, board *[81]uint8, skip int) raters.Hint {
	t.Helper()
	h, err := hinter{}.Hint(context.Background(), puzzle(givens), text(board), skip)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var placement = regexp.MustCompile(`: r([1-9])c([1-9])=([1-9])$`)

// play follows a hint's move and gives the cell that it fills, or −1 when it names no digit.
func play(board *[81]uint8, h raters.Hint) int {
	m := placement.FindStringSubmatch(h.Move)
	if m == nil {
		return -1
	}
	c := 9*int(m[1][0]-'1') + int(m[2][0]-'1')
	board[c] = m[3][0] - '0'
	return c
}

// filledIn fills some cells of a puzzle, up to all of them, as its solution does.
func filledIn(t *testing.T, givens *[81]uint8, random *rand.Rand) (board [81]uint8) {
	solution := solve(t, givens).Solutions[0]
	board = *givens
	share := math.Pow(random.Float64(), 3)
	for c := range board {
		if random.Float64() < share {
			board[c] = solution[c] - '0'
		}
	}
	return board
}

// wantHint gives what a hint says of a step of the reference's path, its area and instance left open.
func wantHint(path []refStep, at int) (h raters.Hint, placed string) {
	if at >= len(path) {
		return raters.Hint{Kind: raters.HintNone}, ""
	}
	step := path[at]
	h = raters.Hint{Kind: raters.HintStep, Technique: step.technique, Removed: step.removed, Writes: step.placed != ""}
	if next := slices.IndexFunc(path[at:], func(s refStep) bool { return s.placed != "" }); next > 0 {
		h.LeadsTo, h.InSteps = path[at+next].placed, next
	}
	return h, step.placed
}

// From any position of a puzzle, and after any number of steps, a hint is the step that a clear rewrite of the
// techniques takes there: the cheapest that applies. There is none exactly where that finds none.
func TestHintsAreTheStepsOfAClearRewrite(t *testing.T) {
	shelves, hard := readBench(t)
	puzzles := hard
	for i := 0; i < len(shelves); i += size(7, 1) {
		puzzles = append(puzzles, shelves[i])
	}
	for seed := range uint64(size(30, 1000)) {
		puzzles = append(puzzles, candidate(seed, 1+int(seed%5)).clues)
	}
	random := rand.New(rand.NewPCG(3, 3))
	asked, removals, fruitless := 0, 0, 0
	for i := range puzzles {
		board := filledIn(t, &puzzles[i], random)
		path, _, full := newReference(&board).solve(tiersRater.Profile().Techniques)
		for skip := range len(path) + 2 {
			got := hint(t, &puzzles[i], &board, skip)
			want, placed := wantHint(path, skip)
			area, move := got.Area, got.Move
			got.Area, got.Move = "", ""
			slices.Sort(got.Removed)
			if !reflect.DeepEqual(got, want) || !strings.HasPrefix(move, want.Technique) || !strings.HasSuffix(move, placed) {
				t.Fatalf("%s after %d steps: %+v, want %+v", text(&board), skip, got, want)
			}
			if hinted := skip < len(path); hinted != (move != "") || (area != "") != (hinted || full) {
				t.Fatalf("%s after %d of %d steps: area %q, move %q", text(&board), skip, len(path), area, move)
			}
			asked++
			if want.Kind == raters.HintStep && !want.Writes {
				removals++
				if want.LeadsTo == "" {
					fruitless++
				}
			}
		}
	}
	if asked < 1000 || removals < 100 || fruitless < 10 {
		t.Errorf("%d hints, of which %d remove, and %d lead to no digit: too few to check them", asked, removals, fruitless)
	}
}

// Whoever writes what the hints say, and asks on where they only remove, gets to the end with nothing but right digits.
// In an evil puzzle the way may end: a digit written into a corner of a unique rectangle takes back what the rectangle
// removed.
func TestHintsLeadToTheEnd(t *testing.T) {
	shelves, _ := readBench(t)
	ended := 0
	for i := 0; i < len(shelves); i += size(7, 1) {
		board := shelves[i]
		solution := solve(t, &board).Solutions[0]
		for skip := 0; slices.Contains(board[:], 0); {
			h := hint(t, &shelves[i], &board, skip)
			if evil := i%5 == 4; evil && h.Kind == raters.HintNone {
				ended++
				break
			}
			if h.Kind != raters.HintStep || h.Area == "" || !knows(h.Technique) || !strings.HasPrefix(h.Move, h.Technique+", ") {
				t.Fatalf("%s on the way to %s: %+v", text(&board), solution, h)
			}
			skip++
			if c := play(&board, h); c >= 0 {
				if skip = 0; solution[c] != '0'+board[c] {
					t.Fatalf("%s: %+v is wrong", text(&board), h)
				}
			}
		}
	}
	if ended > len(shelves)/size(7, 1)/10 {
		t.Errorf("%d ways ended early", ended)
	}
}

func knows(name string) bool {
	return slices.ContainsFunc(tiers, func(q technique) bool { return q.name == name })
}

// The area gives away no cell, the technique nothing but its name.
func TestHintsGiveAwayLittleByLittle(t *testing.T) {
	area := regexp.MustCompile(`^((row|column|box) [1-9]|(rows|columns) [1-9](, [1-9])? and [1-9])$`)
	shelves, _ := readBench(t)
	for i := range shelves {
		if h := hint(t, &shelves[i], &shelves[i], 0); !area.MatchString(h.Area) {
			t.Fatalf("%+v", h)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	shelves, _ := readBench(t)
	for i := 0; i < len(shelves); i += 30 {
		givens := &shelves[i]
		solution := solve(t, givens).Solutions[0]
		for c, v := range givens {
			if v != 0 {
				continue
			}
			board := *givens
			board[c] = (solution[c]-'0')%9 + 1
			h := hint(t, givens, &board, 0)
			if h.Kind != raters.HintMistake || !strings.Contains(h.Move, cellNames[c]) || h.Technique != "" {
				t.Fatalf("%s: %+v does not name %s", text(&board), h, cellNames[c])
			}
			break
		}
	}
}

func TestAFullGridIsSaidToBeFull(t *testing.T) {
	shelves, _ := readBench(t)
	solution, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: solve(t, &shelves[0]).Solutions[0]})
	if err != nil {
		t.Fatal(err)
	}
	if h := hint(t, &shelves[0], &solution, 0); h.Kind != raters.HintNone || h.Area != "the grid is full" {
		t.Errorf("hint %+v", h)
	}
}

func TestHintRefusesWhatIsNoBoard(t *testing.T) {
	shelves, _ := readBench(t)
	p := puzzle(&shelves[0])
	at := slices.IndexFunc(shelves[0][:], func(v uint8) bool { return v != 0 })
	other := shelves[0]
	other[at] = other[at]%9 + 1
	for _, board := range []string{"", "x" + p.Text[1:], p.Text + ".", text(&other)} {
		_, err := hinter{}.Hint(context.Background(), p, board, 0)
		var s *raters.SyntaxError
		if !errors.As(err, &s) {
			t.Errorf("%q: %v", board, err)
		}
	}
	empty := strings.Repeat(".", 81)
	_, err := hinter{}.Hint(context.Background(), raters.Puzzle{Genre: Name, Variant: Variant, Text: empty}, empty, 0)
	var many *raters.NotUniqueError
	if !errors.As(err, &many) || many.Solutions[0] == many.Solutions[1] {
		t.Errorf("a hint for an empty grid: %v", err)
	}
	if h, err := (hinter{}).Hint(context.Background(), p, empty, 0); err != nil || !reflect.DeepEqual(h, hint(t, &shelves[0], &shelves[0], 0)) {
		t.Errorf("an empty board: %+v, %v", h, err)
	}
}
