package drawing_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
	"assay/registry/drawing"
)

// toyReader draws boards that no genre has yet: a variant for each.
type toyReader struct{}

func (toyReader) Draw(variant string) (b raters.Board) {
	switch variant {
	case "bridges":
		b = raters.Board{Rows: 3, Columns: 4, Open: true, Cells: make([]raters.Cell, 12), Links: []raters.Link{
			{Name: "r1c1-r1c4", From: 0, To: 3}, {Name: "r1c1-r3c1", From: 0, To: 8}, {Name: "r1c4-r3c4", From: 3, To: 11},
		}}
		for cell, number := range map[int]string{0: "3", 3: "4", 8: "1", 11: "2"} {
			b.Cells[cell] = raters.Cell{Kind: raters.Island, Text: number}
		}
	case "cages":
		b = grid(4, 4)
		b.Regions = []int{0, 0, 0, 1, 0, 2, 2, 1, 2, 2, 1, 1, 3, 3, 3, 3}
		b.Cages = []raters.Cage{{Cells: []int{0, 1, 4}, Text: "12"}, {Cells: []int{11, 15}, Text: "7"}}
		b.Values = raters.Symbols([]string{"1", "2", "3", "4"})
		b.Cells[6] = raters.Cell{Kind: raters.Tinted, Text: "2"}
	case "split":
		b = grid(2, 3)
		b.Cells[0] = raters.Cell{Kind: raters.Split}
		b.Cells[1] = raters.Cell{Kind: raters.Split, Down: "16"}
		b.Cells[2] = raters.Cell{Kind: raters.Split, Down: "4", Across: "23"}
		b.Cells[3] = raters.Cell{Kind: raters.Split, Across: "9"}
	case "outside":
		b = grid(2, 2)
		b.Outside = raters.Outside{
			Top: [][]string{{"1", "2"}, {"3"}}, Left: [][]string{{"10"}, {"4", "5"}}, Right: [][]string{{"6"}, {}}, Bottom: [][]string{{"7"}, {"8"}},
		}
		b.Values = []raters.Symbol{{Name: "shaded", Glyph: "■", Plain: "#", Shade: true}, {Name: "unshaded", Glyph: "–", Plain: "-"}}
		b.Cells[3].Text = "9"
	case "tiles":
		b = raters.Board{Goal: &raters.Goal{Start: 21, Target: 200, Moves: 11}, Hand: []raters.Symbol{{Name: "-3", Glyph: "−3"}, {Name: "swap", Words: "swap digits"}}}
	}
	return b
}

func grid(rows, columns int) raters.Board {
	return raters.Board{Rows: rows, Columns: columns, Cells: make([]raters.Cell, rows*columns)}
}

// toys are the toy's variants, what steps do on them, and what a terminal shows then.
var toys = []struct {
	variant          string
	written, removed []string
	text             string
}{
	{"bridges", []string{"r1c1-r1c4=2", "r1c1-r3c1=1", "r1c4-r3c4=0", "r1c1=2", "r1c1-r1c9=1"}, []string{"r1c4-r3c4=1"}, `
3═════4
│ · · ·
1 · · 2`},
	{"cages", []string{"r1c4=3", "r9c9=3"}, []string{"r2c2=1", "r2c2=4", "r2c2"}, `
┏12━━━━━┯━━━┳━━━┓
┃ ·   · │ · ┃ 3 ┃
┃   ┏━━━┷━━━┫   ┃
┃ · ┃ ·   2 ┃ · ┃
┣━━━┛   ┏━━━╃7──┨
┃ ·   · ┃ · │ · ┃
┣━━━━━━━┻━━━┿━━━┫
┃ ·   ·   · │ · ┃
┗━━━━━━━━━━━┷━━━┛`},
	{"split", nil, nil, `
   \  16\ 4\23
  \9    ·    ·`},
	{"outside", []string{"r1c1=shaded", "r1c2=unshaded", "r2c2=shaded"}, nil, `
       1
       2  3
   10  ■  –  6
 4  5  ·  ■
       7  8`},
	{"tiles", []string{"r1c1=1"}, nil, "\n21 → 200 in 11 moves      −3  swap"},
}

func drawn(t *testing.T, i int) drawing.Layout {
	t.Helper()
	b := toyReader{}.Draw(toys[i].variant)
	for _, l := range toys[i].written {
		b.Write(l)
	}
	for _, l := range toys[i].removed {
		b.Remove(l)
	}
	return drawing.Of(b)
}

func TestATerminalShowsEveryBoard(t *testing.T) {
	for i, toy := range toys {
		got := "\n" + strings.Join(drawn(t, i).Text(), "\n")
		if got != toy.text {
			t.Errorf("%s is drawn as%s\nwant%s", toy.variant, got, toy.text)
		}
	}
}

