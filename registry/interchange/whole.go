package interchange

import (
	"fmt"
	"strings"

	"assay/raters"
)

// maxDepth is how deep brackets may nest.
const maxDepth = 64

// whole is a text of several lines that says itself where it ends: brackets that are closed, or a file of pzprv3, which a
// blank line ends.
type whole struct {
	lines  rows
	json   bool
	depth  int
	quoted bool
	wrong  error
}

// begins reports whether a line is the first of such a text.
func (s *splitter) begins(line Text) bool {
	return len(s.reader.formats) > 0 && (isObject(line.Text) || strings.TrimSpace(line.Text) == pzprv3Mark || s.reader.table(line.Text) != nil)
}

func (s *splitter) begin(line Text) bool {
	if table := s.reader.table(line.Text); table != nil {
		s.columns = table
		return true
	}
	s.whole = &whole{json: isObject(line.Text)}
	return s.goOn(line)
}

// isObject reports whether a line opens an object of JSON.
func isObject(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "{")
	rest = strings.TrimLeft(rest, " \t")
	return ok && (rest == "" || rest[0] == '"' || rest[0] == '}')
}

// goOn takes the next line of the text that is open.
func (s *splitter) goOn(line Text) bool {
	w := s.whole
	if line.Err != nil {
		s.whole = nil
		return s.give(w.text()) && s.yield(line)
	}
	if !w.json && strings.TrimSpace(line.Text) == "" {
		s.whole = nil
		return s.give(w.text())
	}
	if w.wrong = w.follow(line); w.wrong != nil {
		s.whole = nil
		return s.yield(Text{Line: line.Line, Err: w.wrong})
	}
	w.lines.add(line)
	if w.lines.long || w.json && w.depth == 0 {
		s.whole = nil
		return s.give(w.text())
	}
	return true
}

// follow counts the brackets of a line.
func (w *whole) follow(line Text) error {
	if !w.json {
		return nil
	}
	escaped := false
	for i := range len(line.Text) {
		switch ch := line.Text[i]; {
		case escaped:
			escaped = false
		case w.quoted:
			escaped, w.quoted = ch == '\\', ch != '"'
		case ch == '"':
			w.quoted = true
		case ch == '{' || ch == '[':
			w.depth++
		case ch == '}' || ch == ']':
			w.depth--
		}
		if w.depth > maxDepth {
			return &raters.SyntaxError{Line: line.Line, Column: i + 1, Reason: fmt.Sprintf("brackets nest deeper than %d", maxDepth)}
		}
	}
	w.quoted = false // no text of JSON goes over a line
	return nil
}

func (w *whole) text() Text { return w.lines.take() }

func (s *splitter) give(text Text) bool {
	text.Along, s.along = s.along, Along{}
	return s.yield(text)
}
