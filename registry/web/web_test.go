package web

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"assay/registry/public"
)

func rendered(t *testing.T, day public.PublicDay) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Execute(&b, shown{Day: &day}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestADayShowsItsBoard(t *testing.T) {
	chain := rendered(t, public.PublicDay{Date: "2026-12-01", Label: "easy", PublicChain: &public.PublicChain{Start: 79, Target: 160, Moves: 3, Hand: []string{"+65", "-28"}}})
	for _, want := range []string{"<b>79</b>", "<b>160</b>", "<li>−28</li>", `aria-label="3 moves"`} {
		if !strings.Contains(chain, want) {
			t.Errorf("the page of a chain lacks %s", want)
		}
	}
	grid := rendered(t, public.PublicDay{Date: "2026-12-01", Label: "hard", LabelName: "schwer", Grid: &public.PublicGrid{Rows: 2, Columns: 2, BoxRows: 1, BoxColumns: 1, Cells: []string{"1", "", "", "<"}}})
	for _, want := range []string{`<td class="">1</td><td class="left"></td>`, `<td class="top left">&lt;</td>`, `<strong dir="auto">schwer</strong>`} {
		if !strings.Contains(grid, want) {
			t.Errorf("the page of a grid lacks %s", want)
		}
	}
	if strings.Contains(grid, "Play exactly") {
		t.Error("the page of a grid has a chain's task")
	}
}

// The pages hold to the strictest policy of what a browser may load: the style sheet of this host, and nothing written into
// the page.
func TestAPageLoadsNothingButItsStyle(t *testing.T) {
	source, err := files.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	style, err := files.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	loads := regexp.MustCompile(`(?i)<(script|style|img|iframe|object|embed|form|base|svg|video|audio|link)\b|\b(style|src|srcset|on[a-z]+)=|javascript:`)
	if got := loads.FindAllString(string(source), -1); len(got) != 1 || !strings.Contains(string(source), `<link rel="stylesheet" href="/style.css">`) {
		t.Errorf("the page has %q, and may have the style sheet alone", got)
	}
	if got := regexp.MustCompile(`(?i)@import|url\(`).FindAllString(string(style), -1); got != nil {
		t.Errorf("the style sheet has %q", got)
	}
}