// texts returns the texts of a picture in order, after checking that it is well formed and as large as it says.
func texts(t *testing.T, svg string) (all []string, elements map[string]int) {
	t.Helper()
	elements = map[string]int{}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all, elements
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
			if token.Name.Space != "http://www.w3.org/2000/svg" {
				t.Errorf("element %s of space %q", token.Name.Local, token.Name.Space)
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				all = append(all, text)
			}
		}
	}
}

func TestAPictureShowsEveryBoard(t *testing.T) {
	for i, want := range []struct {
		texts    []string
		elements map[string]int
	}{
		{[]string{"3", "4", "1", "2"}, map[string]int{"circle": 4, "line": 3, "path": 0}},
		{[]string{"12", "3", "1", "4", "2", "7"}, map[string]int{"path": 3, "rect": 2}},
		{[]string{"16", "4", "23", "9"}, map[string]int{"path": 6, "rect": 5}},
		{[]string{"1", "2", "3", "10", "–", "6", "4", "5", "9", "7", "8"}, map[string]int{"path": 2, "rect": 3}},
		{[]string{"21 → 200", "−3", "swap"}, map[string]int{"rect": 3, "path": 0}},
	} {
		got, elements := texts(t, drawn(t, i).SVG("A & B <1>"))
		if want := append([]string{"A & B <1>"}, want.texts...); !slices.Equal(got, want) {
			t.Errorf("%s shows %q, want %q", toys[i].variant, got, want)
		}
		for name, n := range want.elements {
			if elements[name] != n {
				t.Errorf("%s has %d of %s, want %d", toys[i].variant, elements[name], name, n)
			}
		}
	}
}

// Each line of a picture is drawn once, and where two weights meet the thick one alone.
func TestLinesOfAPicture(t *testing.T) {
	b := grid(1, 2)
	b.Regions = []int{0, 1}
	svg := drawing.Of(b).SVG("")
	if want := `<path d="M0 0L40 0M40 0L40 40M0 40L40 40M0 0L0 40M40 0L80 0M80 0L80 40M40 40L80 40" fill="none" stroke="#22262e"`; !strings.Contains(svg, want) || strings.Count(svg, "<path") != 1 {
		t.Errorf("%s lacks %s", svg, want)
	}
	b.Cages = []raters.Cage{{Cells: []int{0, 1}}}
	if want := `d="M4 4L44 4M4 36L44 36M4 4L4 36M36 4L76 4M76 4L76 36M36 36L76 36" fill="none" stroke="#22262e" stroke-dasharray`; !strings.Contains(drawing.Of(b).SVG(""), want) {
		t.Errorf("%s lacks %s", drawing.Of(b).SVG(""), want)
	}
}

// What the genres draw is printed as it always was.
func TestATerminalShowsTheGenres(t *testing.T) {
	for _, c := range []struct {
		puzzle  raters.Puzzle
		written []string
		want    string
	}{
		{raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"}, []string{"r1c3=4"}, `
5 3 4   · 7 ·   · · ·
6 · ·   1 9 5   · · ·
· 9 8   · · ·   · 6 ·

8 · ·   · 6 ·   · · 3
4 · ·   8 · 3   · · 1
7 · ·   · 2 ·   · · 6

· 6 ·   · · ·   2 8 ·
· · ·   4 1 9   · · 5
· · ·   · 8 ·   · 7 9`},
		{raters.Puzzle{Genre: "kakurasu", Variant: "4x4", Text: "4 4\n4 10 3 1\n3 2 4 5"}, []string{"r1c1=unshaded", "r1c3=shaded"}, `
    4 10  3  1
 3  –  ·  ■  ·
 2  ·  ·  ·  ·
 4  ·  ·  ·  ·
 5  ·  ·  ·  ·`},
		{raters.Puzzle{Genre: "kakurasu", Variant: "4x4", Text: "4 4\n4 6 3 1\n3 2 4 5"}, nil, `
  4 6 3 1
3 · · · ·
2 · · · ·
4 · · · ·
5 · · · ·`},
		{raters.Puzzle{Genre: "chain", Variant: "daily", Text: "21 200 5 -37 +70 /3 *82 swap"}, nil, "\n21 → 200 in five moves      −37  +70  ÷3  ×82  swap"},
	} {
		for _, g := range catalog.Genres() {
			if g.Name != c.puzzle.Genre {
				continue
			}
			b, err := g.Reader.Draw(c.puzzle)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range c.written {
				b.Write(l)
			}
			if got := "\n" + strings.Join(drawing.Of(b).Text(), "\n"); got != c.want {
				t.Errorf("%s is drawn as%s\nwant%s", c.puzzle.Genre, got, c.want)
			}
		}
	}
}
