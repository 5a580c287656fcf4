package chain

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/words"
)

// reader reads canonical texts.
type reader struct{}

func (reader) Read(variant, text string) (raters.Puzzle, error) {
	p, err := ReadWords(variant, text)
	if err == nil {
		err = raters.CheckCanonical(text, p.Text)
	}
	if err != nil {
		return raters.Puzzle{}, err
	}
	return p, nil
}

// ReadWords reads the canonical text and common variations of it: blanks and line ends of any kind and number between
// the words, × ÷ and − (U+2212) for * / and -, leading zeros, and the genre's name in front.
func ReadWords(variant, text string) (raters.Puzzle, error) {
	b, err := parse(raters.Puzzle{Genre: Name, Variant: variant, Text: text})
	if err != nil {
		return raters.Puzzle{}, err
	}
	return raters.Puzzle{Genre: Name, Variant: variant, Text: b.text()}, nil
}

func (reader) Draw(p raters.Puzzle) (raters.Board, error) {
	b, err := parse(p)
	if err != nil {
		return raters.Board{}, err
	}
	out := raters.Board{Goal: &raters.Goal{Start: b.start, Target: b.target, Moves: b.moves}}
	for _, t := range b.tiles() {
		out.Hand = append(out.Hand, t.symbol())
	}
	return out, nil
}

// wanted returns the error that says what should stand in place of the word.
func wanted(w words.Word, what string) error {
	if w.Text == "" {
		return w.Errorf("wanted %s, not the end", what)
	}
	const longest = 20
	if shown := []rune(w.Text); len(shown) > longest {
		return w.Errorf("wanted %s, not %q…", what, string(shown[:longest]))
	}
	return w.Errorf("wanted %s, not %q", what, w.Text)
}

// split splits a text at its blanks. The last word is empty and is at the end of the text.
func split(text string) ([]words.Word, error) {
	var all []words.Word
	at := words.Word{Line: 1, Column: 1}
	end, from := at, 0
	for i, r := range text {
		switch {
		case r == utf8.RuneError:
			return nil, at.Errorf("wanted text in UTF-8")
		case i+utf8.RuneLen(r) > MaxText:
			return nil, at.Errorf("the text of %d bytes is longer than %d", len(text), MaxText)
		case unicode.IsSpace(r):
			from = i + utf8.RuneLen(r)
		default:
			if i == from {
				all = append(all, at)
			}
			all[len(all)-1].Text = text[from : i+utf8.RuneLen(r)]
			end = words.Word{Line: at.Line, Column: at.Column + 1}
		}
		at.Column++
		if r == '\n' {
			at.Line, at.Column = at.Line+1, 1
		}
	}
	return append(all, end), nil
}

// parse reads a puzzle of this genre.
func parse(p raters.Puzzle) (board, error) {
	if p.Genre != Name || p.Variant != Variant {
		return board{}, &raters.RequestError{Reason: fmt.Sprintf("no puzzle of %s/%s: %s/%s", Name, Variant, p.Genre, p.Variant)}
	}
	w, err := split(p.Text)
	if err != nil {
		return board{}, err
	}
	if w[0].Text == Name {
		w = w[1:]
	}
	b, w, err := parseNumbers(w)
	if err != nil {
		return board{}, err
	}
	for ; w[0].Text != ""; w = w[1:] {
		if err := b.addWord(w[0]); err != nil {
			return board{}, err
		}
	}
	if b.size < b.moves {
		return board{}, w[0].Errorf("%d moves need at least %d tiles, not %d", b.moves, b.moves, b.size)
	}
	return b, nil
}

// parseNumbers reads the start, the target and the moves, and returns the words after them.
func parseNumbers(w []words.Word) (b board, rest []words.Word, err error) {
	fields := []struct {
		name      string
		low, high int
		value     *int
	}{
		{"the start", -MaxValue, MaxValue, &b.start},
		{"the target", -MaxValue, MaxValue, &b.target},
		{"the moves", MinMoves, MaxTiles, &b.moves},
	}
	for i, f := range fields {
		n, ok := integer(w[i].Text)
		if !ok || n < f.low || n > f.high {
			return b, nil, wanted(w[i], fmt.Sprintf("%s, a number from %d to %d", f.name, f.low, f.high))
		}
		*f.value = n
	}
	if b.start == b.target {
		return b, nil, w[1].Errorf("the target equals the start")
	}
	return b, w[len(fields):], nil
}

func (b *board) addWord(w words.Word) error {
	t, err := parseTile(w)
	switch {
	case err != nil:
		return err
	case b.has(t):
		return w.Errorf("the tile %s stands twice", t)
	case b.size == MaxTiles:
		return w.Errorf("more than %d tiles", MaxTiles)
	}
	b.add(t)
	return nil
}

func parseTile(w words.Word) (tile, error) {
	if w.Text == "swap" {
		return tile{op: swap}, nil
	}
	sign, size := utf8.DecodeRuneInString(w.Text)
	t, low := tile{}, 1
	switch sign {
	case '+':
		t.op = add
	case '-', '−':
		t.op = sub
	case '*', '×':
		t.op, low = times, 2
	case '/', '÷':
		t.op, low = divide, 2
	default:
		return t, wanted(w, "a tile such as +5, -5, *5, /5 or swap")
	}
	n, ok := natural(w.Text[size:])
	if !ok || n < low || n > MaxValue {
		return t, wanted(w, fmt.Sprintf("a number from %d to %d after %c", low, MaxValue, sign))
	}
	t.n = n
	return t, nil
}

// integer reads decimal digits with or without a minus in front.
func integer(s string) (int, bool) {
	for _, minus := range []string{"-", "−"} {
		if digits, found := strings.CutPrefix(s, minus); found {
			n, ok := natural(digits)
			return -n, ok
		}
	}
	return natural(s)
}

// natural reads decimal digits. It gives up beyond MaxValue, long before a number overflows.
func natural(s string) (n int, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		if n = n*10 + int(s[i]-'0'); n > MaxValue {
			return 0, false
		}
	}
	return n, s != ""
}
