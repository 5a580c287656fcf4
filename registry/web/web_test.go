package web

import (
	"bytes"
	"strings"
	"testing"

	"assay/registry"
)

func rendered(t *testing.T, day registry.PublicDay) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Execute(&b, shown{Day: &day}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestADayShowsItsBoard(t *testing.T) {
	chain := rendered(t, registry.PublicDay{Date: "2026-12-01", Label: "easy", PublicChain: &registry.PublicChain{Start: 79, Target: 160, Moves: 3, Hand: []string{"+65", "-28"}}})
	for _, want := range []string{"<b>79</b>", "<b>160</b>", "<li>−28</li>", `aria-label="3 moves"`} {
		if !strings.Contains(chain, want) {
			t.Errorf("the page of a chain lacks %s", want)
		}
	}
	grid := rendered(t, registry.PublicDay{Date: "2026-12-01", Label: "hard", Grid: &registry.PublicGrid{Rows: 2, Columns: 2, BoxRows: 1, BoxColumns: 1, Cells: []string{"1", "", "", "<"}}})
	for _, want := range []string{`<td class="">1</td><td class="left"></td>`, `<td class="top left">&lt;</td>`, "<strong>hard</strong>"} {
		if !strings.Contains(grid, want) {
			t.Errorf("the page of a grid lacks %s", want)
		}
	}
	if strings.Contains(grid, "Play exactly") {
		t.Error("the page of a grid has a chain's task")
	}
}
