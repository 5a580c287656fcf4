package registry_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/integrity"
)

const classic = "sudoku/classic"

// world is what events say of the pool of classic sudokus, in plain lists.
type world struct {
	files     events.Adopted
	order     []string // puzzles, oldest first
	twin      map[string]bool
	published map[string]bool
	dropped   map[string]bool
	ratings   map[string]map[string]events.Rated // rater version → puzzle
	kept      map[string]int                     // by fillings, by level
}

// worldOf reads the first n events that are exported.
func worldOf(t *testing.T, r *registry.Registry, n events.Seq) *world {
	t.Helper()
	w := &world{twin: map[string]bool{}, published: map[string]bool{}, dropped: map[string]bool{}, ratings: map[string]map[string]events.Rated{}, kept: map[string]int{}}
	w.files = events.Adopted{Rater: "sudoku.tiers", Version: "1", Levels: []string{"easy", "medium", "hard", "expert", "evil"}}
	forms := map[events.Form]bool{}
	appear := func(id, genre string, form events.Form) {
		if genre == "sudoku" && !slices.Contains(w.order, id) {
			w.order, w.twin[id], forms[form] = append(w.order, id), forms[form], true
		}
	}
	err := r.Holdings().Export(t.Context(), 0, func(e integrity.ExportedEvent) error {
		if e.Seq > n {
			return nil
		}
		switch b := e.Body.(type) {
		case events.Imported:
			appear(b.Puzzle, b.Genre, b.Canonical)
		case events.Generated:
			appear(b.Puzzle, b.Genre, b.Canonical)
		case events.Rated:
			version := b.Rater + "@" + b.Version
			if w.ratings[version] == nil {
				w.ratings[version] = map[string]events.Rated{}
			}
			w.ratings[version][b.Puzzle] = b
		case events.Published:
			w.published[b.Puzzle] = true
		case events.Dropped:
			w.dropped[b.Puzzle] = true
		case events.Restored:
			w.dropped[b.Puzzle] = false
		case events.Adopted:
			w.files = b
		case events.Filled:
			for _, k := range b.Kept {
				w.kept[k.Level]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) onShelf(id string) bool { return !w.twin[id] && (w.published[id] || !w.dropped[id]) }

// asked names puzzles of the pool.
type asked struct {
	level      string // "" for all of them
	stuck, all bool
}

func (q asked) pool() string { return strings.TrimSuffix(classic+"/"+q.level, "/") }

// puzzles returns the selected puzzles, oldest first.
func (w *world) puzzles(q asked) (ids []string) {
	for _, id := range w.order {
		r := w.ratings[w.files.Rater+"@"+w.files.Version][id]
		fits := slices.Contains(w.files.Levels, r.Level) && (q.level == "" || r.Level == q.level)
		if q.all && (fits || q.level == "") || fits && (r.Outcome == "stuck") == q.stuck && w.onShelf(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// frequency adds up the ratings of puzzles by one rater version.
func (w *world) frequency(ids []string, by string) (f registry.Frequency) {
	sum := 0
	for _, id := range ids {
		b, is := w.ratings[by][id]
		if !is {
			f.Unrated++
			continue
		}
		if f.Puzzles++; f.Puzzles == 1 || b.Clues < f.Clues.Min {
			f.Clues.Min = b.Clues
		}
		f.Clues.Max, sum = max(f.Clues.Max, b.Clues), sum+b.Clues
		for _, u := range b.Techniques {
			at := slices.IndexFunc(f.Techniques, func(t registry.TechniqueFrequency) bool { return t.Name == u.Name })
			if at < 0 {
				at, f.Techniques = len(f.Techniques), append(f.Techniques, registry.TechniqueFrequency{Name: u.Name})
			}
			c := &f.Techniques[at]
			c.Using, c.Uses = c.Using+1, c.Uses+u.Uses
			if u.Level == b.Level {
				c.Deciding++
			}
		}
	}
	if f.Puzzles > 0 {
		f.Clues.Mean = float64(sum) / float64(f.Puzzles)
	}
	return f
}

// sameFrequency compares what is counted, whatever the order of the techniques.
func sameFrequency(want, got registry.Frequency) string {
	got = registry.Frequency{Puzzles: got.Puzzles, Unrated: got.Unrated, Clues: got.Clues, Techniques: slices.Clone(got.Techniques)}
	got.Techniques = slices.DeleteFunc(got.Techniques, func(t registry.TechniqueFrequency) bool { return t.Using == 0 })
	return cmp.Diff(want, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(registry.TechniqueFrequency{}, "Level"),
		cmpopts.SortSlices(func(a, b registry.TechniqueFrequency) bool { return a.Name < b.Name }))
}

// questions are all shelves of the pool, and the pool, each in its three forms.
func (w *world) questions() (all []asked) {
	for _, level := range append([]string{""}, w.files.Levels...) {
		all = append(all, asked{level: level}, asked{level: level, stuck: true}, asked{level: level, all: true})
	}
	return all
}

// compareAll compares every answer about the pool with what the events say.
func compareAll(t *testing.T, r *registry.Registry, other engine.RaterChoice, both ...string) {
	t.Helper()
	w := worldOf(t, r, 1<<40)
	w.comparePool(t, r)
	for _, q := range w.questions() {
		ids := w.puzzles(q)
		for _, by := range both {
			f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: q.pool(), Rater: by, Stuck: q.stuck, All: q.all})
			if diff := sameFrequency(w.frequency(ids, by), f); err != nil || diff != "" {
				t.Errorf("%+v by %s: %v %s", q, by, err, diff)
			}
		}
		w.compareReplay(t, r, q, ids, other)
		w.compareList(t, r, q, ids, both[1], []string{"pointing", "naked-pair"})
	}
}

// comparePool compares stock, gate and funnel.
func (w *world) comparePool(t *testing.T, r *registry.Registry) {
	t.Helper()
	list, err := r.Pools(t.Context(), classic)
	if err != nil {
		t.Fatal(err)
	}
	stock := map[asked][2]int{}
	for _, s := range list[0].Shelves {
		stock[asked{level: s.Level}] = [2]int{s.Unpublished, s.Published}
	}
	for _, s := range list[0].Stuck {
		stock[asked{level: s.Level, stuck: true}] = [2]int{s.Unpublished, s.Published}
	}
	want := map[asked][2]int{}
	sum := map[bool]int{}
	for _, level := range w.files.Levels {
		for _, stuck := range []bool{false, true} {
			q, n := asked{level: level, stuck: stuck}, [2]int{}
			for _, id := range w.puzzles(q) {
				if w.published[id] {
					n[1]++
				} else {
					n[0]++
				}
			}
			sum[stuck] += n[0] + n[1]
			if !stuck || n != [2]int{} {
				want[q] = n
			}
		}
	}
	if diff := cmp.Diff(want, stock, cmp.AllowUnexported(asked{})); diff != "" {
		t.Errorf("stock (-want +got):\n%s", diff)
	}
	check, err := r.VerifyPool(t.Context(), classic, nil)
	if err != nil || !check.OK || check.Puzzles != len(w.order) || check.Shelved != sum[false] || check.Stuck != sum[true] ||
		check.Outside != len(w.order)-sum[false]-sum[true]-check.Unrated || check.Outside == 0 {
		t.Errorf("%+v, %v; %d puzzles, on shelves %v", check, err, len(w.order), sum)
	}
	funnel, err := r.Funnel(t.Context(), classic)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]int{}
	for _, l := range funnel.Lines {
		if l.Outcome == "kept" {
			kept[l.Earned] += l.Count
		}
	}
	if diff := cmp.Diff(w.kept, kept); diff != "" {
		t.Errorf("kept by fillings (-want +got):\n%s", diff)
	}
}

// compareReplay compares the matrix of a replay that records nothing, row by row.
func (w *world) compareReplay(t *testing.T, r *registry.Registry, q asked, ids []string, other engine.RaterChoice) {
	t.Helper()
	v, err := r.Replay(t.Context(), registry.ReplayRequest{Selection: registry.Selection{Pool: q.pool(), Stuck: q.stuck, All: q.all}, Rater: other, DryRun: true})
	if err != nil || v.Puzzles != len(ids) {
		t.Fatalf("%+v: %d puzzles are replayed, %v; want %d", q, v.Puzzles, err, len(ids))
	}
	rows := map[string]int{}
	for _, from := range v.Matrix.Levels() {
		for _, to := range v.Matrix.Levels() {
			if n := v.Matrix.At(from, to); n > 0 {
				rows[from] += n
			}
		}
	}
	want := map[string]int{}
	for _, id := range ids {
		want[w.ratings[w.files.Rater+"@"+w.files.Version][id].Level]++
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("%+v (-want +got):\n%s", q, diff)
	}
}

// compareList compares the list of puzzles that use two techniques.
func (w *world) compareList(t *testing.T, r *registry.Registry, q asked, ids []string, by string, techniques []string) {
	t.Helper()
	var want []string
	for _, id := range ids {
		both := 0
		for _, u := range w.ratings[by][id].Techniques {
			if slices.Contains(techniques, u.Name) {
				both++
			}
		}
		if both == len(techniques) {
			want = append(want, id)
		}
	}
	list, err := r.Using(t.Context(), registry.UsingQuery{FrequencyQuery: registry.FrequencyQuery{Pool: q.pool(), Rater: by, Stuck: q.stuck, All: q.all}, Techniques: techniques, Limit: 1000})
	var got []string
	for _, u := range list {
		got = append(got, u.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v by %s using %v: %v, %v; want %v", q, by, techniques, got, err, want)
	}
}

// twins returns puzzles with the digits in each other's place.
func twins(t *testing.T, r *registry.Registry, ids []string) (list []raters.Puzzle) {
	t.Helper()
	for _, id := range ids {
		rec, err := r.Show(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.NewReplacer("1", "2", "2", "3", "3", "1", "7", "9", "9", "7").Replace(rec.Text)
		list = append(list, raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: text})
	}
	return list
}

// gridPolicy takes a hard and an evil puzzle in turn.
func gridPolicy() string {
	text := "series = \"grid\"\neffective = \"2026-12-01\"\nzone = \"UTC\"\nrelease = \"06:00\"\n[days]\n"
	for i, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		text += fmt.Sprintf("%s = { label = \"tough\", source = \"shelf\", genre = \"sudoku\", variant = \"classic\", level = %q }\n", day, []string{"hard", "evil"}[i%2])
	}
	return text
}

// busy returns a registry in which all has happened that can happen to a puzzle of the stock, and the puzzles that were
// imported.
func busy(t *testing.T) (r *registry.Registry, ids []string) {
	t.Helper()
	r = open(t, logtest.NewMemory(), at(morning))
	ids = onRecord(t, r, 9)
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: twins(t, r, ids[:12]), Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.FillPool(t.Context(), registry.FillRequest{Pool: classic, PerShelf: 21, Seed: new(uint64), Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(gridPolicy()), Actor: "chief"}); err != nil {
		t.Fatal(err)
	}
	if days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "grid", Ahead: 6, Actor: "editor"}); err != nil || len(days) != 7 {
		t.Fatal(days, err)
	}
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: "grid", Date: date(t, "2026-12-03"), Actor: "chief", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	w := worldOf(t, r, 1<<40)
	for _, q := range []asked{{level: "hard"}, {level: "evil"}, {level: "evil", stuck: true}, {level: "easy"}} {
		fresh := slices.DeleteFunc(w.puzzles(q), func(id string) bool { return w.published[id] })
		for _, id := range fresh[:4] {
			drop(t, r, id)
		}
		if _, err := r.RestorePuzzle(t.Context(), fresh[1], "chief", "it is fine"); err != nil {
			t.Fatal(err)
		}
	}
	return r, ids
}

func drop(t *testing.T, r *registry.Registry, id string) registry.DroppedPuzzle {
	t.Helper()
	d, err := r.DropPuzzle(t.Context(), id, "chief", "a test")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Whatever counts the puzzles of a pool counts the same ones, and those that the events tell of: before and after
// another rater files the pool.
func TestAllCountsOfAPoolAgree(t *testing.T) {
	r, _ := busy(t)
	less, _, _ := strings.Cut(profileOf(t, "sudoku.tiers"), "\n[[technique]]\nname = \"simple-coloring\"")
	without, builtIn := engine.RaterChoice{Profile: []byte(less)}, engine.RaterChoice{Name: "sudoku.tiers"}
	v, _ := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: classic}, Rater: without})
	both := []string{"sudoku.tiers@1", "sudoku.tiers@" + string(v.To.Version)}
	compareAll(t, r, without, both...) // the stuck ones and those outside are not rated by it yet
	replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: classic, All: true}, Rater: without})
	compareAll(t, r, without, both...)
	if _, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: classic, Rater: without, Actor: "editor", Reason: "coloring is too much"}); err != nil {
		t.Fatal(err)
	}
	compareAll(t, r, builtIn, both...)
	if days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "grid", Ahead: 12, Actor: "editor"}); len(days) < 8 {
		t.Fatal(days, err) // the evil shelf may be empty
	}
	compareAll(t, r, builtIn, both...)

	all := events.Seq(length(t, r.Log))
	for _, n := range []events.Seq{0, 1, 2, all / 8, all / 4, all / 2, all * 3 / 4, all - 8, all - 3, all} {
		w := worldOf(t, r, n)
		for _, q := range w.questions() {
			f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: q.pool(), Stuck: q.stuck, All: q.all, AsOf: &n})
			by := w.files.Rater + "@" + w.files.Version
			if diff := sameFrequency(w.frequency(w.puzzles(q), by), f); err != nil || diff != "" || f.Seq != n || string(f.Version) != w.files.Version {
				t.Fatalf("%+v as of event %d: %v %s", q, n, err, diff)
			}
		}
	}
}
