package registry_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/raters"
	"assay/raters/catalog"
	"assay/registry"
	"assay/registry/engine"

	"github.com/google/go-cmp/cmp"
)

// profileOf returns the text of a built-in profile.
func profileOf(t testing.TB, rater string) string {
	t.Helper()
	p, ok, err := engine.BuiltInProfile(catalog.Genres(), rater, "")
	if err != nil || !ok || p.Rater != rater || len(p.Digest) != 12 {
		t.Fatalf("%+v, %v, %v", p, ok, err)
	}
	return p.Text
}

func genre(t testing.TB, name string) raters.Genre {
	t.Helper()
	g, err := engine.FindGenre(catalog.Genres(), name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// variant returns the default variant of a genre.
func variant(t testing.TB, of string) raters.Variant { return genre(t, of).Variants[0] }

// The profile that is built in, given back as a file, is the rater itself.
func TestBuiltInProfileGivenBackIsTheRater(t *testing.T) {
	for _, g := range catalog.Genres() {
		v := g.Variants[0]
		puzzle, err := v.Generator.Generate(t.Context(), raters.Request{Variant: v.Name, Level: firstLevel(v), Seed: 7})
		if err != nil {
			t.Fatal(err)
		}
		for _, scale := range v.Scales {
			builtIn := scale.Rater
			again, err := engine.RaterChoice{Profile: []byte(profileOf(t, builtIn.Name()))}.Choose(v)
			if err != nil {
				t.Fatal(err)
			}
			if again.Name() != builtIn.Name() || again.Version() != builtIn.Version() {
				t.Errorf("%s %s given back is %s %s", builtIn.Name(), builtIn.Version(), again.Name(), again.Version())
			}
			want, err := engine.Rate(t.Context(), builtIn, puzzle.Puzzle)
			got, err2 := engine.Rate(t.Context(), again, puzzle.Puzzle)
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.WithSteps(), got.WithSteps(), cmp.FilterPath(measured, cmp.Ignore())); diff != "" {
				t.Errorf("%s rates otherwise: %s", builtIn.Name(), diff)
			}
		}
	}
}

func measured(p cmp.Path) bool { return p.Last().String() == ".Measured" }

func firstLevel(v raters.Variant) string {
	if v.Bands != nil {
		return v.Bands.Built().Bands[0].Label
	}
	return v.Scales[0].Levels[0]
}

func TestAProfileThatIsNoneIsRefusedWithTheLine(t *testing.T) {
	text := profileOf(t, "sudoku.tiers")
	replace := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
	for _, c := range []struct{ name, text, want string }{
		{"unknown", replace(`"swordfish"`, `"sharkfish"`), `profile, line 36: sudoku.tiers has no technique "sharkfish"`},
		{"twice", text + "\n[[technique]]\nname = \"x-wing\"\ntier = 5\n", `profile, line 52: technique "x-wing" is listed twice`},
		{"tier", replace("tier = 5", "tier = 6"), `profile, line 48: tier 6 of "unique-rectangle" is not one of 1 to 5`},
		{"no tier", replace("tier = 5", ""), `profile, line 48: tier 0 of "unique-rectangle" is not one of 1 to 5`},
		{"descends", replace("\"pointing\"\ntier = 2", "\"pointing\"\ntier = 1", "\"hidden-single\"\ntier = 1", "\"hidden-single\"\ntier = 2"), `profile, line 12: "pointing" (easy) comes after "hidden-single" (medium)`},
		{"in a comment", "# [[technique]]\n" + replace(`"swordfish"`, `"sharkfish"`), `profile, line 37: sudoku.tiers has no technique`},
		{"inline", "rater = \"sudoku.tiers\"\nversion = 1\ntechnique = [{name = \"y\", tier = 1}]\n", `profile, line 3: sudoku.tiers has no technique "y"`},
		{"none", "rater = \"sudoku.tiers\"\nversion = 1\n", `profile, line 1: the profile has no techniques`},
		{"version", replace("version = 1", "version = 2"), `profile, line 1: the profile is for version 2 of sudoku.tiers, which is at version 1`},
		{"rater", replace("sudoku.tiers", "sudoku.other"), `sudoku/classic has no rater "sudoku.other"`},
		{"key", text + "colour = 3\n", `profile, line 51, column 1: technique.colour is not known`},
		{"syntax", text + "[[tech\n", `profile, line 51, column 7: `},
		{"type", replace("tier = 5", `tier = "five"`), `profile, line 50, column 8: `},
		{"empty", "", `sudoku.tiers`},
		{"large", strings.Repeat("# "+strings.Repeat("x", 97)+"\n", 100_000), `profile, line 656: it has more than 65536 bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := engine.RaterChoice{Name: "sudoku.tiers", Profile: []byte(c.text)}.Choose(variant(t, "sudoku"))
			if c.name == "rater" {
				_, err = engine.RaterChoice{Profile: []byte(c.text)}.Choose(variant(t, "sudoku"))
			}
			if !isInput(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// FuzzProfile: any text is refused as input, or is a profile whose canonical text makes the same rater.
func FuzzProfile(f *testing.F) {
	f.Add([]byte(profileOf(f, "sudoku.tiers")))
	f.Add([]byte("rater = \"sudoku.tiers\"\nversion = 1\ntechnique = [{name = \"naked-single\", tier = 2}]\n"))
	f.Add([]byte("rater = \"sudoku.tiers\"\nversion = 1\n[[technique]]\nname = \"x\"\n[[band]]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v := variant(t, "sudoku")
		rater, err := engine.RaterChoice{Profile: text}.Choose(v)
		if err != nil {
			if !isInput(err) {
				t.Fatal(err)
			}
			return
		}
		canonical := rater.(raters.Profiled).Profile().Text()
		again, err := engine.RaterChoice{Profile: []byte(canonical)}.Choose(v)
		if err != nil || again.Version() != rater.Version() {
			t.Fatalf("%s\nis %v, %v, not %s", canonical, again, err, rater.Version())
		}
	})
}

// A rating under a profile of its own goes on record beside the profile, and both can be read and repeated.
func TestRatingUnderAProfileIsOnRecordWithIt(t *testing.T) {
	r := vouched(t)
	log := r.Log
	const text = "..2.3...8.....8....31.2.....6..5.27..1.....5.2.4.6..31....8.6.5.......13..531.4.."
	g := genre(t, "sudoku")
	p, err := g.Reader.Read("classic", text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{p}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	puzzle := p.ID()
	swapped := strings.NewReplacer(`"pointing"`, `"box-line-reduction"`, `"box-line-reduction"`, `"pointing"`).Replace(profileOf(t, "sudoku.tiers"))
	choice := engine.RaterChoice{Profile: []byte("# pointing last\n" + swapped)}
	rating, err := r.RateRecorded(t.Context(), puzzle, choice, "operator")
	if err != nil {
		t.Fatal(err)
	}
	_, digest, _ := strings.Cut(string(rating.Version), "+")
	e, err := log.Get(t.Context(), events.RatedKey(puzzle, "sudoku.tiers", "1+"+digest))
	if err != nil || e.Seq != rating.Event {
		t.Fatal(e, err)
	}
	profile, err := r.RecordedProfile(t.Context(), digest)
	if err != nil || profile.Text != swapped || profile.Event != rating.Event-1 {
		t.Fatalf("%+v, %v", profile, err)
	}
	before := length(t, log)
	again, err := r.RateRecorded(t.Context(), puzzle, choice, "operator")
	if err != nil || again.Event != rating.Event || length(t, log) != before {
		t.Fatalf("%+v, %v", again, err)
	}
	rec, err := r.Show(t.Context(), puzzle)
	if err != nil {
		t.Fatal(err)
	}
	var versions []string
	for _, v := range rec.Ratings {
		versions = append(versions, fmt.Sprint(v.Rater, " ", v.Version))
	}
	if want := "sudoku.tiers 1+" + digest; !slices.Contains(versions, want) {
		t.Errorf("%v, want %s among them", versions, want)
	}
	if found := problems(t, r, true); len(found) > 0 {
		t.Error(found)
	}
}
