// Package ratertest is the conformance suite of the engines: what every genre promises, checked the
// same way for all of them, and the version locks that keep the output of an engine version for ever.
package ratertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"assay/raters"
)

// Suite is a genre and what its test knows of it.
type Suite struct {
	Genre    raters.Genre     // with variants that share their engines
	Texts    []Text           // canonical texts
	Bad      []Bad            // texts that it refuses, and where
	Puzzles  []raters.Puzzle  // fixed puzzles with one solution; what the raters say of them is locked
	Requests []raters.Request // at least one of each level; what the generator makes of them is locked

	// Set for a genre whose default rater solves by steps with reasons.
	Stepwise *Stepwise

	// For a genre with several suites: the words that tell the golden files of this one's requests and ratings from the
	// others, "sudoku.canonical", "killer"; "" where they are the only ones or the first.
	GeneratorFor, RatersFor string

	// What to raise when output changes, with its file: "chain.GeneratorVersion (generate.go)".
	GeneratorConstant string
	RaterConstants    map[string]string // by rater name
}

// Text is the canonical text of a puzzle of a variant.
type Text struct {
	Variant, Text string
}

// Bad is a text that is no puzzle of the variant: a *raters.SyntaxError at this place, whose reason
// matches the regular expression.
type Bad struct {
	Variant, Text string
	Line, Column  int
	Reason        string
}

