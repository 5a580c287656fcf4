package sudoku

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/raters"
	"assay/raters/deduce"
	"assay/raters/logic"
	"assay/raters/ratertest"
	"assay/raters/seedrand"
)

// The suite of genres that solve by steps, for the rater and what the generator makes for it. Hints are those of the
// engine, since the genre's own go by the default rater.
func TestCanonicalConformance(t *testing.T) {
	g := only(t, Variant)
	v := &g.Variants[0]
	v.Scales, v.Hinter = v.Scales[1:], engineHinter{}
	s := ratertest.Suite{
		Genre:             g,
		Texts:             []ratertest.Text{{Variant: Variant, Text: sample}},
		Bad:               []ratertest.Bad{{Variant: Variant, Text: sample[1:], Line: 1, Column: 81, Reason: "ends after 80 of 81"}},
		Puzzles:           lockedPuzzles(t),
		Requests:          canonicalRequests(),
		GeneratorFor:      CanonicalName,
		GeneratorConstant: "sudoku.GeneratorVersion (generate.go)",
		RaterConstants:    map[string]string{CanonicalName: "sudoku.CanonicalVersion (canonicalrater.go)"},
		Stepwise: &ratertest.Stepwise{
			Tiny: tiny, Naive: allSolutions, Prove: verifier, Rescan: rescan, Budgeted: budgeted, Seeds: 250,
		},
	}
	s.Run(t)
}

func canonicalRequests() (all []raters.Request) {
	for _, level := range append([]string{""}, canonicalProfile.Levels()...) {
		for _, seed := range []uint64{1, 1<<64 - 1} {
			all = append(all, raters.Request{Variant: Variant, Rater: CanonicalName, Level: level, Seed: seed})
		}
		if level != "" {
			all = append(all, raters.Request{Variant: Variant, Rater: CanonicalName, Cap: level, Seed: 3})
		}
	}
	return all
}

// engineHinter gives the steps that count, from the digits on the board.
type engineHinter struct{}

func (engineHinter) Hint(ctx context.Context, p raters.Puzzle, board string, skip int) (raters.Hint, error) {
	cells, err := parse(raters.Puzzle{Genre: p.Genre, Variant: p.Variant, Text: board})
	if err != nil {
		return raters.Hint{}, err
	}
	b := newBoard(classicShape)
	return b.engine.Hint(ctx, canonicalRater.Order, b.position(cells[:]), rateBudget, skip)
}

func TestTheCanonicalRaterRefusesToHint(t *testing.T) {
	var refused *raters.RequestError
	p := raters.Puzzle{Genre: Name, Variant: Variant, Text: sample}
	if _, err := canonicalRater.Hint(t.Context(), p, sample, 0); !errors.As(err, &refused) {
		t.Errorf("error %v", err)
	}
}

// tiny gives a full grid without some 22 digits, or 33; in a third of the boards one that is left is another.
func tiny(seed uint64) raters.Puzzle {
	r := seedrand.New(seed)
	cells := fullGrid(r)
	for range []int{25, 42}[seed%2] {
		cells[r.IntN(81)] = 0
	}
	if seed%3 == 0 {
		c := r.IntN(81)
		for cells[c] == 0 {
			c = r.IntN(81)
		}
		cells[c] = cells[c]%9 + 1
	}
	return puzzle(&cells)
}

// allSolutions tries all digits of the first empty cell with the fewest.
func allSolutions(p raters.Puzzle) (all []string) {
	cells, err := parse(p)
	if err != nil || naive(&cells, 1) == 0 {
		return nil
	}
	var fill func()
	fill = func() {
		best, fewest := -1, 10
		for c, v := range cells {
			n := 0
			for d := uint8(1); d <= 9 && v == 0; d++ {
				if allowed(&cells, c, d) {
					n++
				}
			}
			if v == 0 && n < fewest {
				best, fewest = c, n
			}
		}
		if best < 0 {
			all = append(all, text(&cells))
			return
		}
		for d := uint8(1); d <= 9; d++ {
			if allowed(&cells, best, d) {
				cells[best] = d
				fill()
				cells[best] = 0
			}
		}
	}
	fill()
	return all
}

func verifier(_ raters.Puzzle, of raters.Solve) func(int, []logic.Literal) bool {
	b := newBoard(classicShape)
	return func(step int, because []logic.Literal) bool { return b.engine.Prove(of, step, because) }
}

