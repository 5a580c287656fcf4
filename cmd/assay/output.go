package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"assay/events/plain"
	"assay/raters"
	"assay/registry"
	"assay/registry/drawing"
	"assay/registry/engine"
)

// printer writes results to stdout: JSON, one object a line, or text for people. It escapes all output, so that a text
// in a log or a file cannot control the terminal.
type printer struct {
	out    *bufio.Writer
	json   *json.Encoder
	colour bool
}

func (a *app) printer() *printer { return a.printerOf(4096) }

// printerOf returns a printer with a buffer of this many bytes.
func (a *app) printerOf(size int) *printer {
	w := bufio.NewWriterSize(a.env.Stdout, size)
	p := &printer{out: w, colour: a.env.Terminal && a.env.Getenv("NO_COLOR") == ""}
	p.json = json.NewEncoder(p)
	p.json.SetEscapeHTML(false)
	return p
}

// Write writes only whole characters.
func (p *printer) Write(b []byte) (int, error) {
	if _, err := p.WriteString(string(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// WriteString writes only whole characters. It writes all of them or returns an error.
func (p *printer) WriteString(s string) (int, error) {
	if _, err := p.out.WriteString(plain.EscapeLines(s)); err != nil {
		return 0, err
	}
	return len(s), nil
}

// Flush writes out what is buffered.
func (p *printer) Flush() error { return p.out.Flush() }

// result writes one result: the object as JSON, or else the text.
func (p *printer) result(asJSON bool, object any, text func()) error {
	if asJSON {
		return p.json.Encode(object)
	}
	text()
	return nil
}

// print writes one result, and nothing else.
func (a *app) print(object any, text func(p *printer)) error {
	p := a.printer()
	if err := p.result(a.json, object, func() { text(p) }); err != nil {
		return err
	}
	return p.Flush()
}

// give returns a function that prints the result of a command, or returns its error.
func give[T any](a *app, text func(p *printer, found T)) func(T, error) error {
	return func(found T, err error) error {
		if err != nil {
			return err
		}
		return a.print(found, func(p *printer) { text(p, found) })
	}
}

// giveAll is give for results of one kind.
func giveAll[T any](a *app, text func(p *printer, found T)) func([]T, error) error {
	return func(all []T, err error) error {
		if err != nil {
			return err
		}
		return printAll(a, all, text)
	}
}

// finding returns an error with the exit status of a finding if something was found, unless there is an error.
func finding(found bool, err error) error {
	if err == nil && found {
		return &exitError{exitFinding}
	}
	return err
}

// printAll writes results of one kind, an object or a text each.
func printAll[T any](a *app, results []T, text func(p *printer, result T)) error {
	p := a.printer()
	for _, r := range results {
		if err := p.result(a.json, r, func() { text(p, r) }); err != nil {
			return err
		}
	}
	return p.Flush()
}

// appendJSON appends a value in a line, as a printer writes it.
func appendJSON(b []byte, value any) ([]byte, error) {
	w := bytes.NewBuffer(b)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return w.Bytes(), err
}

// linef writes a line, or several if the format has several. A text among the arguments stays in its line unless it is
// of type lines.
func (p *printer) linef(format string, args ...any) {
	p.WriteString(inLine(format, args) + "\n")
}

// lines is a text that has several lines on purpose: a puzzle, a profile.
type lines string

func inLine(format string, args []any) string {
	args = slices.Clone(args)
	for i, arg := range args {
		if text, ok := arg.(string); ok {
			args[i] = plain.Escape(text)
		}
	}
	return fmt.Sprintf(format, args...)
}

// boldf writes an important line, in bold on a terminal.
func (p *printer) boldf(format string, args ...any) {
	begin, end := "", ""
	if p.colour {
		begin, end = "\x1b[1m", "\x1b[0m"
	}
	p.out.WriteString(begin)
	p.WriteString(inLine(format, args))
	p.out.WriteString(end + "\n")
}

// evidence writes a line of an audit: the name, the statement, and at the right its event. A reason that somebody gave
// stays on its line and moves no cursor, so it cannot look like other lines.
func (p *printer) evidence(name, statement string, event any) {
	line := fmt.Sprintf("  %-14s %s", name, plain.Escape(statement))
	if text := fmt.Sprint(event); text != "" && text != "0" {
		line = fmt.Sprintf("%s%s #%s", line, strings.Repeat(" ", max(0, 92-len([]rune(line)))), text)
	}
	p.linef("%s", line)
}

// The registry uses the same words.
var (
	plural = plain.Plural
	byWhom = registry.ByWhom
)

// number writes a number with commas between the thousands.
func number[N ~int | ~uint64](n N) string { return plain.Number(n) }

// boardText prints a puzzle for people.
func (a *app) boardText(p *printer, genre, variant, text string) {
	lines := []string{text}
	if board, err := a.draw(genre, variant, text); err == nil {
		lines = drawing.Of(board).Text()
	}
	boardLines(p, "  ", lines)
}

// boardLines prints a drawn puzzle.
func boardLines(p *printer, indent string, lines []string) {
	for _, line := range lines {
		p.linef("%s", strings.TrimRight(indent+line, " "))
	}
}

// draw returns the board of a puzzle; an error when this program does not know its genre or cannot read it.
func (a *app) draw(genre, variant, text string) (raters.Board, error) {
	g, err := engine.FindGenre(a.genres(), genre)
	if err != nil {
		return raters.Board{}, err
	}
	return g.Reader.Draw(raters.Puzzle{Genre: genre, Variant: variant, Text: text})
}
