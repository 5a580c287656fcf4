package interchange

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/sudoku"
)

const grid = "..1..2...3.....4..5.....6.7.8..1........9........3..5.2.9.....6..4.....8...6..7.."

// rowsOfSample returns the sample's nine rows.
func rowsOfSample() (rows []string) {
	for i := 0; i < 81; i += 9 {
		rows = append(rows, grid[i:i+9])
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

// gridForms are the ways to write the sample.
func gridForms() map[string]string {
	lines := strings.Join(rowsOfSample(), "\n")
	return map[string]string{
		"canonical":       grid,
		"zeros":           strings.ReplaceAll(grid, ".", "0"),
		"underscores":     strings.ReplaceAll(grid, ".", "_"),
		"stars":           strings.ReplaceAll(grid, ".", "*"),
		"blanks":          strings.ReplaceAll(grid, ".", " "),
		"newline":         grid + "\n",
		"CRLF":            grid + "\r\n",
		"byte order mark": "\ufeff" + grid,
		"trailing blanks": grid + "  \t",
		"genre":           "sudoku " + grid,
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

type badGrid struct {
	name, in     string
	line, column int
	reason       string
}

func badGrids() []badGrid {
	rows := rowsOfSample()
	return []badGrid{
		{"nothing", "", 1, 1, "no cell"},
		{"only blanks", " \n\t\n", 1, 1, "no cell"},
		{"only a box", "---+---+---\n", 1, 1, "no cell"},
		{"80 cells", grid[:80], 1, 81, "80 of 81"},
		{"80 cells and a blank", grid[:80] + " ", 1, 82, "80 of 81"},
		{"82 cells", grid + ".", 1, 82, "more than 81"},
		{"89 cells", grid + "12345678", 1, 82, "more than 81"},
		{"a letter", grid[:40] + "x" + grid[41:], 1, 41, "'x'"},
		{"after a mark", "\ufeff" + grid[:40] + "x" + grid[41:], 1, 42, "'x'"},
		{"full-width digit", grid[:40] + "５" + grid[41:], 1, 41, "'５'"},
		{"Arabic digit", grid[:2] + "٣" + grid[3:], 1, 3, "'٣'"},
		{"broken UTF-8", grid[:2] + "\xff" + grid[3:], 1, 3, "neither"},
		{"NUL", grid[:2] + "\x00" + grid[3:], 1, 3, "neither"},
		{"short row", strings.Join(rows[:8], "\n") + "\n12345678", 9, 9, "8 of 9"},
		{"long row", strings.Join(rows[:8], "\n") + "\n1234567891", 9, 10, "more than 9"},
		{"eight rows", strings.Join(rows[:8], "\n") + "\n", 8, 10, "8 of 9 rows"},
		{"ten rows", strings.Join(rows, "\n") + "\n123456789", 10, 1, "more than 9 rows"},
		{"too long", strings.Repeat(".", 10<<20), 1, 1, "longer than"},
	}
}

// The lines of a form of several are rows, and a form of one line is not.
func TestSplittingGrids(t *testing.T) {
	for name, in := range gridForms() {
		lines := strings.Split(strings.TrimRight(in, "\r\n"), "\n")
		for _, line := range lines {
			if got := splitGrid("classic", "", line); got != (len(lines) > 1) {
				t.Errorf("%s: %q is one of several: %t", name, line, got)
			}
		}
	}
	for _, bad := range badGrids() {
		if one := !strings.Contains(bad.in, "\n"); one && len(bad.in) > 40 && splitGrid("classic", "", bad.in) {
			t.Errorf("%s: %q is one of several", bad.name, bad.in)
		}
	}
}

func FuzzGrids(f *testing.F) {
	for _, s := range []string{grid, boxed("| ", " | ", " |"), strings.Join(rowsOfSample(), "\r\n"), grid[:80], "\ufeffsudoku\n٣", "*********"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		p, err := For(sudoku.Genre(), sudoku.Variant).Read(in)
		if err != nil {
			var s *raters.SyntaxError
			if !errors.As(err, &s) || s.Line < 1 || s.Column < 1 || s.Reason == "" {
				t.Fatalf("%q: %v", in, err)
			}
			return
		}
		if again, err := sudokuReader.Read("classic", p.Text); err != nil || again != p {
			t.Fatalf("%q reads as %q, which reads as %q, %v", in, p.Text, again.Text, err)
		}
		writtenAndRead(t, p)
	})
}