func rescan(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	b := newBoard(classicShape)
	b.engine.Rescan = true
	return rateOn(ctx, b, p, rateBudget)
}

func budgeted(ctx context.Context, p raters.Puzzle, work uint64) (raters.Rating, error) {
	return rateOn(ctx, newBoard(classicShape), p, work)
}

func rateOn(ctx context.Context, b *solving, p raters.Puzzle, work uint64) (raters.Rating, error) {
	cells, err := parse(p)
	if err != nil {
		return raters.Rating{}, err
	}
	rating, err := b.engine.Rate(ctx, canonicalRater.Order, b.position(cells[:]), work)
	if err == nil {
		rating.Clues = clues(&cells)
	}
	return rating, err
}

// preferring gives the built-in profile with one technique right after the singles, so that nothing comes before it.
func preferring(technique string) raters.Profile {
	p := canonicalProfile
	p.Techniques = slices.Clone(p.Techniques)
	at := slices.IndexFunc(p.Techniques, func(u logic.Technique) bool { return u.Name == technique })
	own := p.Techniques[at]
	p.Techniques = slices.Insert(slices.Delete(p.Techniques, at, at+1), min(at, 2), own)
	for i := range p.Techniques {
		p.Techniques[i].Level = "easy"
	}
	return p
}

// Steps of every technique, in puzzles of which nothing but singles comes before it: each agrees with the solution,
// is proved from its reasons alone, and is not without any one of them. A full run looks at thousands of each.
func TestEveryTechniqueIsProvedByItsReasons(t *testing.T) {
	shelves, hard := readBench(t)
	puzzles := slices.Concat(shelves, hard)
	solutions := make([][81]uint8, len(puzzles))
	for i := range puzzles {
		solutions[i] = mustParse(t, solve(t, &puzzles[i]).Solutions[0])
	}
	for k, q := range canonicalProfile.Techniques {
		seen, r := 0, seedrand.New(uint64(k))
		b, order := newBoard(classicShape), orderOf(t, preferring(q.Name))
		for tries := 0; seen < size(300, 5000); tries++ {
			if tries == 200_000 {
				t.Fatalf("%s: %d steps", q.Name, seen)
			}
			i, y := r.IntN(len(puzzles)), randomSymmetry(r)
			cells, full := y.of(&puzzles[i]), y.of(&solutions[i])
			solution := [maxCells]uint8{}
			copy(solution[:], full[:])
			got, err := b.engine.Rate(t.Context(), order, b.position(cells[:]), rateBudget)
			if err != nil {
				t.Fatal(err)
			}
			for n, s := range got.Steps() {
				if s.Technique == q.Name {
					seen++
					checkConclusion(t, got.Naming, s, &solution)
					checkProof(t, b.engine, got, n+1, s)
				}
			}
		}
	}
}

func orderOf(t *testing.T, p raters.Profile) *deduce.Order {
	t.Helper()
	r, err := canonicalRater.With(p)
	if err != nil {
		t.Fatal(err)
	}
	return r.(*deduce.Rater[*[81]uint8]).Order
}

// Whatever is woken is what there is to find: over minimal puzzles, and under any order.
func TestCanonicalWakingFindsWhatRescanningFinds(t *testing.T) {
	looking, rescanning := newBoard(classicShape), newBoard(classicShape)
	rescanning.engine.Rescan = true
	for seed := range uint64(size(300, 5000)) {
		order := canonicalRater.Order
		if seed%2 == 1 {
			order = orderOf(t, anyCanonicalProfile(seedrand.New(seed)))
		}
		m := minimal(seed)
		var said [2]string
		for i, b := range [2]*solving{looking, rescanning} {
			got, err := b.engine.Rate(t.Context(), order, b.position(m.clues[:]), rateBudget)
			if err != nil {
				t.Fatal(err)
			}
			var w strings.Builder
			for _, s := range got.Steps() {
				w.WriteString(s.Text(got.Naming) + "\n")
			}
			said[i] = w.String()
		}
		if said[0] != said[1] {
			t.Fatalf("%s: looking only where something changed finds\n%s, everywhere\n%s", text(&m.clues), said[0], said[1])
		}
	}
}

