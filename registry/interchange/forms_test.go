package interchange

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"assay/raters"
	"assay/raters/catalog"
	"assay/raters/sudoku"
)

const sample = "..2.3...8.....8....31.2.....6..5.27..1.....5.2.4.6..31....8.6.5.......13..531.4.."

func zeros() string { return strings.ReplaceAll(sample, ".", "0") }

// candidatesOf draws the sample as programs draw candidates, the first cell as one whose digit was placed.
func candidatesOf() string {
	var b strings.Builder
	for r := range 9 {
		if r%3 == 0 {
			b.WriteString(".---------.---------.---------.\n")
		}
		for c := range 9 {
			cell := sample[9*r+c : 9*r+c+1]
			if cell == "." {
				cell = ""
				for _, d := range "123456789" {
					if !seen(9*r+c, byte(d)) {
						cell += string(d)
					}
				}
				if r == 0 && c == 0 {
					cell = "+9"
				}
			}
			b.WriteString([]string{"| ", " "}[min(c%3, 1)] + cell)
		}
		b.WriteString(" |\n")
	}
	return b.String() + "'---------'---------'---------'"
}

// seen reports whether a cell sees a digit of the sample.
func seen(cell int, digit byte) bool {
	boxes := sudoku.RegularBoxes(9)
	for c := range 81 {
		if sample[c] == digit && (c/9 == cell/9 || c%9 == cell%9 || boxes[c] == boxes[cell]) {
			return true
		}
	}
	return false
}

// board is the sample's JSON with more in it.
func board(more string) string {
	text, err := boardOf(raters.Puzzle{Genre: sudoku.Name, Variant: sudoku.Variant, Text: sample})
	if err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text, "}") + more + "}"
}

func rowsOf9(text string) string {
	var rows []string
	for i := 0; i < 81; i += 9 {
		rows = append(rows, text[i:i+9])
	}
	return strings.Join(rows, "\n")
}

// spellings are ways to write the sample.
func spellings() map[string]string {
	played := strings.Replace(sample, ".", "+9", 1)
	return map[string]string{
		"line":            sample,
		"zeros":           zeros(),
		"dashes":          strings.ReplaceAll(sample, ".", "-"),
		"crosses":         strings.ReplaceAll(sample, ".", "x"),
		"comment":         sample + " # a comment",
		"text":            sample + " easy, by nobody",
		"comma":           sample + ",",
		"commas":          strings.Join(strings.Split(zeros(), ""), ","),
		"nothing between": strings.Join(strings.Split(strings.ReplaceAll(sample, ".", " "), ""), ";"),
		"tabs":            strings.Join(strings.Split(zeros(), ""), "\t"),
		"blanks between":  strings.Join(strings.Split(sample, ""), " "),
		"rows":            rowsOf9(sample),
		"rows of dashes":  rowsOf9(strings.ReplaceAll(sample, ".", "-")),
		"sdk":             "#Aan author\n#B2026-12-01\n#Lhard\n" + rowsOf9(sample),
		"sections":        "[Puzzle]\n" + rowsOf9(sample) + "\n[State]\n" + rowsOf9(strings.Replace(sample, ".", "9", 1)),
		"candidates":      candidatesOf(),
		"two drawings":    rowsOf9(sample) + "\n" + rowsOf9(strings.Replace(sample, ".", "9", 1)),
		"heading":         "Grid 01\n" + rowsOf9(sample),
		"hodoku":          ":0000:x:" + sample + ":::",
		"hodoku, placed":  ":0300:3:" + played + "::313 314::",
		"gsf":             "99480,99408,10,0," + sample + ",1,2,3",
		"gsf, in front":   sample + ",1,2,3,4,5,6",
		"bank":            "0000183b305c " + zeros() + "  2.5",
		"wiki":            "https://www.sudokuwiki.org/sudoku.htm?bd=" + zeros(),
		"opensudoku":      `<?xml version="1.0"?><opensudoku><name>mine</name><game data="` + zeros() + `" /></opensudoku>`,
		"tatham":          "3x3:b2a3c8e8d3_1a2e6b5a2_7b1e5a2a4a6b3_1d8a6a5g1_3b5_3_1a4b",
		"csv":             "puzzle,solution\n" + zeros() + ",",
		"csv, more":       "id;puzzle;difficulty\n1;\"" + zeros() + "\";hard",
		"json":            board(""),
		"json, lines":     strings.ReplaceAll(board(`,"antiknight":false`), ",", ",\n"),
		"jsonl":           `{"schema":"puzzle/1","genre":"sudoku","variant":"classic","text":"` + sample + `"}`,
		"fpuzzles":        fpuzzlesSite + pack(board("")),
		"fpuzzles, url":   fpuzzlesSite + strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D").Replace(pack(board(""))),
		"sudokupad":       padSite + pack(board("")),
		"sudokupad, zles": "https://sudokupad.app/fpuzzles" + pack(board("")),
		"puzzlink":        "https://puzz.link/p?sudoku/9/9/h2g3i8k8j31g2k6h5g27h1k5g2g4g6h31j8g6g5m13h531g4h",
	}
}

