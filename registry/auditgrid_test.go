package registry

import (
	"slices"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
	"assay/registry/engine"
)

func drawn(t *testing.T, genre, variant, text string) raters.Board {
	t.Helper()
	g, err := engine.FindGenre(catalog.Genres(), genre)
	if err != nil {
		t.Fatal(err)
	}
	b, err := g.Reader.Draw(raters.Puzzle{Genre: genre, Variant: variant, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A grid of one character a cell takes the signs of the genre.
func TestPlainRows(t *testing.T) {
	b := drawn(t, "kakurasu", "4x4", "4 4\n4 6 3 1\n3 2 4 5")
	b.Write("r1c2=shaded")
	b.Write("r4c1=unshaded")
	if got := plainRows(b); !slices.Equal(got, []string{".#..", "....", "....", "-..."}) {
		t.Errorf("%q", got)
	}
	b = raters.Board{Rows: 1, Columns: 3, Cells: []raters.Cell{{Text: "7"}, {Written: "3"}, {}}}
	if got := plainRows(b); !slices.Equal(got, []string{"73."}) {
		t.Errorf("%q", got)
	}
}
