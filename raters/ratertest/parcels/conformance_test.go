package parcels

import (
	"context"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/logic"
	"assay/raters/ratertest"
	"assay/raters/seedrand"
)

const sample = "3 3\na. a. b.\na. c1 b.\nd. d. b1"

func genre() raters.Genre {
	return raters.Genre{Name: name, Reader: reader{}, Variants: []raters.Variant{{
		Genre: name, Name: variant, Scales: []raters.Scale{{Rater: canonical, Levels: profile.Levels()}},
		Solver: solver{}, Generator: generator{}, Canonizer: raters.NoSymmetries, Hinter: canonical, Values: values,
	}}}
}

func values(_ raters.Puzzle, solution string) (all []uint8) {
	for _, d := range solution {
		all = append(all, uint8(d-'1'))
	}
	return all
}

func TestConformance(t *testing.T) {
	s := ratertest.Suite{
		Genre: genre(),
		Texts: []ratertest.Text{{Variant: variant, Text: sample}},
		Bad: []ratertest.Bad{
			{Variant: variant, Text: "2 3", Line: 1, Column: 1, Reason: "numbers from 3 to 6"},
			{Variant: variant, Text: strings.Replace(sample, "c1", "e1", 1), Line: 3, Column: 4, Reason: "letter of a parcel"},
			{Variant: variant, Text: strings.Replace(sample, "c1", "c2", 1), Line: 3, Column: 4, Reason: "digit above 1"},
			{Variant: variant, Text: strings.Replace(sample, "b1", "a.", 1), Line: 1, Column: 1, Reason: "in parts"},
		},
		GeneratorConstant: "parcels.Version (parcels_test.go)",
		RaterConstants:    map[string]string{profile.Rater: "parcels.profile (rules_test.go)"},
		Stepwise: &ratertest.Stepwise{
			Tiny: tiny, Naive: naive, Prove: verifier, Rescan: rescan, Budgeted: budgeted, Chains: map[string]int{"chain-20": 20}, Seeds: 40,
		},
	}
	for i, level := range append(profile.Levels(), "") {
		r := raters.Request{Variant: variant, Level: level, Seed: uint64(i)}
		g, err := generator{}.Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		s.Requests, s.Puzzles = append(s.Requests, r), append(s.Puzzles, g.Puzzle)
	}
	s.Run(t)
}

// tiny draws an outline with some random digits.
func tiny(seed uint64) raters.Puzzle {
	r := seedrand.New(seed)
	p := draw(r, 3, r.Between(3, 4))
	for range r.Between(0, 4) {
		c := r.IntN(len(p.of))
		p.given[c] = uint8(r.Between(1, len(p.parcels[p.of[c]])))
	}
	return p.puzzle()
}

// naive tries all digits of each cell in turn, by the words of the rules.
func naive(p raters.Puzzle) (all []string) {
	lines := strings.Split(p.Text, "\n")[1:]
	var parcel, given []byte
	for _, line := range lines {
		for _, cell := range strings.Fields(line) {
			parcel, given = append(parcel, cell[0]), append(given, cell[1])
		}
	}
	columns := len(parcel) / len(lines)
	full := make([]byte, len(parcel))
	var fill func(at int)
	fill = func(at int) {
		if at == len(full) {
			all = append(all, string(full))
			return
		}
		for d := range strings.Count(string(parcel), string(parcel[at])) {
			full[at] = byte('1' + d)
			ok := given[at] == '.' || given[at] == full[at]
			for b := range at {
				touch := at/columns-b/columns <= 1 && at%columns-b%columns <= 1 && b%columns-at%columns <= 1
				ok = ok && (full[b] != full[at] || !touch && parcel[b] != parcel[at])
			}
			if ok {
				fill(at + 1)
			}
		}
	}
	fill(0)
	return all
}

func verifier(p raters.Puzzle, of raters.Solve) func(int, []logic.Literal) bool {
	q, err := parse(p)
	if err != nil {
		return func(int, []logic.Literal) bool { return false }
	}
	e, _ := canonical.On(q)
	return func(step int, because []logic.Literal) bool { return e.Prove(of, step, because) }
}

func rescan(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	return rateOn(ctx, p, budget, true)
}

func budgeted(ctx context.Context, p raters.Puzzle, work uint64) (raters.Rating, error) {
	return rateOn(ctx, p, work, false)
}

func rateOn(ctx context.Context, p raters.Puzzle, work uint64, everywhere bool) (raters.Rating, error) {
	q, err := parse(p)
	if err != nil {
		return raters.Rating{}, err
	}
	e, start := canonical.On(q)
	defer canonical.Free(e)
	e.Rescan = everywhere
	rating, err := e.Rate(ctx, canonical.Order, start, work)
	if e.Rescan = false; err == nil {
		rating.Clues = canonical.Clues(q)
	}
	return rating, err
}

// A solve is written out long after its engine has gone on to a puzzle of another outline, by several goroutines at once.
func TestASolveOutlivesItsPuzzle(t *testing.T) {
	var ratings []raters.Rating
	var before []string
	for seed := range uint64(40) {
		g, err := generator{}.Generate(t.Context(), raters.Request{Variant: variant, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		rating, err := canonical.Rate(t.Context(), g.Puzzle)
		if err != nil {
			t.Fatal(err)
		}
		ratings, before = append(ratings, rating), append(before, told(rating))
	}
	after := make(chan string, len(ratings))
	for i := range ratings {
		go func() {
			if told(ratings[i]) != before[i] {
				after <- before[i]
				return
			}
			after <- ""
		}()
	}
	for range ratings {
		if changed := <-after; changed != "" {
			t.Errorf("written out later, these steps are others:\n%s", changed)
		}
	}
}

func told(r raters.Rating) string {
	var b strings.Builder
	for _, s := range r.Steps() {
		b.WriteString(s.Text(r.Naming) + "\n")
	}
	return b.String()
}
