package chain

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// naive is the rules once more, for the tests: on text, each play from the start, with no code of the
// package.
type naive struct {
	start, target, moves int
	hand                 []string
	all                  [][]int // every ordered choice of 1 to moves tiles, legal or not
}

func naively(text string) naive {
	words := strings.Fields(text)
	n := naive{start: atoi(words[0]), target: atoi(words[1]), moves: atoi(words[2]), hand: words[3:]}
	n.choose(nil)
	return n
}

func atoi(s string) int {
	v, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return v
}

func (n *naive) choose(play []int) {
	for i := range n.hand {
		if len(play) < n.moves && !slices.Contains(play, i) {
			longer := append(slices.Clone(play), i)
			n.all = append(n.all, longer)
			n.choose(longer)
		}
	}
}

// after returns the value that a play ends on, and whether all its tiles are legal.
func (n *naive) after(play []int) (int, bool) {
	v := n.start
	for _, i := range play {
		before := v
		number, _ := strconv.Atoi(n.hand[i][1:])
		switch n.hand[i][0] {
		case '+':
			v = before + number
		case '-':
			if v = before - number; v < 0 {
				return 0, false
			}
		case '*':
			v = before * number
		case '/':
			if v = before / number; v*number != before {
				return 0, false
			}
		case 's':
			if v = mirrored(before); v == before {
				return 0, false
			}
		}
		if v > 1e9 || v < -1e9 {
			return 0, false
		}
	}
	return v, true
}

func mirrored(v int) int {
	digits := []byte(strings.TrimPrefix(strconv.Itoa(v), "-"))
	slices.Reverse(digits)
	if v < 0 {
		return -atoi(string(digits))
	}
	return atoi(string(digits))
}

// wins returns the plays that reach the target, in order of hand positions.
func (n *naive) wins() [][]int {
	var wins [][]int
	for _, play := range n.all {
		if v, ok := n.after(play); ok && len(play) == n.moves && v == n.target {
			wins = append(wins, play)
		}
	}
	slices.SortFunc(wins, slices.Compare)
	return wins
}

// sets returns the different sets of tiles among plays, each by its first play.
func sets(plays [][]int) [][]int {
	var firsts [][]int
	for _, play := range plays {
		if !slices.ContainsFunc(firsts, func(f []int) bool { return sameSet(f, play) }) {
			firsts = append(firsts, play)
		}
	}
	return firsts
}

func sameSet(a, b []int) bool { return slices.Equal(sorted(a), sorted(b)) }

func sorted(a []int) []int {
	a = slices.Clone(a)
	slices.Sort(a)
	return a
}

func (n *naive) text(play []int) string {
	tiles := make([]string, len(play))
	for i, at := range play {
		tiles[i] = n.hand[at]
	}
	return strings.Join(tiles, " ")
}

// legal returns the unused tiles that can be played after a play.
func (n *naive) legal(play []int) []int {
	var legal []int
	for i := range n.hand {
		if _, ok := n.after(append(slices.Clone(play), i)); ok && !slices.Contains(play, i) {
			legal = append(legal, i)
		}
	}
	return legal
}

// terms returns the score and its terms in the order of the rating.
func (n *naive) terms() (score int, terms [8]int) {
	wins := n.wins()
	first := wins[0]
	branching := -n.moves
	for i := range first {
		branching += len(n.legal(first[:i]))
	}
	near := 0
	for _, play := range n.all {
		v, ok := n.after(play)
		if ok && len(play) == n.moves && v != n.target && v >= n.target-10 && v <= n.target+10 {
			near++
		}
	}
	decoys := 0
	for _, i := range n.legal(first[:n.moves-2]) {
		if !slices.Contains(first, i) {
			decoys++
		}
	}
	tiles := n.text(first)
	divide, swap := 3*min(1, strings.Count(tiles, "/")), 3*strings.Count(tiles, "swap")
	discount := -2 * min(3, len(wins)-1)
	score = branching + min(near, 6) + decoys + divide + swap + discount
	return score, [8]int{branching, near, min(near, 6), decoys, divide, swap, len(wins), discount}
}

// anyBoard draws a board of any size, small numbers mostly, whose target is often within reach.
func anyBoard(t *rapid.T) string {
	number := rapid.OneOf(rapid.IntRange(2, 9), rapid.IntRange(2, 99), rapid.IntRange(2, MaxValue))
	tile := rapid.Custom(func(t *rapid.T) string {
		kind := rapid.SampledFrom([]string{"+", "-", "*", "/", "swap"}).Draw(t, "kind")
		if kind == "swap" {
			return kind
		}
		return kind + strconv.Itoa(number.Draw(t, "number"))
	})
	hand := rapid.SliceOfNDistinct(tile, MinMoves, 6, rapid.ID).Draw(t, "hand")
	start := rapid.OneOf(rapid.IntRange(0, 99), rapid.IntRange(-MaxValue, MaxValue)).Draw(t, "start")
	n := naive{start: start, moves: rapid.IntRange(MinMoves, len(hand)).Draw(t, "moves"), hand: hand}
	n.target = start + 1
	play := rapid.Permutation(indices(len(hand))).Draw(t, "play")[:n.moves]
	if v, ok := n.after(play); ok && v != start {
		n.target = v
	} else if start == MaxValue {
		n.target = start - 1
	}
	return n.board()
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func TestOrderedPlaysOfEachLength(t *testing.T) {
	for text, want := range map[string]int{
		"1 99 3 +1 +2 +3 +4 +5":    85,
		"1 99 4 +1 +2 +3 +4 +5":    205,
		"1 99 5 +1 +2 +3 +4 +5 +6": 1236,
	} {
		n := naively(text)
		if len(n.all) != want {
			t.Errorf("%s: %d plays enumerated, want %d", text, len(n.all), want)
		}
		// Every tile is legal on these boards, so the solver tries every play.
		if s := mustSolve(t, text); s.Nodes != uint64(want) {
			t.Errorf("%s: %d plays tried, want %d", text, s.Nodes, want)
		}
	}
}

// board returns the text of the board.
func (n *naive) board() string {
	words := []string{strconv.Itoa(n.start), strconv.Itoa(n.target), strconv.Itoa(n.moves)}
	return strings.Join(append(words, n.hand...), " ")
}