func TestCanonicalRatingOfWhatIsNoPuzzle(t *testing.T) {
	var none *raters.NoSolutionError
	if _, err := canonicalRater.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: Variant, Text: "11" + strings.Repeat(".", 79)}); !errors.As(err, &none) || none.Reason == "" {
		t.Errorf("error %v", err)
	}
	var many *raters.NotUniqueError
	if _, err := canonicalRater.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: Variant, Text: strings.Repeat(".", 81)}); !errors.As(err, &many) {
		t.Errorf("error %v", err)
	}
	if _, err := canonicalRater.Rate(t.Context(), raters.Puzzle{Genre: Name, Variant: "jumbo"}); err == nil {
		t.Error("no error")
	}
}

// What the techniques cannot finish is unrated, with what is left of it.
func TestCanonicalUnratedShowsWhereItStands(t *testing.T) {
	_, hard := readBench(t)
	for i := range hard {
		got, err := canonicalRater.Rate(t.Context(), puzzle(&hard[i]))
		if err != nil || got.Outcome != raters.Unrated || got.Level != "" || got.Hardest != "" || len(got.Open) == 0 {
			t.Fatalf("%s: %s %s, %d candidates, error %v", text(&hard[i]), got.Outcome, got.Level, len(got.Open), err)
		}
		solution := mustParse(t, solve(t, &hard[i]).Solutions[0])
		for _, l := range got.Open {
			if cell := l.Variable(); hard[i][cell] != 0 || !slices.Contains(got.Open, logic.Lit(cell, int(solution[cell]-1))) {
				t.Fatalf("%s: what is left lacks the digit of %s, or has a given", text(&hard[i]), got.Naming.Variable(cell))
			}
		}
	}
}

// A full grid needs bookkeeping alone, which is easy and scores nothing.
func TestCanonicalRatingOfAFullGrid(t *testing.T) {
	m := minimal(1)
	got, err := canonicalRater.Rate(t.Context(), puzzle(&m.solution))
	if err != nil || got.Outcome != raters.Rated || got.Level != "easy" || *got.Score != 0 || len(got.Steps()) != 0 || got.Clues != 81 {
		t.Errorf("%+v, error %v", got, err)
	}
}

// No technique takes the solution to be unique: on boards with two solutions nothing is removed that is so in
// either.
func TestCanonicalTechniquesAssumeNoUniqueness(t *testing.T) {
	b, boards := newBoard(classicShape), 0
	for seed := uint64(0); boards < size(300, 5000); seed++ {
		r := seedrand.New(seed)
		m := minimal(seed)
		for range 1 + seed%3 {
			m.clues[r.IntN(81)] = 0
		}
		proof := solve(t, &m.clues)
		if proof.Verdict != raters.Multiple {
			continue
		}
		boards++
		got, err := b.engine.Rate(t.Context(), canonicalRater.Order, b.position(m.clues[:]), rateBudget)
		if err != nil || got.Outcome != raters.Unrated {
			t.Fatalf("%s: %s, error %v", text(&m.clues), got.Outcome, err)
		}
		for _, solution := range proof.Solutions {
			for c, v := range mustParse(t, solution) {
				if b.engine.Mask(c)>>(v-1)&1 == 0 {
					t.Fatalf("%s: %s cannot be %d, as it is in %s", text(&m.clues), cellNames[c], v, solution)
				}
			}
		}
	}
}

// A line for each puzzle of bench.sdm pins every step of its solve, rare techniques included.
func TestCanonicalRatingsOfBenchPuzzles(t *testing.T) {
	shelves, hard := readBench(t)
	var out strings.Builder
	for _, cells := range slices.Concat(shelves, hard) {
		got, err := canonicalRater.Rate(t.Context(), puzzle(&cells))
		if err != nil {
			t.Fatal(err)
		}
		steps := sha256.New()
		for _, s := range got.Steps() {
			fmt.Fprintln(steps, s)
		}
		fmt.Fprintf(&out, "%s %s %q hardest %q score %d, %d steps %x\n", text(&cells), got.Outcome, got.Level, got.Hardest, *got.Score, len(got.Steps()), steps.Sum(nil)[:6])
	}
	ratertest.Lock{
		Engine: "rater " + CanonicalName + " bench", Version: canonicalRater.Version(), Constant: "sudoku.CanonicalVersion (canonicalrater.go)",
	}.Check(t, out.String())
}
