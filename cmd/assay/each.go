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

// lineError is printed for a text that is no puzzle: the object error/1.
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

// inFile changes the line in a reader's error from that of a text to that of the file. When a budget ran out, the error
// is at the beginning of the text.
func inFile(text interchange.Text, err error) error {
	if errors.Is(err, raters.ErrBudget) {
		return &raters.SyntaxError{Line: text.Line, Column: max(1, text.Column), Reason: err.Error()}
	}
	return text.Place(err)
}

// collectAt is how much the heap grows, in percent, between two garbage collections while a file is answered. No answer
// stays in memory, so the heap is small and a collection takes a fixed time; but touching new memory takes time too.
// Rating 20,000 sudoku took 185 ms at 200, 199 ms at 100 and 204 ms at 400. For 200,000, processor time was a tenth
// less at 200 than at 100, and the same at 400 (rate --json, medians of 11 and 3 runs).
const collectAt = 200

type answer[T any] struct {
	value T
	err   error
}

// oneByOne turns a function for one text into one for several.
func oneByOne[T any](do func(context.Context, interchange.Text) (T, error)) func(context.Context, []interchange.Text) []answer[T] {
	return func(ctx context.Context, texts []interchange.Text) []answer[T] {
		out := make([]answer[T], len(texts))
		for i, text := range texts {
			out[i].value, out[i].err = do(ctx, text)
		}
		return out
	}
}

// question is what to do with the texts of a file.
type question[T any] struct {
	reader interchange.Reader

	do   func(context.Context, []interchange.Text) []answer[T]
	text func(T) string // writes an answer for people, without the end of the line
	ok   func(T) bool
	json bool
}

// printedAnswer is the output for a text.
type printedAnswer struct {
	line []byte
	ok   bool
	err  error // instead: the text is no puzzle, or has no answer
}

// lineRoom is enough for most answers, in bytes.
const lineRoom = 512

// ask answers some texts. Some of them may be no puzzles.
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

// bufferedAnswers is the size of the buffer for answers, in bytes. Mostly a run of lines is written at once.
const bufferedAnswers = 64 << 10

// each answers every text of a file, in the order of the file. The crew gets as many at a time as it has room for. A
// text that is no puzzle, or has no answer within the budget, gets its error instead, and the others go on. The exit
// status is then exitInput, or else exitFinding when an answer is not ok. Texts are answered as they arrive.
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
		if err := p.Flush(); err != nil { // the caller may wait for these answers before it sends the next text
			return err
		}
	}
	if err := ctx.Err(); err != nil || code == exitDone {
		return err
	}
	return &exitError{code}
}

// printAnswer prints an answer and returns its exit status.
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

// printLineError prints the error of a text of a file. It names the file if there are several.
func (a *app) printLineError(p *printer, file string, err *raters.SyntaxError) error {
	object := lineError{Schema: "error/1", File: file, Line: err.Line, Column: err.Column, Error: err.Reason}
	return p.result(a.json, object, func() {
		if file != "" {
			p.WriteString(file + ": ")
		}
		p.linef("%v", err)
	})
}
