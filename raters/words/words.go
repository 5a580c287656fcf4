// Package words reads texts of words with blanks and line ends between them, as the texts of most genres are.
package words

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/raters"
)

// Word is a word of a text and where it stands, both from 1, the column in characters.
type Word struct {
	Text         string
	Line, Column int
}

// Errorf gives a *raters.SyntaxError at the word.
func (w Word) Errorf(format string, args ...any) error {
	return &raters.SyntaxError{Line: w.Line, Column: w.Column, Reason: fmt.Sprintf(format, args...)}
}

// Of splits a text at its blanks; a byte order mark in front is none of a word. The last word is empty and stands where the
// text ends.
func Of(text string) (all []Word) {
	column := 1
	if t, ok := strings.CutPrefix(text, "\ufeff"); ok {
		text, column = t, 2
	}
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			column = 1
		}
		start := -1
		for at, r := range line + " " {
			blank := r == ' ' || r == '\t' || r == '\r'
			if blank && start >= 0 {
				all = append(all, Word{line[start:at], i + 1, column + utf8.RuneCountInString(line[:start])})
				start = -1
			} else if !blank && start < 0 {
				start = at
			}
		}
		if end := (Word{"", i + 1, column + utf8.RuneCountInString(line)}); i == strings.Count(text, "\n") {
			all = append(all, end)
		}
	}
	return all
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
