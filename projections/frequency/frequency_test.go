package frequency_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay/events"
	"assay/events/logtest"
	"assay/projections"
	"assay/projections/frequency"
)

var techniques = []events.TechniqueUse{{Name: "naked-single", Level: "easy"}, {Name: "pointing", Level: "medium"}, {Name: "x-wing", Level: "hard"}, {Name: "box-line", Level: "medium"}}

func anyRated(t *rapid.T, i int) events.Rated {
	r := events.Rated{
		Puzzle: fmt.Sprintf("sudoku-%d", i), Genre: "sudoku", Variant: "classic", Rater: "r", Version: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version"),
		Outcome: "rated", Level: rapid.SampledFrom([]string{"", "easy", "medium", "hard"}).Draw(t, "level"), Clues: rapid.IntRange(17, 30).Draw(t, "clues"),
	}
	for _, u := range techniques {
		if u.Uses = rapid.IntRange(-2, 9).Draw(t, u.Name); u.Uses > 0 {
			r.Techniques = append(r.Techniques, u)
		}
	}
	if rapid.Bool().Draw(t, "scored") {
		score := rapid.IntRange(-3, 3).Draw(t, "score")
		r.Score = &score
	}
	return r
}

func table(t interface{ Fatal(...any) }, store *projections.Store, list []events.Rated) {
	log := logtest.NewMemory()
	for i, r := range list {
		e := logtest.Fact("x", "x", uint64(i+1))
		e.Key, e.Body = events.RatedKey(r.Puzzle, r.Rater, r.Version), r
		if _, err := log.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Rebuild(context.Background(), log, frequency.Table); err != nil {
		t.Fatal(err)
	}
}

// of gives the ratings of a shelf.
func of(list []events.Rated, s frequency.Shelf) (on []events.Rated) {
	for _, r := range list {
		if r.Version == s.Version && r.Level == s.Level {
			on = append(on, r)
		}
	}
	return on
}

func using(on []events.Rated, technique string) (ids []string, uses, deciding int) {
	for _, r := range on {
		for _, u := range r.Techniques {
			if u.Name == technique {
				ids, uses = append(ids, r.Puzzle), uses+u.Uses
				if u.Level == r.Level {
					deciding++
				}
			}
		}
	}
	return ids, uses, deciding
}

// The table counts what counting each thing over all ratings gives.
func TestTableCountsWhatIsThere(t *testing.T) {
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	rapid.Check(t, func(rt *rapid.T) {
		var list []events.Rated
		for i := range rapid.IntRange(0, 60).Draw(rt, "ratings") {
			list = append(list, anyRated(rt, i))
		}
		table(rt, store, list)
		for _, version := range []string{"1", "2"} {
			for _, level := range []string{"", "easy", "medium", "hard"} {
				shelf := frequency.Shelf{Genre: "sudoku", Variant: "classic", Rater: "r", Version: version, Level: level}
				err := store.View(frequency.Table.Name(), func(tx *projections.Tx) error { return compare(rt, tx, shelf, of(list, shelf)) })
				if err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}

func compare(t *rapid.T, tx *projections.Tx, shelf frequency.Shelf, on []events.Rated) error {
	got, err := shelf.Counts(tx)
	if err != nil {
		return err
	}
	var clues []int
	sum := 0
	scores := map[int]int{}
	for _, r := range on {
		clues, sum = append(clues, r.Clues), sum+r.Clues
		if r.Score != nil {
			scores[*r.Score]++
		}
	}
	slices.Sort(clues)
	if got.Puzzles != len(on) || got.SumClues != sum || len(on) > 0 && (got.MinClues != clues[0] || got.MaxClues != clues[len(clues)-1]) {
		t.Fatalf("%+v: %+v of clues %v", shelf, got, clues)
	}
	for _, u := range techniques {
		ids, uses, deciding := using(on, u.Name)
		want := frequency.Technique{Name: u.Name, Using: len(ids), Uses: uses, Deciding: deciding}
		at := slices.IndexFunc(got.Techniques, func(t frequency.Technique) bool { return t.Name == u.Name })
		if at < 0 && len(ids) > 0 || at >= 0 && got.Techniques[at] != want {
			t.Fatalf("%+v: %+v, want %+v", shelf, got.Techniques, want)
		}
		if listed := pages(t, tx, shelf, u.Name); !slices.Equal(listed, ids) {
			t.Fatalf("%s: listed %v, want %v", u.Name, listed, ids)
		}
	}
	distribution, err := shelf.Scores(tx)
	if err != nil || len(distribution) != len(scores) || !slices.IsSortedFunc(distribution, func(a, b frequency.Score) int { return a.Score - b.Score }) {
		t.Fatalf("scores %v, %v, want %v", distribution, err, scores)
	}
	for _, s := range distribution {
		if scores[s.Score] != s.Puzzles {
			t.Fatalf("scores %v, want %v", distribution, scores)
		}
	}
	return nil
}

// pages lists a technique's puzzles a few at a time.
func pages(t *rapid.T, tx *projections.Tx, shelf frequency.Shelf, technique string) (all []string) {
	limit := rapid.IntRange(1, 5).Draw(t, "page")
	for after := events.Seq(0); ; {
		ids, last, err := shelf.Using(tx, technique, after, limit)
		if err != nil || len(ids) > limit {
			t.Fatal(ids, err)
		}
		if len(ids) == 0 {
			return all
		}
		all, after = append(all, ids...), last
	}
}

// Shelves merged count as one shelf of all their puzzles.
func TestMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var whole, merged frequency.Counts
		for range rapid.IntRange(0, 4).Draw(t, "shelves") {
			var part frequency.Counts
			for i := range rapid.IntRange(0, 10).Draw(t, "ratings") {
				r := anyRated(t, i)
				part.Add(r)
				whole.Add(r)
			}
			merged.Merge(part)
		}
		if diff := cmp.Diff(whole, merged, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(frequency.Counts{}, frequency.Technique{}), blanks,
			cmpopts.SortSlices(func(a, b frequency.Technique) bool { return a.Name < b.Name })); diff != "" {
			t.Fatal(diff)
		}
	})
}

// blanks leaves out the fields that carry a struct's encoding options.
var blanks = cmp.FilterPath(func(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && f.Name() == "_"
}, cmp.Ignore())
