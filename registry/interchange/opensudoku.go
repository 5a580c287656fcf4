package interchange

import (
	"bufio"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"assay/raters"
)

// The app OpenSudoku keeps puzzles as the elements "game" of an XML file.
var openSudoku = Format{
	Name: "opensudoku", Recognise: isGame, Read: readGame, Write: writeGame, Own: isGame,
	Head: `<?xml version="1.0" encoding="UTF-8"?>` + "\n<opensudoku>\n", Tail: "</opensudoku>\n",
}

func writeGame(p raters.Puzzle) (string, error) {
	_, err := plainParts(p, "opensudoku")
	return `<game data="` + strings.ReplaceAll(p.Text, ".", "0") + `" />`, err
}

func isGame(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "<game ") }

// gameData finds the cells among the attributes of a game.
var gameData = regexp.MustCompile(`(?s)\sdata\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// readGame reads the element of a game.
func readGame(variant, text string) (rec Record, err error) {
	at := gameData.FindStringSubmatch(text)
	if at == nil {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: "a game without its cells: the attribute data"}
	}
	data := strings.TrimSpace(html.UnescapeString(at[1] + at[2]))
	if strings.HasPrefix(data, "version:") {
		return readPlayed(data)
	}
	rec, err = readLine81("", data)
	if err != nil {
		err = &raters.SyntaxError{Line: 1, Column: 1, Reason: reasonOf(err)}
	}
	return rec, err
}

// readPlayed reads the cells of a game that was played: "value|notes|editable|" of each. Those that the player may write
// into are no givens.
func readPlayed(data string) (rec Record, err error) {
	_, cells, _ := strings.Cut(data, "\n")
	fields := strings.Split(strings.TrimRight(strings.TrimSpace(cells), "|"), "|")
	each := len(fields) / 81
	if len(fields)%81 != 0 || each < 3 || each > 4 {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: "the cells of a played game in a form that is not known"}
	}
	out := make([]int, 81)
	for c := range out {
		cell := fields[c*each : (c+1)*each]
		v, known := number(strings.TrimSpace(cell[0]), 9)
		if !known {
			return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("%.20q is no digit from 1 to 9", cell[0])}
		}
		if strings.TrimSpace(cell[each-1]) == "0" {
			out[c] = v
		}
	}
	rec.Puzzle, err = puzzleOf("", out)
	return rec, err
}

// document is what is known of a document of XML where the reading stands.
type document struct {
	*splitter
	of    Along
	open  string // the element whose text comes
	depth int
}

// tags takes a document of XML, up to the end of its outermost element, and tells whether to go on. A document that
// declares names of its own is not read on.
func (s *splitter) tags() bool {
	d, begun := document{splitter: s}, Text{Line: s.in.number, Column: s.in.column}
	for {
		before, tag, line, column, err := s.in.tag()
		at := Text{Line: line, Column: column}
		switch {
		case errors.Is(err, io.EOF):
			return s.refuse(begun, "a document of XML that does not end")
		case errors.Is(err, bufio.ErrBufferFull):
			return s.refuse(at, fmt.Sprintf("an element of XML is longer than %d bytes: the rest of the file is not read", MaxText))
		case err != nil:
			at.Err = fmt.Errorf("read line %d: %w", line, err)
			s.yield(at)
			return false
		}
		if !d.tag(at, before, tag) {
			return false
		}
		if d.depth <= 0 && !strings.HasPrefix(tag, "?") && !strings.HasPrefix(tag, "!") {
			return true
		}
	}
}

// refuse tells what is wrong with a document, and not to go on.
func (s *splitter) refuse(at Text, reason string) bool {
	at.Err = &raters.SyntaxError{Line: at.Line, Column: at.Column, Reason: reason}
	s.yield(at)
	return false
}

// tag takes a tag and the text before it, and tells whether to go on.
func (d *document) tag(at Text, before, tag string) bool {
	name, _, _ := strings.Cut(strings.TrimRight(tag, "/"), " ")
	switch {
	case strings.HasPrefix(tag, "!--"):
		if !d.comment(tag) {
			return d.refuse(at, "a comment of XML that does not end")
		}
		return true
	case strings.HasPrefix(tag, "!"):
		return d.refuse(at, "a document of XML with declarations of its own is not read")
	case strings.HasPrefix(tag, "?"):
		return true
	case strings.HasPrefix(tag, "/"):
		d.of.element(d.open, strings.TrimSpace(html.UnescapeString(before)))
		d.open = ""
		d.depth--
		return true
	}
	if name == "game" {
		at.Text, at.Along = "<"+tag+">", d.of
		if !d.yield(at) {
			return false
		}
	}
	if d.open = strings.TrimSpace(name); !strings.HasSuffix(tag, "/") {
		d.depth++
	}
	if d.depth > maxDepth {
		return d.refuse(at, fmt.Sprintf("elements nest deeper than %d", maxDepth))
	}
	return true
}

// comment passes over the rest of a comment, which begins with what comes before the first closing bracket.
func (s *splitter) comment(begun string) bool {
	for !strings.HasSuffix(begun, "--") || len(begun) < 5 {
		more, err := s.in.until('>')
		if err != nil {
			return false
		}
		begun = "!--" + more
	}
	return true
}

// element keeps what an element says of the puzzles behind it.
func (a *Along) element(name, text string) {
	if len(text) > 2000 {
		return
	}
	switch name {
	case "name":
		a.Name = text
	case "author":
		a.Author = text
	case "source", "sourceURL":
		a.Source = strings.TrimSpace(a.Source + " " + text)
	case "level":
		a.Rating = text
	}
}