// Each spelling is one puzzle, alone or in one file with all others, whatever the encoding of the file.
func TestManySpellingsAreOnePuzzle(t *testing.T) {
	want := raters.Puzzle{Genre: sudoku.Name, Variant: sudoku.Variant, Text: sample}
	forms := spellings()
	pz, err := writePzprv3Sudoku(want)
	if err != nil {
		t.Fatal(err)
	}
	forms["pzprv3"], forms["pzprv3, address"] = pz, "https://puzz.link/p?"+strings.ReplaceAll(strings.ReplaceAll(pz, "\n", "/"), " ", "%20")
	var mixed strings.Builder
	for _, reader := range []Reader{Any(catalog.Genres()), For(sudoku.Genre(), "")} {
		for name, text := range forms {
			if got := all(t, reader, text); len(got) != 1 || got[0].Puzzle != want {
				t.Errorf("%s: %.90q reads as %+v", name, text, got)
			}
		}
	}
	for _, text := range forms {
		mixed.WriteString(text + "\n\n")
	}
	mixed.WriteString("Grid 02\n" + rowsOf9(sample) + "\nGrid 03\n" + rowsOf9(sample) + "\n\nSimple Sudoku\nVersion 4.2n\nI388\nE78007\n# by Andr\xe9\n---\n")
	for encoding, text := range map[string]string{
		"UTF-8": mixed.String(), "CRLF": strings.ReplaceAll(mixed.String(), "\n", "\r\n"), "mark": "\ufeff" + mixed.String(),
		"UTF-16": inUTF16(mixed.String(), false), "UTF-16, big": inUTF16(mixed.String(), true),
	} {
		got := all(t, Any(catalog.Genres()), text)
		if len(got) != len(forms)+2 {
			t.Errorf("%s: %d puzzles of %d", encoding, len(got), len(forms)+2)
		}
		for _, rec := range got {
			if rec.Puzzle != want {
				t.Errorf("%s: %+v", encoding, rec)
			}
		}
	}
}

func inUTF16(text string, big bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune("\ufeff" + strings.ToValidUTF8(text, "e"))) {
		low, high := byte(u), byte(u>>8)
		if big {
			low, high = high, low
		}
		b.WriteString(string([]byte{low, high}))
	}
	return b.String()
}

// all reads every text of a file.
func all(t *testing.T, reader Reader, file string) (got []Record) {
	t.Helper()
	for text := range reader.Texts(strings.NewReader(file)) {
		rec, err := reader.Record(text)
		if err != nil {
			t.Errorf("%.60q: %v", text.Text, text.Place(err))
			continue
		}
		got = append(got, rec)
	}
	return got
}

