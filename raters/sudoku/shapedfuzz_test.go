package sudoku

import (
	"errors"
	"strings"
	"testing"

	"assay/raters"
)

// FuzzShapes reads texts of any variant. What is none is refused with its place; what is one has a text again, and a
// verdict, or none within the budget. Each solution is one.
func FuzzShapes(f *testing.F) {
	for i, v := range variants {
		if v.classic {
			f.Add(uint8(i), sample)
			continue
		}
		for seed := range uint64(3) {
			if m := v.candidate(seed, v.tiers); m.puzzle != nil {
				f.Add(uint8(i), m.puzzle.text())
			}
		}
		f.Add(uint8(i), strings.Repeat(".", v.base().cells()))
	}
	f.Add(uint8(4), strings.Repeat(".", 81)+" "+strings.Repeat("aab", 27)+" 3,")
	f.Fuzz(func(t *testing.T, which uint8, in string) {
		v := variants[int(which)%len(variants)]
		p, err := reader{}.Read(v.name, in)
		if err != nil {
			var s *raters.SyntaxError
			if !errors.As(err, &s) || s.Line < 1 || s.Column < 1 || s.Reason == "" {
				t.Fatalf("%q: %v", in, err)
			}
			return
		}
		q, err := parsePuzzle(p)
		if err != nil || q.text() != in || p.Text != in {
			t.Fatalf("%q reads as %q, error %v", in, p.Text, err)
		}
		got, err := q.shape.solve(t.Context(), q.givens, 1<<12)
		if err != nil && !errors.Is(err, raters.ErrBudget) {
			t.Fatal(err)
		}
		for _, s := range got.Solutions {
			if full := valuesOf(s); !newPlain(q.shape).consistent(full) {
				t.Fatalf("%q is no solution of %q", s, in)
			}
		}
	})
}
