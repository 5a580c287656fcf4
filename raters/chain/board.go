package chain

import (
	"strconv"
	"strings"

	"assay/raters"
)

// tile is one tile of a hand; n is 0 for swap.
type tile struct {
	op op
	n  int
}

type op byte

const (
	add    op = '+'
	sub    op = '-'
	times  op = '*'
	divide op = '/'
	swap   op = 's'
)

func (t tile) String() string {
	if t.op == swap {
		return "swap"
	}
	return string(rune(t.op)) + strconv.Itoa(t.n)
}

// symbol returns the symbol of the tile on a board.
func (t tile) symbol() raters.Symbol {
	s := raters.Symbol{Name: t.String()}
	s.Glyph = shownOps.Replace(s.Name)
	if t.op == swap {
		s.Words = "swap digits"
	}
	return s
}

var shownOps = strings.NewReplacer("-", "−", "*", "×", "/", "÷")

// play returns the value after the tile, and whether the tile is legal from v.
// Within ±MaxValue no operation overflows: the largest product is 10¹⁸.
func (t tile) play(v int) (int, bool) {
	switch t.op {
	case add:
		v += t.n
	case sub:
		v -= t.n
		if v < 0 {
			return 0, false
		}
	case times:
		v *= t.n
	case divide:
		if v%t.n != 0 {
			return 0, false
		}
		v /= t.n
	case swap:
		r := reversed(v)
		return r, r != v
	}
	return v, -MaxValue <= v && v <= MaxValue
}

// reversed returns the number with its decimal digits in reverse order and the same sign.
func reversed(v int) int {
	r := 0
	for ; v != 0; v /= 10 {
		r = r*10 + v%10
	}
	return r
}

// board is a parsed puzzle.
type board struct {
	start, target int
	moves         int // MinMoves to size
	size          int // tiles in the hand, at most MaxTiles
	hand          [MaxTiles]tile
}

func (b *board) tiles() []tile { return b.hand[:b.size] }

func (b *board) has(t tile) bool {
	for _, h := range b.tiles() {
		if h == t {
			return true
		}
	}
	return false
}

func (b *board) add(t tile) {
	b.hand[b.size] = t
	b.size++
}

// text returns the canonical text.
func (b *board) text() string {
	words := []string{strconv.Itoa(b.start), strconv.Itoa(b.target), strconv.Itoa(b.moves)}
	return strings.Join(append(words, tileTexts(b.tiles())...), " ")
}

func tileTexts(tiles []tile) []string {
	texts := make([]string, len(tiles))
	for i, t := range tiles {
		texts[i] = t.String()
	}
	return texts
}
