package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// example is a command that a document shows, and what it prints.
type example struct {
	line    int
	command string
	output  []string // a line "…" stands for any lines
}

// examples returns what a document's console blocks show.
func examples(t *testing.T, path string) (list []example) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for i, line := range strings.Split(string(text), "\n") {
		command, isCommand := strings.CutPrefix(line, "$ assay")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && isCommand:
			list = append(list, example{line: i + 1, command: strings.TrimSpace(command)})
		case inside && len(list) > 0:
			last := &list[len(list)-1]
			last.output = append(last.output, line)
		}
	}
	return list
}

// pattern matches what an example shows; durations and the origin of a log differ from run to run.
func (e example) pattern() *regexp.Regexp {
	var p strings.Builder
	p.WriteString("^")
	for _, line := range e.output {
		if strings.TrimSpace(line) == "…" {
			p.WriteString("(.*\n)*?")
			continue
		}
		quoted := regexp.QuoteMeta(strings.TrimRight(line, " "))
		quoted = durations.ReplaceAllString(quoted, `\d+\.\d+ s`)
		p.WriteString(origins.ReplaceAllString(quoted, origins.String()) + " *\n")
	}
	p.WriteString("$")
	return regexp.MustCompile(p.String())
}

var (
	durations = regexp.MustCompile(`\d+\\\.\d+ s\b`)
	origins   = regexp.MustCompile(`assay/[0-9a-f]{16}`)
)

// words cuts a command line at its blanks, except for those inside single or double quotes.
func words(command string) (list []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(command, -1) {
		list = append(list, strings.Trim(w, `'"`))
	}
	return list
}
