package ratertest

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"assay/raters"
)

// toy is a genre whose every part a test can break. Its puzzles are the numbers 1 to 9, each its own
// solution; those below 5 are easy, the others hard.
type toy struct {
	read     func(variant, text string) (raters.Puzzle, error)
	draw     func(raters.Puzzle) (raters.Board, error)
	solve    func(context.Context, raters.Puzzle) (raters.Solution, error)
	rate     func(context.Context, raters.Puzzle) (raters.Rating, error)
	generate func(context.Context, raters.Request) (raters.Generated, error)
}

func (y *toy) Read(variant, text string) (raters.Puzzle, error) { return y.read(variant, text) }
func (y *toy) Draw(p raters.Puzzle) (raters.Board, error)       { return y.draw(p) }
func (y *toy) Name() string                                     { return "toy.size" }
func (y *toy) Version() string                                  { return "1" }

// toyMaker is the toy as a generator.
type toyMaker struct{ *toy }

func (toyMaker) Version() int { return 1 }

func (y *toy) Built() raters.Calibration { return raters.Calibration{} }
func (y *toy) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	return y.rate(ctx, p)
}
func (y *toy) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	return y.solve(ctx, p)
}
func (y *toy) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	return y.generate(ctx, r)
}

func toyRead(variant, text string) (raters.Puzzle, error) {
	if len(text) > 10 {
		return raters.Puzzle{}, &raters.SyntaxError{Line: 1, Column: 11, Reason: "too long"}
	}
	if len(text) != 1 || text < "1" || text > "9" {
		return raters.Puzzle{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: "wanted a digit from 1 to 9"}
	}
	return raters.Puzzle{Genre: "toy", Variant: variant, Text: text}, nil
}

func toyDraw(p raters.Puzzle) (raters.Board, error) {
	_, err := toyRead(p.Variant, p.Text)
	return raters.Board{Goal: &raters.Goal{}}, err
}

func toySolve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	return raters.Solution{Verdict: raters.Unique, Solutions: []string{p.Text}, Nodes: 1}, ctx.Err()
}

func toyRate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	return raters.Rating{Outcome: raters.Rated, Level: toyLevel(p.Text)}, ctx.Err()
}

func toyLevel(text string) string {
	if text < "5" {
		return "easy"
	}
	return "hard"
}

func toyGenerate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	if r.Variant != "one" || r.Rater != "" || r.Level != "easy" && r.Level != "hard" {
		return raters.Generated{}, &raters.RequestError{Reason: "one, easy and hard are offered"}
	}
	var tried []raters.Attempt
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			return raters.Generated{}, ctx.Err()
		}
		text := strconv.FormatUint((r.Seed+uint64(n))%9+1, 10)
		if toyLevel(text) == r.Level {
			p := raters.Puzzle{Genre: "toy", Variant: r.Variant, Text: text}
			tried = append(tried, raters.Attempt{N: n, Outcome: "accepted"})
			return raters.Generated{Puzzle: p, Solution: text, Level: r.Level, Attempts: tried, Nodes: 1}, nil
		}
		tried = append(tried, raters.Attempt{N: n, Outcome: "level"})
	}
}

// suite returns the toy genre's suite, with what is not broken as it should be.
func (y *toy) suite() Suite {
	whole := toy{toyRead, toyDraw, toySolve, toyRate, toyGenerate}
	if y.read == nil {
		y.read = whole.read
	}
	if y.draw == nil {
		y.draw = whole.draw
	}
	if y.solve == nil {
		y.solve = whole.solve
	}
	if y.rate == nil {
		y.rate = whole.rate
	}
	if y.generate == nil {
		y.generate = whole.generate
	}
	return Suite{
		Genre: raters.Genre{Name: "toy", Reader: y, Variants: []raters.Variant{{
			Genre: "toy", Name: "one", Scales: []raters.Scale{{Rater: y}}, Solver: y, Generator: toyMaker{y}, Canonizer: raters.NoSymmetries,
		}}},
		Texts: []Text{{"one", "7"}, {"one", "3"}},
		Bad: []Bad{
			{"one", "0", 1, 1, "^wanted a digit"},
			{"one", "12345678901", 1, 11, "^too long$"},
		},
		Puzzles:           []raters.Puzzle{{Genre: "toy", Variant: "one", Text: "7"}},
		Requests:          []raters.Request{{Variant: "one", Level: "easy", Seed: 7}, {Variant: "one", Level: "hard", Seed: 7}},
		GeneratorConstant: "toy.GeneratorVersion (generate.go)",
		RaterConstants:    map[string]string{"toy.size": "toy.SizeVersion (size.go)"},
	}
}

