// Package plain says which characters a text may have that is recorded, and shows the others so that they do nothing.
//
// A control character moves the cursor, colours or clears a terminal, or begins a new line. A bidirectional control turns
// the order in which the characters after it are shown. With either a text passes for another one. All else is text,
// in any script.
package plain

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says which character makes a text unfit to be recorded.
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

// Check tells which character makes a text of one line unfit to be recorded: an *Error, or nil.
func Check(text string) error { return check(text, isControl) }

// IsPrintable reports whether a text is of printable ASCII alone. It looks at eight bytes at a time.
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

// CheckLines is Check for a text of several lines, which "\n" ends.
func CheckLines(text string) error { return check(text, isControlInLine) }

// Escape shows a text in one line: what Check refuses is written as \u and four hexadecimal digits, a byte that is not
// valid UTF-8 as \x and two. Other texts stay as they are.
func Escape(text string) string { return escape(text, isControl) }

// EscapeLines is Escape for a text of several lines, which "\n" ends. JSON that is escaped so means the same.
func EscapeLines(text string) string { return escape(text, isControlInLine) }

// isControl tells of a character of C0 or C1, or a bidirectional control.
func isControl(r rune) bool {
	return r < 0x20 || 0x7f <= r && r < 0xa0 || isDirection(r)
}

func isControlInLine(r rune) bool { return r != '\n' && isControl(r) }

// isDirection tells of a bidirectional control.
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

// first finds the first character that is refused, or the first byte of none. Its length is 0 when there is none.
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
