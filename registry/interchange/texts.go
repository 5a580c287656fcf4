package interchange

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"

	"assay/raters"
)

// MaxText is the longest text of a file that is read, in bytes, and the longest line.
const MaxText = 64 << 10

// Text is a text of a file that people bring: a line without its end, or the lines of a grid.
type Text struct {
	Line   int // its first one, from 1
	Column int // of its first character, from 1; 0 stands for 1
	Text   string
	Along  *Along // what the file says of it, beside the text; nil for nothing
	Err    error  // *raters.SyntaxError for a text that is too long; anything else ends the reading

	columns *columns // of the table that it is a line of
}

// fatal tells of an error that ends the reading.
func (t Text) fatal() bool {
	var syntax *raters.SyntaxError
	return t.Err != nil && !errors.As(t.Err, &syntax)
}

// Place moves an error from a place in the text to that of the file.
func (t Text) Place(err error) error {
	var syntax *raters.SyntaxError
	if t.Err != nil || !errors.As(err, &syntax) {
		return err
	}
	moved := raters.SyntaxError{Line: t.Line + syntax.Line - 1, Column: syntax.Column, Reason: syntax.Reason}
	if syntax.Line == 1 && t.Column > 1 {
		moved.Column += t.Column - 1
	}
	return &moved
}

// Again returns the text as it can be given again, alone: that of a table has the names of the columns above it.
func (t Text) Again() string {
	if t.columns != nil {
		return t.columns.head + "\n" + t.Text
	}
	return t.Text
}

// between is a line that may stand between two texts, as a blank one may.
const between = "---"

// Texts returns the texts of a file, of one line and of several, mixed. A line is a text, unless a format says that it is one
// of several: a text then goes on until a line that is none or the first of another text, a blank one or "---".
// Lines that start with "#" are passed over, and so are what programs write beside grids: the names of sections, "Grid 01"
// above one, the name of the program. A byte order mark and carriage returns are taken off. However long a text
// is, no more than MaxText of it is kept.
func (r Reader) Texts(file io.Reader) iter.Seq[Text] {
	return func(yield func(Text) bool) {
		s := splitter{reader: r, yield: yield, in: newSource(file)}
		s.run()
	}
}

// splitter takes a file apart.
type splitter struct {
	reader  Reader
	yield   func(Text) bool
	in      *source
	grid    rows
	whole   *whole   // a text of several lines that says itself where it ends
	columns *columns // of a table, after its first line
	beside  bool     // rows are of a section that is not the puzzle
	along   Along    // what stands above the next grid
}

func (s *splitter) run() {
	for more := true; more; {
		if s.whole == nil && s.in.atTag() {
			if !s.flush() || !s.tags() {
				return
			}
			continue
		}
		var line Text
		line, more = s.in.line()
		if line.fatal() {
			s.yield(line)
			return
		}
		if !s.take(line) {
			return
		}
	}
	if s.whole != nil && !s.give(s.whole.text()) {
		return
	}
	s.flush()
}

// take takes a line, and tells whether to go on.
func (s *splitter) take(line Text) bool {
	if s.whole == nil && isPlain(line, &s.grid) && s.columns == nil {
		return s.yield(line)
	}
	if s.whole != nil {
		return s.goOn(line)
	}
	blank := line.Err == nil && (strings.TrimSpace(line.Text) == "" || strings.TrimRight(line.Text, " \t") == between)
	if blank {
		s.beside, s.columns = s.beside && s.grid.some, nil
		return s.flush()
	}
	if line.Err == nil && line.Text[0] == '#' {
		s.note(line.Text)
		return true
	}
	if line.Err == nil && s.columns != nil {
		if s.columns.fits(line.Text) {
			line.columns = s.columns
			return s.yield(line)
		}
		s.columns = nil
	}
	if line.Err == nil && s.begins(line) {
		return s.flush() && s.begin(line)
	}
	if line.Err == nil && s.isBeside(line.Text) {
		if !s.flush() {
			return false
		}
		s.pass(line.Text)
		return true
	}
	return s.row(line)
}

// isPlain reports whether a line is a whole puzzle, as most are, so that nothing else has to be looked at.
func isPlain(line Text, open *rows) bool {
	return !open.some && line.Err == nil && len(line.Text) == 81 && classicLine(line.Text)
}

// row takes a line that is one of several, or a text.
func (s *splitter) row(line Text) bool {
	isRow := func() bool {
		if line.Err != nil {
			return false
		}
		of := s.reader.split(s.grid.of, s.grid.text.String(), line.Text)
		if of != nil {
			s.grid.of = of
		}
		return of != nil
	}
	if isRow() {
		s.grid.add(line)
		return true
	}
	if s.grid.some {
		if !s.flush() {
			return false
		}
		if isRow() { // the first one of another text
			s.grid.add(line)
			return true
		}
	}
	return s.yield(line)
}

// flush returns the text of several lines that is open.
func (s *splitter) flush() bool {
	if !s.grid.some {
		return true
	}
	for _, text := range s.reader.apart(s.grid.take()) {
		if s.beside {
			continue
		}
		if !s.give(text) {
			return false
		}
	}
	s.beside = false
	return true
}

var (
	heading = regexp.MustCompile(`^\s*\pL[\pL ]{0,40}\.?\s*[#№]?\s*\d{1,9}\s*[.:)]?\s*$`)
	section = regexp.MustCompile(`^\s*\[(\pL+)\]\s*$`)
	trailer = regexp.MustCompile(`^\s*(Simple Sudoku|Version \d+(\.\d+)*[a-z]?|I\d{3}|E\d{5})\s*$`)
)

// isBeside reports whether a line is what programs write beside grids.
func (s *splitter) isBeside(line string) bool {
	if ch := strings.TrimLeft(line, " \t")[0]; !s.reader.grids || len(line) > 60 || ch >= '0' && ch <= '9' || ch == '.' {
		return false
	}
	return section.MatchString(line) || trailer.MatchString(line) || heading.MatchString(line)
}

// pass passes over such a line, and keeps what it says of the next grid.
func (s *splitter) pass(line string) {
	if found := section.FindStringSubmatch(line); found != nil {
		s.beside = !strings.EqualFold(found[1], "puzzle")
	} else if !trailer.MatchString(line) {
		s.along = Along{Name: strings.TrimSpace(line)}
	}
}

// note keeps what a line of a head says of the grid below, and passes it over.
func (s *splitter) note(line string) {
	s.grid.pass()
	if s.grid.some || len(line) < 3 || len(line) > 2000 {
		return
	}
	switch text := strings.TrimSpace(line[2:]); line[1] {
	case 'A':
		s.along.Author = text
	case 'D':
		s.along.Name = text
	case 'S', 'U':
		s.along.Source = strings.TrimSpace(s.along.Source + " " + text)
	case 'L':
		s.along.Rating = text
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
