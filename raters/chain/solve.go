package chain

import (
	"context"
	"strings"

	"assay/raters"
)

// solver proves by trying every play. The limits of a board limit its work.
type solver struct{}

func (solver) Solve(ctx context.Context, p raters.Puzzle) (raters.Solution, error) {
	b, s, err := solvePuzzle(ctx, p)
	if err != nil {
		return raters.Solution{}, err
	}
	return raters.Solution{Verdict: s.verdict(), Solutions: s.solutions(&b), Nodes: s.nodes}, nil
}

func solvePuzzle(ctx context.Context, p raters.Puzzle) (board, solveResult, error) {
	if err := ctx.Err(); err != nil {
		return board{}, solveResult{}, err
	}
	b, err := parse(p)
	if err != nil {
		return board{}, solveResult{}, err
	}
	return b, solve(&b), nil
}

// order is the hand positions of a play, one for each move.
type order [MaxTiles]uint8

// set is the hand positions of a play as bits.
type set uint16

// solveResult is the result of trying all plays of a board.
type solveResult struct {
	nodes     uint64 // plays of 1 to k tiles that were tried: a legal play and one tile more, legal or not
	first     order  // the reference chain: the first winning play in order of hand positions
	winning   set    // its tiles, 0 when no play wins
	orderings int    // winning plays of these tiles
	second    order  // the first winning play of other tiles
	two       bool   // there is a second winning set
	near      int    // plays of k tiles that miss the target by nearMiss or less
}

// nearMiss is how far from the target a play may end to be a near miss.
const nearMiss = 10

// search is a walk through all plays in order of hand positions, depth first.
type search struct {
	board
	solveResult
	play order
}

func solve(b *board) solveResult {
	s := search{board: *b}
	s.extend(b.start, 0, 0)
	return s.solveResult
}

// extend tries every unused tile after a legal play of some tiles that ends on v.
func (s *search) extend(v, depth int, used set) {
	for i := range s.size {
		if used&(1<<i) != 0 {
			continue
		}
		s.nodes++
		next, legal := s.hand[i].play(v)
		if !legal {
			continue
		}
		s.play[depth] = uint8(i)
		if depth+1 < s.moves {
			s.extend(next, depth+1, used|1<<i)
		} else {
			s.finish(next-s.target, used|1<<i)
		}
	}
}

// finish counts a play of full length by its distance from the target.
func (s *search) finish(off int, used set) {
	switch {
	case off != 0:
		if -nearMiss <= off && off <= nearMiss {
			s.near++
		}
	case s.winning == 0:
		s.first, s.winning, s.orderings = s.play, used, 1
	case s.winning == used:
		s.orderings++
	case !s.two:
		s.second, s.two = s.play, true
	}
}

func (s *solveResult) verdict() raters.Verdict {
	switch {
	case s.winning == 0:
		return raters.None
	case s.two:
		return raters.Multiple
	}
	return raters.Unique
}

// solutions returns a play of each winning set, of at most two.
func (s *solveResult) solutions(b *board) []string {
	switch s.verdict() {
	case raters.None:
		return nil
	case raters.Multiple:
		return []string{b.playText(s.first), b.playText(s.second)}
	}
	return []string{b.playText(s.first)}
}

// playText returns the tiles of a play of full length.
func (b *board) playText(o order) string {
	tiles := make([]tile, b.moves)
	for i := range tiles {
		tiles[i] = b.hand[o[i]]
	}
	return strings.Join(tileTexts(tiles), " ")
}
