package kakurasu

import (
	"errors"
	"testing"

	"assay/raters"
	"assay/raters/logic"
)

func TestPuzzlesWithoutOneSolutionAreNotRated(t *testing.T) {
	var many *raters.NotUniqueError
	_, err := canonical.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: "4x4", Text: twins(t)})
	if !errors.As(err, &many) || many.Solutions[0] == many.Solutions[1] {
		t.Errorf("two solutions: error %v", err)
	}
	var none *raters.NoSolutionError
	for _, text := range []string{"4 4\n1 1 1 1\n11 1 1 1", "4 4\n1 1 1 1\n1 1 1 1"} {
		if _, err := canonical.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: "4x4", Text: text}); !errors.As(err, &none) {
			t.Errorf("%q: error %v", text, err)
		}
	}
	var syntax *raters.SyntaxError
	if _, err := canonical.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: "4x4", Text: sample}); !errors.As(err, &syntax) {
		t.Errorf("a text of another size: error %v", err)
	}
	var request *raters.RequestError
	if _, err := canonical.Rate(t.Context(), raters.Puzzle{Genre: "sudoku", Variant: "5x5", Text: sample}); !errors.As(err, &request) {
		t.Errorf("another genre: error %v", err)
	}
}

// Unrated puzzles keep the steps up to where they got, and say what is left.
func TestUnratedPuzzlesSayWhatIsLeft(t *testing.T) {
	cut := builtIn
	cut.Techniques = cut.Techniques[:1]
	easy, err := canonical.With(cut)
	if err != nil {
		t.Fatal(err)
	}
	p := generate(t, raters.Request{Variant: "7x7", Level: "expert", Seed: 1}).Puzzle
	got, err := easy.Rate(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	removed := 0
	for _, s := range got.Steps() {
		removed += len(s.Removed)
	}
	if got.Outcome != raters.Unrated || got.Level != "" || got.Hardest != "" || len(got.Open) != 2*(49-removed) || len(got.Open) == 0 {
		t.Errorf("%d removed, and %+v", removed, got)
	}
}

// A profile moves levels, and its rater goes by the profile's digest.
func TestProfilesMoveLevels(t *testing.T) {
	other := canonical.Profile()
	other.Techniques = append([]logic.Technique(nil), other.Techniques...)
	for i := range other.Techniques[:3] {
		other.Techniques[i].Level = "medium"
	}
	moved, err := canonical.With(other)
	if err != nil {
		t.Fatal(err)
	}
	if moved.Version() != "1+"+other.Digest() || canonical.Version() != "1" {
		t.Errorf("versions %s and %s", moved.Version(), canonical.Version())
	}
	if same, err := canonical.With(builtIn); err != nil || same.Version() != "1" {
		t.Errorf("the built-in profile is version %v, error %v", same, err)
	}
	p := generate(t, raters.Request{Variant: "7x7", Level: "easy", Seed: 1}).Puzzle
	if got, err := moved.Rate(t.Context(), p); err != nil || got.Level != "medium" || got.Steps()[0].Level != "medium" {
		t.Errorf("an easy puzzle is rated %q, error %v", got.Level, err)
	}
	var wrong *raters.ProfileError
	other.Techniques[1].Level = "easy"
	if _, err := canonical.With(other); !errors.As(err, &wrong) || wrong.Technique != 1 {
		t.Errorf("a profile that descends: error %v", err)
	}
}

// Every technique of the profile is used often enough for the checks of its steps to mean something.
func TestEveryTechniqueIsUsed(t *testing.T) {
	uses := map[string]int{}
	for i, r := range requests() {
		for seed := range uint64(20) {
			r.Seed = uint64(100*i) + seed
			rating, err := canonical.Rate(t.Context(), generate(t, r).Puzzle)
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range rating.Techniques {
				uses[u.Name] += u.Uses
			}
		}
	}
	for _, u := range builtIn.Techniques {
		if uses[u.Name] < 10 {
			t.Errorf("%s was used %d times", u.Name, uses[u.Name])
		}
	}
	t.Log(uses)
}
