// Package words reads texts of words with blanks and line ends between them, as the texts of most genres are.
package words

import (
	"fmt"
	"strings"

	"assay/raters"
)

// Word is a word of a text and where it stands, both from 1, the column in characters.
type Word struct {
	Text         string
	Line, Column int
}

// Errorf returns a *raters.SyntaxError at the word.
func (w Word) Errorf(format string, args ...any) error {
	return &raters.SyntaxError{Line: w.Line, Column: w.Column, Reason: fmt.Sprintf(format, args...)}
}

// Of splits a text at its blanks; a byte order mark in front is none of a word. The last word is empty and stands where the
// text ends.
func Of(text string) []Word {
	at := Word{Line: 1, Column: 1}
	text, marked := strings.CutPrefix(text, "\ufeff")
	if marked {
		at.Column = 2
	}
	all := make([]Word, 0, 32) // most texts have fewer
	word, start := at, -1
	for i, r := range text {
		blank := r == ' ' || r == '\t' || r == '\r' || r == '\n'
		switch {
		case blank && start >= 0:
			word.Text, start = text[start:i], -1
			all = append(all, word)
		case !blank && start < 0:
			word, start = at, i
		}
		if at.Column++; r == '\n' {
			at.Line, at.Column = at.Line+1, 1
		}
	}
	if start >= 0 {
		word.Text = text[start:]
		all = append(all, word)
	}
	return append(all, at)
}

// Number reads the word as a decimal number in a range; what names it in the error.
func (w Word) Number(what string, low, high int) (n int, err error) {
	if w.Text == "" {
		return 0, w.Errorf("wanted %s, not the end", what)
	}
	for _, r := range w.Text {
		if r < '0' || r > '9' || n > high {
			n = -1
			break
		}
		n = 10*n + int(r-'0')
	}
	if n < low || n > high {
		const longest = 20
		shown := []rune(w.Text)
		return 0, w.Errorf("wanted %s, a number from %d to %d, not %q", what, low, high, string(shown[:min(len(shown), longest)]))
	}
	return n, nil
}
