package main

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"

	"assay/raters"
	"assay/registry"
	"assay/registry/jobs"
)

// lineError stands in the output for a line that is no puzzle: the object error/1.
type lineError struct {
	Schema string `json:"schema"`
	File   string `json:"file,omitempty"` // set when there are several
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Error  string `json:"error"`
}

// open opens a file of the command line, or standard input for "-".
func (a *app) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.env.Stdin), nil
	}
	f, err := os.Open(a.path(name))
	if err != nil {
		return nil, &registry.InputError{Reason: err.Error()}
	}
	return f, nil
}

// atLine moves a reader's error from line 1 of a text to the line of the file that the text is.
func atLine(line registry.Line, err error) error {
	var syntax *raters.SyntaxError
	if line.Err == nil && errors.As(err, &syntax) {
		return &raters.SyntaxError{Line: line.Number + syntax.Line - 1, Column: syntax.Column, Reason: syntax.Reason}
	}
	return err
}

// collectAt is how much the heap grows, in percent, between two collections while a file is answered. No answer
// stays, so that the heap is small and collecting it takes a fixed time: on 200,000 sudoku a seventh of the
// processor time at 100 (rate --json, GOGC=100 and 400).
const collectAt = 400

type answer[T any] struct {
	value T
	err   error
}

// oneByOne makes of what answers one text what answers several.
func oneByOne[T any](do func(context.Context, string) (T, error)) func(context.Context, []string) []answer[T] {
	return func(ctx context.Context, texts []string) []answer[T] {
		out := make([]answer[T], len(texts))
		for i, text := range texts {
			out[i].value, out[i].err = do(ctx, text)
		}
		return out
	}
}

// lines makes of what answers texts what answers lines of a file, of which some may be no text.
func lines[T any](do func(context.Context, []string) []answer[T]) func(context.Context, []registry.Line) []answer[T] {
	return func(ctx context.Context, part []registry.Line) []answer[T] {
		out := make([]answer[T], len(part))
		texts, of := make([]string, 0, len(part)), make([]int, 0, len(part))
		for i, line := range part {
			if out[i].err = line.Err; line.Err == nil {
				texts, of = append(texts, line.Text), append(of, i)
			}
		}
		for k, got := range do(ctx, texts) {
			out[of[k]] = answer[T]{got.value, atLine(part[of[k]], got.err)}
		}
		return out
	}
}

// each answers every line of a file, by the pool's size at a time and in the file's order. A line that is no puzzle
// has its error in its place, and the rest goes on: the run ends with exitInput then, else with
// exitFinding when an answer is not ok. Lines are answered as they come.
func each[T any](ctx context.Context, a *app, pool jobs.Pool, in string, do func(context.Context, []string) []answer[T], text func(T) string, ok func(T) bool) error {
	file, err := a.open(in)
	if err != nil {
		return err
	}
	defer file.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	p := a.printer()
	code := exitDone
	one := func(got answer[T]) (err error) {
		var syntax *raters.SyntaxError
		switch {
		case errors.As(got.err, &syntax):
			code = exitInput
			return a.printLineError(p, "", syntax)
		case got.err != nil:
			return got.err
		case !ok(got.value):
			code = max(code, exitFinding)
		}
		return p.result(a.json, got.value, func() { p.linef("%s", text(got.value)) })
	}
	for answers := range jobs.Stream(ctx, pool, registry.Lines(file), lines(do)) {
		for _, got := range answers {
			if err := one(got); err != nil {
				return errors.Join(err, p.Flush())
			}
		}
		if err := p.Flush(); err != nil { // whoever asks may wait for these answers before asking on
			return err
		}
	}
	if err := ctx.Err(); err != nil || code == exitDone {
		return err
	}
	return &exitError{code}
}

// printLineError prints what is wrong with a line of a file, which is named if it is one of several.
func (a *app) printLineError(p *printer, file string, err *raters.SyntaxError) error {
	object := lineError{Schema: "error/1", File: file, Line: err.Line, Column: err.Column, Error: err.Reason}
	return p.result(a.json, object, func() {
		if file != "" {
			p.WriteString(file + ": ")
		}
		p.linef("%v", err)
	})
}
