package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// pages returns the README and the pages of docs, seen from here.
func pages(t *testing.T) []string {
	t.Helper()
	list := []string{filepath.Join("..", "..", "README.md")}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "docs", pattern))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) < 20 {
		t.Fatalf("there are %d pages", len(list))
	}
	return list
}

// The pages that show what the program prints: their examples run one after the other, in one directory, on the first
// morning of December 2026 with a fixed secret.
func TestDocumentedExamples(t *testing.T) {
	for page, least := range map[string]int{"README.md": 10, "docs/days.md": 4, "docs/pools.md": 4} {
		list := examples(t, filepath.Join("..", "..", page))
		if len(list) < least {
			t.Fatalf("%s shows %d commands", page, len(list))
		}
		r := newRunner(t)
		for _, e := range list {
			var out strings.Builder
			env := r.env("", &out, &out)
			env.Dir = filepath.Join("..", "..")
			Run(t.Context(), words(e.command), env)
			if !e.pattern().MatchString(out.String()) {
				t.Errorf("%s:%d: assay %s prints\n%s", page, e.line, e.command, out.String())
			}
		}
	}
}

var (
	fenced   = regexp.MustCompile("(?s)```.*?\n```")
	inFence  = regexp.MustCompile(`(?m)^(?:\$ )?assay (.+)$`)
	indented = regexp.MustCompile(`(?m)^    assay (.+)$`)
	inCode   = regexp.MustCompile("`([^`]+)`")
)

// commands returns the command lines that a page names, shown or in its sentences, without what explains them.
func commands(text string) (list []string) {
	blocks := strings.Join(fenced.FindAllString(text, -1), "\n")
	text = fenced.ReplaceAllString(text, "")
	for _, m := range slices.Concat(inFence.FindAllStringSubmatch(blocks, -1), indented.FindAllStringSubmatch(text, -1)) {
		list = append(list, m[1])
	}
	for _, m := range inCode.FindAllStringSubmatch(text, -1) {
		code := strings.Join(strings.Fields(m[1]), " ")
		if command, is := strings.CutPrefix(code, "assay "); is && !strings.HasPrefix(command, "COMMAND") {
			list = append(list, command)
		}
	}
	for i, line := range list {
		line, _, _ = strings.Cut(line, "  ")
		line, _, _ = strings.Cut(line, " > ")
		list[i], _, _ = strings.Cut(line, " #")
	}
	return list
}

// Every command that a page names is one, and has the flags that it is named with.
func TestDocumentedCommandsAreCommands(t *testing.T) {
	named := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range commands(string(text)) {
			named++
			root := (&app{env: newRunner(t).env("", nil, nil)}).root()
			cmd, rest, err := root.Find(words(line))
			if err != nil || cmd == root {
				t.Errorf("%s: %q is no command: %v", page, line, err)
				continue
			}
			var unknown *pflag.NotExistError
			if err := cmd.ParseFlags(rest); errors.As(err, &unknown) {
				t.Errorf("%s: %q: %v", page, line, err)
			}
		}
	}
	if named < 90 {
		t.Errorf("the pages name %d commands", named)
	}
}

// Each file and folder in the table of docs/architecture.md exists. A name without a folder is in the folder of the name
// before it.
func TestTheArchitectureNamesWhatIsThere(t *testing.T) {
	page := read(t, filepath.Join("..", "..", "docs", "architecture.md"))
	_, table, _ := strings.Cut(page, "## To change this, open that")
	table, _, _ = strings.Cut(table, "## Decisions")
	named := 0
	for line := range strings.Lines(table) {
		columns, folder := strings.Split(line, "|"), ""
		if len(columns) != 4 {
			continue
		}
		for _, m := range inCode.FindAllStringSubmatch(columns[2], -1) {
			path := filepath.Join("..", "..", m[1])
			if _, err := os.Stat(path); err != nil {
				path = filepath.Join(folder, m[1])
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Errorf("%s is not there: %v", m[1], err)
				continue
			}
			if folder = path; !info.IsDir() {
				folder = filepath.Dir(path)
			}
			named++
		}
	}
	if named < 50 {
		t.Errorf("the table names %d files and folders", named)
	}
}
