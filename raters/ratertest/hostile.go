package ratertest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"assay/raters"
)

// hostile returns texts that are no puzzle of any genre. The large ones are built once.
var hostile = sync.OnceValue(func() []string {
	const large = 10 << 20
	return []string{
		"", " ", "\n", "\r\n", "\t\n\n", "\x00", "\xff\xfe", "\xef\xbb\xbf", "\ufffd", "x", "-", "0", "{}", "\"", "%s%d%n",
		"é", "１２３", "\u202e", "\x1b[2J", "../../etc/passwd", "https://example.org/p?x/1/1/0", "-9223372036854775808",
		"18446744073709551616 18446744073709551616", "1e309 NaN Inf",
		"0 0", "1 1\n1\n1", "1 5\n1 1 1 1 1\n1", "5 1\n1\n1 1 1 1 1", "1000000 1000000\n1", "2147483648 2\n1 1", "-5 5\n1 1 1 1 1",
		strings.Repeat("+1", large/2), strings.Repeat("+1 ", large/3), strings.Repeat("\n", large),
		strings.Repeat("1", large), strings.Repeat("1 ", large/2), strings.Repeat(".", large), strings.Repeat("\xff", large),
		strings.Repeat("(", large),
	}
})

// hostileTexts checks that texts of no genre are refused, and that cut and altered texts of this genre are refused or
// read as puzzles. A panic of a reader fails the test by itself.
func (s Suite) hostileTexts(context.Context) error {
	for _, variant := range s.Genre.Variants {
		for _, text := range hostile() {
			if err := s.refused(variant.Name, text); err != nil {
				return err
			}
		}
	}
	for _, text := range s.Texts {
		for _, altered := range alterations(text.Text) {
			if err := s.onlyCanonical(text.Variant, altered); err != nil {
				return err
			}
		}
	}
	return nil
}

// alterations returns the text cut at each byte, without each byte, and with each byte doubled or replaced.
func alterations(text string) []string {
	var all []string
	for i := range len(text) {
		before, at, after := text[:i], text[i:i+1], text[i+1:]
		all = append(all, before, at+after, before+after, before+at+at+after, before+"\xff"+after, before+"9"+after,
			before+"\n"+after)
	}
	return all
}

func (s Suite) refused(variant, text string) error {
	p, err := s.Genre.Reader.Read(variant, text)
	if err == nil {
		return fmt.Errorf("the hostile text %s reads as %+v", quoted(text), p)
	}
	if _, err := syntaxError(text, err); err != nil {
		return err
	}
	if _, err = s.Genre.Reader.Draw(raters.Puzzle{Genre: s.Genre.Name, Variant: variant, Text: text}); err == nil {
		return fmt.Errorf("the hostile text %s can be drawn", quoted(text))
	}
	return nil
}

// syntaxError checks that the error of a text is a *raters.SyntaxError with a place and a short reason.
func syntaxError(text string, err error) (*raters.SyntaxError, error) {
	const longest = 300
	var syntax *raters.SyntaxError
	if !errors.As(err, &syntax) {
		return nil, fmt.Errorf("reading %s: %v, not a syntax error", quoted(text), err)
	}
	if syntax.Line < 1 || syntax.Column < 1 || syntax.Reason == "" || len(syntax.Reason) > longest {
		return nil, fmt.Errorf("reading %s: %+v lacks a place or a reason, or runs on", quoted(text), *syntax)
	}
	return syntax, nil
}

// badTexts checks the errors of the genre's own bad texts.
func (s Suite) badTexts(context.Context) error {
	for _, bad := range s.Bad {
		p, err := s.Genre.Reader.Read(bad.Variant, bad.Text)
		if err == nil {
			return fmt.Errorf("%s reads as %+v", quoted(bad.Text), p)
		}
		syntax, err := syntaxError(bad.Text, err)
		if err != nil {
			return err
		}
		if syntax.Line != bad.Line || syntax.Column != bad.Column || !regexp.MustCompile(bad.Reason).MatchString(syntax.Reason) {
			return fmt.Errorf("%s: %v, want line %d, column %d: %s", quoted(bad.Text), syntax, bad.Line, bad.Column, bad.Reason)
		}
	}
	return nil
}

// quoted returns a text for a message, cut when it is long.
func quoted(text string) string {
	const longest = 60
	if len(text) > longest {
		return fmt.Sprintf("%q… (%d bytes)", text[:longest], len(text))
	}
	return fmt.Sprintf("%q", text)
}
