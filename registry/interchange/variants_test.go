package interchange

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/sudoku"
)

// made gives a puzzle of each variant of sudoku but the first.
func made(t testing.TB) (all []raters.Puzzle) {
	t.Helper()
	for _, v := range sudoku.Genre().Variants[1:] {
		m, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Level: v.Scales[0].Levels[0], Seed: 2})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m.Puzzle)
	}
	return all
}

// formsOf are the ways to write a puzzle of a variant.
func formsOf(t testing.TB, p raters.Puzzle) map[string]string {
	t.Helper()
	cells, err := sudoku.CellsOf(p.Variant)
	if err != nil {
		t.Fatal(err)
	}
	n := cells.Size * cells.Size
	forms := map[string]string{
		"canonical": p.Text, "newline": p.Text + "\n", "CRLF": p.Text + "\r\n", "genre": "sudoku " + p.Text, "byte order mark": "\ufeff" + p.Text,
		"zeros": strings.ReplaceAll(p.Text[:n], ".", "0") + p.Text[n:], "trailing blanks": p.Text + "  ",
	}
	if !cells.Alone {
		return forms
	}
	var rows, boxed []string
	for i := 0; i < n; i += cells.Size {
		row := p.Text[i : i+cells.Size]
		rows = append(rows, row)
		boxed = append(boxed, "| "+strings.Join(strings.Split(row, ""), " ")+" |")
	}
	forms["rows"] = strings.Join(rows, "\n")
	forms["small letters"] = strings.ToLower(forms["rows"])
	forms["boxed"] = "+--------------------------+\n" + strings.Join(boxed, "\n") + "\n+--------------------------+"
	return forms
}

// Every form of a puzzle of a variant reads as its canonical text, by itself and in a file of all of them.
func TestReadingVariants(t *testing.T) {
	for _, p := range made(t) {
		reader := For(sudoku.Genre(), p.Variant)
		var file strings.Builder
		forms := formsOf(t, p)
		for name, text := range forms {
			if got, err := reader.Read(text); err != nil || got != p {
				t.Errorf("%s, %s: %q reads as %+v, %v", p.Variant, name, text, got, err)
			}
			file.WriteString(strings.TrimPrefix(text, "\ufeff") + "\n---\n")
		}
		writtenAndRead(t, p)
		n := 0
		for text := range reader.Texts(strings.NewReader(file.String())) {
			n++
			if got, err := reader.Read(text.Text); err != nil || got != p {
				t.Errorf("%s: %q of a file reads as %+v, %v", p.Variant, text.Text, got, err)
			}
		}
		if n != len(forms) {
			t.Errorf("%s: %d texts of a file of %d", p.Variant, n, len(forms))
		}
		two := 0
		for range reader.Texts(strings.NewReader(p.Text + "\n" + p.Text + "\n")) {
			two++
		}
		if two != 2 {
			t.Errorf("%s: %d texts of two lines", p.Variant, two)
		}
	}
}

// A killer without cages ends in a blank, which some programs take off.
func TestTheBlankAtTheEndMayBeMissing(t *testing.T) {
	text := strings.Repeat(".", 81) + " " + strings.Repeat(".", 81)
	p, err := For(sudoku.Genre(), "killer").Read(text)
	if err != nil || p.Text != text+" " {
		t.Errorf("%+v, error %v", p, err)
	}
}

// What is wrong with a text of a variant is told at its place.
func TestReadingVariantsThatAreWrong(t *testing.T) {
	killer := strings.Repeat(".", 81) + " aa" + strings.Repeat(".", 79) + " "
	for _, c := range []struct {
		variant, text string
		line, column  int
		reason        string
	}{
		{"mini4", "1...\n..2.\n.3..\n...5", 4, 4, "'5' is neither a digit from 1 to 4"},
		{"mini4", "1...\n..2.\n.3..", 3, 5, "the grid ends after 3 of 4 rows"},
		{"mini6", "1.....\n......7", 2, 7, "'7' is neither a digit from 1 to 6"},
		{"giant16", strings.Repeat(".", 255) + "h", 1, 256, "'h' is neither a digit from 1 to G"},
		{"killer", killer + "18", 1, 165, "no cage of 2 cells adds up to 18"},
		{"killer", "sudoku " + killer + "18", 1, 172, "no cage of 2 cells adds up to 18"},
		{"killer", "\n" + killer + "18", 2, 165, "no cage of 2 cells adds up to 18"},
		{"killer", killer + "17\nx", 2, 1, "the text goes on after its end"},
		{"jigsaw", strings.Repeat(".", 81), 1, 82, "a blank and the box of each cell come here"},
		{"jigsaw", "", 1, 1, "no cell of a grid"},
	} {
		_, err := For(sudoku.Genre(), c.variant).Read(c.text)
		var s *raters.SyntaxError
		if !errors.As(err, &s) || s.Line != c.line || s.Column != c.column || !strings.HasPrefix(s.Reason, c.reason) {
			t.Errorf("%s %q: %v, want line %d, column %d: %s", c.variant, c.text, err, c.line, c.column, c.reason)
		}
	}
}

// Whatever the text, each variant gives a puzzle that all formats keep, or an error with a place.
func FuzzVariants(f *testing.F) {
	for i, p := range made(f) {
		for _, text := range formsOf(f, p) {
			f.Add(uint8(i), text)
		}
	}
	all := sudoku.Genre().Variants
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		p, err := For(sudoku.Genre(), all[1+int(which)%(len(all)-1)].Name).Read(text)
		if err == nil {
			writtenAndRead(t, p)
			return
		}
		var s *raters.SyntaxError
		if !errors.As(err, &s) || s.Line < 1 || s.Column < 1 || s.Reason == "" {
			t.Fatalf("%q: %v", text, err)
		}
	})
}
