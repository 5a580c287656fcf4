package interchange

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/raters/catalog"
)

var example = regexp.MustCompile("(?m)^`([a-z0-9]+)`\n\n((?:    .*\n)+)")

// Every example of the page of formats is one puzzle, and the page has a line and an example of every format.
func TestThePageOfFormats(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "..", "docs", "formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, shown := string(raw), map[string]bool{}
	for _, found := range example.FindAllStringSubmatch(page, -1) {
		shown[found[1]] = true
		if got := all(t, Any(catalog.Genres()), strings.ReplaceAll(found[2], "    ", "")); len(got) != 1 {
			t.Errorf("%s: %d puzzles", found[1], len(got))
		}
	}
	for _, g := range catalog.Genres() {
		for _, f := range Formats(g.Name) {
			if !shown[f.Name] || !strings.Contains(page, "\n| `"+f.Name+"` |") {
				t.Errorf("the page does not show %s", f.Name)
			}
		}
	}
}