// What comes along with a puzzle is kept.
func TestWhatComesAlong(t *testing.T) {
	forms := spellings()
	for name, want := range map[string]Along{
		"sdk":        {Author: "an author", Rating: "hard"},
		"bank":       {Name: "0000183b305c", Rating: "2.5"},
		"opensudoku": {Name: "mine"},
		"heading":    {Name: "Grid 01"},
		"csv, more":  {Name: "1", Rating: "hard"},
		"gsf":        {Rating: "99480,99408,10,0,1,2,3"},
	} {
		if got := all(t, Any(catalog.Genres()), forms[name]); len(got) != 1 || got[0].Along != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Texts that look like a puzzle and are none, or are another one than they seem, are told apart.
func TestTraps(t *testing.T) {
	full := "512379486937864521468521973279483615183652794645917832794135268356298147821746359"
	for _, c := range []struct {
		name, text   string
		line, column int
		reason       string
	}{
		{"a solution", full, 1, 1, "a solution and no puzzle"},
		{"a solution in rows", rowsOf9(full), 1, 1, "a solution and no puzzle"},
		{"two puzzles", sample + " " + grid, 1, 83, "a second puzzle in the line"},
		{"82 cells", sample + ".", 1, 82, "more than 81 cells"},
		{"80 cells", sample[:80], 1, 81, "80 of 81"},
		{"a spreadsheet", "4.1E+80", 1, 1, "a spreadsheet made"},
		{"a spreadsheet's comma", "4,1E+80", 1, 1, "a spreadsheet made"},
		{"a thermometer", board(`,"thermometer":[{"lines":[["R1C1","R1C2"]]}]`), 1, 1, "no engine here has: thermometer$"},
		{"packed arrows", fpuzzlesSite + pack(board(`,"arrow":[{}],"antiknight":true`)), 1, 29, "no engine here has: antiknight, arrow$"},
		{"one diagonal", board(`,"diagonal+":true`), 1, 1, "one diagonal alone"},
		{"scl", "https://sudokupad.app/sclN4Igzg", 1, 1, `\(scl\) is not read`},
		{"a short address", "https://sudokupad.app/abcd1234", 1, 1, "a short address"},
		{"a short address", "https://www.f-puzzles.com/?id=y2abc", 1, 1, "a short address"},
		{"no site", "https://example.org/puzzle/12", 1, 1, "no site that is known"},
		{"no puzzle", "hello", 1, 1, "no form of a puzzle"},
		{"tall blocks", "3x2:zj", 1, 1, "no variant of sudoku has 6×6 cells with boxes of their own"},
		{"text without a genre", "79 160 3 +65 -28 +55 +54 -36", 1, 1, "no form of a puzzle"},
		{"an object", `{"id":"sudoku-1"}`, 1, 1, "without the genre"},
		{"broken JSON", "{\"grid\":\n  x}", 2, 3, "invalid character"},
	} {
		n := 0
		reader := Any(catalog.Genres())
		for text := range reader.Texts(strings.NewReader(c.text)) {
			_, err := reader.Record(text)
			var syntax *raters.SyntaxError
			if n++; !errors.As(text.Place(err), &syntax) || syntax.Line != c.line || syntax.Column != c.column || !regexp.MustCompile(c.reason).MatchString(syntax.Reason) {
				t.Errorf("%s: %v, want line %d, column %d: %s", c.name, err, c.line, c.column, c.reason)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d texts", c.name, n)
		}
	}
}

// A 0 is an empty cell of a grid of 16 rows, unless another sign is; then it is a digit.
func TestAlphabetsOfSixteen(t *testing.T) {
	made, err := sudoku.Genre().Variants[3].Generator.Generate(t.Context(), raters.Request{Variant: "giant16", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	text := made.Puzzle.Text
	from := "123456789ABCDEFG"
	other := func(to string) string {
		return strings.Map(func(ch rune) rune {
			if i := strings.IndexRune(from, ch); i >= 0 {
				return rune(to[i])
			}
			return ch
		}, text)
	}
	var pairs strings.Builder
	for _, ch := range text {
		fmt.Fprintf(&pairs, "%02d", strings.IndexRune(from, ch)+1)
	}
	for name, form := range map[string]string{
		"canonical": text, "zeros": strings.ReplaceAll(text, ".", "0"), "hexadecimal": other("0123456789ABCDEF"), "small": strings.ToLower(text),
		"letters": other("ABCDEFGHIJKLMNOP"), "pairs": pairs.String(), "letters, zeros": strings.ReplaceAll(other("ABCDEFGHIJKLMNOP"), ".", "0"),
	} {
		if got := all(t, Any(catalog.Genres()), form); len(got) != 1 || got[0].Puzzle != made.Puzzle {
			t.Errorf("%s: %q reads as %+v", name, form, got)
		}
	}
	_, err = Any(catalog.Genres()).Read(strings.Replace(text, ".", "0", 1))
	if strings.Contains(text, "G") && (err == nil || !strings.Contains(err.Error(), "one of them is wrong")) {
		t.Errorf("0 and . beside G: %v", err)
	}
}

// The addresses of puzz.link are written as the site writes them.
func TestAddressesOfSudoku(t *testing.T) {
	const address, text = "https://puzz.link/p?sudoku/4/4/g1k23k3g", ".1.....23.....3."
	p, err := Any(catalog.Genres()).Read(address)
	if err != nil || p != (raters.Puzzle{Genre: sudoku.Name, Variant: "mini4", Text: text}) {
		t.Errorf("%s reads as %+v, %v", address, p, err)
	}
	if back, err := writeSudokuLink(p); err != nil || back != address {
		t.Errorf("%q is written as %s, %v", text, back, err)
	}
}
