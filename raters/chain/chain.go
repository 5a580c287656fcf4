// Package chain is the daily arithmetic chain: a start value, a target, a hand of tiles and a number of moves k. A play
// uses exactly k different tiles, one after the other, and must end on the target. A board is a puzzle when at least
// one play reaches the target and all plays that reach it use the same set of tiles, the winning set. The orders in
// which that set reaches the target are its orderings.
//
// Canonical text: "start target moves tile tile …", blank-separated, on one line, ASCII. The tiles
// are +n, -n, *n, /n and swap, in hand order, which is part of the puzzle. From the value v:
//
//   - +n and *n are always legal;
//   - -n is legal when the result is not below 0;
//   - /n is legal when v is a multiple of n;
//   - swap reverses the decimal digits (133 → 331, 120 → 21; a sign stays in front) and is legal when
//     that changes the value;
//   - and no tile is legal whose result is beyond ±MaxValue.
//
// The text of a solution is the tiles of a play in order, blank-separated.
package chain

import "assay/raters"

// Name is the genre's name.
const Name = "chain"

// Variant is the genre's only variant.
const Variant = "daily"

// Limits of a board. They limit the search: 8 tiles have 109,600 plays of up to 8 moves.
const (
	MaxValue = 1_000_000_000 // start, target, tile numbers and every result lie within ±MaxValue
	MaxTiles = 8
	MinMoves = 2    // the score looks at the second-to-last move
	MaxText  = 4096 // bytes of a text that Read takes
)

// Genre returns the engine.
func Genre() raters.Genre {
	return raters.Genre{Name: Name, Reader: reader{}, Variants: []raters.Variant{{
		Genre:     Name,
		Name:      Variant,
		Scales:    []raters.Scale{{Rater: scoreRater}},
		Solver:    solver{},
		Generator: generator{bands: builtBands, attempts: maxAttempts},
		Canonizer: raters.NoSymmetries,
		Bands:     bands{},
		Teller:    teller{},
	}}}
}
