package registry

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"

	"assay/raters"
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 64 << 10

// Line is a line of a file that people bring, without its end.
type Line struct {
	Number int // from 1
	Text   string
	Err    error // *raters.SyntaxError for a line that is too long; anything else ends the reading
}

// Lines gives the lines of a file that are not empty and do not start with "#". A byte order mark and
// carriage returns are taken off. However long a line is, no more than MaxLine of it is kept.
func Lines(r io.Reader) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		in := bufio.NewReaderSize(r, MaxLine)
		for number := 1; ; number++ {
			text, err := readLine(in)
			if number == 1 {
				text = bytes.TrimPrefix(text, []byte("\ufeff"))
			}
			line := Line{Number: number, Text: string(bytes.TrimRight(text, " \t\r\n"))}
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				line.Err = &raters.SyntaxError{Line: number, Column: MaxLine + 1, Reason: fmt.Sprintf("the line is longer than %d bytes", MaxLine)}
			case err != nil && !errors.Is(err, io.EOF):
				yield(Line{Number: number, Err: fmt.Errorf("read line %d: %w", number, err)})
				return
			}
			skip := line.Err == nil && (line.Text == "" || line.Text[0] == '#')
			if !skip && !yield(line) || errors.Is(err, io.EOF) {
				return
			}
		}
	}
}

// readLine gives the next line, or its start and ErrBufferFull when it is too long, with the rest thrown
// away.
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