// failures returns the names of the checks that a suite fails; each has a history.
func failures(t *testing.T, s Suite) string {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile("HISTORY.md", []byte("# History\n\n- generator 1: first\n- toy.size 1: first\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, c := range s.checks() {
		if err := c.run(t.Context()); err != nil {
			failed = append(failed, c.name)
		}
	}
	return strings.Join(failed, ", ")
}

func TestSuitePassesASoundGenre(t *testing.T) {
	if failed := failures(t, new(toy).suite()); failed != "" {
		t.Errorf("failed %s", failed)
	}
}

func TestSuiteFindsWhatIsBroken(t *testing.T) {
	var calls atomic.Int64
	for name, c := range map[string]struct {
		toy  toy
		want string // the checks that fail
	}{
		"canonical text does not read": {toy{read: func(v, text string) (raters.Puzzle, error) {
			p, err := toyRead(v, text)
			p.Text = "no " + p.Text
			return p, err
		}}, "texts, hostile texts, puzzles, generated"},
		"reads more than canonical texts": {toy{read: func(v, text string) (raters.Puzzle, error) {
			return toyRead(v, strings.Trim(text, " "))
		}}, "texts"},
		"error without a place": {toy{read: func(v, text string) (raters.Puzzle, error) {
			p, err := toyRead(v, text)
			if err != nil {
				err = &raters.SyntaxError{Reason: "wanted a digit"}
			}
			return p, err
		}}, "texts, bad texts, hostile texts"},
		"error at another place": {toy{read: func(v, text string) (raters.Puzzle, error) {
			p, err := toyRead(v, text)
			if err != nil {
				err = &raters.SyntaxError{Line: 1, Column: 1, Reason: "wanted a digit"}
			}
			return p, err
		}}, "bad texts"},
		"empty text is a puzzle": {toy{read: func(v, text string) (raters.Puzzle, error) {
			return toyRead(v, text+strings.Repeat("1", max(0, 1-len(text))))
		}}, "hostile texts"},
		"anything is drawn": {toy{draw: func(raters.Puzzle) (raters.Board, error) {
			return raters.Board{Goal: &raters.Goal{}}, nil
		}}, "hostile texts"},
		"nothing is drawn": {toy{draw: func(p raters.Puzzle) (raters.Board, error) {
			_, err := toyRead(p.Variant, p.Text)
			return raters.Board{}, err
		}}, "texts, hostile texts, puzzles, generated"},
		"not unique": {toy{solve: func(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
			return raters.Solution{Verdict: raters.Multiple, Solutions: []string{"1", "2"}, Nodes: 1}, ctx.Err()
		}}, "puzzles, generated"},
		"solver never looks at its context": {toy{solve: func(_ context.Context, p raters.Puzzle) (raters.Solution, error) {
			return toySolve(context.Background(), p)
		}}, "cancellation"},
		"rater of other levels": {toy{rate: func(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
			return raters.Rating{Outcome: raters.Rated, Level: "medium"}, ctx.Err()
		}}, "generated"},
		"score without a band": {toy{rate: func(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
			return raters.Rating{Outcome: raters.Rated}, ctx.Err()
		}}, "generated"},
		"rater with a memory": {toy{rate: func(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
			r, err := toyRate(ctx, p)
			r.Clues = int(calls.Add(1))
			return r, err
		}}, "determinism, cancellation"},
		"level is not what was asked for": {toy{generate: func(ctx context.Context, r raters.Request) (raters.Generated, error) {
			if r.Level == "easy" {
				r.Level = "hard"
			}
			return toyGenerate(ctx, r)
		}}, "generated"},
		"attempts lost": {toy{generate: func(ctx context.Context, r raters.Request) (raters.Generated, error) {
			g, err := toyGenerate(ctx, r)
			g.Attempts = g.Attempts[max(0, len(g.Attempts)-1):]
			return g, err
		}}, "generated"},
		"another solution": {toy{generate: func(ctx context.Context, r raters.Request) (raters.Generated, error) {
			g, err := toyGenerate(ctx, r)
			g.Solution += "!"
			return g, err
		}}, "generated"},
		"any request is taken": {toy{generate: func(ctx context.Context, r raters.Request) (raters.Generated, error) {
			if r.Level != "hard" {
				r.Level = "easy"
			}
			return toyGenerate(ctx, raters.Request{Variant: "one", Level: r.Level, Seed: r.Seed})
		}}, "refused requests"},
		"cancelled means done": {toy{generate: func(ctx context.Context, r raters.Request) (raters.Generated, error) {
			g, err := toyGenerate(ctx, r)
			if ctx.Err() != nil {
				err = nil
			}
			return g, err
		}}, "cancellation"},
	} {
		t.Run(name, func(t *testing.T) {
			if failed := failures(t, c.toy.suite()); failed != c.want {
				t.Errorf("failed %q, want %q", failed, c.want)
			}
		})
	}
}

func TestSuiteFindsWhatIsMissing(t *testing.T) {
	for name, drop := range map[string]func(*Suite){
		"texts":     func(s *Suite) { s.Texts = nil },
		"bad":       func(s *Suite) { s.Bad = nil },
		"puzzles":   func(s *Suite) { s.Puzzles = nil },
		"requests":  func(s *Suite) { s.Requests = nil },
		"variants":  func(s *Suite) { s.Genre.Variants = nil },
		"raters":    func(s *Suite) { s.Genre.Variants[0].Scales = nil },
		"constant":  func(s *Suite) { s.GeneratorConstant = "" },
		"reader":    func(s *Suite) { s.Genre.Reader = nil },
		"solver":    func(s *Suite) { s.Genre.Variants[0].Solver = nil },
		"generator": func(s *Suite) { s.Genre.Variants[0].Generator = nil },
		"canonizer": func(s *Suite) { s.Genre.Variants[0].Canonizer = nil },
		"genre":     func(s *Suite) { s.Genre.Variants[0].Genre = "" },
		"shared engines": func(s *Suite) {
			other := s.variant()
			other.Scales = append(other.Scales, other.Scales[0])
			s.Genre.Variants = append(s.Genre.Variants, other)
		},
		"constants": func(s *Suite) { s.RaterConstants = nil },
	} {
		s := new(toy).suite()
		drop(&s)
		if err := s.complete(t.Context()); err == nil {
			t.Errorf("without %s the suite counts as complete", name)
		}
	}
}

func TestHistoryNeedsALineForEachVersion(t *testing.T) {
	s := new(toy).suite()
	path := filepath.Join(t.TempDir(), "HISTORY.md")
	if err := s.history(path); err == nil {
		t.Error("no history passes")
	}
	for text, whole := range map[string]bool{
		"- generator 1: a\n- toy.size 1: b\n":   true,
		"- generator 1: a\n- toy.size 2: b\n":   false,
		"- generator 1: \n- toy.size 1: b\n":    false,
		"x - generator 1: a\n- toy.size 1: b\n": false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.history(path); (err == nil) != whole {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestBands(t *testing.T) {
	s := Suite{Genre: raters.Genre{Variants: []raters.Variant{{Bands: someBands{}}}}}
	score := 5
	for label, want := range map[string]bool{"": true, "low": true, "high": false, "none": false} {
		if err := s.inBand(label, &score); (err == nil) != want {
			t.Errorf("score 5, label %q: error %v", label, err)
		}
	}
	if s.inBand("low", nil) == nil {
		t.Error("no score lies in a band")
	}
}

type someBands struct{}

func (someBands) Built() raters.Calibration {
	return raters.Calibration{Bands: []raters.Band{{Label: "low", Low: 1, High: 5}, {Label: "high", Low: 6, High: 9}}}
}

func (b someBands) Calibrate(ctx context.Context, _ uint64) (raters.Calibration, error) {
	return b.Built(), ctx.Err()
}