// Run checks everything; when something is missing, that and nothing else. It changes GOMAXPROCS, so no other test may
// run beside it.
func (s Suite) Run(t *testing.T) {
	if err := s.complete(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.checks() {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("vocabulary", func(t *testing.T) {
		if err := s.vocabulary(t.Context()); err != nil {
			t.Error(err)
		}
	})
	t.Run("locks", func(t *testing.T) {
		lockGenerator(t, s.GeneratorFor, s.GeneratorConstant, s.variant().Generator, s.Requests)
		for _, scale := range s.variant().Scales {
			lockRater(t, s.RatersFor, s.RaterConstants[scale.Rater.Name()], scale.Rater, s.Puzzles)
		}
	})
}

type check struct {
	name string
	run  func(context.Context) error
}

func (s Suite) checks() []check {
	all := []check{
		{"texts", s.texts},
		{"bad texts", s.badTexts},
		{"hostile texts", s.hostileTexts},
		{"puzzles", s.puzzles},
		{"generated", s.generated},
		{"refused requests", s.refusedRequests},
		{"determinism", s.determinism},
		{"cancellation", s.cancellation},
		{"history", func(context.Context) error { return s.history("HISTORY.md") }},
	}
	if s.Stepwise != nil {
		all = append(all, s.stepwiseChecks()...)
	}
	return all
}

// complete checks that nothing is missing without which another check would pass unseen.
func (s Suite) complete(context.Context) error {
	if len(s.Texts) == 0 || len(s.Bad) == 0 || len(s.Puzzles) == 0 || len(s.Requests) == 0 {
		return errors.New("the suite has no texts, no bad texts, no puzzles or no requests")
	}
	if s.Genre.Reader == nil || len(s.Genre.Variants) == 0 {
		return errors.New("the genre has no reader or no variant")
	}
	for _, v := range s.Genre.Variants {
		if err := s.whole(v); err != nil {
			return fmt.Errorf("variant %q: %w", v.Name, err)
		}
	}
	if s.Stepwise != nil && !s.Stepwise.complete(s.variant()) {
		return errors.New("what the suite knows of steps is not complete, or the rater has no profile, or the genre no hints")
	}
	if s.GeneratorConstant == "" {
		return errors.New("the suite does not say which constant is the generator's version")
	}
	for _, scale := range s.variant().Scales {
		if name := scale.Rater.Name(); s.RaterConstants[name] == "" {
			return fmt.Errorf("the suite does not say which constant is the version of %s", name)
		}
	}
	return nil
}

// whole checks that a variant lacks nothing, and that its engines are those of the others.
func (s Suite) whole(v raters.Variant) error {
	switch {
	case v.Genre != s.Genre.Name:
		return fmt.Errorf("it is of genre %q", v.Genre)
	case len(v.Scales) == 0 || v.Solver == nil || v.Generator == nil || v.Canonizer == nil:
		return errors.New("it has no rater, no solver, no generator or no canonizer")
	case v.Generator.Version() != s.variant().Generator.Version() || !slices.Equal(raterNames(v), raterNames(s.variant())):
		return errors.New("its engines are others than those of the first variant: they need a suite of their own")
	}
	return nil
}

func raterNames(v raters.Variant) (names []string) {
	for _, scale := range v.Scales {
		names = append(names, scale.Rater.Name()+"@"+scale.Rater.Version())
	}
	return names
}

// variant returns the first variant, whose engines are those of all.
func (s Suite) variant() raters.Variant { return s.Genre.Variants[0] }

// rater returns the default rater.
func (s Suite) rater() raters.Rater { return s.variant().Scales[0].Rater }

// texts checks the canonical texts, and that a text with something round it is refused.
func (s Suite) texts(context.Context) error {
	for _, text := range s.Texts {
		if err := s.canonical(raters.Puzzle{Genre: s.Genre.Name, Variant: text.Variant, Text: text.Text}); err != nil {
			return err
		}
		for _, other := range []string{text.Text + "\n", " " + text.Text, "\ufeff" + text.Text, s.Genre.Name + " " + text.Text} {
			if err := s.onlyCanonical(text.Variant, other); err != nil {
				return err
			}
		}
	}
	return nil
}

// onlyCanonical checks that a text is refused, or is canonical.
func (s Suite) onlyCanonical(variant, text string) error {
	p, err := s.Genre.Reader.Read(variant, text)
	if err != nil {
		_, err = syntaxError(text, err)
		return err
	}
	if p.Text != text {
		return fmt.Errorf("%s is not canonical, and reads as %q", quoted(text), p.Text)
	}
	return s.canonical(p)
}

// canonical checks that the text of a puzzle reads as the same puzzle, and that it can be drawn.
func (s Suite) canonical(p raters.Puzzle) error {
	again, err := s.Genre.Reader.Read(p.Variant, p.Text)
	if err != nil {
		return fmt.Errorf("reading the canonical text %q: %w", p.Text, err)
	}
	if again != p {
		return fmt.Errorf("the canonical text %q reads as %+v", p.Text, again)
	}
	if _, ok := s.Genre.Variant(p.Variant); !ok || p.Variant == "" || p.Genre != s.Genre.Name {
		return fmt.Errorf("%+v is no puzzle of genre %s and one of its variants", p, s.Genre.Name)
	}
	board, err := s.Genre.Reader.Draw(p)
	if err == nil && reflect.ValueOf(board).IsZero() {
		err = errors.New("the board is empty")
	}
	if err != nil {
		return fmt.Errorf("drawing %q: %w", p.Text, err)
	}
	return nil
}

// puzzles checks that the fixed puzzles are canonical and have one solution.
func (s Suite) puzzles(ctx context.Context) error {
	for _, p := range s.Puzzles {
		if err := s.canonical(p); err != nil {
			return err
		}
		if _, err := s.solution(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// solution returns a puzzle's one solution.
func (s Suite) solution(ctx context.Context, p raters.Puzzle) (string, error) {
	solved, err := s.variant().Solver.Solve(ctx, p)
	if err != nil {
		return "", fmt.Errorf("solving %q: %w", p.Text, err)
	}
	if solved.Verdict != raters.Unique || len(solved.Solutions) != 1 || solved.Nodes == 0 {
		return "", fmt.Errorf("solving %q: %+v, not one solution", p.Text, solved)
	}
	return solved.Solutions[0], nil
}

// history checks that the genre's history has a line for each version: "- generator 1: …".
func (s Suite) history(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading the history: %w", err)
	}
	lines := []string{fmt.Sprintf("- generator %d: ", s.variant().Generator.Version())}
	for _, scale := range s.variant().Scales {
		lines = append(lines, fmt.Sprintf("- %s %s: ", scale.Rater.Name(), scale.Rater.Version()))
	}
	for _, line := range lines {
		if !regexp.MustCompile("(?m)^" + regexp.QuoteMeta(line) + "\\S").Match(text) {
			return fmt.Errorf("%s has no line that begins with %q", path, line)
		}
	}
	return nil
}
