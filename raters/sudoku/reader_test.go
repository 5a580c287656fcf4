package sudoku

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
)

const sample = "..1..2...3.....4..5.....6.7.8..1........9........3..5.2.9.....6..4.....8...6..7.."

type badText struct {
	in           string
	line, column int
	reason       string
}

func badTexts() []badText {
	return []badText{
		{"", 1, 1, "0 of 81"},
		{sample[:80], 1, 81, "80 of 81"},
		{sample + ".", 1, 82, "more than 81"},
		{sample[:40] + "0" + sample[41:], 1, 41, "not a digit"},
		{sample[:40] + "x" + sample[41:], 1, 41, "not a digit"},
		{sample[:2] + "٣" + sample[3:], 1, 3, "not a digit"},
		{strings.Repeat(".", 10<<20), 1, 82, "more than 81"},
	}
}

func TestUnknownVariantNamesThoseOffered(t *testing.T) {
	_, err := reader{}.Read("jumbo", sample)
	var r *raters.RequestError
	if !errors.As(err, &r) || !strings.Contains(r.Reason, "classic") {
		t.Fatal(err)
	}
}

func TestDraws(t *testing.T) {
	b, err := reader{}.Draw(raters.Puzzle{Genre: Name, Variant: Variant, Text: sample})
	if err != nil || b.Rows != 9 || b.Columns != 9 || len(b.Cells) != 81 || len(b.Values) != 9 {
		t.Fatal(b, err)
	}
	for i, c := range b.Cells {
		if c.Text != strings.Trim(sample[i:i+1], ".") || b.Regions[i] != squareOf(i) {
			t.Fatalf("cell %d is %+v, in box %d", i, c, b.Regions[i])
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{sample, sample[:80], sample + "\n", "\ufeffsudoku\n٣", "*********"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		p, err := reader{}.Read("classic", in)
		if err != nil {
			var s *raters.SyntaxError
			if !errors.As(err, &s) || s.Line < 1 || s.Column < 1 || s.Reason == "" {
				t.Fatalf("%q: %v", in, err)
			}
			return
		}
		if p.Text != in {
			t.Fatalf("%q reads as %q", in, p.Text)
		}
		if _, err := parse(p); err != nil {
			t.Fatal(err)
		}
	})
}

// squareOf gives the box of a cell by looking it up.
func squareOf(cell int) int {
	return int("000111222000111222000111222333444555333444555333444555666777888666777888666777888"[cell] - '0')
}

// documented gives the puzzle of a grid of several lines on a page.
func documented(grid string) (raters.Puzzle, error) {
	return reader{}.Read(Variant, strings.Join(strings.FieldsFunc(grid, func(r rune) bool { return strings.ContainsRune(" \n|-+*", r) }), ""))
}
