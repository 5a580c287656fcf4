// Package raters is the vocabulary of puzzle engines: what a puzzle, a solution, a rating and a
// generated puzzle are, and what a genre offers. Engines are pure functions of text: no clock, no
// file, no log, and no randomness but the seed they are given.
//
// "Level" is what a rater measured (easy … expert), "score" a rater's number. What a published day
// is called is its label, which no engine knows.
package raters

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"slices"

	"assay/raters/logic"
)

// Puzzle is what a puzzle is: two puzzles with the same three parts are the same puzzle.
type Puzzle struct {
	Genre   string // "chain", "sudoku" …
	Variant string // "daily", "classic" …
	Text    string // canonical text
}

var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// ID returns the puzzle ID: the genre, "-", and the first 80 bits of
// SHA-256(genre "\n" variant "\n" text) in lower-case Crockford base32, 16 characters.
func (p Puzzle) ID() string {
	var room [256]byte // most texts fit
	b := append(append(room[:0], p.Genre...), '\n')
	b = append(append(b, p.Variant...), '\n')
	sum := sha256.Sum256(append(b, p.Text...))
	return string(crockford.AppendEncode(append(append(room[:0], p.Genre...), '-'), sum[:10]))
}

// Genre is one kind of puzzle: the reader of its texts, and its variants.
type Genre struct {
	Name     string
	Reader   Reader    // of the canonical texts of all variants
	Variants []Variant // the first is the default
}

// Variant finds one of the genre's variants by name; "" is the default.
func (g Genre) Variant(name string) (Variant, bool) {
	for _, v := range g.Variants {
		if name == "" || v.Name == name {
			return v, true
		}
	}
	return Variant{}, false
}

// Variant is a sort of puzzles of a genre and everything the registry asks of it. No rule about a variant stands
// anywhere else.
type Variant struct {
	Genre     string // the genre's name
	Name      string
	Scales    []Scale // the first is the default rater's
	Solver    Solver  // proof of uniqueness
	Generator Generator
	Canonizer Canonizer // NoSymmetries when puzzles that look different are different
	Bands     Bands     // nil when levels need no bands
	Hinter    Hinter    // nil when there are no hints
	Teller    Teller    // nil when the common words do

	// Values reads a solution: the index of the value of each variable of the variant's literals. nil when no rater
	// of it solves by steps.
	Values func(p Puzzle, solution string) []uint8
}

// String returns genre/variant.
func (v Variant) String() string { return v.Genre + "/" + v.Name }

// Scale finds the scale of one of the variant's raters by the rater's name; "" is the default.
func (v Variant) Scale(rater string) (Scale, bool) {
	for _, s := range v.Scales {
		if rater == "" || s.Rater.Name() == rater {
			return s, true
		}
	}
	return Scale{}, false
}

// Canonical returns the canonical form of a puzzle of the variant under its symmetries; "" when it has none. Its errors are
// those of Canonizer.
func (v Variant) Canonical(p Puzzle) (string, error) {
	if v.Canonizer == NoSymmetries {
		return "", nil
	}
	form, err := v.Canonizer.Canonical(p)
	if err == nil && form == "" {
		err = fmt.Errorf("the canonical form of %s is empty", p.ID())
	}
	return form, err
}

// Scale is a rater as a variant has it: the rater, and the levels that it puts puzzles of the variant on.
type Scale struct {
	Rater  Rater    // as it is built in
	Levels []string // that pools have shelves for, lowest first; none when the rater has no levels
	Stuck  string   // the level of a puzzle that the techniques do not finish; "" when it has none
}

// Filed returns the levels that the rater has shelves for under a profile of its own, lowest first: those of the scale that
// some technique of the profile has, and that of stuck puzzles.
func (s Scale) Filed(under Rater) []string {
	profiled, ok := under.(Profiled)
	if !ok {
		return s.Levels
	}
	has := profiled.Profile().Levels()
	return slices.DeleteFunc(slices.Clone(s.Levels), func(level string) bool {
		return level != s.Stuck && !slices.Contains(has, level)
	})
}

// Reader turns canonical texts into puzzles, and puzzles into what a player sees.
type Reader interface {
	// Read returns the puzzle of a canonical text; any other text is a *SyntaxError. A variant that is none of the genre's is
	// a *RequestError. It never panics, whatever the text.
	Read(variant, text string) (Puzzle, error)
	// Draw returns the board of a puzzle that Read accepts.
	Draw(p Puzzle) (Board, error)
}

// Teller has a genre's own words for what an audit tells.
type Teller interface {
	// Score writes a score as the sum of its terms.
	Score(terms []Term) string
	// Proof says how the one solution was proven: it has the size of the search, and the terms of the score if there is one.
	Proof(solution string, nodes uint64, terms []Term) string
}

// Canonizer finds puzzles that are the same up to the symmetries of their variant.
type Canonizer interface {
	// Canonical returns a text that is the same for two puzzles exactly when a symmetry turns one into the
	// other. The puzzle is one that Read accepts; one whose givens contradict one another is a *NoSolutionError. It
	// may also give ErrBudget.
	Canonical(p Puzzle) (string, error)
}

