package words

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/raters"
)

func TestWordsAndTheirPlaces(t *testing.T) {
	for text, want := range map[string][]Word{
		"":                       {{"", 1, 1}},
		" a\té  b":               {{"a", 1, 2}, {"é", 1, 4}, {"b", 1, 7}, {"", 1, 8}},
		"\ufeffa\r\n\n  bc \n":   {{"a", 1, 2}, {"bc", 3, 3}, {"", 4, 1}},
		"\ufeff":                 {{"", 1, 2}},
		"a\u00a0b \xff":          {{"a\u00a0b", 1, 1}, {"\xff", 1, 5}, {"", 1, 6}},
		"one\ntwo three\n\t\x00": {{"one", 1, 1}, {"two", 2, 1}, {"three", 2, 5}, {"\x00", 3, 2}, {"", 3, 3}},
	} {
		if got := Of(text); !slices.Equal(got, want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"4": "", "012": "", "000000000000000000000000000007": "",
		"":  "wanted the size, not the end",
		"3": `wanted the size, a number from 4 to 12, not "3"`, "13": `wanted the size, a number from 4 to 12, not "13"`,
		"-5": `wanted the size, a number from 4 to 12, not "-5"`, "5x": `wanted the size, a number from 4 to 12, not "5x"`,
		strings.Repeat("9", 40): `wanted the size, a number from 4 to 12, not "99999999999999999999"`,
	} {
		_, err := Word{text, 3, 7}.Number("the size", 4, 12)
		var syntax *raters.SyntaxError
		if want == "" && err == nil || errors.As(err, &syntax) && *syntax == (raters.SyntaxError{Line: 3, Column: 7, Reason: want}) {
			continue
		}
		t.Errorf("%q: %v, want %s", text, err, want)
	}
	if n, err := (Word{"0010", 1, 1}).Number("n", 4, 12); n != 10 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}

// Every word stands in the text where it says, and together they are all of it that is no blank.
func FuzzWords(f *testing.F) {
	f.Add("a b\n c")
	f.Add("\ufeff\r\n\xff\t")
	f.Fuzz(func(t *testing.T, text string) {
		var all strings.Builder
		words, lines := Of(text), strings.Split(text, "\n")
		for i, w := range words {
			if (w.Text == "") != (i == len(words)-1) || w.Line < 1 || w.Line > len(lines) {
				t.Fatalf("%q: word %d of %+v", text, i, words)
			}
			if at := []rune(lines[w.Line-1])[w.Column-1:]; !strings.HasPrefix(string(at), string([]rune(w.Text))) {
				t.Fatalf("%q: %+v is not at its place", text, w)
			}
			all.WriteString(w.Text)
		}
		if got := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(strings.TrimPrefix(text, "\ufeff")); got != all.String() {
			t.Fatalf("%q: the words are %q", text, all.String())
		}
	})
}
