package interchange

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"assay/raters"
)

// several takes each line that starts with "=" for one of several, and "=." for the last of them.
var several = Reader{formats: []Format{{Split: func(_, before, line string) bool {
	return strings.HasPrefix(line, "=") && !strings.HasSuffix(before, "=.")
}}}}

// textsOf returns each text with its line in front, or what is wrong with it.
func textsOf(t *testing.T, file string, reader Reader) (got []string) {
	for text := range reader.Texts(strings.NewReader(file)) {
		var syntax *raters.SyntaxError
		if errors.As(text.Err, &syntax) {
			if syntax.Line != text.Line {
				t.Errorf("%v in line %d", syntax, text.Line)
			}
			text.Text = fmt.Sprintf("wrong in column %d", syntax.Column)
		}
		got = append(got, fmt.Sprintf("%d %s", text.Line, text.Text))
	}
	return got
}

func TestTexts(t *testing.T) {
	long := strings.Repeat("x", 3*MaxText)
	row := "=" + strings.Repeat("x", MaxText/2) + "\n"
	for _, c := range []struct {
		file string
		want []string
	}{
		{"", nil},
		{"\ufefffirst\r\n\n \t\n# a comment\n  third \t\n" + long + "\nlast", []string{"1 first", "5   third \t", "6 wrong in column 65537", "7 last"}},
		{"=a\n=b\r\n\n=c\n---\n---\n=d", []string{"1 =a\n=b", "4 =c", "7 =d"}},
		{"one\n=a\n=b\ntwo\nthree\n=c\n", []string{"1 one", "2 =a\n=b", "4 two", "5 three", "6 =c"}},
		{"# of\n=a\n# these\n=b\n# three\n", []string{"2 =a\n\n=b\n"}},
		{"=a\n" + long + "\n=b", []string{"1 =a", "2 wrong in column 65537", "3 =b"}},
		{row + row + row + "\n=a", []string{"1 wrong in column 1", "5 =a"}},
		{"=a\n=.\n=b\n=.\none\n=c", []string{"1 =a\n=.", "3 =b\n=.", "5 one", "6 =c"}},
		{" ---\n--- \n----", []string{"1  ---", "3 ----"}},
	} {
		if got := textsOf(t, c.file, several); !slices.Equal(got, c.want) {
			t.Errorf("%.100q: %q, want %q", c.file, got, c.want)
		}
	}
	if got := textsOf(t, "=a\n=b", Reader{}); len(got) != 2 {
		t.Errorf("without rows: %q", got)
	}
}

func TestTextsTellsAReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, file := range []string{"one\ntwo", "one\n=two"} { // a line that is cut off is none
		in := io.MultiReader(strings.NewReader(file), iotest.ErrReader(broken))
		var last Text
		for last = range several.Texts(in) {
		}
		if last.Line != 2 || !errors.Is(last.Err, broken) {
			t.Fatalf("the last is of line %d, with error %v", last.Line, last.Err)
		}
	}
}

// Every line that holds something is in one text, in order.
func FuzzTexts(f *testing.F) {
	f.Add("a\nb\r\n#c\n\n=d\n=e\n---\n")
	f.Add("\ufeff\n\x00")
	f.Fuzz(func(t *testing.T, file string) {
		next := 1
		for text := range several.Texts(strings.NewReader(file)) {
			n := 1 + strings.Count(text.Text, "\n")
			if text.Line < next || text.Err == nil && strings.TrimSpace(text.Text) == "" || n > 1 && !strings.HasPrefix(text.Text, "=") {
				t.Fatalf("line %d after %d: %q", text.Line, next-1, text.Text)
			}
			for i, line := range strings.Split(file, "\n")[next-1 : text.Line-1] {
				line = strings.TrimPrefix(strings.TrimRight(line, "\r"), "\ufeff")
				if strings.TrimSpace(line) != "" && line != between && line[0] != '#' {
					t.Fatalf("line %d is in no text: %q", next+i, line)
				}
			}
			next = text.Line + n
		}
	})
}
