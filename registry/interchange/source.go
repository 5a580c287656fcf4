package interchange

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"assay/raters"
)

// maxSkipped is how much of a line that is too long is passed over, in bytes: a file with a longer one is not read on.
const maxSkipped = 8 << 20

// source gives the lines of a file, or its tags. UTF-16 with a byte order mark is read as such, and bytes that are no UTF-8
// as Latin-1.
type source struct {
	in     *bufio.Reader
	number int // of the line that comes next, from 1
	column int // of what comes next in it, from 1, in characters
}

func newSource(file io.Reader) *source {
	in := bufio.NewReaderSize(file, MaxText)
	if mark, _ := in.Peek(2); len(mark) == 2 {
		switch {
		case mark[0] == 0xff && mark[1] == 0xfe:
			in = bufio.NewReaderSize(&wide{in: in}, MaxText)
		case mark[0] == 0xfe && mark[1] == 0xff:
			in = bufio.NewReaderSize(&wide{in: in, bigEndian: true}, MaxText)
		}
	}
	if mark, _ := in.Peek(3); string(mark) == "\ufeff" {
		_, _ = in.Discard(len(mark))
	}
	return &source{in: in, number: 1, column: 1}
}

// wide turns UTF-16 into UTF-8.
type wide struct {
	in        *bufio.Reader
	bigEndian bool
	left      []byte // of a character that did not fit
}

func (w *wide) Read(to []byte) (n int, err error) {
	for n < len(to) {
		if len(w.left) == 0 {
			r, err := w.rune()
			if err != nil {
				return n, err
			}
			w.left = utf8.AppendRune(w.left[:0], r)
		}
		k := copy(to[n:], w.left)
		n, w.left = n+k, w.left[k:]
		if w.in.Buffered() < 4 && n > 0 { // the next character may be long in coming
			return n, nil
		}
	}
	return n, nil
}

func (w *wide) rune() (rune, error) {
	first, err := w.unit()
	if err != nil || !utf16.IsSurrogate(first) {
		return first, err
	}
	second, err := w.unit()
	return utf16.DecodeRune(first, second), err
}

func (w *wide) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(w.in, b[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return 0, err
	}
	if w.bigEndian {
		return rune(b[0])<<8 | rune(b[1]), nil
	}
	return rune(b[1])<<8 | rune(b[0]), nil
}

// line returns the next line without its end, and whether another one comes.
func (s *source) line() (line Text, more bool) {
	number, from := s.number, s.column
	s.number, s.column = s.number+1, 1
	text, err := readLine(s.in)
	line = Text{Line: number, Column: from, Text: decoded(bytes.TrimRight(text, "\r\n"))}
	switch {
	case errors.Is(err, errEndless):
		line.Err = &raters.SyntaxError{Line: number, Column: MaxText + 1, Reason: fmt.Sprintf("the line is longer than %d bytes: the rest of the file is not read", maxSkipped)}
		return line, false
	case errors.Is(err, bufio.ErrBufferFull):
		line.Err = &raters.SyntaxError{Line: number, Column: MaxText + 1, Reason: fmt.Sprintf("the line is longer than %d bytes", MaxText)}
	case err != nil && !errors.Is(err, io.EOF):
		return Text{Line: number, Err: fmt.Errorf("read line %d: %w", number, err)}, false
	}
	return line, !errors.Is(err, io.EOF)
}

// decoded returns a text as UTF-8; one that is not is taken for Latin-1.
func decoded(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	out := make([]byte, 0, 2*len(text))
	for _, b := range text {
		out = utf8.AppendRune(out, rune(b))
	}
	return string(out)
}

// errEndless: a line does not end within what is passed over.
var errEndless = errors.New("a line without an end")

// readLine returns the next line, or its start and ErrBufferFull when it is too long, with the rest thrown away.
func readLine(in *bufio.Reader) ([]byte, error) {
	text, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return text, err
	}
	for skipped := 0; errors.Is(err, bufio.ErrBufferFull); skipped += MaxText {
		if skipped >= maxSkipped {
			return nil, errEndless
		}
		_, err = in.ReadSlice('\n')
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return nil, bufio.ErrBufferFull
}

// atTag reports whether a tag of XML comes next, after blanks.
func (s *source) atTag() bool {
	for n := 1; n <= 64; n++ {
		b, err := s.in.Peek(n)
		if err != nil {
			return false
		}
		switch b[n-1] {
		case ' ', '\t':
		case '<':
			return true
		default:
			return false
		}
	}
	return false
}

// tag returns what stands before the next tag, and the tag without its brackets. It stands at a line and column. What is too
// long, and the end of the file, are errors.
func (s *source) tag() (before, tag string, line, column int, err error) {
	text, err := s.until('<')
	if err != nil {
		return "", "", s.number, s.column, err
	}
	line, column = s.number, s.column-1
	inside, err := s.until('>')
	return text, inside, line, column, err
}

// until returns what comes before a byte, and passes over the byte.
func (s *source) until(end byte) (string, error) {
	raw, err := s.in.ReadSlice(end)
	text := decoded(raw)
	for _, ch := range text {
		if s.column++; ch == '\n' {
			s.number, s.column = s.number+1, 1
		}
	}
	if err != nil {
		return "", err
	}
	return text[:len(text)-1], nil
}
