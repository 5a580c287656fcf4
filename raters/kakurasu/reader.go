package kakurasu

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/raters"
)

// Limits of a text.
const (
	maxText = 4096 // bytes
	maxClue = 999
)

// reader reads puzzles as people write them. It implements raters.RowReader.
type reader struct{}

// Read takes the canonical text with any blanks and line ends between its numbers, leading zeros, a byte order mark,
// and the word "kakurasu" in front; or an address of puzz.link. A text says its size itself: under the default
// variant it may be of any size, under another one of that size.
func (reader) Read(v, text string) (raters.Puzzle, error) {
	if _, _, err := sizeOf(v); err != nil {
		return raters.Puzzle{}, err
	}
	g, err := read(text)
	if err != nil {
		return raters.Puzzle{}, err
	}
	if v != DefaultVariant && v != g.variant() {
		return raters.Puzzle{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("the text is of size %s, not %s", g.variant(), v)}
	}
	return g.puzzle(), nil
}

// IsRow takes for one of several a line of the name alone, of two numbers, or of a size and the clues of one side; and
// any line but an address while clues are missing.
func (reader) IsRow(_, before, line string) bool {
	if isAddress(line) {
		return false
	}
	if before != "" {
		size, numbers := sizeAndCount(before)
		return size == nil || numbers < 2+size.lines()
	}
	switch size, numbers := sizeAndCount(line); numbers {
	case 0:
		return true
	case 2:
		return strings.Trim(strings.TrimPrefix(line, Name), "0123456789 \t") == ""
	default:
		return size != nil && numbers == 2+size.columns
	}
}

// sizeAndCount gives the size that a text begins with, nil when it begins with none, and how many words there are but
// the genre's name.
func sizeAndCount(text string) (size *grid, count int) {
	w := words(text)
	if w[0].text == Name {
		w = w[1:]
	}
	g := grid{}
	if _, err := g.readSize(w); err != nil {
		return nil, len(w) - 1
	}
	return &g, len(w) - 1
}

// Draw gives the grid with the clues of the columns above it and those of the rows before it.
func (reader) Draw(p raters.Puzzle) (raters.Board, error) {
	g, err := parse(p)
	if err != nil {
		return raters.Board{}, err
	}
	out := raters.Board{Rows: g.rows, Columns: g.columns, Cells: make([]raters.Cell, g.rows*g.columns), Values: []raters.Symbol{
		{Name: valueNames[shaded], Glyph: "■", Plain: "#", Shade: true}, {Name: valueNames[unshaded], Glyph: "–", Plain: "-"},
	}}
	for c := range g.columns {
		out.Outside.Top = append(out.Outside.Top, []string{fmt.Sprint(g.clue[g.rows+c])})
	}
	for r := range g.rows {
		out.Outside.Left = append(out.Outside.Left, []string{fmt.Sprint(g.clue[r])})
	}
	return out, nil
}

// parse reads a puzzle of this genre.
func parse(p raters.Puzzle) (grid, error) {
	if p.Genre != Name {
		return grid{}, &raters.RequestError{Reason: fmt.Sprintf("no puzzle of %s: %s", Name, p.Genre)}
	}
	g, rest, err := readText(p.Text)
	if err == nil && rest[0].text != "" {
		err = rest[0].errorf("more than %d clues", g.lines())
	}
	if err == nil && g.variant() != p.Variant {
		err = &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("the text is of size %s, not %s", g.variant(), p.Variant)}
	}
	return g, err
}

// read reads a text or an address.
func read(text string) (grid, error) {
	if len(text) > maxText {
		return grid{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(text), maxText)}
	}
	if isAddress(text) {
		return readAddress(text)
	}
	g, rest, err := readText(text)
	if err == nil && rest[0].text != "" {
		err = rest[0].errorf("more than %d clues", g.lines())
	}
	return g, err
}

// word is a word of a text and where it stands.
type word struct {
	text         string
	line, column int
}

func (w word) errorf(format string, args ...any) error {
	return &raters.SyntaxError{Line: w.line, Column: w.column, Reason: fmt.Sprintf(format, args...)}
}

// words splits a text at its blanks. The last word is empty and stands where the text ends.
func words(text string) (all []word) {
	column := 1
	if t, ok := strings.CutPrefix(text, "\ufeff"); ok {
		text, column = t, 2
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			column = 1
		}
		start := -1
		for at, r := range line + " " {
			blank := r == ' ' || r == '\t' || r == '\r'
			if blank && start >= 0 {
				all = append(all, word{line[start:at], i + 1, column + utf8.RuneCountInString(line[:start])})
				start = -1
			} else if !blank && start < 0 {
				start = at
			}
		}
		if end := (word{"", i + 1, column + utf8.RuneCountInString(line)}); i == strings.Count(text, "\n") {
			all = append(all, end)
		}
	}
	return all
}

// readText reads size and clues, and gives the words after them.
func readText(text string) (g grid, rest []word, err error) {
	if len(text) > maxText {
		return g, nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(text), maxText)}
	}
	w := words(text)
	if w[0].text == Name {
		w = w[1:]
	}
	if w, err = g.readSize(w); err != nil {
		return g, nil, err
	}
	for i := range g.lines() {
		line := (g.rows + i) % g.lines()
		if g.clue[line], err = w[0].number("the clue of "+g.lineName(line), 0, maxClue); err != nil {
			return g, nil, err
		}
		w = w[1:]
	}
	return g, w, nil
}

// readSize reads the numbers of rows and columns, and gives the words after them.
func (g *grid) readSize(w []word) (rest []word, err error) {
	for _, side := range []struct {
		name string
		to   *int
	}{{"rows", &g.rows}, {"columns", &g.columns}} {
		if *side.to, err = w[0].number("the number of "+side.name, MinSize, MaxSize); err != nil {
			return nil, err
		}
		w = w[1:]
	}
	return w, nil
}

// number reads a decimal number in a range.
func (w word) number(what string, low, high int) (n int, err error) {
	if w.text == "" {
		return 0, w.errorf("wanted %s, not the end", what)
	}
	for _, r := range w.text {
		if r < '0' || r > '9' || n > high {
			n = -1
			break
		}
		n = 10*n + int(r-'0')
	}
	if n < low || n > high {
		const longest = 20
		shown := []rune(w.text)
		return 0, w.errorf("wanted %s, a number from %d to %d, not %q", what, low, high, string(shown[:min(len(shown), longest)]))
	}
	return n, nil
}
