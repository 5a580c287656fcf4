package chain

import (
	"context"
	"fmt"

	"assay/raters"
	"assay/raters/seedrand"
)

// GeneratorVersion is raised with every change of the puzzles of a seed: a change of the draw, of the score behind the
// bands, or of the bands.
const GeneratorVersion = 1

// maxAttempts limits a generation, far above what one needs: the seeds 0 to 19,999 took 2.5 attempts (hard) to 3.8
// (easy) on average and 28 at most.
const maxAttempts = 1000

// length is what a level sets: the number of moves and of tiles.
type length struct {
	level        string
	moves, tiles int
}

var lengths = []length{{"easy", 3, 5}, {"medium", 4, 5}, {"hard", 5, 6}}

// Outcomes of an attempt.
const (
	noPlay    = "no play"          // the winning tiles drawn cannot be played to a target in range
	twoSets   = "two winning sets" // other tiles reach the target, too
	belowBand = "below the band"
	aboveBand = "above the band"
	accepted  = "accepted"
)

// generator draws boards until one is a puzzle whose score lies in the band of its length. Attempt n
// of a seed is drawn from the sub-seed (seed, "chain", 0, n) and from nothing else.
type generator struct {
	bands    raters.Calibration
	attempts int
}

func (generator) Version() int { return GeneratorVersion }

func (g generator) Generate(ctx context.Context, r raters.Request) (raters.Generated, error) {
	l, err := requested(r)
	if err != nil {
		return raters.Generated{}, err
	}
	band, err := bandOf(g.bands, l.level)
	if err != nil {
		return raters.Generated{}, err
	}
	var tried []raters.Attempt
	for n := 1; n <= g.attempts; n++ {
		if err := ctx.Err(); err != nil {
			return raters.Generated{}, err
		}
		c := draw(l, seedrand.Sub(r.Seed, "chain", 0, uint64(n)))
		a := c.attempt(n, band)
		tried = append(tried, a)
		if a.Outcome == accepted {
			return c.generated(r.Variant, tried), nil
		}
	}
	return raters.Generated{}, fmt.Errorf("%d attempts from seed %d: %w", g.attempts, r.Seed, raters.ErrBudget)
}

// requested returns the requested length; for any, the seed chooses it.
func requested(r raters.Request) (length, error) {
	if r.Variant != Variant {
		return length{}, &raters.RequestError{Reason: fmt.Sprintf("no variant %q: chain has %s", r.Variant, Variant)}
	}
	if r.Rater != "" && r.Rater != ScoreName {
		return length{}, &raters.RequestError{Reason: fmt.Sprintf("no rater %q: chain has %s", r.Rater, ScoreName)}
	}
	if r.Cap != "" {
		return length{}, &raters.RequestError{Reason: fmt.Sprintf("no cap %q: the levels of chain are no ladder of techniques", r.Cap)}
	}
	if r.Level == "" {
		choice := seedrand.New(seedrand.Sub(r.Seed, "chain length", 0, 0))
		return lengths[choice.IntN(len(lengths))], nil
	}
	for _, l := range lengths {
		if l.level == r.Level {
			return l, nil
		}
	}
	return length{}, &raters.RequestError{Reason: fmt.Sprintf("no level %q: chain has easy, medium and hard", r.Level)}
}

// candidate is a drawn board and its solution; playable is false when the draw gave no board.
type candidate struct {
	board
	solveResult
	playable bool
}

func draw(l length, seed uint64) candidate {
	c := candidate{}
	d := drawing{Rand: seedrand.New(seed)}
	c.board, c.playable = d.board(l)
	if c.playable {
		c.solveResult = solve(&c.board)
	}
	return c
}

// valid reports whether the candidate is a puzzle; then it has a score.
func (c *candidate) valid() bool { return c.playable && !c.two }

func (c *candidate) score() int {
	m := features(&c.board, &c.solveResult)
	return m.score()
}

func (c *candidate) attempt(n int, band raters.Band) raters.Attempt {
	switch {
	case !c.playable:
		return raters.Attempt{N: n, Outcome: noPlay}
	case c.two:
		return raters.Attempt{N: n, Outcome: twoSets}
	}
	score := c.score()
	a := raters.Attempt{N: n, Outcome: accepted, Score: &score}
	if score < band.Low {
		a.Outcome = belowBand
	} else if score > band.High {
		a.Outcome = aboveBand
	}
	return a
}

func (c *candidate) generated(variant string, tried []raters.Attempt) raters.Generated {
	return raters.Generated{
		Puzzle:   raters.Puzzle{Genre: Name, Variant: variant, Text: c.text()},
		Solution: c.playText(c.first),
		Attempts: tried,
		Nodes:    c.nodes,
	}
}
