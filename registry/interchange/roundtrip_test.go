package interchange

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
	"assay/raters/sudoku"
)

// Every variant of sudoku keeps its puzzles in every form that can hold them: a hundred each, a thousand with ASSAY_FULL=1.
// They are those of ten seeds with their digits exchanged and some givens taken away or put in.
func TestEveryVariantIsReadAsItIsWritten(t *testing.T) {
	wanted := map[string][]string{
		"classic": {"csv", "fpuzzles", "hodoku", "jsonl", "line81", "opensudoku", "puzzlink", "pzprv3", "sdk", "sdm", "ss", "sudokupad", "tatham", "grid"},
		"mini4":   {"csv", "fpuzzles", "jsonl", "line81", "puzzlink", "pzprv3", "sudokupad", "tatham", "grid"},
		"killer":  {"csv", "fpuzzles", "jsonl", "line81", "sudokupad", "tatham"},
		"jigsaw":  {"csv", "fpuzzles", "jsonl", "line81", "sudokupad", "tatham"},
	}
	each := 10
	if os.Getenv("ASSAY_FULL") == "1" {
		each = 100
	}
	for _, v := range sudoku.Genre().Variants {
		random, n := rand.New(rand.NewPCG(1, 9)), 0
		for seed := range uint64(10) {
			made, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			for range each {
				p := changed(t, made.Puzzle, random)
				wrote := writtenAndRead(t, p)
				if got := all(t, Any(catalog.Genres()), p.Text); p.Variant != "diagonal" && (len(got) != 1 || got[0].Puzzle != p) {
					t.Fatalf("%+v reads as %+v", p, got)
				}
				for _, name := range wanted[v.Name] {
					if !slices.Contains(wrote, name) {
						t.Fatalf("%s does not write %+v", name, p)
					}
				}
				if n++; t.Failed() {
					t.FailNow()
				}
			}
		}
		if n != 10*each {
			t.Errorf("%s: %d puzzles", v.Name, n)
		}
	}
}

// changed returns a puzzle of the same variant with other givens, of which one cell at least is empty and one not.
func changed(t *testing.T, p raters.Puzzle, random *rand.Rand) raters.Puzzle {
	t.Helper()
	cells, err := sudoku.CellsOf(p.Variant)
	if err != nil {
		t.Fatal(err)
	}
	n, digits := cells.Size*cells.Size, random.Perm(cells.Size)
	text := []byte(p.Text)
	for c := range n {
		switch at := strings.IndexByte(cells.Digits, text[c]); {
		case random.IntN(20) == 0:
			text[c] = ".1"[random.IntN(2)]
		case at >= 0:
			text[c] = cells.Digits[digits[at]]
		}
	}
	text[0], text[n-1] = '.', cells.Digits[cells.Size-1]
	return raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: string(text)}
}

