// Package plain says which characters a recorded text may have. It shows the others in a form that has no effect.
//
// A control character moves the cursor, colours or clears a terminal, or begins a new line. A bidirectional control
// changes the order in which the characters after it are shown. With either, a text can look like another text. All
// other characters are allowed, in any script.
package plain

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says which character must not be recorded.
type Error struct {
	At   int  // from 1, in characters
	Rune rune // utf8.RuneError when the text is not valid UTF-8 there
}

func (e *Error) Error() string {
	switch {
	case e.Rune == utf8.RuneError:
		return fmt.Sprintf("character %d is not valid UTF-8", e.At)
	case isDirection(e.Rune):
		return fmt.Sprintf("character %d is U+%04X, which changes the direction of writing", e.At, e.Rune)
	}
	return fmt.Sprintf("character %d is U+%04X, a control character", e.At, e.Rune)
}

// Check returns an *Error if a text of one line has a character that must not be recorded, and else nil.
func Check(text string) error { return check(text, isControl) }

// IsPrintable reports whether a text has only printable ASCII. It looks at eight bytes at a time.
func IsPrintable(text []byte) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		w := binary.LittleEndian.Uint64(text)
		below := (w - 0x20*ones) &^ w // its high bits: bytes below 0x20, or above one of these
		del := ((w ^ 0x7f*ones) - ones) &^ (w ^ 0x7f*ones)
		if (w|below|del)&high != 0 {
			return false
		}
	}
	for _, c := range text {
		if c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// CheckLines does the same as Check for a text of several lines, separated by "\n".
func CheckLines(text string) error { return check(text, isControlInLine) }

// Escape shows a text in one line: a character that Check refuses is written as \u and four hexadecimal digits, a byte
// that is not valid UTF-8 as \x and two. Other texts stay as they are.
func Escape(text string) string { return escape(text, isControl) }

// EscapeLines does the same as Escape for a text of several lines, separated by "\n". JSON keeps its meaning.
func EscapeLines(text string) string { return escape(text, isControlInLine) }

// isControl reports whether a character is of C0 or C1, or a bidirectional control.
func isControl(r rune) bool {
	return r < 0x20 || 0x7f <= r && r < 0xa0 || isDirection(r)
}

func isControlInLine(r rune) bool { return r != '\n' && isControl(r) }

// isDirection reports whether a character is a bidirectional control.
func isDirection(r rune) bool {
	return r == 0x61c || r == 0x200e || r == 0x200f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

func check(text string, refused func(rune) bool) error {
	at, length := first(text, refused)
	if length == 0 {
		return nil
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	return &Error{At: utf8.RuneCountInString(text[:at]) + 1, Rune: r}
}

// first finds the first refused character, or the first byte that is not UTF-8. Its length is 0 when there is none.
func first(text string, refused func(rune) bool) (at, length int) {
	for at < len(text) {
		if c := text[at]; 0x20 <= c && c < 0x7f { // most of every text
			at++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && n == 1 || refused(r) {
			return at, n
		}
		at += n
	}
	return at, 0
}

func escape(text string, refused func(rune) bool) string {
	at, length := first(text, refused)
	if length == 0 {
		return text
	}
	var b strings.Builder
	for ; length > 0; at, length = first(text, refused) {
		b.WriteString(text[:at])
		if r, n := utf8.DecodeRuneInString(text[at:]); r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[at])
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[at+length:]
	}
	b.WriteString(text)
	return b.String()
}
