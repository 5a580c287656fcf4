package web

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"assay/raters"
	"assay/registry/public"
)

func rendered(t *testing.T, day public.PublicDay) string {
	t.Helper()
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, "page.html", shown{Day: &day}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestADayShowsItsBoard(t *testing.T) {
	chain := rendered(t, public.PublicDay{Date: "2026-12-01", Label: "easy", Board: &raters.Board{
		Goal: &raters.Goal{Start: 79, Target: 160, Moves: 3}, Hand: []raters.Symbol{{Name: "+65"}, {Name: "-28", Glyph: "−28"}, {Name: "swap", Words: "swap digits"}},
	}})
	for _, want := range []string{"<b>79</b>", "<b>160</b>", "<li>−28</li>", "<li>swap digits</li>", `aria-label="3 moves"`, "of the 3 tiles"} {
		if !strings.Contains(chain, want) {
			t.Errorf("the page of a chain lacks %s", want)
		}
	}
	grid := rendered(t, public.PublicDay{Date: "2026-12-01", Label: "hard", LabelName: "schwer", Board: &raters.Board{
		Rows: 2, Columns: 2, Regions: []int{0, 1, 2, 3}, Cells: []raters.Cell{{Text: "1"}, {}, {}, {Text: "<"}},
	}})
	for _, want := range []string{
		`<td class="cell top right bottom left">1</td>`, `<td class="cell top right bottom left">&lt;</td>`, `<strong dir="auto">schwer</strong>`,
		`<a href="/days/2026-12-01/board.svg">`,
	} {
		if !strings.Contains(grid, want) {
			t.Errorf("the page of a grid lacks %s", want)
		}
	}
	if strings.Contains(grid, "Play exactly") {
		t.Error("the page of a grid has a chain's task")
	}
}

// Cages, split clues, clues beside the grid, bridges and what steps did are all on the page.
func TestADayShowsEveryPartOfAGrid(t *testing.T) {
	page := rendered(t, public.PublicDay{Date: "2026-12-01", Board: &raters.Board{
		Rows: 2, Columns: 3, Open: true,
		Cells: []raters.Cell{
			{Kind: raters.Island, Text: "2"}, {}, {Kind: raters.Island, Text: "3"},
			{Kind: raters.Split, Down: "16", Across: "24"}, {Written: "black", Kind: raters.Tinted}, {Removed: []string{"5"}},
		},
		Bridges: []raters.Bridge{{From: 0, To: 2, Count: 2}}, Cages: []raters.Cage{{Cells: []int{4, 5}, Text: "12"}},
		Outside: raters.Outside{Left: [][]string{{"1", "7"}, {"8"}}}, Values: []raters.Symbol{{Name: "black", Glyph: "■", Shade: true}},
	}})
	for _, want := range []string{
		`<tr><td class="outside">1</td><td class="outside">7</td><td class="island open">2</td><td class="cell open">═</td><td class="island open">3</td></tr>`,
		`<tr><td class="outside"></td><td class="outside">8</td><td class="split open"><sub>16</sub><sup>24</sup></td>`,
		`<td class="tinted shaded open cage-top cage-bottom cage-left"><small>12</small>■</td><td class="cell open cage-top cage-right cage-bottom"><s>5</s></td></tr>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page)
		}
	}
}

// The pages hold to the strictest policy of what a browser may load: the style sheet of this host, and nothing written into
// the page.
func TestAPageLoadsNothingButItsStyle(t *testing.T) {
	style, err := files.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	loads := regexp.MustCompile(`(?i)<(script|style|img|iframe|object|embed|form|base|svg|video|audio|link)\b|\b(style|src|srcset|on[a-z]+)=|javascript:`)
	for name, most := range map[string]int{"page.html": 1, "why.html": 1, "board.html": 0} {
		source, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := loads.FindAllString(string(source), -1); len(got) != most || strings.Count(string(source), `<link rel="stylesheet" href="/style.css">`) != most {
			t.Errorf("%s has %q, and may have the style sheet alone", name, got)
		}
	}
	if got := regexp.MustCompile(`(?i)@import|url\(`).FindAllString(string(style), -1); got != nil {
		t.Errorf("the style sheet has %q", got)
	}
}
