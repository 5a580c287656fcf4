package kakurasu

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"assay/raters"
)

// inputForms are texts of the sample.
func inputForms() []string {
	return []string{
		sample,
		sample + "\n",
		"kakurasu\n" + sample,
		"kakurasu " + strings.ReplaceAll(sample, "\n", " "),
		"\ufeff" + strings.ReplaceAll(sample, "\n", "\r\n") + "\r\n",
		"05\t005\n\n 7 10 9 9 7 \n  9 6 7 2\n15",
		sampleLink,
		" http://pzv.jp/p.html?box/5/5/7a9979672f\n",
		"https://puzz.link/p?type=editor&kakurasu_edit/v:x/5/5/7-0a9979672f",
	}
}

type bad struct {
	in           string
	line, column int
	reason       string
}

func badTexts() []bad {
	return []bad{
		{"", 1, 1, "^wanted the number of rows, not the end$"},
		{"kakurasu", 1, 9, "^wanted the number of rows, not the end$"},
		{"3 5", 1, 1, "number from 4 to 12, not \"3\""},
		{"5 13", 1, 3, "^wanted the number of columns, a number from 4 to 12, not \"13\"$"},
		{"1 9\n1 2 3 4 5 6 7 8 9\n45", 1, 1, "number of rows"},
		{"5 5\n7 10 9 9", 2, 9, "^wanted the clue of column 5, not the end$"},
		{"5 5\n7 10 9 9 7\n9 -6 7 2 15", 3, 3, "^wanted the clue of row 2, a number from 0 to 999"},
		{"5 5\n7 10 9 9 7\n9 1000 7 2 15", 3, 3, "not \"1000\""},
		{"5 5\n7 10 9 9 7\n9 99999999999999999999999 7 2 15", 3, 3, "not \"99999999999999999999\""},
		{sample + " 1", 3, 12, "^more than 10 clues$"},
		{"5 5\n7 10 9 é 7\n9 6 7 2 15", 2, 8, "clue of column 4"},
		{"5 5\né é", 2, 1, "clue of column 1"},
		{"4 4\n1 1 1 1\n1 1 1 1", 1, 1, "^the text is of size 4x4, not 5x5$"},
		{strings.Repeat(" ", 4097), 1, 1, "longer than 4096"},
		{"https://puzz.link/p", 1, 1, "question mark"},
		{"https://puzz.link/p?sudoku/5/5/", 1, 21, "another kind than box"},
		{"https://puzz.link/p?box/3/5/", 1, 25, "number of columns"},
		{"https://puzz.link/p?box/5", 1, 26, "^wanted the number of rows, not the end$"},
		{"https://puzz.link/p?box/5/5/7a997967", 1, 37, "clue of row 4"},
		{"https://puzz.link/p?box/5/5/7a99-7", 1, 33, "clue of column 5"},
		{"https://puzz.link/p?box/5/5/7w", 1, 30, "clue of column 2"},
		{"https://puzz.link/p?box/5/5/-vv", 1, 29, "1023, is above 999"},
		{sampleLink + "1", 1, 39, "^more than 10 clues$"},
	}
}

// The first two are addresses as the site writes them.
func TestAddresses(t *testing.T) {
	for link, text := range map[string]string{
		sampleLink:                                  sample,
		"https://puzz.link/p?box/5/5/bc46373657":    "5 5\n11 12 4 6 3\n7 3 6 5 7",
		"https://puzz.link/p?box/5/4/-10v009-v7123": "4 5\n32 31 0 0 9\n999 1 2 3",
	} {
		p, err := ReadAddress(link)
		if err != nil || p.Text != text || p.Genre != Name {
			t.Errorf("%s reads as %+v, error %v", link, p, err)
		}
		if back, err := WriteAddress(p); err != nil || back != link {
			t.Errorf("%q is written as %s, error %v", text, back, err)
		}
	}
	if _, err := WriteAddress(raters.Puzzle{Genre: Name, Variant: "5x5", Text: "no"}); err == nil {
		t.Error("no puzzle is written as an address")
	}
}

func TestAddressesKeepEveryPuzzle(t *testing.T) {
	for _, v := range []string{"4x4", "4x12", "12x4", "12x12", "7x9"} {
		for seed := range uint64(50) {
			p := generate(t, raters.Request{Variant: v, Seed: seed}).Puzzle
			link, err := WriteAddress(p)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := ReadAddress(link); err != nil || back != p {
				t.Fatalf("%+v is written as %s and reads as %+v, error %v", p, link, back, err)
			}
		}
	}
}

