package pools_test

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
	"assay/projections/pools"
)

// story records events in a log, and what the shelves should be in plain lists.
type story struct {
	log       *logtest.Memory
	n         uint64
	seq       events.Seq
	first     map[string]events.Seq
	canonical map[string]string // of each puzzle
	twins     map[string]bool
	published map[string]bool
	dropped   map[string]bool
	drops     int
	rated     map[string]map[string]events.Rated // rater version → puzzle → rating
	order     []string                           // puzzles by first event
}

func newStory() *story {
	return &story{log: logtest.NewMemory(), first: map[string]events.Seq{}, canonical: map[string]string{}, twins: map[string]bool{},
		published: map[string]bool{}, dropped: map[string]bool{}, rated: map[string]map[string]events.Rated{"1": {}, "2": {}}}
}

func (s *story) record(t interface{ Fatal(...any) }, key events.Key, body events.Body) {
	s.n++
	e := logtest.Fact("x", "x", s.n)
	e.Key, e.Body = key, body
	receipt, err := s.log.Append(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	s.seq = receipt[0].Seq
}

func (s *story) appear(t *rapid.T, id, form string) {
	var hash events.Form
	if form != "" {
		hash = events.FormOf(form)
	}
	if rapid.Bool().Draw(t, "imported") {
		s.record(t, events.ImportedKey(id), events.Imported{Puzzle: id, Genre: "sudoku", Variant: "classic", Canonical: hash, Source: fmt.Sprint(len(s.order))})
	} else {
		s.record(t, events.GeneratedKey("sudoku", "classic", "r", "", "any", 1, s.n), events.Generated{Puzzle: id, Genre: "sudoku", Variant: "classic", Canonical: hash})
	}
	for _, earlier := range s.order {
		s.twins[id] = s.twins[id] || form != "" && s.canonical[earlier] == form
	}
	s.first[id], s.canonical[id], s.order = s.seq, form, append(s.order, id)
}

func (s *story) step(t *rapid.T) {
	known := func() string { return rapid.SampledFrom(s.order).Draw(t, "known") }
	action := rapid.IntRange(0, 5).Draw(t, "action")
	switch {
	case action == 0 || len(s.order) == 0:
		form := rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e", "f"}).Draw(t, "form")
		s.appear(t, fmt.Sprintf("sudoku-%d", len(s.order)), form)
	case action == 1:
		id := known()
		s.record(t, events.PublishedKey("daily", fmt.Sprint(s.n), 0), events.Published{Series: "daily", Puzzle: id, Genre: "sudoku", Variant: "classic", Rating: "rated/x"})
		s.published[id] = true
	case action == 2:
		id := known()
		s.drops++
		s.record(t, events.DroppedKey(id, s.drops), events.Dropped{Puzzle: id, Genre: "sudoku", Variant: "classic", Revision: s.drops, Reason: "a test"})
		s.dropped[id] = true
	case action == 3:
		id := known()
		s.drops++
		s.record(t, events.RestoredKey(id, s.drops), events.Restored{Puzzle: id, Genre: "sudoku", Variant: "classic", Revision: s.drops, Reason: "a test"})
		s.dropped[id] = false
	default:
		id, version := known(), rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version")
		if _, rated := s.rated[version][id]; rated {
			return
		}
		r := anyRated(t, id, version)
		s.record(t, events.RatedKey(id, "r", version), r)
		s.rated[version][id] = r
	}
}

var uses = []events.TechniqueUse{{Name: "naked-single", Level: "easy"}, {Name: "pointing", Level: "medium"}, {Name: "x-wing", Level: "evil"}, {Name: "box-line", Level: "evil"}}

func anyRated(t *rapid.T, id, version string) events.Rated {
	r := events.Rated{
		Puzzle: id, Genre: "sudoku", Variant: "classic", Rater: "r", Version: version, Outcome: "rated",
		Level: rapid.SampledFrom([]string{"", "easy", "evil"}).Draw(t, "level"), Clues: rapid.IntRange(17, 30).Draw(t, "clues"),
	}
	switch odd := rapid.Bool().Draw(t, "odd"); {
	case r.Level == "" && odd:
		r.Outcome = "unrated"
	case r.Level == "":
		r.Score = new(rapid.IntRange(-3, 3).Draw(t, "score"))
	case r.Level == "evil" && odd:
		r.Outcome = "stuck"
	}
	for _, u := range rapid.Permutation(uses).Draw(t, "order") {
		if u.Uses = rapid.IntRange(-2, 9).Draw(t, u.Name); u.Uses > 0 {
			r.Techniques = append(r.Techniques, u)
		}
	}
	return r
}

// onShelf reports whether shelves should hold a puzzle.
func (s *story) onShelf(id string) bool { return !s.twins[id] && (s.published[id] || !s.dropped[id]) }

// shelf returns what a shelf should hold, oldest first.
func (s *story) shelf(shelf pools.Shelf, published bool) (ids []string) {
	for _, id := range s.order {
		r, rated := s.rated[shelf.Version][id]
		if rated && r.Level == shelf.Level && (r.Outcome == "stuck") == shelf.Stuck && s.published[id] == published && s.onShelf(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func open(t testing.TB) *projections.Store {
	t.Helper()
	store, err := projections.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func view(t interface{ Fatal(...any) }, store *projections.Store, query func(*projections.Tx) error) {
	if err := store.View(pools.Table.Name(), query); err != nil {
		t.Fatal(err)
	}
}

// Whatever happens to puzzles, the shelves of every rater version are what plain lists say.
func TestShelvesAreWhatListsSay(t *testing.T) {
	store := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := newStory()
		if err := store.Rebuild(context.Background(), s.log, pools.Table); err != nil { // of nothing: begins again
			rt.Fatal(err)
		}
		for range rapid.IntRange(0, 60).Draw(rt, "events") {
			s.step(rt)
			if rapid.IntRange(0, 9).Draw(rt, "look") == 0 {
				if err := store.CatchUp(context.Background(), s.log, pools.Table); err != nil {
					rt.Fatal(err)
				}
			}
		}
		if err := store.CatchUp(context.Background(), s.log, pools.Table); err != nil {
			rt.Fatal(err)
		}
		questions := rapid.SliceOfN(rapid.Custom(anyQuestion), 6, 6).Draw(rt, "questions")
		view(rt, store, func(tx *projections.Tx) error {
			for _, version := range []string{"1", "2"} {
				for _, level := range []string{"", "easy", "evil"} {
					for _, stuck := range []bool{false, true} {
						s.compare(rt, tx, pools.Shelf{Genre: "sudoku", Variant: "classic", Rater: "r", Version: version, Level: level, Stuck: stuck})
					}
				}
			}
			for _, q := range questions {
				s.compareChoice(rt, tx, q)
			}
			return nil
		})
	})
}

func (s *story) compare(t *rapid.T, tx *projections.Tx, shelf pools.Shelf) {
	stock, err := shelf.Stock(tx)
	if err != nil {
		t.Fatal(err)
	}
	var got [2][]string
	for id, err := range shelf.Unpublished(tx) {
		if err != nil {
			t.Fatal(err)
		}
		got[0] = append(got[0], id)
	}
	for id, err := range shelf.Published(tx) {
		if err != nil {
			t.Fatal(err)
		}
		got[1] = append(got[1], id)
	}
	want := [2][]string{s.shelf(shelf, false), s.shelf(shelf, true)}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%+v (-want +got):\n%s", shelf, diff)
	}
	if stock.Unpublished != len(want[0]) || stock.Published != len(want[1]) {
		t.Fatalf("%+v counted as %+v, holds %d and %d", shelf, stock, len(want[0]), len(want[1]))
	}
}

func TestAdoptionsBlocksAndMembers(t *testing.T) {
	s, store := newStory(), open(t)
	adopt := func(revision int, version string) events.Adopted {
		a := events.Adopted{Genre: "sudoku", Variant: "classic", Revision: revision, Rater: "r", Version: version, Levels: []string{"easy"}}
		s.record(t, events.AdoptedKey("sudoku", "classic", revision), a)
		return a
	}
	adopt(1, "1")
	second := adopt(2, "2")
	var kept []events.Shelved
	for i := range uint64(30) { // every tenth candidate is kept; blocks of ten
		s.record(t, events.FilledKey("sudoku", "classic", 1, 10*i, 10*i+9), events.Filled{Genre: "sudoku", Variant: "classic", Generator: 1, Seed: 7 + i,
			First: 10 * i, Last: 10*i + 9, Kept: []events.Shelved{{Candidate: 10 * i, Level: "easy"}}})
		if 10*i+pools.Recent > 299 {
			kept = append(kept, events.Shelved{Candidate: 10 * i, Level: "easy"})
		}
	}
	for id, variant := range map[string]string{"sudoku-1": "classic", "sudoku-2": "mini4", "sudokuX-3": "classic"} {
		s.record(t, events.ImportedKey(id), events.Imported{Puzzle: id, Genre: "sudoku", Variant: variant, Canonical: events.FormOf(id)})
	}
	s.record(t, events.RatedKey("sudoku-1", "r", "2"), events.Rated{Puzzle: "sudoku-1", Genre: "sudoku", Variant: "classic", Rater: "r", Version: "2", Level: "easy"})
	s.record(t, events.RatedKey("kakurasu-1", "r", "2"), events.Rated{Puzzle: "kakurasu-1", Genre: "kakurasu", Variant: "4x4", Rater: "r", Version: "2", Level: "easy"})
	for version, outcome := range map[string]string{"3": "unrated", "4": "rated"} { // the second with a score alone
		s.record(t, events.RatedKey("sudoku-1", "r", version), events.Rated{Puzzle: "sudoku-1", Genre: "sudoku", Variant: "classic", Rater: "r", Version: version, Outcome: outcome})
	}
	if err := store.CatchUp(t.Context(), s.log, pools.Table); err != nil {
		t.Fatal(err)
	}
	view(t, store, func(tx *projections.Tx) error {
		list, err := pools.Adoptions(tx, "sudoku", "classic")
		if err != nil || len(list) != 2 || list[1].Seq != 2 || !cmp.Equal(list[1].Adopted, second, cmpopts.EquateEmpty()) {
			t.Errorf("adoptions %+v, %v", list, err)
		}
		used, err := pools.Used(tx)
		if err != nil || !slices.Equal(used, []pools.Pool{{Genre: "kakurasu", Variant: "4x4"}, {Genre: "sudoku", Variant: "classic"}}) {
			t.Errorf("used %v, %v", used, err)
		}
		block, ok, err := pools.LastBlock(tx, "sudoku", "classic", 1)
		if err != nil || !ok || block.Last != 299 || block.Seed != 36 || !slices.Equal(block.Kept, kept) {
			t.Errorf("last block %+v, %v, %v", block, ok, err)
		}
		if _, ok, err := pools.LastBlock(tx, "sudoku", "classic", 2); ok || err != nil {
			t.Errorf("a block of another generator version: %v, %v", ok, err)
		}
		var members []string
		for m, err := range pools.Puzzles(tx, "sudoku", "classic") {
			if err != nil {
				return err
			}
			members = append(members, m.ID+" "+m.FiledBy("r", "2")+m.FiledBy("r", "1"))
		}
		if !slices.Equal(members, []string{"sudoku-1 easy"}) {
			t.Errorf("members %q", members)
		}
		known, err := pools.Known(tx, "sudoku", "classic", events.FormOf("sudoku-1"))
		unknown, err2 := pools.Known(tx, "sudoku", "classic", events.FormOf("sudoku-2"))
		if known != "sudoku-1" || unknown != "" || err != nil || err2 != nil {
			t.Errorf("known %q, %v; unknown %q, %v", known, err, unknown, err2)
		}
		p, ok, err := pools.Get(tx, "sudoku-1")
		if !ok || err != nil || p.First < 33 || p.First > 35 {
			t.Errorf("%+v, %v, %v", p, ok, err)
		}
		for version, want := range map[string]bool{"1": false, "2": true, "3": true, "4": false} {
			if level, is := p.RatedBy("r", version); is != want || level != map[string]string{"2": "easy"}[version] {
				t.Errorf("rated by %s: %q, %t", version, level, is)
			}
		}
		return nil
	})
}
