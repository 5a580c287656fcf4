package interchange

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
	"assay/raters/kakurasu"
	"assay/raters/sudoku"
)

// Every form reads as the canonical text, and what is wrong is told at its place.
func TestReading(t *testing.T) {
	forms := map[string]string{}
	for name, text := range gridForms() {
		forms["sudoku, "+name] = text
	}
	for i, text := range clueForms() {
		forms[fmt.Sprintf("kakurasu, %d", i)] = text
	}
	readers := map[string]Reader{"sudoku": For(sudoku.Genre(), sudoku.Variant), "kakurasu": For(kakurasu.Genre(), "5x5")}
	wanted := map[string]raters.Puzzle{
		"sudoku": {Genre: sudoku.Name, Variant: sudoku.Variant, Text: grid}, "kakurasu": {Genre: kakurasu.Name, Variant: "5x5", Text: clues},
	}
	for name, text := range forms {
		genre, _, _ := strings.Cut(name, ",")
		if p, err := readers[genre].Read(text); err != nil || p != wanted[genre] {
			t.Errorf("%s: %q reads as %+v, %v", name, text, p, err)
		}
	}
	for genre, all := range map[string][]badGrid{"sudoku": badGrids(), "kakurasu": badClues()} {
		for _, bad := range all {
			_, err := readers[genre].Read(bad.in)
			var syntax *raters.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line != bad.line || syntax.Column != bad.column || !regexp.MustCompile(bad.reason).MatchString(syntax.Reason) {
				t.Errorf("%s, %s: %v, want line %d, column %d: %s", genre, bad.name, err, bad.line, bad.column, bad.reason)
			}
		}
	}
}

// writtenAndRead checks that every format of a puzzle's genre writes it or says that it cannot hold it, and that the reader
// of the genre gives it back from a file. It returns the names of the formats that wrote it.
func writtenAndRead(t *testing.T, p raters.Puzzle) (wrote []string) {
	t.Helper()
	g, err := genreOf(p.Genre)
	if err != nil {
		t.Fatal(err)
	}
	reader := For(g, p.Variant)
	for _, f := range Formats(p.Genre) {
		if f.Write == nil {
			continue
		}
		text, err := f.Write(p)
		var cannot *raters.RequestError
		if errors.As(err, &cannot) && f.Name != "jsonl" && f.Name != "csv" {
			continue
		}
		if err != nil {
			t.Fatalf("%s of %+v: %v", f.Name, p, err)
		}
		wrote = append(wrote, f.Name)
		n := 0
		for got := range reader.Texts(strings.NewReader(f.Head + text + "\n" + f.Tail)) {
			back, err := reader.Record(got)
			if n++; err != nil || back.Puzzle != p {
				t.Errorf("%s writes %+v as %q and reads that as %+v, %v", f.Name, p, text, back, err)
			}
		}
		if n != 1 {
			t.Errorf("%s writes %+v as %q, which is %d texts", f.Name, p, text, n)
		}
	}
	return wrote
}

// Every genre has formats, and each keeps every puzzle.
func TestEveryFormatKeepsEveryPuzzle(t *testing.T) {
	for _, g := range catalog.Genres() {
		if len(Formats(g.Name)) == 0 {
			t.Errorf("%s has no format", g.Name)
		}
		variants := []string{""}
		if g.Name == kakurasu.Name {
			variants = []string{"4x4", "4x12", "12x4", "12x12", "7x9"}
		}
		for _, v := range variants {
			for seed := range uint64(50) {
				made, err := g.Variants[0].Generator.Generate(t.Context(), raters.Request{Variant: variantOr(g, v), Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				writtenAndRead(t, made.Puzzle)
			}
		}
		for _, f := range Formats(g.Name) {
			if f.Write == nil {
				continue
			}
			if _, err := f.Write(raters.Puzzle{Genre: g.Name, Variant: variantOr(g, ""), Text: "no"}); err == nil && f.Name != Formats(g.Name)[len(Formats(g.Name))-1].Name {
				t.Errorf("%s writes what is no puzzle", f.Name)
			}
		}
	}
}

func variantOr(g raters.Genre, variant string) string {
	if variant != "" {
		return variant
	}
	return map[string]string{"chain": "daily", "kakurasu": "5x5", "sudoku": "classic"}[g.Name]
}

// A variant that is none of the genre's is told with those that are offered.
func TestUnknownVariants(t *testing.T) {
	for _, g := range catalog.Genres() {
		for _, text := range []string{grid, strings.ReplaceAll(grid, ".", "0"), clues, link, "79 160 3 +65 -28 +55"} {
			_, err := For(g, "jumbo").Read(text)
			var request *raters.RequestError
			var syntax *raters.SyntaxError
			if !errors.As(err, &request) && !errors.As(err, &syntax) {
				t.Errorf("%s of %q: %v", g.Name, text, err)
			}
		}
	}
}

// Whatever the text, each genre gives a puzzle that all its formats keep, or an error with a place.
func FuzzReading(f *testing.F) {
	for _, text := range gridForms() {
		f.Add(text)
	}
	for _, text := range clueForms() {
		f.Add(text)
	}
	for _, bad := range append(badGrids(), badClues()...) {
		if len(bad.in) < 5000 {
			f.Add(bad.in)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, g := range catalog.Genres() {
			r := For(g, variantOr(g, ""))
			p, err := r.Read(text)
			if err == nil {
				writtenAndRead(t, p)
				continue
			}
			var syntax *raters.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 || syntax.Reason == "" {
				t.Fatalf("%s of %q: %v", g.Name, text, err)
			}
		}
	})
}