// NoSymmetries is the Canonizer of a variant whose puzzles are different when they look different. Its canonical form of a
// puzzle is the puzzle's text.
var NoSymmetries Canonizer = noSymmetries{}

type noSymmetries struct{}

func (noSymmetries) Canonical(p Puzzle) (string, error) { return p.Text, nil }

// Sketcher is a Canonizer that tells most puzzles apart without their canonical forms, in a small part of the time.
type Sketcher interface {
	Canonizer
	// Sketch returns a text that two puzzles have in common when a symmetry turns one into the other. Two others may
	// have it in common too. The puzzle is a complete grid that Read accepts, with the solution's values as its givens.
	Sketch(p Puzzle) (string, error)
}

// Verdict says how many solutions a puzzle has.
type Verdict string

// The verdicts.
const (
	None     Verdict = "none"
	Unique   Verdict = "unique"
	Multiple Verdict = "multiple"
)

// Solution is what a solver found.
type Solution struct {
	Verdict   Verdict
	Solutions []string // none, one, or two different ones
	Nodes     uint64   // size of the search: positions tried
	Reason    string   // for None, when the puzzle itself shows it: which parts contradict which rule
}

// Solver proves how many solutions a puzzle has.
type Solver interface {
	// Solve returns the verdict, ErrBudget when the search exceeds the solver's work budget, or the
	// context's error.
	Solve(ctx context.Context, p Puzzle) (Solution, error)
}

// Rater measures puzzles.
type Rater interface {
	Name() string    // "<genre>.<word>"
	Version() string // "1"; under a profile of its own "1+<digest>", see Profile.VersionUnder
	// Rate returns the verdict on a puzzle with exactly one solution; else *NotUniqueError or
	// *NoSolutionError. It may also give ErrBudget or the context's error.
	Rate(ctx context.Context, p Puzzle) (Rating, error)
}

// Outcome says how a rating ended.
type Outcome string

// The outcomes that are facts and are recorded.
const (
	Rated   Outcome = "rated"
	Stuck   Outcome = "stuck"   // sudoku.tiers: no technique applies; tier 5
	Unrated Outcome = "unrated" // the techniques cannot finish the puzzle
)

// Rating is one rater version's verdict on one puzzle.
type Rating struct {
	Outcome    Outcome
	Level      string          // "" when the rater has no levels
	Tier       int             // sudoku.tiers only: 1 to 5
	Score      *int            // nil when the rater has no score
	Hardest    string          // the technique that decides the level, "" when the rater has none
	Techniques []TechniqueUse  // those used, in the rater's order
	Terms      []Term          // the score term by term, in the rater's order
	Clues      int             // givens
	Solve      Solve           // the solve, which Steps writes out; nil when the rater does not solve by steps
	Naming     logic.Naming    // names the literals of the steps
	Metrics    []Term          // for research: they may change in any version and decide nothing
	Open       []logic.Literal // of outcome Unrated: the candidates that are left where no value is written
}

// TechniqueUse counts what one technique did in a solve.
type TechniqueUse struct {
	Name    string // kebab-case
	Level   string
	Uses    int // steps
	Removed int // candidates
	Placed  int // values
}

// Term is one named part of a score; names are snake_case.
type Term struct {
	Name  string
	Value int
}

// Request asks a generator for a puzzle.
type Request struct {
	Variant string
	Rater   string // whose level is asked for; "" is the variant's default rater
	Level   string // the level wanted; "" is any
	Cap     string // instead of Level: make one candidate that needs no more than this level, whatever it earns
	Seed    uint64
}

// Generator makes puzzles.
type Generator interface {
	Version() int
	// Generate makes the puzzle of the request: the same one for ever under this version. A level it
	// cannot give is a *RequestError; it may also give ErrBudget or the context's error.
	Generate(ctx context.Context, r Request) (Generated, error)
}

// Generated is a puzzle that a generator made, and how.
type Generated struct {
	Puzzle   Puzzle
	Solution string
	Level    string    // the level earned; "" when the rater has no levels
	Attempts []Attempt // every candidate up to the accepted one
	Nodes    uint64    // size of the search that proved the solution unique
}

// Attempt is one candidate of a generation.
type Attempt struct {
	N       int    // 1, 2, 3 …
	Outcome string // "accepted", or why it was dropped
	Score   *int   // when it got as far as being scored
}

// Bands gives the score bands of a genre whose rater has no levels of its own.
type Bands interface {
	// Built returns the bands that the generator works with.
	Built() Calibration
	// Calibrate measures the bands again.
	Calibrate(ctx context.Context, seed uint64) (Calibration, error)
}

// Calibration is one measurement of bands.
type Calibration struct {
	Rater        string
	RaterVersion int
	Generator    int // version
	Seed         uint64
	Bands        []Band
}

// Band is the range of scores that a label accepts: Low and High are the LowPercent-th and
// HighPercent-th percentile (nearest rank) of the scores of Sample candidates, both inclusive.
type Band struct {
	Label       string
	Sample      int
	LowPercent  int
	HighPercent int
	Low         int
	Median      int
	High        int
}
