package public

import (
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
)

func drawn(t *testing.T, genre, variant, text string) raters.Board {
	t.Helper()
	genres := catalog.Genres()
	g := genres[slices.IndexFunc(genres, func(g raters.Genre) bool { return g.Name == genre })]
	b, err := g.Reader.Draw(raters.Puzzle{Genre: genre, Variant: variant, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The table of a grid in public holds the clues beside it, and says where they end.
func TestTheTableOfAGrid(t *testing.T) {
	g := publicGrid(drawn(t, "kakurasu", "4x5", "4 5\n1 2 3 4 5\n6 7 8 9"))
	want := ",1,2,3,4,5,6,,,,,,7,,,,,,8,,,,,,9,,,,,"
	if g.Rows != 5 || g.Columns != 6 || g.Top != 1 || g.Left != 1 || g.BoxRows != 0 || g.BoxColumns != 0 || strings.Join(g.Cells, ",") != want {
		t.Errorf("%+v", g)
	}
	text := "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
	g = publicGrid(drawn(t, "sudoku", "classic", text))
	if g.Rows != 9 || g.Columns != 9 || g.Top != 0 || g.Left != 0 || g.BoxRows != 3 || g.BoxColumns != 3 {
		t.Errorf("%+v", g)
	}
	for i, cell := range g.Cells {
		if cell != strings.Trim(text[i:i+1], ".") {
			t.Errorf("cell %d is %q", i, cell)
		}
	}
	chain := drawn(t, "chain", "daily", "21 200 2 -37 swap")
	if c := publicChain(chain); publicGrid(chain) != nil || c.Start != 21 || c.Target != 200 || c.Moves != 2 || !slices.Equal(c.Hand, []string{"-37", "swap"}) {
		t.Errorf("%+v", c)
	}
}
