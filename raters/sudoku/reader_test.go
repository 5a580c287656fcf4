package sudoku

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
)

const sample = "..1..2...3.....4..5.....6.7.8..1........9........3..5.2.9.....6..4.....8...6..7.."

// rowsOfSample gives the sample's nine rows.
func rowsOfSample() (rows []string) {
	for i := 0; i < 81; i += 9 {
		rows = append(rows, sample[i:i+9])
	}
	return rows
}

// boxed draws the sample as puzzle programs do.
func boxed(left, bar, right string) string {
	var b strings.Builder
	for i, r := range rowsOfSample() {
		if i%3 == 0 {
			b.WriteString("*-----------*\n")
		}
		b.WriteString(left + r[:3] + bar + r[3:6] + bar + r[6:] + right + "\n")
	}
	return b.String() + "*-----------*\n"
}

// inputForms are the ways to write the sample.
func inputForms() map[string]string {
	lines := strings.Join(rowsOfSample(), "\n")
	return map[string]string{
		"canonical":       sample,
		"zeros":           strings.ReplaceAll(sample, ".", "0"),
		"underscores":     strings.ReplaceAll(sample, ".", "_"),
		"stars":           strings.ReplaceAll(sample, ".", "*"),
		"blanks":          strings.ReplaceAll(sample, ".", " "),
		"newline":         sample + "\n",
		"CRLF":            sample + "\r\n",
		"byte order mark": "\ufeff" + sample,
		"trailing blanks": sample + "  \t",
		"genre":           "sudoku " + sample,
		"genre, lines":    "sudoku\n" + lines,
		"nine lines":      lines,
		"nine CRLF lines": strings.ReplaceAll(lines, "\n", "\r\n") + "\r\n",
		"blank lines":     "\n" + strings.ReplaceAll(lines, "\n", "\n\n") + "\n\n",
		"blanks in lines": strings.ReplaceAll(lines, ".", " "),
		"spread":          strings.Join(strings.Split(lines, ""), " "),
		"boxed":           boxed("|", "|", "|"),
		"boxed, spread":   boxed("| ", " | ", " |"),
		"boxed, indented": strings.ReplaceAll("\n"+boxed("|", "|", "|"), "\n", "\n "),
		"rules":           strings.ReplaceAll(boxed("", "|", ""), "*-----------*", "---+---+---"),
		"double rules":    strings.ReplaceAll(boxed("", "|", ""), "*-----------*", "===+===+==="),
	}
}

type badText struct {
	name, in     string
	line, column int
	reason       string
}

func badTexts() []badText {
	rows := rowsOfSample()
	return []badText{
		{"nothing", "", 1, 1, "no cell"},
		{"only blanks", " \n\t\n", 1, 1, "no cell"},
		{"only a box", "---+---+---\n", 1, 1, "no cell"},
		{"80 cells", sample[:80], 1, 81, "80 of 81"},
		{"80 cells and a blank", sample[:80] + " ", 1, 82, "80 of 81"},
		{"82 cells", sample + ".", 1, 82, "more than 81"},
		{"89 cells", sample + "12345678", 1, 82, "more than 81"},
		{"a letter", sample[:40] + "x" + sample[41:], 1, 41, "'x'"},
		{"after a mark", "\ufeff" + sample[:40] + "x" + sample[41:], 1, 42, "'x'"},
		{"full-width digit", sample[:40] + "５" + sample[41:], 1, 41, "'５'"},
		{"Arabic digit", sample[:2] + "٣" + sample[3:], 1, 3, "'٣'"},
		{"broken UTF-8", sample[:2] + "\xff" + sample[3:], 1, 3, "neither"},
		{"NUL", sample[:2] + "\x00" + sample[3:], 1, 3, "neither"},
		{"short row", strings.Join(rows[:8], "\n") + "\n12345678", 9, 9, "8 of 9"},
		{"long row", strings.Join(rows[:8], "\n") + "\n1234567891", 9, 10, "more than 9"},
		{"eight rows", strings.Join(rows[:8], "\n") + "\n", 8, 10, "8 of 9 rows"},
		{"ten rows", strings.Join(rows, "\n") + "\n123456789", 10, 1, "more than 9 rows"},
		{"too long", strings.Repeat(".", 10<<20), 1, 1, "longer than"},
	}
}

// The lines of a form of several are rows, and a form of one line is not.
func TestIsRow(t *testing.T) {
	for name, in := range inputForms() {
		lines := strings.Split(strings.TrimRight(in, "\r\n"), "\n")
		for _, line := range lines {
			if got := (reader{}).IsRow(Variant, "", line); got != (len(lines) > 1) {
				t.Errorf("%s: %q is a row: %t", name, line, got)
			}
		}
	}
	for _, bad := range badTexts() {
		if one := !strings.Contains(bad.in, "\n"); one && len(bad.in) > 40 && (reader{}).IsRow(Variant, "", bad.in) {
			t.Errorf("%s: %q is a row", bad.name, bad.in)
		}
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
	for _, s := range []string{sample, boxed("| ", " | ", " |"), strings.Join(rowsOfSample(), "\r\n"), sample[:80], "\ufeffsudoku\n٣", "*********"} {
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
		if again, err := (reader{}).Read("classic", p.Text); err != nil || again != p {
			t.Fatalf("%q reads as %q, which reads as %q, %v", in, p.Text, again.Text, err)
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
