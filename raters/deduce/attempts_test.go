package deduce_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
)

func TestAttemptsAreListedUpToTheAcceptedOne(t *testing.T) {
	levels := map[uint64]string{1: "easy", 2: "", 3: "medium", 4: "hard"}
	try := func(n uint64) (string, error) { return deduce.Earned("hard", levels[n], nil) }
	all, err := deduce.Attempts(t.Context(), raters.Request{Level: "hard"}, 9, try)
	if want := "[{1 earned easy <nil>} {2 beyond the level <nil>} {3 earned medium <nil>} {4 accepted <nil>}]"; err != nil || fmt.Sprint(all) != want {
		t.Errorf("attempts %v, error %v", all, err)
	}
	all, err = deduce.Attempts(t.Context(), raters.Request{Level: "hard"}, 3, try)
	if !errors.Is(err, raters.ErrBudget) || all != nil || !strings.Contains(err.Error(), "3 candidates without one of level hard") {
		t.Errorf("attempts %v, error %v", all, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if all, err = deduce.Attempts(gone, raters.Request{}, 9, try); !errors.Is(err, context.Canceled) || all != nil {
		t.Errorf("cancelled: attempts %v, error %v", all, err)
	}
	broken := errors.New("broken")
	if _, err = deduce.Attempts(t.Context(), raters.Request{}, 9, func(uint64) (string, error) { return deduce.Earned("", "easy", broken) }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestOutcomesOfCandidates(t *testing.T) {
	for _, c := range []struct {
		wanted, level string
		err           error
		outcome       string
	}{
		{"", "hard", nil, deduce.Accepted},
		{"hard", "hard", nil, deduce.Accepted},
		{"easy", "hard", nil, "earned hard"},
		{"", "", nil, deduce.TooHard},
		{"easy", "", fmt.Errorf("grading: %w", raters.ErrBudget), deduce.NoVerdict},
	} {
		if got, err := deduce.Earned(c.wanted, c.level, c.err); got != c.outcome || err != nil {
			t.Errorf("%+v: %q, error %v", c, got, err)
		}
	}
}

func TestTheMostThatAPuzzleMayNeed(t *testing.T) {
	offered := []string{"easy", "hard"}
	for r, want := range map[raters.Request]string{{}: "hard", {Level: "easy"}: "easy", {Cap: "easy"}: "easy", {Cap: "hard"}: "hard"} {
		if got, err := deduce.Most(r, "toy", offered); got != want || err != nil {
			t.Errorf("%+v: %q, error %v", r, got, err)
		}
	}
	for r, want := range map[raters.Request]string{
		{Level: "easy", Cap: "hard"}: "a level and a cap exclude each other",
		{Level: "evil"}:              `toy has no level "evil"; offered: easy, hard`,
		{Cap: "extreme"}:             `toy has no level "extreme"; offered: easy, hard`,
	} {
		var refused *raters.RequestError
		if _, err := deduce.Most(r, "toy", offered); !errors.As(err, &refused) || refused.Reason != want {
			t.Errorf("%+v: error %v", r, err)
		}
	}
}

func TestVerdictsThatAreNoProof(t *testing.T) {
	if err := deduce.Proven(raters.Solution{Verdict: raters.Unique, Solutions: []string{"a"}}, nil); err != nil {
		t.Error(err)
	}
	var none *raters.NoSolutionError
	if err := deduce.Proven(raters.Solution{Verdict: raters.None, Reason: "why"}, nil); !errors.As(err, &none) || none.Reason != "why" {
		t.Error(err)
	}
	var many *raters.NotUniqueError
	if err := deduce.Proven(raters.Solution{Verdict: raters.Multiple, Solutions: []string{"a", "b"}}, nil); !errors.As(err, &many) || many.Solutions[1] != "b" {
		t.Error(err)
	}
	if err := deduce.Proven(raters.Solution{}, raters.ErrBudget); !errors.Is(err, raters.ErrBudget) {
		t.Error(err)
	}
}

// latinRater is that of the genre of Latin squares of order 4, where values are written by steps. Its text is the digits of the
// cells, 0 for none.
func latinRater() *deduce.Rater[string] {
	digits := func(text string) (s deduce.Start) {
		for v, d := range text {
			s.Candidates = append(s.Candidates, 1<<order-1)
			if d > '0' {
				s.Candidates[v], s.Written = 1<<(d-'1'), append(s.Written, v)
			}
		}
		return s
	}
	topology := deduce.NewTopology(new(latin).spec())
	return deduce.NewRater(&deduce.Genre[string]{
		Read: func(p raters.Puzzle) (string, error) {
			if len(p.Text) != order*order {
				return "", &raters.SyntaxError{Line: 1, Column: 1, Reason: "not 16 digits"}
			}
			return p.Text, nil
		},
		Prove: func(_ context.Context, text string) error {
			s := raters.Solution{Verdict: raters.Unique}
			if n := len(latins(digits(text).Candidates)); n != 1 {
				s = raters.Solution{Verdict: raters.Multiple, Solutions: []string{"one", "another"}}
			}
			return deduce.Proven(s, nil)
		},
		Topology: func(string) *deduce.Topology { return topology },
		Board:    func() deduce.Board { return new(latin) },
		Start:    func(_ deduce.Board, text string, s *deduce.Start) { *s = digits(text) },
		Marks: func(text, board string) (gone []logic.Literal, err error) {
			for v, d := range board {
				for other := range order {
					if d > '0' && text[v] == '0' && other != int(d-'1') {
						gone = append(gone, logic.Lit(v, other))
					}
				}
			}
			return gone, nil
		},
		Clues:  func(text string) int { return len(text) - strings.Count(text, "0") },
		Budget: budget,
	}, new(latin).techniques(), latinProfile)
}

// What a player wrote counts as written: the hint from a board with a digit is that of the puzzle with it as a given.
func TestHintsOfAGenreThatWritesBySteps(t *testing.T) {
	r := latinRater()
	puzzle := raters.Puzzle{Text: "1234214334124321"}
	for v := range order * order { // without the digits that are not needed
		less := puzzle.Text[:v] + "0" + puzzle.Text[v+1:]
		if r.Prove(t.Context(), less) == nil {
			puzzle.Text = less
		}
	}
	rating, err := r.Rate(t.Context(), puzzle)
	if err != nil || rating.Outcome != raters.Rated || rating.Clues != order*order-strings.Count(puzzle.Text, "0") {
		t.Fatalf("%+v, error %v", rating, err)
	}
	board := []byte(puzzle.Text)
	for i := 0; ; i++ {
		onBoard, err := r.Hint(t.Context(), puzzle, string(board), 0)
		if err != nil {
			t.Fatal(err)
		}
		given, err := r.Hint(t.Context(), raters.Puzzle{Text: string(board)}, string(board), 0)
		if err != nil || onBoard.Move != given.Move || onBoard.Kind != given.Kind {
			t.Fatalf("%s: hint %+v, with givens %+v, error %v", board, onBoard, given, err)
		}
		if onBoard.Kind != raters.HintStep {
			if i < 8 || strings.Contains(string(board), "0") {
				t.Errorf("%s after %d hints", board, i)
			}
			return
		}
		write(rating, board)
	}
}

// write puts the first digit of the steps on the board that is not there yet.
func write(r raters.Rating, board []byte) {
	for _, step := range r.Steps() {
		for _, l := range step.Placed {
			if board[l.Variable()] == '0' {
				board[l.Variable()] = byte('1' + l.Value())
				return
			}
		}
	}
}

func TestARaterRefusesWhatIsNoPuzzle(t *testing.T) {
	r := latinRater()
	var syntax *raters.SyntaxError
	_, rate := r.Rate(t.Context(), raters.Puzzle{Text: "1"})
	_, hint := r.Hint(t.Context(), raters.Puzzle{Text: "1"}, "1", 0)
	if !errors.As(rate, &syntax) || !errors.As(hint, &syntax) || r.Vocabulary(raters.Puzzle{Text: "1"}).Variables != 0 {
		t.Errorf("rating says %v, hinting %v", rate, hint)
	}
	var many *raters.NotUniqueError
	empty := raters.Puzzle{Text: strings.Repeat("0", order*order)}
	_, rate = r.Rate(t.Context(), empty)
	_, hint = r.Hint(t.Context(), empty, empty.Text, 0)
	if !errors.As(rate, &many) || !errors.As(hint, &many) || r.Vocabulary(empty).Variables != order*order {
		t.Errorf("rating says %v, hinting %v", rate, hint)
	}
	var refused *raters.RequestError
	for asked, want := range map[raters.Request]string{
		{Rater: "other.canonical"}: `latin has no rater "other.canonical"; offered: latin.canonical`,
		{Level: "extreme"}:         "level extreme is reserved: no generator makes it yet; offered: easy, hard, expert",
		{Level: "no"}:              `latin squares has no level "no"; offered: easy, hard, expert`,
	} {
		if _, err := r.Asked(asked, "latin squares", latinProfile.Levels()); !errors.As(err, &refused) || refused.Reason != want {
			t.Errorf("%+v: error %v", asked, err)
		}
	}
}
