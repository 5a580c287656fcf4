package catalog

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

// asked is what a part of a genre says of a puzzle.
type asked struct {
	part string
	err  error
}

// parts asks every part of a variant that takes a puzzle. That none of them panics shows by itself.
func parts(ctx context.Context, g raters.Genre, v raters.Variant, p raters.Puzzle) (all []asked) {
	_, err := g.Reader.Draw(p)
	all = append(all, asked{"drawing", err})
	_, err = v.Solver.Solve(ctx, p)
	all = append(all, asked{"solving", err})
	for _, scale := range v.Scales {
		_, err = scale.Rater.Rate(ctx, p)
		all = append(all, asked{scale.Rater.Name(), err})
		if s, ok := scale.Rater.(raters.Spoken); ok {
			s.Vocabulary(p)
		}
	}
	if v.Hinter != nil {
		for _, skip := range []int{math.MinInt, 0, math.MaxInt} {
			_, err = v.Hinter.Hint(ctx, p, p.Text, skip)
			all = append(all, asked{"hinting", err})
		}
	}
	if v.Canonizer != raters.NoSymmetries {
		_, err = v.Canonical(p)
		all = append(all, asked{"the canonical form", err})
	}
	if v.Values != nil {
		v.Values(p, p.Text)
	}
	return all
}

// some returns a puzzle of a variant with one solution.
func some(t *testing.T, v raters.Variant) raters.Puzzle {
	made, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return made.Puzzle
}

// Every part of every genre refuses what is no puzzle of it, also where nothing asked its reader first.
func TestEveryPartRefusesWhatIsNoPuzzle(t *testing.T) {
	for _, g := range Genres() {
		v := g.Variants[0]
		p := some(t, v)
		var none []raters.Puzzle
		for _, text := range []string{
			"", " ", "\n", "-", "0", "\x00", "\xff", "é", p.Text[1:], p.Text[:len(p.Text)-1], p.Text + " 1000000", p.Text + p.Text,
			"-9223372036854775808", "18446744073709551616 1 2", "0 0", "-5 -5", "2147483648 2", "1000000 1000000\n1",
			strings.Repeat(".", 80), strings.Repeat(".", 82), strings.Repeat("1", 1<<20), strings.Repeat("1 ", 1<<20), strings.Repeat("\n", 1<<20),
		} {
			if _, err := g.Reader.Read(p.Variant, text); err != nil {
				none = append(none, raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: text})
			}
		}
		for _, variant := range []string{"", "no such variant", "-1x-1", "99999999999999999999x7", "07x7"} {
			none = append(none, raters.Puzzle{Genre: p.Genre, Variant: variant, Text: p.Text})
			var refused *raters.RequestError
			if _, err := g.Reader.Read(variant, p.Text); !errors.As(err, &refused) {
				t.Errorf("%s reads variant %q: %v", g.Name, variant, err)
			}
		}
		none = append(none, raters.Puzzle{Genre: "", Variant: p.Variant, Text: p.Text}, raters.Puzzle{Genre: "other", Variant: p.Variant, Text: p.Text})
		for _, other := range Genres() {
			if other.Name != g.Name {
				none = append(none, some(t, other.Variants[0]))
			}
		}
		for _, n := range none {
			for _, a := range parts(t.Context(), g, v, n) {
				var syntax *raters.SyntaxError
				var refused *raters.RequestError
				if !errors.As(a.err, &syntax) && !errors.As(a.err, &refused) {
					t.Errorf("%s, %s of %.60q (%s/%s): %v", g.Name, a.part, n.Text, n.Genre, n.Variant, a.err)
				}
			}
		}
		for _, a := range parts(t.Context(), g, v, p) {
			if a.err != nil {
				t.Errorf("%s, %s of %q: %v", g.Name, a.part, p.Text, a.err)
			}
		}
	}
}

// edges are puzzles without a solution and with several, and how many each has; 9 stands for many.
var edges = map[string]map[string]int{
	"chain": {
		"1 1000000000 2 +1 +2": 0, "-1000000000 1000000000 2 -1 -2": 0, "1000000000 -1000000000 8 *1000000000 *2 *3 *4 *5 *6 *7 *8": 0,
		"-5 10 2 +7 +8": 1, "0 3 2 +1 +2": 1, "0 6 2 +1 +5 +2 +4": 2,
	},
	"kakurasu": {
		"4 4\n0 0 0 0\n0 0 0 0": 1, "4 4\n10 10 10 10\n10 10 10 10": 1, "4 4\n999 999 999 999\n999 999 999 999": 0, "4 4\n1 1 1 1\n0 0 0 0": 0,
		"4 12\n10 10 10 10 10 10 10 10 10 10 10 10\n78 78 78 78": 1, "4 12\n0 0 0 0 0 0 0 0 0 0 0 0\n78 78 78 78": 0,
	},
	"sudoku": {
		strings.Repeat(".", 81): 9, "55" + strings.Repeat(".", 79): 0, "1234567889" + strings.Repeat(".", 71): 0, strings.Repeat("1", 81): 0,
		"12345678." + strings.Repeat(".", 8) + "9" + strings.Repeat(".", 63):                0, // nothing is left for r1c9
		".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........": 0,
		"123456789456789123789123456214365897365897214897214365531642978642978531978531642": 1,
		"123456789456789123789123456214365897365897214897214365531642978642978531978531624": 0,
	},
}

// edge reads a text in the variant that takes it.
func edge(t *testing.T, g raters.Genre, text string) raters.Puzzle {
	t.Helper()
	for _, v := range g.Variants {
		if p, err := g.Reader.Read(v.Name, text); err == nil {
			return p
		}
	}
	t.Fatalf("no variant of %s takes %q", g.Name, text)
	return raters.Puzzle{}
}

// Puzzles at the edges get the verdict that they have, from every part.
func TestEveryPartKnowsTheEdges(t *testing.T) {
	for _, g := range Genres() {
		for text, solutions := range edges[g.Name] {
			p := edge(t, g, text)
			v, _ := g.Variant(p.Variant)
			want := [...]raters.Verdict{raters.None, raters.Unique, raters.Multiple}[min(solutions, 2)]
			if got, err := v.Solver.Solve(t.Context(), p); err != nil || got.Verdict != want || len(got.Solutions) != min(solutions, 2) {
				t.Errorf("%s %q: %+v, %v, want %s", g.Name, text, got, err, want)
			}
			for _, a := range parts(t.Context(), g, v, p) {
				var none *raters.NoSolutionError
				var many *raters.NotUniqueError
				about := slices.Contains([]string{"drawing", "solving", "the canonical form"}, a.part)
				switch {
				case a.err == nil && (about || solutions == 1):
				case errors.As(a.err, &none) && solutions == 0:
				case errors.As(a.err, &many) && solutions > 1 && !about:
				default:
					t.Errorf("%s, %s of %q with %d solutions: %v", g.Name, a.part, text, solutions, a.err)
				}
			}
		}
		if len(edges[g.Name]) == 0 {
			t.Errorf("no puzzles at the edges of %s", g.Name)
		}
	}
}

func TestAGenreWithoutPartsOffersNothing(t *testing.T) {
	var genre raters.Genre
	if _, ok := genre.Variant(""); ok {
		t.Error("a genre without parts has a variant")
	}
	var variant raters.Variant
	if _, ok := variant.Scale(""); ok {
		t.Error("a variant without parts has a rater")
	}
	if got := (logic.Naming{Values: []string{"1"}}).Variable(-1); got != "[-1]" {
		t.Errorf("variable -1 is called %q", got)
	}
}
