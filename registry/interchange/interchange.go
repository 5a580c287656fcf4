// Package interchange reads and writes puzzles in the forms in which people bring them and take them away. A file of the
// package holds the formats of a genre, or one format of several genres.
package interchange

import (
	"assay/raters"
	"assay/raters/chain"
	"assay/raters/kakurasu"
	"assay/raters/sudoku"
)

// Format is a form in which people write puzzles of a genre.
type Format struct {
	Name string
	// Recognise reports whether a text is meant to be of the format, even if it is wrong. nil stands for every text: the
	// reader's error then tells what is wrong with one that no other format recognises.
	Recognise func(text string) bool
	// Split tells of a line of a file that is not blank whether it is one of several of a text of the variant, rather than a
	// text of its own. Before are the lines of the text so far, "" when it would be the first one. nil stands for no line.
	Split func(variant, before, line string) bool
	// Read returns the puzzle of a text, or a *raters.SyntaxError. It never panics, whatever the text.
	Read func(variant, text string) (raters.Puzzle, error)
	// Write writes a puzzle of the genre; one that the format has no place for is a *raters.RequestError.
	Write func(raters.Puzzle) (string, error)
}

// formats are the formats of each genre, in the order in which they are asked whether they recognise a text.
var formats = map[string][]Format{
	chain.Name:    {chainWords},
	kakurasu.Name: {puzzlink, kakurasuWords},
	sudoku.Name:   {sudokuGrid, sudokuLine},
}

// Formats returns the formats of a genre.
func Formats(genre string) []Format { return formats[genre] }

// inAny splits texts of all variants of a genre alike.
func inAny(split func(before, line string) bool) func(variant, before, line string) bool {
	return func(_, before, line string) bool { return split(before, line) }
}

// canonical writes a puzzle as its canonical text.
func canonical(p raters.Puzzle) (string, error) { return p.Text, nil }

// Reader reads texts of a genre, in all its formats. The zero Reader takes each line of a file for a text, and reads none.
type Reader struct {
	formats   []Format
	canonical raters.Reader
	variant   string
}

// For returns the reader of a genre and one of its variants. A genre without a format has its canonical texts, of a line each.
func For(g raters.Genre, variant string) Reader {
	return Reader{formats: formats[g.Name], canonical: g.Reader, variant: variant}
}

// Read returns the puzzle of a text by the first format that recognises it, or a *raters.SyntaxError. A variant that is none
// of the genre's is a *raters.RequestError.
func (r Reader) Read(text string) (raters.Puzzle, error) {
	for _, f := range r.formats {
		if f.Recognise == nil || f.Recognise(text) {
			return f.Read(r.variant, text)
		}
	}
	return r.canonical.Read(r.variant, text)
}

// split tells which format takes a line for one of several of a text: the one that took those before it, or for the first
// line any; nil when none does.
func (r Reader) split(open *Format, before, line string) *Format {
	for i := range r.formats {
		f := &r.formats[i]
		if f.Split != nil && (open == nil || open == f) && f.Split(r.variant, before, line) {
			return f
		}
	}
	return nil
}
