package plain

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCheckNamesTheCharacter(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"für Fräulein Ω, 日本, שלום": "",
		"no\u00a0break\u200djoin":  "",
		"a real \ufffd":            "",
		"ab\x1b[31m":               "character 3 is U+001B, a control character",
		"é\tb":                     "character 2 is U+0009, a control character",
		"a\nb":                     "character 2 is U+000A, a control character",
		"a\x7f":                    "character 2 is U+007F, a control character",
		"日\u009b":                  "character 2 is U+009B, a control character",
		"desk\u202e":               "character 5 is U+202E, which changes the direction of writing",
		"\u061c":                   "character 1 is U+061C, which changes the direction of writing",
		"ab\xff":                   "character 3 is not valid UTF-8",
		"a\xc0\x80":                "character 2 is not valid UTF-8",
	} {
		err := Check(text)
		if got := errorText(err); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
		var plain *Error
		if err != nil && !errors.As(err, &plain) {
			t.Errorf("%q: %T", text, err)
		}
	}
	if err := CheckLines("a\nb\n"); err != nil {
		t.Error(err)
	}
	if err := CheckLines("a\r\nb"); errorText(err) != "character 2 is U+000D, a control character" {
		t.Error(err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The characters that are refused are those of Unicode's categories and properties, and no others.
func TestEveryCharacter(t *testing.T) {
	refused := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		want := unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
		if got := Check(string(r)) != nil; got != want {
			t.Errorf("U+%04X: refused %v", r, got)
		}
		if want {
			refused++
		}
	}
	if refused != 65+12 {
		t.Errorf("%d are refused", refused)
	}
}

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain":              "plain",
		"a\x1b[31mred\x00":   `a\u001b[31mred\u0000`,
		"desk\u202eksed":     `desk\u202eksed`,
		"a\nb":               `a\u000ab`,
		"\xff\u0085é\xc3":    `\xff\u0085é\xc3`,
		`a \u001b as text`:   `a \u001b as text`,
		"\ufffd stays\u200f": "\ufffd stays" + `\u200f`,
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
	if got := EscapeLines("a\n\x1bb\n"); got != "a\n"+`\u001b`+"b\n" {
		t.Errorf("%q", got)
	}
}

// What is escaped passes the check, and only what does not pass it is changed.
func TestEscapedPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { escaped(t, string(rapid.SliceOf(rapid.Byte()).Draw(t, "text"))) })
	rapid.Check(t, func(t *rapid.T) { escaped(t, rapid.String().Draw(t, "text")) })
}

func escaped(t interface{ Fatalf(string, ...any) }, text string) {
	for _, c := range []struct {
		check  func(string) error
		escape func(string) string
	}{{Check, Escape}, {CheckLines, EscapeLines}} {
		shown := c.escape(text)
		if err := c.check(shown); err != nil {
			t.Fatalf("%q is shown as %q: %v", text, shown, err)
		}
		if fit := c.check(text) == nil; fit != (shown == text) {
			t.Fatalf("%q is shown as %q, and passes: %v", text, shown, fit)
		}
	}
}

// JSON that is escaped means the same.
func TestEscapedJSONMeansTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text") + "\u009b\u202e"
		written, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		if err := json.Unmarshal([]byte(EscapeLines(string(written))), &got); err != nil || got != text {
			t.Fatalf("%q became %q, %v", text, got, err)
		}
	})
}

func FuzzEscape(f *testing.F) {
	for _, text := range []string{"", "a\x1b[0m", "\u202e", "\xff\n", strings.Repeat("é", 9), "\xf0\x9f\x98"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { escaped(t, text) })
}

// A text of printable ASCII is one whose every byte is.
func TestIsPrintable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.ByteRange(0x20, 0x7e), 0, 40).Draw(t, "text")
		if !IsPrintable(text) {
			t.Fatalf("%q is", text)
		}
		if len(text) == 0 {
			return
		}
		text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.OneOf(rapid.ByteRange(0, 0x1f), rapid.ByteRange(0x7f, 0xff)).Draw(t, "byte")
		if IsPrintable(text) {
			t.Fatalf("%q is not", text)
		}
	})
}
