package registry

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"assay/raters"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 3*MaxLine)
	text := "\ufefffirst\r\n\n# a comment\n  third \t\n" + long + "\nlast"
	var got []string
	for line := range Lines(strings.NewReader(text)) {
		var syntax *raters.SyntaxError
		if errors.As(line.Err, &syntax) {
			if syntax.Line != line.Number || syntax.Column != MaxLine+1 {
				t.Errorf("too long a line %d told as %v", line.Number, syntax)
			}
			line.Text = "too long"
		}
		got = append(got, string(rune('0'+line.Number))+line.Text)
	}
	want := []string{"1first", "4  third", "5too long", "6last"}
	if !slices.Equal(got, want) {
		t.Fatalf("%q, want %q", got, want)
	}
}

func TestLinesTellsAReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	in := io.MultiReader(strings.NewReader("one\ntwo"), iotest.ErrReader(broken))
	var last Line
	n := 0
	for last = range Lines(in) {
		n++
	}
	if n != 2 || !errors.Is(last.Err, broken) {
		t.Fatalf("%d lines, the last with error %v", n, last.Err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n#c\n\n"))
	f.Add([]byte("\ufeff\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		last := 0
		for line := range Lines(strings.NewReader(string(data))) {
			if line.Number <= last || strings.ContainsAny(line.Text, "\n") || line.Err == nil && line.Text == "" {
				t.Fatalf("line %d after %d: %q", line.Number, last, line.Text)
			}
			last = line.Number
		}
	})
}