// Every format by its name is one that writes, and no other is.
func TestFindingFormats(t *testing.T) {
	for _, name := range strings.Fields("line81 sdk sdm ss hodoku fpuzzles sudokupad tatham puzzlink pzprv3 opensudoku csv jsonl") {
		if f, err := Find(sudoku.Name, name); err != nil || f.Write == nil || f.Name != name {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	var request *raters.RequestError
	if _, err := Find(sudoku.Name, "bank"); !errors.As(err, &request) || !strings.Contains(request.Reason, "line81") {
		t.Error(err)
	}
}

// endless repeats a text behind a head, and counts what is read of it.
type endless struct {
	head, text string
	read       int
	most       int
}

func (e *endless) Read(to []byte) (int, error) {
	if e.read >= e.most {
		return 0, io.EOF
	}
	n := 0
	for n < len(to) && e.read+n < e.most {
		from := e.head
		at := e.read + n
		if at >= len(e.head) {
			from, at = e.text, (at-len(e.head))%len(e.text)
		}
		n += copy(to[n:], from[at:])
	}
	e.read += n
	return n, nil
}

// A file that would fill the memory is refused after a few megabytes.
func TestHostileFiles(t *testing.T) {
	const gigabyte = 1 << 30
	for name, c := range map[string]struct {
		head, text string
		most       int
		reason     string
	}{
		"one line":                {"", "1", 10 << 20, "longer than"},
		"one line of quotes":      {"puzzle,x\n\"", "1", 10 << 20, "longer than"},
		"an endless element":      {"<opensudoku", " a='1'", 1 << 20, "longer than"},
		"a bomb of XML":           {"<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY lol 'lol'>", "<!ENTITY a '&lol;&lol;'>", 1 << 20, "declarations"},
		"elements in one another": {"<opensudoku>", "<a>", 1 << 20, "deeper than"},
		"text without a tag":      {"<opensudoku>", "a", 1 << 20, "longer than"},
	} {
		file := &endless{head: c.head, text: c.text, most: gigabyte}
		var last error
		n := 0
		for text := range Any(catalog.Genres()).Texts(file) {
			n++
			last = text.Err
		}
		var syntax *raters.SyntaxError
		if !errors.As(last, &syntax) || !strings.Contains(syntax.Reason, c.reason) || file.read > c.most || n != 1 {
			t.Errorf("%s: %d texts, %d bytes, %v", name, n, file.read, last)
		}
	}
}

// What would grow, nest or go on without end in one text is refused, and the next text is read.
func TestHostileTexts(t *testing.T) {
	grown := fpuzzlesSite + pack(`{"title":"`+strings.Repeat("a", 2*maxUnpacked)+`"}`)
	if len(grown) > 4096 {
		t.Fatalf("%d bytes", len(grown))
	}
	for name, c := range map[string]struct{ text, reason string }{
		"brackets":   {`{"a":` + strings.Repeat("[", 10000), "nest deeper"},
		"lz-string":  {grown, "longer than is read"},
		"no base 64": {fpuzzlesSite + "!!!!", "not a text that lz-string"},
		"half of it": {fpuzzlesSite + pack(board(""))[:100], "not a text that lz-string"},
	} {
		var errs []string
		var puzzles int
		reader := Any(catalog.Genres())
		for text := range reader.Texts(strings.NewReader(c.text + "\n\n" + sample + "\n")) {
			if _, err := reader.Record(text); err != nil {
				errs = append(errs, err.Error())
			} else {
				puzzles++
			}
		}
		if len(errs) != 1 || !strings.Contains(errs[0], c.reason) || puzzles != 1 {
			t.Errorf("%s: %d puzzles, %q", name, puzzles, errs)
		}
	}
}

// What the library itself made of an empty board is read, and written the same.
func TestPackingAsTheLibraryDoes(t *testing.T) {
	const text, packed = `{"size":3,"grid":[[{},{},{}],[{},{},{}],[{},{},{}]]}`, "N4IgzglgXgpiBcBmANCA5gJwgEwQbT2AF9ljSiBdZQks4qm88iiooA=="
	if got, err := unpack(packed, maxUnpacked); err != nil || got != text {
		t.Errorf("%q, %v", got, err)
	}
	if got := pack(text); got != packed {
		t.Errorf("%s", got)
	}
}

func FuzzUnpacking(f *testing.F) {
	f.Add(board(""), "N4IgzglgXgpiBcBOANCALhNAbO8QGMB7AOwHMBXAQ1IQBUALGYkAgpNDEaQp")
	f.Add("ab\u20acab", "EwBgTA===")
	f.Fuzz(func(t *testing.T, text, packed string) {
		wide := strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff || r == '\ufffd' })
		if got, err := unpack(pack(text), maxUnpacked); !wide && len(text) < 9999 && (err != nil || got != text) {
			t.Errorf("%q comes back as %q, %v", text, got, err)
		}
		if got, err := unpack(packed, 1000); err == nil && len(got) > 3000 {
			t.Errorf("%d bytes", len(got))
		}
	})
}

// Whatever the file, each text is a puzzle that its forms keep, or has an error with a place in the file.
func FuzzFiles(f *testing.F) {
	for _, text := range spellings() {
		f.Add(text)
	}
	f.Add("puzzle,x\n1,2\n\n<opensudoku><!-- > --><game data='1'/></opensudoku>\npzprv3\nbox\n1\n{\n\"a\":1}\n[State]\n1...\n")
	f.Fuzz(func(t *testing.T, file string) {
		for _, reader := range []Reader{Any(catalog.Genres()), For(sudoku.Genre(), "")} {
			for text := range reader.Texts(strings.NewReader(file)) {
				rec, err := reader.Record(text)
				if err == nil {
					writtenAndRead(t, rec.Puzzle)
					continue
				}
				var syntax *raters.SyntaxError
				if !errors.As(text.Place(err), &syntax) || syntax.Line < 1 || syntax.Column < 1 || syntax.Reason == "" {
					t.Fatalf("%q: %v", text.Text, err)
				}
			}
		}
	})
}

func BenchmarkLines(b *testing.B) {
	const lines = 100_000
	file := strings.Repeat(sample+"\n"+strings.ReplaceAll(grid, ".", "0")+"\n", lines/2)
	reader := Any(catalog.Genres())
	for b.Loop() {
		n := 0
		for text := range reader.Texts(strings.NewReader(file)) {
			if rec, err := reader.Record(text); err == nil && rec.Puzzle.Text != "" {
				n++
			}
		}
		if n != lines {
			b.Fatal(n)
		}
	}
	b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
