package interchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"assay/raters"
)

// MaxText is the longest text of a file that is read, in bytes, and the longest line.
const MaxText = 64 << 10

// Text is a text of a file that people bring: a line without its end, or the lines of a grid.
type Text struct {
	Line int // its first one, from 1
	Text string
	Err  error // *raters.SyntaxError for a text that is too long; anything else ends the reading
}

// fatal tells of an error that ends the reading.
func (t Text) fatal() bool {
	var syntax *raters.SyntaxError
	return t.Err != nil && !errors.As(t.Err, &syntax)
}

// between is a line that may stand between two texts, as a blank one may.
const between = "---"

// Texts returns the texts of a file, of one line and of several, mixed. A line is a text, unless a format says that it is one
// of several: a text then goes on until a line that is none or the first of another text, a blank one or "---".
// Lines that start with "#" are passed over; a byte order mark and carriage returns are taken off. However long a text
// is, no more than MaxText of it is kept.
func (r Reader) Texts(file io.Reader) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		var grid rows
		for line := range lines(file) {
			if line.fatal() {
				yield(line)
				return
			}
			blank := line.Err == nil && (strings.TrimSpace(line.Text) == "" || strings.TrimRight(line.Text, " \t") == between)
			isRow := func() bool {
				if line.Err != nil || blank {
					return false
				}
				of := r.split(grid.of, grid.text.String(), line.Text)
				if of != nil {
					grid.of = of
				}
				return of != nil
			}
			switch {
			case line.Err == nil && !blank && line.Text[0] == '#':
				grid.pass()
				continue
			case isRow():
				grid.add(line)
				continue
			case grid.some:
				if !yield(grid.take()) {
					return
				}
				if isRow() { // the first one of another text
					grid.add(line)
					continue
				}
			}
			if !blank && !yield(line) {
				return
			}
		}
		if grid.some {
			yield(grid.take())
		}
	}
}

// rows is a text of several lines that is being put together.
type rows struct {
	of    *Format // that takes the lines for one text
	some  bool
	first int // line
	text  strings.Builder
	long  bool
}

func (r *rows) add(line Text) {
	if r.some {
		r.text.WriteByte('\n')
	} else {
		r.some, r.first = true, line.Line
	}
	if r.long = r.long || r.text.Len()+len(line.Text) > MaxText; r.long {
		r.text.Reset()
		return
	}
	r.text.WriteString(line.Text)
}

// pass passes a line over, so that those after it keep their numbers.
func (r *rows) pass() {
	if r.some {
		r.add(Text{})
	}
}

// take returns the text and begins another.
func (r *rows) take() Text {
	t := Text{Line: r.first, Text: r.text.String()}
	if r.long {
		reason := fmt.Sprintf("the lines from here on have more than %d bytes", MaxText)
		t = Text{Line: r.first, Err: &raters.SyntaxError{Line: r.first, Column: 1, Reason: reason}}
	}
	*r = rows{}
	return t
}

// lines returns the lines of a file.
func lines(r io.Reader) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		in := bufio.NewReaderSize(r, MaxText)
		for number := 1; ; number++ {
			text, err := readLine(in)
			if number == 1 {
				text = bytes.TrimPrefix(text, []byte("\ufeff"))
			}
			line := Text{Line: number, Text: string(bytes.TrimRight(text, "\r\n"))}
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				line.Err = &raters.SyntaxError{Line: number, Column: MaxText + 1, Reason: fmt.Sprintf("the line is longer than %d bytes", MaxText)}
			case err != nil && !errors.Is(err, io.EOF):
				yield(Text{Line: number, Err: fmt.Errorf("read line %d: %w", number, err)})
				return
			}
			if !yield(line) || errors.Is(err, io.EOF) {
				return
			}
		}
	}
}

// readLine returns the next line, or its start and ErrBufferFull when it is too long, with the rest thrown away.
func readLine(in *bufio.Reader) ([]byte, error) {
	text, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return text, err
	}
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = in.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return nil, bufio.ErrBufferFull
}
