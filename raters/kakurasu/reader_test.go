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
	}
}

// What people write reads as the canonical text.
func TestWords(t *testing.T) {
	for _, text := range inputForms() {
		if p, err := ReadWords("5x5", text); err != nil || p != (raters.Puzzle{Genre: Name, Variant: "5x5", Text: sample}) {
			t.Errorf("%q reads as %+v, %v", text, p, err)
		}
	}
}

// Under the default variant a text may be of any size.
func TestTextsSayTheirSize(t *testing.T) {
	for v, refused := range map[string]bool{"7x7": false, "5x5": false, "4x4": true, "5x6": true} {
		p, err := ReadWords(v, sample)
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
		p, err := ReadWords(v, text)
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
	})
}
