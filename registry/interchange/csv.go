package interchange

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/raters"
	"assay/raters/sudoku"
)

// A table has a first line with the names of its columns, of which one is the puzzle. Commas, semicolons or tabs stand between
// fields. A line with another number of fields ends it, and so does a blank one.
var table = Format{Name: "csv", Recognise: never, Write: writeRow, Head: "id,genre,variant,puzzle\n"}

// columns are those of a table.
type columns struct {
	head                         string // the first line
	between                      rune
	count                        int
	puzzle, genre, variant       int // −1 for none
	name, author, source, rating int
}

// columnNames are what a column is called, in small letters.
var columnNames = struct{ puzzle, genre, variant, name, author, source, rating []string }{
	puzzle: []string{"puzzle", "puzzles", "quizzes", "sudoku", "givens"}, genre: []string{"genre"}, variant: []string{"variant"},
	name: []string{"name", "title", "id"}, author: []string{"author", "setter"}, source: []string{"source", "url"},
	rating: []string{"rating", "difficulty", "level"},
}

// table returns the columns when a line is the first one of a table; nil when it is not.
func (r Reader) table(line string) *columns {
	if len(r.formats) == 0 || len(line) > 2000 {
		return nil
	}
	line = strings.ToLower(trimmed(line))
	if !strings.Contains(line, "puzzle") && !strings.Contains(line, "quizzes") && !strings.Contains(line, "sudoku") && !strings.Contains(line, "givens") {
		return nil
	}
	for _, between := range ",;\t" {
		names, err := fieldsOf(line, between)
		if err != nil || len(names) == 1 && (between != '\t' || names[0] == sudoku.Name) {
			continue
		}
		find := func(wanted []string) int {
			return slices.IndexFunc(names, func(name string) bool { return slices.Contains(wanted, strings.TrimSpace(name)) })
		}
		c := &columns{
			head: line, between: between, count: len(names), puzzle: find(columnNames.puzzle), genre: find(columnNames.genre), variant: find(columnNames.variant),
			name: find(columnNames.name), author: find(columnNames.author), source: find(columnNames.source), rating: find(columnNames.rating),
		}
		if c.puzzle >= 0 {
			return c
		}
	}
	return nil
}

// fieldsOf returns the fields of a line.
func fieldsOf(line string, between rune) ([]string, error) {
	in := csv.NewReader(strings.NewReader(line))
	in.Comma, in.LazyQuotes = between, true
	fields, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("an empty line")
	}
	return fields, err
}

// fits reports whether a line is of the table.
func (c *columns) fits(line string) bool {
	fields, err := fieldsOf(line, c.between)
	return err == nil && len(fields) == c.count
}

// read reads a line of the table.
func (c *columns) read(r Reader, text Text) (rec Record, err error) {
	fields, err := fieldsOf(text.Text, c.between)
	if err != nil {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: err.Error()}
	}
	field := func(i int) string {
		if i < 0 {
			return ""
		}
		return strings.TrimSpace(fields[i])
	}
	puzzle := fields[c.puzzle]
	if genre := field(c.genre); genre != "" {
		rec.Puzzle, err = readNamed(genre, field(c.variant), puzzle)
		if err == nil && r.genre != "" {
			err = placed(r.check(rec.Puzzle))
		}
	} else {
		rec, err = r.read(puzzle)
	}
	var syntax *raters.SyntaxError
	if errors.As(err, &syntax) {
		before := max(0, strings.Index(text.Text, puzzle))
		return rec, &raters.SyntaxError{Line: 1, Column: syntax.Column + utf8.RuneCountInString(text.Text[:before]), Reason: syntax.Reason}
	}
	rec.Along = rec.Along.over(Along{Name: field(c.name), Author: field(c.author), Source: field(c.source), Rating: field(c.rating)}).over(text.Along)
	return rec, err
}

// readNamed reads a text of a genre and a variant that are named, in any of its forms.
func readNamed(genre, variant, text string) (raters.Puzzle, error) {
	g, err := genreOf(genre)
	if err != nil {
		return raters.Puzzle{}, err
	}
	if _, ok := g.Variant(variant); !ok {
		return raters.Puzzle{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("%s has no variant %.40q", genre, variant)}
	}
	return For(g, variant).Read(text)
}

// writeRow writes a line of a table.
func writeRow(p raters.Puzzle) (string, error) {
	if _, err := canonicalOf(p.Genre, p.Variant, p.Text); err != nil {
		return "", err
	}
	var b strings.Builder
	out := csv.NewWriter(&b)
	err := out.Write([]string{p.ID(), p.Genre, p.Variant, strings.ReplaceAll(p.Text, "\n", " ")})
	out.Flush()
	return strings.TrimSuffix(b.String(), "\n"), err
}