// Under the default variant a text may be of any size.
func TestTextsSayTheirSize(t *testing.T) {
	for v, refused := range map[string]bool{"7x7": false, "5x5": false, "4x4": true, "5x6": true} {
		p, err := reader{}.Read(v, sample)
		var syntax *raters.SyntaxError
		if refused != errors.As(err, &syntax) || !refused && p.Variant != "5x5" {
			t.Errorf("under %s: %+v, error %v", v, p, err)
		}
	}
}

func TestDrawnClues(t *testing.T) {
	p := raters.Puzzle{Genre: Name, Variant: "4x5", Text: "4 5\n1 2 3 4 5\n6 7 8 9"}
	b, err := reader{}.Draw(p)
	if err != nil {
		t.Fatal(err)
	}
	want := raters.Outside{Top: [][]string{{"1"}, {"2"}, {"3"}, {"4"}, {"5"}}, Left: [][]string{{"6"}, {"7"}, {"8"}, {"9"}}}
	if !reflect.DeepEqual(b.Outside, want) || b.Rows != 4 || b.Columns != 5 || len(b.Cells) != 20 {
		t.Errorf("drawn as %+v", b)
	}
	for value, want := range map[string][2]string{"shaded": {"■", "#"}, "unshaded": {"–", "-"}} {
		if s := b.Value(value); s.Shown() != want[0] || s.Compact() != want[1] {
			t.Errorf("%s looks like %+v", value, s)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range inputForms() {
		f.Add("7x7", text)
	}
	for _, b := range badTexts() {
		f.Add("5x5", b.in)
	}
	f.Fuzz(func(t *testing.T, v, text string) {
		p, err := reader{}.Read(v, text)
		if err != nil {
			var syntax *raters.SyntaxError
			var request *raters.RequestError
			if !errors.As(err, &syntax) && !errors.As(err, &request) {
				t.Fatalf("error %v", err)
			}
			return
		}
		again, err := reader{}.Read(p.Variant, p.Text)
		if err != nil || again != p {
			t.Fatalf("%+v reads as %+v, error %v", p, again, err)
		}
		link, err := WriteAddress(p)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := ReadAddress(link); err != nil || back != p {
			t.Fatalf("%+v is written as %s and reads as %+v, error %v", p, link, back, err)
		}
	})
}

// The lines of a form of several are rows, each after those before it, and a form of one line is not. Nor is the next text.
func TestIsRow(t *testing.T) {
	for _, form := range inputForms() {
		var lines []string
		for line := range strings.Lines(strings.TrimPrefix(form, "\ufeff")) {
			if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
				lines = append(lines, line)
			}
		}
		before := ""
		for _, line := range lines {
			if got := (reader{}).IsRow(DefaultVariant, before, line); got != (len(lines) > 1) {
				t.Errorf("%q after %q is a row: %t", line, before, got)
			}
			if len(lines) > 1 {
				before = strings.TrimPrefix(before+"\n"+line, "\n")
			}
		}
		if before == "" {
			continue
		}
		for _, next := range []string{"4 4", "kakurasu", sampleLink, strings.ReplaceAll(sample, "\n", " ")} {
			if (reader{}).IsRow(DefaultVariant, before, next) {
				t.Errorf("%q after %q is a row", next, before)
			}
		}
	}
	for line, want := range map[string]bool{
		"4 13": true, "kakurasu 3 5": true, "5 5 7 10 9 9 7": true, // of a text that is wrong, or wrong so far
		"hello world": false, "5 5 7 10 9 9 7 9 6 7 2": false, "hello": false,
	} {
		if got := (reader{}).IsRow(DefaultVariant, "", line); got != want {
			t.Errorf("%q is a row: %t", line, got)
		}
	}
	for before, want := range map[string]bool{
		"kakurasu": true, "4 13": true, "10 10": true, "10 10\n4 4 1 1 1 1 1 1 1 1": true, "5 5\n7 10 9 9 7 9 6 7 2": true, sample: false,
	} {
		if got := (reader{}).IsRow(DefaultVariant, before, "4 4 1 1 1 1 1 1 1 1"); got != want {
			t.Errorf("after %q a line is a row: %t", before, got)
		}
	}
}
