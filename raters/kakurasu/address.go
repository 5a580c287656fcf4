package kakurasu

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/raters"
)

// An address of puzz.link is "https://puzz.link/p?box/columns/rows/clues". The clues are those of the columns, then
// of the rows: one digit in base 32 (0-9, a-v), or "-" and two of them.

const base32 = "0123456789abcdefghijklmnopqrstuv"

// WriteAddress writes a puzzle as an address of puzz.link.
func WriteAddress(p raters.Puzzle) (string, error) {
	g, err := parse(p)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "https://puzz.link/p?box/%d/%d/", g.columns, g.rows)
	for i := range g.lines() {
		n := g.clue[(g.rows+i)%g.lines()]
		if n >= 32 {
			b.WriteByte('-')
			b.WriteByte(base32[n/32])
		}
		b.WriteByte(base32[n%32])
	}
	return b.String(), nil
}

// ReadAddress reads an address of puzz.link, or of a site that writes puzzles the same way. What is wrong with it is a
// *raters.SyntaxError.
func ReadAddress(text string) (raters.Puzzle, error) {
	if len(text) > maxText {
		return raters.Puzzle{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(text), maxText)}
	}
	g, err := readAddress(text)
	if err != nil {
		return raters.Puzzle{}, err
	}
	return g.puzzle(), nil
}

// isAddress tells whether a text is meant as an address.
func isAddress(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// address is what is left of an address to read.
type address struct{ whole, rest string }

func (a *address) errorf(format string, args ...any) error {
	before := a.whole[:len(a.whole)-len(a.rest)]
	line := strings.Count(before, "\n")
	last := before[strings.LastIndex(before, "\n")+1:]
	return &raters.SyntaxError{Line: 1 + line, Column: 1 + utf8.RuneCountInString(last), Reason: fmt.Sprintf(format, args...)}
}

// segment takes what stands before the next slash.
func (a *address) segment() string {
	s, _, _ := strings.Cut(a.rest, "/")
	a.rest = a.rest[min(len(a.rest), len(s)+1):]
	return s
}

func readAddress(text string) (g grid, err error) {
	a := address{whole: strings.TrimRight(text, " \t\r\n")}
	a.rest = a.whole
	_, query, found := strings.Cut(a.whole, "?")
	if !found {
		return g, a.errorf("an address without a question mark")
	}
	a.rest = strings.TrimPrefix(strings.TrimPrefix(query, "type=player&"), "type=editor&")
	kind, _, _ := strings.Cut(a.rest, "/")
	switch strings.TrimSuffix(strings.TrimSuffix(kind, "_edit"), "_play") {
	case "box", Name:
	default:
		return g, a.errorf("an address of another kind than box")
	}
	a.segment()
	if strings.HasPrefix(a.rest, "v:") {
		a.segment()
	}
	if g.columns, err = a.side("columns"); err != nil {
		return g, err
	}
	if g.rows, err = a.side("rows"); err != nil {
		return g, err
	}
	for i := range g.lines() {
		line := (g.rows + i) % g.lines()
		if g.clue[line], err = a.clue(g.lineName(line)); err != nil {
			return g, err
		}
	}
	if a.rest != "" {
		return g, a.errorf("more than %d clues", g.lines())
	}
	return g, nil
}

func (a *address) side(name string) (int, error) {
	at := *a
	w := word{text: a.segment(), line: 1, column: 1}
	n, err := w.number("the number of "+name, MinSize, MaxSize)
	if err != nil {
		return 0, at.errorf("%s", err.(*raters.SyntaxError).Reason)
	}
	return n, nil
}

func (a *address) clue(line string) (int, error) {
	at, digits := *a, 1
	if strings.HasPrefix(a.rest, "-") {
		a.rest, digits = a.rest[1:], 2
	}
	n := 0
	for range digits {
		d := -1
		if a.rest != "" {
			d = strings.IndexByte(base32, a.rest[0])
		}
		if d < 0 {
			return 0, at.errorf("wanted the clue of %s: 0-9, a-v, or - and two of them", line)
		}
		n, a.rest = 32*n+d, a.rest[1:]
	}
	if n > maxClue {
		return 0, at.errorf("the clue of %s, %d, is above %d", line, n, maxClue)
	}
	return n, nil
}
