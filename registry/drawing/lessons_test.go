package drawing_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"assay/raters/sudoku"
	"assay/registry/drawing"
)

// The drawing in a lesson of cages is that of the text above it.
func TestLessonsDrawTheirText(t *testing.T) {
	block := regexp.MustCompile("(?s)```\n(.*?)\n```")
	for _, name := range []string{"cage-combinations", "rule-of-45"} {
		doc, err := os.ReadFile("../../docs/techniques/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		blocks := block.FindAllStringSubmatch(string(doc), -1)
		reader := sudoku.Genre().Reader
		p, err := reader.Read("killer", blocks[0][1])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		b, err := reader.Draw(p)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(drawing.Of(b).Text(), "\n"); got != blocks[1][1] {
			t.Errorf("%s shows\n%s\nand its text is\n%s", name, blocks[1][1], got)
		}
	}
}
