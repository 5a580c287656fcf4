package interchange

import (
	"encoding/json"
	"fmt"
	"strings"

	"assay/raters"
	"assay/raters/catalog"
)

// A line of JSON is an object with a puzzle's genre, variant and text, as assay prints one.
var jsonLines = Format{Name: "jsonl", Recognise: isPuzzleObject, Read: readObject, Write: writeObject, Own: isPuzzleObject}

// puzzleObject is what of an object is read and written.
type puzzleObject struct {
	Schema  string `json:"schema"`
	ID      string `json:"id"`
	Genre   string `json:"genre"`
	Variant string `json:"variant"`
	Text    string `json:"text"`
	Along
}

func isPuzzleObject(text string) bool {
	return isObject(firstLine(trimmed(text))) && !strings.Contains(text, `"grid"`)
}

func readObject(_, text string) (rec Record, err error) {
	var o puzzleObject
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return rec, jsonError(text, err)
	}
	if o.Genre == "" || o.Text == "" {
		return rec, &raters.SyntaxError{Line: 1, Column: 1, Reason: "an object without the genre and the text of a puzzle"}
	}
	rec.Along = o.Along
	rec.Puzzle, err = canonicalOf(o.Genre, o.Variant, o.Text)
	return rec, err
}

// canonicalOf returns the puzzle of a genre, a variant and a canonical text.
func canonicalOf(genre, variant, text string) (p raters.Puzzle, err error) {
	g, err := genreOf(genre)
	if err != nil {
		return p, err
	}
	if variant == "" {
		variant = g.Variants[0].Name
	}
	if p, err = g.Reader.Read(variant, text); err != nil {
		err = &raters.SyntaxError{Line: 1, Column: 1, Reason: "the text: " + err.Error()}
	}
	return p, err
}

// genreOf finds a genre by its name.
func genreOf(name string) (raters.Genre, error) {
	for _, g := range catalog.Genres() {
		if g.Name == name {
			return g, nil
		}
	}
	return raters.Genre{}, &raters.SyntaxError{Line: 1, Column: 1, Reason: fmt.Sprintf("no genre %.40q", name)}
}

func writeObject(p raters.Puzzle) (string, error) {
	if _, err := canonicalOf(p.Genre, p.Variant, p.Text); err != nil {
		return "", err
	}
	text, err := json.Marshal(puzzleObject{Schema: "puzzle/1", ID: p.ID(), Genre: p.Genre, Variant: p.Variant, Text: p.Text})
	return string(text), err
}
