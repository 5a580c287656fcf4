package kakurasu

import (
	"fmt"

	"assay/raters"
	"assay/raters/words"
)

// Limits of a text.
const (
	MaxText = 4096 // bytes
	MaxClue = 999
)

// reader reads canonical texts.
type reader struct{}

// Read takes the canonical text of the variant.
func (reader) Read(v, text string) (raters.Puzzle, error) {
	if _, _, err := sizeOf(v); err != nil {
		return raters.Puzzle{}, err
	}
	g, err := parse(raters.Puzzle{Genre: Name, Variant: v, Text: text})
	if err == nil {
		err = raters.CheckCanonical(text, g.text())
	}
	if err != nil {
		return raters.Puzzle{}, err
	}
	return g.puzzle(), nil
}

// ReadWords reads the canonical text with any blanks and line ends between its numbers, leading zeros, a byte order
// mark, and the word "kakurasu" in front. A text says its size itself: under the default variant it may be of any size,
// under another variant only of that size.
func ReadWords(v, text string) (raters.Puzzle, error) {
	if _, _, err := sizeOf(v); err != nil {
		return raters.Puzzle{}, err
	}
	g, err := readAll(text)
	if err == nil && v != DefaultVariant {
		err = g.checkSize(v)
	}
	if err != nil {
		return raters.Puzzle{}, err
	}
	return g.puzzle(), nil
}

// Draw returns the grid with the clues of the columns above it and those of the rows before it.
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
	g, err := readAll(p.Text)
	if err == nil {
		err = g.checkSize(p.Variant)
	}
	return g, err
}

// checkSize returns an error if a text is not of the size of a variant.
func (g *grid) checkSize(v string) error {
	if g.variant() != v {
		return &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("the text is of size %s, not %s", g.variant(), v)}
	}
	return nil
}

// readAll reads a text with nothing after its clues.
func readAll(text string) (grid, error) {
	g, rest, err := readText(text)
	if err == nil && rest[0].Text != "" {
		err = rest[0].Errorf("more than %d clues", g.lines())
	}
	return g, err
}

// readText reads size and clues, and returns the words after them.
func readText(text string) (g grid, rest []words.Word, err error) {
	if len(text) > MaxText {
		return g, nil, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("a text of %d bytes is longer than %d", len(text), MaxText)}
	}
	w := words.Of(text)
	if w[0].Text == Name {
		w = w[1:]
	}
	if w, err = g.readSize(w); err != nil {
		return g, nil, err
	}
	for i := range g.lines() {
		line := (g.rows + i) % g.lines()
		if g.clue[line], err = w[0].Number("the clue of "+g.lineName(line), 0, MaxClue); err != nil {
			return g, nil, err
		}
		w = w[1:]
	}
	return g, w, nil
}

// readSize reads the numbers of rows and columns, and returns the words after them.
func (g *grid) readSize(w []words.Word) (rest []words.Word, err error) {
	for _, side := range []struct {
		name string
		to   *int
	}{{"rows", &g.rows}, {"columns", &g.columns}} {
		if *side.to, err = w[0].Number("the number of "+side.name, MinSize, MaxSize); err != nil {
			return nil, err
		}
		w = w[1:]
	}
	return w, nil
}
