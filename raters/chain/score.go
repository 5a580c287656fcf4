package chain

import (
	"context"
	"strconv"

	"assay/raters"
)

// ScoreName is the name of the genre's rater. Its score says how typical a board is for its length. It has no level of
// its own.
const ScoreName = "chain.score"

// ScoreVersion is raised with every change of the rater's results.
const ScoreVersion = 1

// Weights and caps of the score.
const (
	maxNear      = 6 // near misses counted at most
	refusable    = 3 // for a divide, and for a swap, in the winning set
	perOrdering  = 2 // off for each further ordering
	maxOrderings = 3 // further orderings counted at most
)

// scorer is the rater chain.score. Its profile is the bands that sort its scores; the score does not depend on them.
type scorer struct {
	bands   []raters.ProfileBand
	version string
}

// scoreRater is the rater with the bands that the generator works with.
var scoreRater = scorer{bands: profileBands(builtBands), version: strconv.Itoa(ScoreVersion)}

func profileBands(c raters.Calibration) (bands []raters.ProfileBand) {
	for _, b := range c.Bands {
		bands = append(bands, raters.ProfileBand{Label: b.Label, Low: b.Low, High: b.High})
	}
	return bands
}

func (scorer) Name() string      { return ScoreName }
func (s scorer) Version() string { return s.version }

// Profile returns the bands.
func (s scorer) Profile() raters.Profile {
	return raters.Profile{Rater: ScoreName, Version: ScoreVersion, Bands: s.bands}
}

// With returns the rater with other bands. Its scores are the same.
func (scorer) With(p raters.Profile) (raters.Rater, error) {
	builtIn := scoreRater.Profile()
	p, err := builtIn.Check(p)
	if err != nil {
		return nil, err
	}
	return scorer{bands: p.Bands, version: p.VersionUnder(builtIn)}, nil
}

// vocabulary lists the words of ratings.
var vocabulary = raters.Vocabulary{
	Terms:   []string{"branching", "near_misses", "near_misses_counted", "decoys", "divide", "swap", "orderings", "orderings_discount"},
	Counted: []string{"branching", "near_misses_counted", "decoys", "divide", "swap", "orderings_discount"},
}

// Vocabulary returns the words of ratings.
func (scorer) Vocabulary(raters.Puzzle) raters.Vocabulary { return vocabulary }

func (scorer) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	b, s, err := solvePuzzle(ctx, p)
	if err != nil {
		return raters.Rating{}, err
	}
	switch s.verdict() {
	case raters.None:
		return raters.Rating{}, &raters.NoSolutionError{}
	case raters.Multiple:
		return raters.Rating{}, &raters.NotUniqueError{Solutions: [2]string(s.solutions(&b))}
	}
	f := features(&b, &s)
	score := f.score()
	return raters.Rating{Outcome: raters.Rated, Score: &score, Terms: f.terms()}, nil
}

// measurement has the counts that make up the score.
type measurement struct {
	branching    int  // the number of unused tiles that are legal, added up over the k positions along the reference chain, minus k
	near         int  // near misses
	decoys       int  // spares legal where the second-to-last move is played
	divide, swap bool // in the winning set
	orderings    int  // of the winning set
}

// features measures a board that has one winning set.
func features(b *board, s *solveResult) measurement {
	m := measurement{branching: -b.moves, near: s.near, orderings: s.orderings}
	v, used := b.start, set(0)
	for move, i := range s.first[:b.moves] {
		unused, spares := b.legal(v, used, s.winning)
		m.branching += unused
		if move == b.moves-2 {
			m.decoys = spares
		}
		t := b.hand[i]
		m.divide = m.divide || t.op == divide
		m.swap = m.swap || t.op == swap
		v, _ = t.play(v)
		used |= 1 << i
	}
	return m
}

// legal counts the unused tiles that are legal from v, and those of them outside the winning set.
func (b *board) legal(v int, used, winning set) (unused, spares int) {
	for i, t := range b.tiles() {
		if _, ok := t.play(v); !ok || used&(1<<i) != 0 {
			continue
		}
		unused++
		if winning&(1<<i) == 0 {
			spares++
		}
	}
	return unused, spares
}

func (m measurement) nearCounted() int { return min(m.near, maxNear) }
func (m measurement) discount() int    { return -perOrdering * min(m.orderings-1, maxOrderings) }

func (m measurement) score() int {
	return m.branching + m.nearCounted() + m.decoys + bonus(m.divide) + bonus(m.swap) + m.discount()
}

func bonus(has bool) int {
	if has {
		return refusable
	}
	return 0
}

// terms returns the score term by term: branching, the counted near misses, decoys, divide, swap and the discount add
// up to it. The two plain counts come before the terms that are computed from them.
func (m measurement) terms() []raters.Term {
	return []raters.Term{
		{Name: "branching", Value: m.branching},
		{Name: "near_misses", Value: m.near},
		{Name: "near_misses_counted", Value: m.nearCounted()},
		{Name: "decoys", Value: m.decoys},
		{Name: "divide", Value: bonus(m.divide)},
		{Name: "swap", Value: bonus(m.swap)},
		{Name: "orderings", Value: m.orderings},
		{Name: "orderings_discount", Value: m.discount()},
	}
}
