package main

import (
	"bytes"
	"regexp"
	"testing"

	"assay/events"
	"assay/registry"
)

// written returns what a text writes, with each run of spaces as one.
func written(text func(p *printer)) string {
	var out bytes.Buffer
	a := app{env: Env{Stdout: &out, Getenv: func(string) string { return "" }}}
	p := a.printer()
	text(p)
	p.Flush()
	return regexp.MustCompile(` +`).ReplaceAllString(out.String(), " ")
}

// The list of days says which ones look like another.
func TestTheTextOfADay(t *testing.T) {
	day := registry.Day{Date: "2026-12-20", Label: "hard", ID: "sudoku-9999999999999999", Level: "easy", Like: &events.Like{Date: "2026-12-18"}}
	if got, want := written(func(p *printer) { dayLine(p, day) }), " 2026-12-20 Sun hard sudoku-9999999999999999 level easy looks like 2026-12-18\n"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
