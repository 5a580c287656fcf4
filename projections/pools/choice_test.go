package pools_test

import (
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"assay/events"
	"assay/projections"
	"assay/projections/pools"
)

// chosen returns what a choice should hold, oldest first.
func (s *story) chosen(c pools.Choice) (ids []string) {
	for _, id := range s.order {
		r := s.rated[c.Files.Version][id]
		fits := slices.Contains(c.Levels, r.Level)
		if c.All && (fits || len(c.Levels) == 0) || fits && (r.Outcome == "stuck") == c.Stuck && s.onShelf(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// question asks for some puzzles, counted by either rater version.
type question struct {
	pools.Choice
	by         pools.RaterVersion
	techniques []string
	limit      int
}

func anyQuestion(t *rapid.T) question {
	version := rapid.SampledFrom([]pools.RaterVersion{{Rater: "r", Version: "1"}, {Rater: "r", Version: "2"}})
	q := question{by: version.Draw(t, "by"), limit: rapid.IntRange(1, 5).Draw(t, "page")}
	q.techniques = rapid.SampledFrom([][]string{{"pointing"}, {"pointing", "x-wing"}, {"x-wing", "x-wing", "naked-single"}}).Draw(t, "techniques")
	q.Choice = pools.Choice{Genre: "sudoku", Variant: "classic", Files: version.Draw(t, "files"), All: rapid.Bool().Draw(t, "all")}
	q.Levels = rapid.SampledFrom([][]string{{"easy"}, {"evil"}, {"easy", "evil"}, {"", "easy", "evil"}, nil}).Draw(t, "levels")
	q.Stuck = !q.All && rapid.Bool().Draw(t, "stuck")
	return q
}

// compareChoice compares what a choice holds, what it adds up to under either rater version, and the lists of those that
// use some techniques, with what going over all ratings gives.
func (s *story) compareChoice(t *rapid.T, tx *projections.Tx, q question) {
	c, by := q.Choice, q.by
	var held []string
	for m, err := range pools.Puzzles(tx, "sudoku", "classic") {
		if err != nil {
			t.Fatal(err)
		}
		if c.Holds(m.Puzzle) {
			held = append(held, m.ID)
		}
	}
	want := slices.Sorted(slices.Values(s.chosen(c)))
	if !slices.Equal(held, want) {
		t.Fatalf("%+v holds %v, want %v", c, held, want)
	}
	var ratings []events.Rated
	missing := 0
	for _, id := range s.chosen(c) {
		if _, filed := s.rated[c.Files.Version][id]; len(c.Levels) == 0 || !filed {
			continue // counted by nobody: see the registry, which asks for the levels on record
		}
		if r, is := s.rated[by.Version][id]; is {
			ratings = append(ratings, r)
		} else {
			missing++
		}
	}
	counts, unrated, err := c.Counts(tx, by)
	if err != nil || unrated != missing {
		t.Fatalf("%+v by %+v: %d not rated, want %d, %v", c, by, unrated, missing, err)
	}
	names, err := pools.Techniques(tx, "sudoku", "classic", by)
	if err != nil {
		t.Fatal(err)
	}
	plain := plainCounts(names, ratings)
	plain.Techniques, counts.Techniques = used(plain.Techniques), used(counts.Techniques)
	if diff := cmp.Diff(plain, counts, blanks, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%+v by %+v (-want +got):\n%s", c, by, diff)
	}
	for _, level := range c.Levels {
		one := q
		one.Levels = []string{level}
		s.compareLists(t, tx, one)
	}
}

// used leaves out the techniques at the end that nobody used.
func used(list []pools.Technique) []pools.Technique {
	for len(list) > 0 && list[len(list)-1] == (pools.Technique{}) {
		list = list[:len(list)-1]
	}
	return list
}

// plainCounts counts each thing over all ratings.
func plainCounts(names []string, ratings []events.Rated) (c pools.Counts) {
	clues, scores := map[int]int{}, map[int]int{}
	c.Puzzles, c.Techniques = len(ratings), make([]pools.Technique, len(names))
	for _, r := range ratings {
		clues[r.Clues]++
		if r.Score != nil {
			scores[*r.Score]++
		}
		for _, u := range r.Techniques {
			n := &c.Techniques[slices.Index(names, u.Name)]
			n.Using, n.Uses = n.Using+1, n.Uses+u.Uses
			if u.Level == r.Level {
				n.Deciding++
			}
		}
	}
	for _, bins := range []struct {
		of map[int]int
		to *[]pools.Bin
	}{{clues, &c.Clues}, {scores, &c.Scores}} {
		for _, v := range slices.Sorted(maps.Keys(bins.of)) {
			*bins.to = append(*bins.to, pools.Bin{Value: v, Puzzles: bins.of[v]})
		}
	}
	return c
}

// compareLists compares the pages of a list with the list.
func (s *story) compareLists(t *rapid.T, tx *projections.Tx, q question) {
	c, by := q.Choice, q.by
	var want, got []string
	for _, id := range s.chosen(c) {
		r, is := s.rated[by.Version][id]
		_, filed := s.rated[c.Files.Version][id]
		for _, name := range q.techniques {
			is = is && slices.ContainsFunc(r.Techniques, func(u events.TechniqueUse) bool { return u.Name == name })
		}
		if is && filed {
			want = append(want, id+r.Level)
		}
	}
	for after := events.Seq(0); ; {
		page, err := c.Using(tx, by, c.Levels[0], q.techniques, after, q.limit)
		if err != nil || len(page) > q.limit {
			t.Fatal(page, err)
		}
		for _, p := range page {
			got, after = append(got, p.ID+p.Level), p.First
		}
		if len(page) < q.limit {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%+v by %+v using %v: %v, want %v", c, by, q.techniques, got, want)
	}
}

// blanks leaves out the fields that carry a struct's encoding options.
var blanks = cmp.FilterPath(func(p cmp.Path) bool {
	f, ok := p.Last().(cmp.StructField)
	return ok && f.Name() == "_"
}, cmp.Ignore())
