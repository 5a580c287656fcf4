package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/catalog"
	"assay/registry/interchange"
)

// The checklist of docs/genres/adding.md, for each genre of the catalog.
func TestEveryGenreHasItsPlace(t *testing.T) {
	root := filepath.Join("..", "..")
	readme := read(t, filepath.Join(root, "README.md"))
	lessons := read(t, filepath.Join(root, "docs", "techniques", "README.md"))
	scripts := joined(t, filepath.Join("testdata", "script", "*.txtar"))
	for _, g := range catalog.Genres() {
		folder := filepath.Join(root, "raters", g.Name)
		read(t, filepath.Join(folder, "HISTORY.md"))
		if golden, err := filepath.Glob(filepath.Join(folder, "testdata", "golden", "*")); err != nil || len(golden) == 0 {
			t.Errorf("%s has no golden file, %v", g.Name, err)
		}
		tests := joined(t, filepath.Join(folder, "*_test.go"))
		for _, part := range []string{"func TestConformance(", "func Fuzz", "func Benchmark"} {
			if !strings.Contains(tests, part) {
				t.Errorf("the tests of %s lack %s", g.Name, part)
			}
		}
		if len(interchange.Formats(g.Name)) == 0 {
			t.Errorf("no format of %s is read", g.Name)
		}
		if page := "docs/genres/" + g.Name + ".md"; !strings.Contains(readme, "("+page+")") {
			t.Errorf("the README does not link %s", page)
		}
		if !strings.Contains(scripts, g.Name) {
			t.Errorf("no script names %s", g.Name)
		}
		checkPageOf(t, g, read(t, filepath.Join(root, "docs", "genres", g.Name+".md"))+lessons)
	}
}

// checkPageOf checks that the page of a genre, or the list of lessons, names the levels of its variants and the techniques of
// its raters.
func checkPageOf(t *testing.T, g raters.Genre, page string) {
	t.Helper()
	named := func(what, name string) {
		if !strings.Contains(page, name) {
			t.Errorf("the page of %s does not name the %s %s", g.Name, what, name)
		}
	}
	for _, v := range g.Variants {
		for _, scale := range v.Scales {
			named("rater", scale.Rater.Name())
			for _, level := range scale.Levels {
				named("level", level)
			}
			if profiled, ok := scale.Rater.(raters.Profiled); ok {
				for _, technique := range profiled.Profile().Techniques {
					named("technique", technique.Name)
				}
			}
		}
	}
}

// joined returns the contents of all files that a pattern names.
func joined(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no file %s, %v", pattern, err)
	}
	var all strings.Builder
	for _, file := range files {
		all.WriteString(read(t, file))
	}
	return all.String()
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
