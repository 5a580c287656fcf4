package main

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"

	"assay/raters"
	"assay/registry/input"
	"assay/registry/interchange"
	"assay/registry/jobs"
)

// lineError stands in the output for a text that is no puzzle: the object error/1.
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
		return nil, &input.Error{Reason: err.Error()}
	}
	return f, nil
}

// inFile moves a reader's error from a line of a text to that of the file. A text that the budget gives no answer to has
// that at its beginning.
func inFile(text interchange.Text, err error) error {
	if errors.Is(err, raters.ErrBudget) {
		return &raters.SyntaxError{Line: text.Line, Column: max(1, text.Column), Reason: err.Error()}
	}
	return text.Place(err)
}

// collectAt is how much the heap grows, in percent, between two collections while a file is answered. No answer
// stays, so that the heap is small and collecting it takes a fixed time; but memory costs time too when it is touched
// first. Rating 20,000 sudoku took 185 ms at 200, 199 ms at 100 and 204 ms at 400; of 200,000 the processors had a
// tenth less to do at 200 than at 100, and as much at 400 (rate --json, medians of 11 and 3 runs).
const collectAt = 200

type answer[T any] struct {
	value T
	err   error
}

// oneByOne makes of what answers one text what answers several.
func oneByOne[T any](do func(context.Context, interchange.Text) (T, error)) func(context.Context, []interchange.Text) []answer[T] {
	return func(ctx context.Context, texts []interchange.Text) []answer[T] {
		out := make([]answer[T], len(texts))
		for i, text := range texts {
			out[i].value, out[i].err = do(ctx, text)
		}
		return out
	}
}

// question is what is asked about the texts of a file.
type question[T any] struct {
	reader interchange.Reader

	do   func(context.Context, []interchange.Text) []answer[T]
	text func(T) string // an answer as it is printed for people, without the end of the line
	ok   func(T) bool
	json bool
}

// printedAnswer is what is printed for a text.
type printedAnswer struct {
	line []byte
	ok   bool
	err  error // instead, of a text that is no puzzle or has no answer
}

// lineRoom is what most answers take, in bytes.
const lineRoom = 512

// ask asks about some texts, of which some may be none.
func (q question[T]) ask(ctx context.Context, part []interchange.Text) []printedAnswer {
	out := make([]printedAnswer, len(part))
	texts, of := make([]interchange.Text, 0, len(part)), make([]int, 0, len(part))
	for i, text := range part {
		if out[i].err = text.Err; text.Err == nil {
			texts, of = append(texts, text), append(of, i)
		}
	}
	answers := q.do(ctx, texts)
	block := make([]byte, 0, lineRoom*len(answers))
	for k := range answers {
		p := &out[of[k]]
		if p.err = inFile(part[of[k]], answers[k].err); p.err != nil {
			continue
		}
		start := len(block)
		if q.json {
			block, p.err = appendJSON(block, answers[k].value)
		} else {
			block = append(block, q.text(answers[k].value)+"\n"...)
		}
		p.line, p.ok = block[start:], q.ok(answers[k].value)
	}
	return out
}

// bufferedAnswers is room for the answers of a run of lines, in bytes: mostly they are written at once.
const bufferedAnswers = 64 << 10

// each answers every text of a file, by the pool's size at a time and in the file's order. One that is no puzzle, or has
// no answer within the budget, has its error in its place, and the rest goes on: the run ends with exitInput then, else with exitFinding when an answer is not
// ok. Texts are answered as they come.
func each[T any](ctx context.Context, a *app, crew jobs.Crew, in string, q question[T]) error {
	file, err := a.open(in)
	if err != nil {
		return err
	}
	defer file.Close()
	defer debug.SetGCPercent(debug.SetGCPercent(collectAt))
	p := a.printerOf(bufferedAnswers)
	q.json = a.json
	code := exitDone
	for answers := range jobs.Stream(ctx, crew, q.reader.Texts(file), q.ask) {
		for _, got := range answers {
			found, err := a.printAnswer(p, got)
			if err != nil {
				return errors.Join(err, p.Flush())
			}
			code = max(code, found)
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

// printAnswer prints an answer and gives the exit status that it stands for.
func (a *app) printAnswer(p *printer, got printedAnswer) (code int, err error) {
	var syntax *raters.SyntaxError
	switch {
	case errors.As(got.err, &syntax):
		return exitInput, a.printLineError(p, "", syntax)
	case got.err != nil:
		return exitDone, got.err
	case !got.ok:
		code = exitFinding
	}
	_, err = p.Write(got.line)
	return code, err
}

// printLineError prints what is wrong with a text of a file, which is named if it is one of several.
func (a *app) printLineError(p *printer, file string, err *raters.SyntaxError) error {
	object := lineError{Schema: "error/1", File: file, Line: err.Line, Column: err.Column, Error: err.Reason}
	return p.result(a.json, object, func() {
		if file != "" {
			p.WriteString(file + ": ")
		}
		p.linef("%v", err)
	})
}
