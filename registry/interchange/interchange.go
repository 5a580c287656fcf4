// Package interchange reads and writes puzzles in the forms in which people bring them and take them away. A file of the
// package holds the formats of a genre, or one format of several genres.
package interchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	// Read returns the puzzle of a text, or a *raters.SyntaxError. It never panics, whatever the text. nil when the format is
	// only written.
	Read func(variant, text string) (Record, error)
	// Write writes a puzzle of the genre. What the format cannot hold is a *raters.RequestError. nil when the format is only
	// read.
	Write func(raters.Puzzle) (string, error)
	// Head and Tail stand before the first puzzle of a file and behind the last one.
	Head, Tail string
	// Own tells of a text without a genre whether it is meant to be of the format. nil stands for no text.
	Own func(text string) bool
}

// Record is a puzzle that was read, and what came along with it.
type Record struct {
	Puzzle raters.Puzzle
	Along  Along
}

// Along is what came along with a puzzle, in the words of whoever brought it. All of it is optional.
type Along struct {
	Name   string `json:"name,omitempty"`
	Author string `json:"author,omitempty"`
	Source string `json:"source,omitempty"`
	Rating string `json:"rating,omitempty"` // of another program or site
}

// over fills what is empty from what is known otherwise.
func (a Along) over(b Along) Along {
	for _, pair := range [...][2]*string{{&a.Name, &b.Name}, {&a.Author, &b.Author}, {&a.Source, &b.Source}, {&a.Rating, &b.Rating}} {
		if *pair[0] == "" {
			*pair[0] = *pair[1]
		}
	}
	return a
}

// formats are the formats of each genre, in the order in which they are asked whether they recognise a text.
var formats = map[string][]Format{
	chain.Name:    {jsonLines, table, chainWords},
	kakurasu.Name: {puzzlink, jsonLines, pzprv3Box, table, kakurasuWords},
	sudoku.Name: {
		fpuzzles, sudokuPad, pzprv3Sudoku, sudokuLink, jsonLines, openSudoku, sudokuWiki, hodoku, tatham, bank, gsf, table,
		sdk, simpleSudoku, sudokuGrid, sdm, sudokuLine,
	},
}

// Formats returns the formats of a genre.
func Formats(genre string) []Format { return formats[genre] }

