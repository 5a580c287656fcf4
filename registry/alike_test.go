package registry_test

import (
	"context"
	"fmt"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/raters/sudoku"
	"assay/registry"
)

// likeSolver gives toys few solutions: two whose numbers have one remainder have the same one.
type likeSolver struct{ remainders int }

func (s likeSolver) Solve(_ context.Context, p raters.Puzzle) (raters.Solution, error) {
	_, n, _ := toyParts(p.Text)
	return raters.Solution{Verdict: raters.Unique, Solutions: []string{fmt.Sprintf("solution %d", n%s.remainders)}, Nodes: 1}, nil
}

// openLike opens a registry with toys on a grid, of this many solutions, that are no others up to symmetry, and imports
// the puzzles of level easy with the numbers.
func openLike(t *testing.T, remainders int, numbers ...int) *registry.Registry {
	t.Helper()
	r := openToy(t, logtest.NewMemory())
	g := toy()
	v := &g.Variants[0]
	v.Solver, v.Canonizer = likeSolver{remainders}, raters.NoSymmetries
	v.Values = func(raters.Puzzle, string) []uint8 { return nil }
	r.Genres = append(r.Genres[:len(r.Genres)-1:len(r.Genres)-1], g)
	adopt(t, r, weekly("toys", "2026-12-02", `{ label = "easy", source = "shelf", genre = "toy", variant = "flat", level = "easy" }`))
	var puzzles []raters.Puzzle
	for _, n := range numbers {
		puzzles = append(puzzles, toyPuzzle(toyText(0, n)))
	}
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	return r
}

// publications returns the publications on record, in order.
func publications(t *testing.T, r *registry.Registry) (list []events.Published) {
	t.Helper()
	for e, err := range r.Log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := e.Body.(events.Published); ok {
			list = append(list, p)
		}
	}
	return list
}

func ids(numbers ...int) (list []string) {
	for _, n := range numbers {
		list = append(list, toyPuzzle(toyText(0, n)).ID())
	}
	return list
}

// A puzzle with the solution of a day is passed over for the next of the shelf, and has its turn when enough days lie between.
func TestDaysThatLookAlikeAreApart(t *testing.T) {
	r := openLike(t, 10, 1, 11, 2, 12, 3)
	publishToys(t, r, 3) // 2 to 4 December
	want := ids(1, 2, 3)
	got := publications(t, r)
	for i, p := range got {
		if p.Puzzle != want[i] || p.Like != nil {
			t.Errorf("%s has %s, which looks like %+v", p.Date, p.Puzzle, p.Like)
		}
	}
	if p := got[1].Passed; len(p) != 1 || p[0].Puzzle != ids(11)[0] || p[0].Like.Date != "2026-12-02" || p[0].Like.Puzzle != ids(1)[0] {
		t.Errorf("passed over %+v", got[1].Passed)
	}
	if got[0].Kind() != "published/1" || got[1].Kind() != "published/2" {
		t.Errorf("recorded as %s and %s", got[0].Kind(), got[1].Kind())
	}
	far, near := date(t, "2028-01-08"), date(t, "2028-01-06") // 401 days after 3 December 2026, and 400 after the 2nd
	for _, d := range []struct {
		day  string
		want string
		like bool
	}{{near.String(), ids(11)[0], true}, {far.String(), ids(12)[0], false}} {
		r.CatchUp, r.Now = true, at(d.day+"T00:00:00Z")
		if _, _, err := r.PublishDate(t.Context(), registry.DateRequest{Series: "toys", Date: date(t, d.day), Actor: "chief"}); err != nil {
			t.Fatal(err)
		}
		list := publications(t, r)
		if p := list[len(list)-1]; p.Puzzle != d.want || (p.Like != nil) != d.like {
			t.Errorf("%s has %s, which looks like %+v", d.day, p.Puzzle, p.Like)
		}
	}
}

// Where all puzzles look like a day, the one is taken whose look-alike is oldest, and that is on record.
func TestWhereAllLookAlike(t *testing.T) {
	r := openLike(t, 2, 1, 2, 3, 4, 5, 6)
	days, _ := publishToys(t, r, 6)
	if len(days) != 6 {
		t.Fatal(days)
	}
	last := map[int]string{} // solution: the date of its newest day
	for _, p := range publications(t, r) {
		n := 0
		for i, id := range ids(1, 2, 3, 4, 5, 6) {
			if id == p.Puzzle {
				n = i + 1
			}
		}
		if was := last[n%2]; (p.Like == nil) != (was == "") || p.Like != nil && p.Like.Date != was {
			t.Errorf("%s looks like %+v, and its solution was that of %q", p.Date, p.Like, was)
		}
		if other := last[1-n%2]; last[n%2] > other && len(last) == 2 {
			t.Errorf("%s has the solution of %s, and that of %s was older", p.Date, last[n%2], other)
		}
		last[n%2] = p.Date
	}
}

// Two sudokus that are no symmetric images may have solutions that are.
func TestSolutionsThatAreSymmetricLookAlike(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	g := sudoku.Genre()
	var puzzles []raters.Puzzle
	for seed := range uint64(2) {
		made, err := g.Variants[0].Generator.Generate(t.Context(), raters.Request{Variant: "classic", Level: "easy", Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		puzzles = append(puzzles, made.Puzzle)
		if seed == 0 { // one more given, and the digits the other way round
			more := []byte(made.Puzzle.Text)
			for i := range more {
				if more[i] == '.' {
					more[i] = made.Solution[i]
					break
				}
			}
			for i, c := range more {
				if c != '.' {
					more[i] = '1' + '9' - c
				}
			}
			puzzles = append(puzzles, raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: string(more)})
		}
	}
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	adopt(t, r, weekly("grids", "2026-12-02", `{ label = "easy", source = "shelf", genre = "sudoku", variant = "classic", level = "easy" }`))
	days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "grids", Ahead: 3, Actor: "editor"})
	if err != nil || len(days) != 3 {
		t.Fatal(days, err)
	}
	list := publications(t, r)
	for i, want := range []string{puzzles[0].ID(), puzzles[2].ID(), puzzles[1].ID()} {
		if list[i].Puzzle != want {
			t.Errorf("%s has %s, not %s", list[i].Date, list[i].Puzzle, want)
		}
	}
	if like := list[2].Like; like == nil || like.Puzzle != puzzles[0].ID() {
		t.Errorf("the last day looks like %+v", like)
	}
}
