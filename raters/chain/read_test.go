package chain

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/raters"
)

func TestLongTextsAreRefusedWhereTheyGetTooLong(t *testing.T) {
	blanks := strings.Repeat(" ", MaxText-len(monday))
	if _, err := ReadWords(Variant, blanks+monday); err != nil {
		t.Errorf("a text of %d bytes: %v", MaxText, err)
	}
	for text, want := range map[string]raters.SyntaxError{
		strings.Repeat("+1", 5<<20):             {Line: 1, Column: MaxText + 1, Reason: "the text of 10485760 bytes is longer than 4096"},
		blanks + monday + " ":                   {Line: 1, Column: MaxText + 1, Reason: "the text of 4097 bytes is longer than 4096"},
		strings.Repeat("\u00a0", MaxText/2+1):   {Line: 1, Column: MaxText/2 + 1, Reason: "the text of 4098 bytes is longer than 4096"},
		"1" + strings.Repeat("\u00a0", MaxText): {Line: 1, Column: MaxText/2 + 1, Reason: "the text of 8193 bytes is longer than 4096"},
		monday + strings.Repeat("\n", MaxText):  {Line: MaxText - len(monday) + 1, Column: 1, Reason: "the text of 4124 bytes is longer than 4096"},
	} {
		_, err := ReadWords(Variant, text)
		var got *raters.SyntaxError
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%d bytes: %v, want %v", len(text), err, &want)
		}
	}
}

// The work on a text that is too long does not grow with it.
func TestRefusingALongTextIsCheap(t *testing.T) {
	long := strings.Repeat("+1 ", 5<<20)
	cost := func(text string) float64 {
		return testing.AllocsPerRun(10, func() { _, _ = reader{}.Read(Variant, text) })
	}
	if short, whole := cost(long[:MaxText+100]), cost(long); whole > 2*short {
		t.Errorf("%v allocations for %d bytes, %v for %d", whole, len(long), short, MaxText+100)
	}
}

func TestDraw(t *testing.T) {
	got, err := reader{}.Draw(puzzle("21 -200 3 -37 swap /3 *82 +1"))
	if err != nil {
		t.Fatal(err)
	}
	var names, shown []string
	for _, tile := range got.Hand {
		names, shown = append(names, tile.Name), append(shown, tile.Told())
	}
	if *got.Goal != (raters.Goal{Start: 21, Target: -200, Moves: 3}) || strings.Join(names, ",") != "-37,swap,/3,*82,+1" || strings.Join(shown, ",") != "−37,swap digits,÷3,×82,+1" {
		t.Errorf("drawn as %+v, %q, %q", *got.Goal, names, shown)
	}
}

// What people write reads as the canonical text.
func TestWords(t *testing.T) {
	for _, form := range inputForms {
		if p, err := ReadWords(Variant, form[0]); err != nil || p != puzzle(form[1]) {
			t.Errorf("%q reads as %+v, %v", form[0], p, err)
		}
	}
}

func TestCanonicalTextStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyBoard(t)
		p, err := reader{}.Read(Variant, text)
		if err != nil || p != puzzle(text) {
			t.Fatalf("%q reads as %+v, %v", text, p, err)
		}
	})
}

// Whatever the text: an error with a place in it, or a canonical text of ASCII that stands and can be
// drawn, solved and rated.
func FuzzRead(f *testing.F) {
	for _, t := range inputForms {
		f.Add(t[0])
	}
	for _, b := range badBoards {
		f.Add(b.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ReadWords(Variant, text)
		if err != nil {
			wantPlace(t, text, err)
			return
		}
		if again, err := (reader{}).Read(Variant, p.Text); err != nil || again != p {
			t.Fatalf("%q reads as %+v, that as %+v, %v", text, p, again, err)
		}
		if strings.ContainsFunc(p.Text, func(r rune) bool { return r > '~' || r < ' ' }) {
			t.Fatalf("canonical text %q", p.Text)
		}
		if _, err := (reader{}).Draw(p); err != nil {
			t.Fatal(err)
		}
		rating, err := scorer{}.Rate(t.Context(), p)
		if s := mustSolve(t, p.Text); (s.Verdict == raters.Unique) != (err == nil && rating.Score != nil) {
			t.Fatalf("%q: %+v, but rated %+v, %v", p.Text, s, rating, err)
		}
	})
}

func wantPlace(t *testing.T, text string, err error) {
	t.Helper()
	var at *raters.SyntaxError
	if !errors.As(err, &at) {
		t.Fatalf("%q: %v", text, err)
	}
	lines := strings.Split(text, "\n")
	if at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > len([]rune(lines[at.Line-1]))+1 {
		t.Fatalf("%q: %v lies outside the text", text, err)
	}
}
