package chain

import "assay/raters/seedrand"

// These numbers define how a candidate is drawn. The shares and ranges were tuned until the bands had the published
// shape; see docs/genres/chain.md.
const (
	minStart, maxStart   = 11, 99
	minTarget, maxTarget = 120, 999
	nearCopyPercent      = 70 // of the spares are near copies of a winning + or − tile
	maxNearCopy          = 11 // how far the number of a near copy is away
)

// tileKinds are the kinds of tiles with their shares and the range of their numbers.
var tileKinds = []struct {
	op        op
	share     int
	low, high int
}{
	{add, 60, 14, 99},
	{sub, 20, 20, 39},
	{times, 3, 2, 3},
	{divide, 15, 2, 4},
	{swap, 18, 0, 0},
}

// drawing is the state of drawing a board from a stream of random numbers.
type drawing struct {
	*seedrand.Rand
	hand    board // the tiles drawn so far; the winning tiles first
	special bool  // a winning tile is × ÷ or swap; there is at most one
}

// board draws a board; ok is false when the winning tiles cannot be played as drawn, or not to a target
// in range.
func (d *drawing) board(l length) (b board, ok bool) {
	d.hand.start, d.hand.moves = d.Between(minStart, maxStart), l.moves
	for d.hand.size < l.moves {
		d.winner()
	}
	if d.hand.target, ok = d.target(); !ok {
		return board{}, false
	}
	for d.hand.size < l.tiles {
		d.spare(l.moves)
	}
	hand := d.hand.tiles()
	d.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
	return d.hand, true
}

// winner draws one more winning tile, unless the drawn tile is in the hand or would be a second special one.
func (d *drawing) winner() {
	t := d.tile()
	if d.hand.has(t) || t.special() && d.special {
		return
	}
	d.special = d.special || t.special()
	d.hand.add(t)
}

// target plays the drawn tiles in the sequence in which they were drawn.
func (d *drawing) target() (v int, ok bool) {
	v = d.hand.start
	for _, t := range d.hand.tiles() {
		if v, ok = t.play(v); !ok {
			return 0, false
		}
	}
	return v, minTarget <= v && v <= maxTarget && v != d.hand.start
}

// spare draws one more tile that is not meant to win, unless it is in the hand.
func (d *drawing) spare(winners int) {
	t := d.tile()
	if d.IntN(100) < nearCopyPercent {
		t = d.nearCopy(winners)
	}
	if !d.hand.has(t) {
		d.hand.add(t)
	}
}

// nearCopy draws a tile whose number is near that of a winning + or − tile. Such a tile exists, because there are two
// winning tiles or more and at most one of them is special.
func (d *drawing) nearCopy(winners int) tile {
	t := d.hand.hand[d.IntN(winners)]
	for t.special() {
		t = d.hand.hand[d.IntN(winners)]
	}
	away := d.Between(1, maxNearCopy)
	if d.IntN(2) == 0 && t.n > away {
		away = -away
	}
	t.n += away
	return t
}

func (t tile) special() bool { return t.op != add && t.op != sub }

// tile draws a tile of a hand: its kind by share, then its number.
func (d *drawing) tile() tile {
	total := 0
	for _, k := range tileKinds {
		total += k.share
	}
	k, at := 0, d.IntN(total)
	for ; at >= tileKinds[k].share; k++ {
		at -= tileKinds[k].share
	}
	return tile{tileKinds[k].op, d.Between(tileKinds[k].low, tileKinds[k].high)}
}
