package sudoku

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/raters"
)

func hint(t *testing.T, givens, board *[81]uint8) raters.Hint {
	t.Helper()
	h, err := hinter{}.Hint(context.Background(), puzzle(givens), text(board))
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

// Whoever follows the hints and keeps nothing but the digits gets to the end, with nothing but right digits.
// In an evil puzzle the way may end: a digit written into a corner of a unique rectangle takes back what the
// rectangle removed.
func TestHintsLeadToTheEnd(t *testing.T) {
	shelves, _ := readBench(t)
	ended := 0
	for i := 0; i < len(shelves); i += size(7, 1) {
		board := shelves[i]
		solution := solve(t, &board).Solutions[0]
		for slices.Contains(board[:], 0) {
			h := hint(t, &shelves[i], &board)
			if evil := i%5 == 4; evil && h.Kind == raters.HintNone {
				ended++
				break
			}
			if h.Kind != raters.HintStep || h.Area == "" || !knows(h.Technique) || !strings.HasPrefix(h.Move, h.Technique+", ") {
				t.Fatalf("%s on the way to %s: %+v", text(&board), solution, h)
			}
			c := play(&board, h)
			if c < 0 || solution[c] != '0'+board[c] {
				t.Fatalf("%s: %+v is wrong", text(&board), h)
			}
		}
		if h := hint(t, &shelves[i], &board); h.Kind != raters.HintNone || h.Move != "" || slices.Contains(board[:], 0) == (h.Area != "") {
			t.Fatalf("%s: a hint where nothing is left or applies: %+v", text(&board), h)
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
		if h := hint(t, &shelves[i], &shelves[i]); !area.MatchString(h.Area) {
			t.Fatalf("%+v", h)
		}
	}
}

// When only removals apply, the move names them and the digit they lead to, each step of which that digit needs.
func TestHintOfRemovalsNamesTheDigit(t *testing.T) {
	shelves, _ := readBench(t)
	long := 0
	for i := range shelves {
		board := shelves[i]
		for _, s := range tiersRater.rate(&board).Steps() {
			if len(s.Placed) == 0 {
				if h := hint(t, &shelves[i], &board); strings.Contains(h.Move, "; then ") && strings.Contains(h.Move, "not ") {
					long++
				}
				break
			}
			board[s.Placed[0].Variable()] = uint8(s.Placed[0].Value() + 1)
		}
	}
	if long < 100 {
		t.Fatalf("only %d hints of several steps", long)
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
			h := hint(t, givens, &board)
			if h.Kind != raters.HintMistake || !strings.Contains(h.Move, cellNames[c]) || h.Technique != "" {
				t.Fatalf("%s: %+v does not name %s", text(&board), h, cellNames[c])
			}
			break
		}
	}
}

func TestNoHintWhereNothingApplies(t *testing.T) {
	_, hard := readBench(t)
	board := hard[0]
	for {
		h := hint(t, &hard[0], &board)
		if h.Kind == raters.HintNone {
			return
		}
		if play(&board, h) < 0 {
			t.Fatalf("%+v", h)
		}
	}
}

func TestAFullGridIsSaidToBeFull(t *testing.T) {
	shelves, _ := readBench(t)
	solution, err := parse(raters.Puzzle{Genre: Name, Variant: Variant, Text: solve(t, &shelves[0]).Solutions[0]})
	if err != nil {
		t.Fatal(err)
	}
	if h := hint(t, &shelves[0], &solution); h.Kind != raters.HintNone || h.Area != "the grid is full" {
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
		_, err := hinter{}.Hint(context.Background(), p, board)
		var s *raters.SyntaxError
		if !errors.As(err, &s) {
			t.Errorf("%q: %v", board, err)
		}
	}
	empty := strings.Repeat(".", 81)
	_, err := hinter{}.Hint(context.Background(), raters.Puzzle{Genre: Name, Variant: Variant, Text: empty}, empty)
	var many *raters.NotUniqueError
	if !errors.As(err, &many) || many.Solutions[0] == many.Solutions[1] {
		t.Errorf("a hint for an empty grid: %v", err)
	}
	if h, err := (hinter{}).Hint(context.Background(), p, empty); err != nil || h != hint(t, &shelves[0], &shelves[0]) {
		t.Errorf("an empty board: %+v, %v", h, err)
	}
}