// Find returns the format of a genre that has a name and can be written. Any other is a *raters.RequestError.
func Find(genre, name string) (Format, error) {
	var names []string
	for _, f := range formats[genre] {
		if f.Write == nil {
			continue
		}
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, &raters.RequestError{Reason: fmt.Sprintf("a puzzle of %s cannot be written as %q, but as %s", genre, name, strings.Join(names, ", "))}
}

// inAny splits texts of all variants of a genre alike.
func inAny(split func(before, line string) bool) func(variant, before, line string) bool {
	return func(_, before, line string) bool { return split(before, line) }
}

// alone makes a reader of records of one of puzzles.
func alone(read func(variant, text string) (raters.Puzzle, error)) func(variant, text string) (Record, error) {
	return func(variant, text string) (Record, error) {
		p, err := read(variant, text)
		return Record{Puzzle: p}, err
	}
}

// prefixed recognises texts with the name of their genre in front.
func prefixed(genre string) func(text string) bool {
	return func(text string) bool {
		return strings.HasPrefix(text, genre+" ") || strings.HasPrefix(text, genre+"\n")
	}
}

// canonical writes a puzzle as its canonical text.
func canonical(p raters.Puzzle) (string, error) { return p.Text, nil }

// Reader reads texts of a genre, or of all genres, in all their formats. The zero Reader takes each line of a file for a text,
// and reads none.
type Reader struct {
	formats   []Format
	canonical raters.Reader
	genre     string
	variant   string // "" for whatever a text says
	any       bool   // the genre is the one that a text says
	grids     bool   // sudoku is among the genres
}

// For returns the reader of a genre and one of its variants; "" stands for the variant that a text says, or else for the
// default. A genre without a format has its canonical texts, of a line each.
func For(g raters.Genre, variant string) Reader {
	grids := g.Name == sudoku.Name
	if variant == "" && !grids {
		variant = g.Variants[0].Name
	}
	return Reader{formats: formats[g.Name], canonical: g.Reader, genre: g.Name, variant: variant, grids: grids}
}

// Any returns the reader of the texts that say their genre.
func Any(genres []raters.Genre) Reader {
	r := Reader{any: true}
	for _, g := range genres {
		r.grids = r.grids || g.Name == sudoku.Name
		for _, f := range formats[g.Name] {
			if own := f.Own; own != nil {
				f.Recognise = own
				if read := f.Read; g.Name != sudoku.Name {
					f.Read = func(_, text string) (Record, error) { return read(g.Variants[0].Name, text) }
				}
				if g.Name != sudoku.Name {
					f.Split = nil
				}
				r.formats = append(r.formats, f)
			}
		}
	}
	return r
}

// Read returns the puzzle of a text by the first format that recognises it, or a *raters.SyntaxError. A variant that is none
// of the genre's is a *raters.RequestError.
func (r Reader) Read(text string) (raters.Puzzle, error) {
	if t := strings.TrimLeft(text, "\ufeff \t\r\n"); r.grids && strings.HasPrefix(t, "<") || r.table(firstLine(t)) != nil {
		return r.onlyOne(text)
	}
	rec, err := r.Record(Text{Line: 1, Text: text})
	return rec.Puzzle, err
}

// onlyOne returns the one puzzle of a document.
func (r Reader) onlyOne(document string) (found raters.Puzzle, err error) {
	n := 0
	for text := range r.Texts(strings.NewReader(document)) {
		if n++; n > 1 {
			return found, &raters.SyntaxError{Line: text.Line, Column: max(1, text.Column), Reason: "a second puzzle: give a file of them with --in"}
		}
		rec, err := r.Record(text)
		if err != nil {
			return found, text.Place(err)
		}
		found = rec.Puzzle
	}
	if n == 0 {
		err = &raters.SyntaxError{Line: 1, Column: 1, Reason: "no puzzle in it"}
	}
	return found, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimRight(line, "\r")
}

// Recognises reports whether a format recognises a text.
func (r Reader) Recognises(text string) bool {
	if t := strings.TrimLeft(text, "\ufeff \t\r\n"); r.grids && strings.HasPrefix(t, "<") || r.table(firstLine(t)) != nil {
		return true
	}
	return !r.any || slices.ContainsFunc(r.formats, func(f Format) bool { return f.Recognise(trimmed(text)) })
}

// Record returns the puzzle of a text of a file, and what came along with it. Its errors are those of Read, with the places of
// the text; Text.Place moves them to the file.
func (r Reader) Record(text Text) (Record, error) {
	if text.Err != nil {
		return Record{}, text.Err
	}
	if text.columns != nil {
		return text.columns.read(r, text)
	}
	rec, err := r.read(text.Text)
	if text.Along != nil {
		rec.Along = rec.Along.over(*text.Along)
	}
	return rec, err
}

// trimmed takes a byte order mark and blanks off a text.
func trimmed(text string) string { return strings.Trim(text, "\ufeff \t\r\n") }

// read returns the record of a text by the first format that recognises it.
func (r Reader) read(text string) (Record, error) {
	if len(text) == 81 && r.grids && (r.variant == "" || r.variant == sudoku.Variant) && classicLine(text) { // as most are
		return readPlain(text)
	}
	asked := text
	if r.any {
		asked = trimmed(text)
	}
	for i := range r.formats {
		f := &r.formats[i]
		if f.Read == nil || f.Recognise != nil && !f.Recognise(asked) {
			continue
		}
		rec, err := f.Read(r.variant, text)
		if err == nil {
			err = r.check(rec.Puzzle)
		}
		if err != nil {
			return Record{}, placed(err)
		}
		return rec, nil
	}
	if r.any {
		return Record{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: "no form of a puzzle that says its genre: name it with --genre"}
	}
	p, err := r.canonical.Read(r.variant, text)
	return Record{Puzzle: p}, err
}

// check refuses a puzzle of another genre or variant than is read.
func (r Reader) check(p raters.Puzzle) error {
	ownSize := r.genre == kakurasu.Name && r.variant == kakurasu.DefaultVariant // under it a text says its size itself
	switch {
	case r.any, p.Genre == r.genre && (r.variant == "" || ownSize || p.Variant == r.variant):
		return nil
	case p.Genre != r.genre:
		return &raters.RequestError{Reason: fmt.Sprintf("a puzzle of %s, not of %s", p.Genre, r.genre)}
	}
	return &raters.RequestError{Reason: fmt.Sprintf("a puzzle of %s/%s, not of %s", p.Genre, p.Variant, r.variant)}
}

// placed returns what is wrong with the parts of a puzzle a place: its beginning.
func placed(err error) error {
	var request *raters.RequestError
	if errors.As(err, &request) {
		return &raters.SyntaxError{Line: 1, Column: 1, Reason: request.Reason}
	}
	return err
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
