package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/raters/logic"
	"assay/registry"
	"assay/registry/engine"

	"github.com/google/go-cmp/cmp"
)

// onRecord imports puzzles of bench.sdm, which has 180 of each level and 100 that stop every technique: every
// n-th of them.
func onRecord(t testing.TB, r *registry.Registry, n int) (ids []string) {
	t.Helper()
	text, err := os.ReadFile("../raters/sudoku/testdata/bench.sdm")
	if err != nil {
		t.Fatal(err)
	}
	var puzzles []raters.Puzzle
	i := 0
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) != 81 {
			continue
		}
		if i++; i%n == 0 {
			p, err := genre(t, "sudoku").Reader.Read("classic", string(line))
			if err != nil {
				t.Fatal(err)
			}
			puzzles = append(puzzles, p)
			ids = append(ids, p.ID())
		}
	}
	for some := range slices.Chunk(puzzles, 100) {
		if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: some, Actor: "editor"}); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

// reordered returns the built-in profile of sudoku.tiers with one technique put before another, at a tier.
func reordered(t testing.TB, technique, before string, tier int) engine.RaterChoice {
	t.Helper()
	scale, _ := variant(t, "sudoku").Scale("sudoku.tiers")
	p := scale.Rater.(raters.Profiled).Profile()
	at := func(name string) int {
		return slices.IndexFunc(p.Techniques, func(t logic.Technique) bool { return t.Name == name })
	}
	moved := p.Techniques[at(technique)]
	moved.Tier = tier
	p.Techniques = slices.Delete(p.Techniques, at(technique), at(technique)+1)
	p.Techniques = slices.Insert(p.Techniques, at(before), moved)
	return engine.RaterChoice{Profile: []byte(p.Text())}
}

func replay(t testing.TB, r *registry.Registry, req registry.ReplayRequest) (registry.Replay, []registry.ReplayChange) {
	t.Helper()
	var changes []registry.ReplayChange
	req.Actor = "operator"
	req.Change = func(c registry.ReplayChange) error {
		changes = append(changes, c)
		return nil
	}
	v, err := r.Replay(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, from := range v.Matrix.Levels() {
		for _, to := range v.Matrix.Levels() {
			sum += v.Matrix.At(from, to)
		}
	}
	if sum+len(v.Unsound)+len(v.Budget) != v.Puzzles || len(changes) != v.Changed {
		t.Errorf("the matrix adds up to %d of %d puzzles; %d of %d changes were told", sum, v.Puzzles, len(changes), v.Changed)
	}
	return v, changes
}

// Two techniques of one tier in each other's place move no level, and are used by other numbers of puzzles.
func TestReplayUnderAnotherOrderMovesCountsAndNoLevel(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	onRecord(t, r, 4)
	v, _ := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic/medium"}, Rater: reordered(t, "box-line-reduction", "pointing", 2)})
	if v.Changed != 0 || v.Puzzles != 45 || v.Recorded != 45 || v.Matrix.At("medium", "medium") != 45 {
		t.Fatalf("%+v", v)
	}
	using := func(rater string) map[string]int {
		f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "sudoku/classic/medium", Rater: rater})
		if err != nil || f.Puzzles != 45 {
			t.Fatalf("%+v, %v", f, err)
		}
		counts := map[string]int{}
		for _, u := range f.Techniques {
			counts[u.Name] = u.Using
		}
		return counts
	}
	was, is := using(""), using("sudoku.tiers@"+string(v.To.Version))
	if was["pointing"] <= is["pointing"] || was["box-line-reduction"] >= is["box-line-reduction"] {
		t.Errorf("pointing %d → %d, box/line %d → %d", was["pointing"], is["pointing"], was["box-line-reduction"], is["box-line-reduction"])
	}
}

// XY-Wing on tier 3, before Swordfish: what needed no other technique of tier 4 becomes hard; whatever else moves
// parts from the record where XY-Wing is taken instead of Swordfish. The place goes with the tier, so that the tier is
// the cause of all.
func TestReplayTellsWhatMovesAndWhy(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	ids := onRecord(t, r, 1)
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic", All: true}, Rater: reordered(t, "xy-wing", "swordfish", 3), DryRun: true})
	if v.Puzzles != len(ids) || v.Recorded != 0 || v.Changed == 0 || v.Matrix.At("expert", "hard") != v.Changed {
		t.Fatalf("%+v", v)
	}
	moved := map[string]registry.ReplayChange{}
	for _, c := range changes {
		moved[c.ID] = c
	}
	only := 0
	for _, id := range ids {
		rec, err := r.Show(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var fourth []string
		for _, u := range rec.Ratings[0].Techniques {
			if u.Level == "expert" {
				fourth = append(fourth, u.Name)
			}
		}
		c, moves := moved[id]
		if rec.Ratings[0].Level == "expert" && slices.Equal(fourth, []string{"xy-wing"}) {
			only++
			if !moves || c.To != "hard" || c.Cause != "tier of xy-wing" || c.First != nil {
				t.Errorf("%s needed xy-wing alone: %+v", id, c)
			}
			continue
		}
		if moves && (c.First == nil || !strings.HasPrefix(c.First.From, "swordfish, ") || !strings.HasPrefix(c.First.To, "xy-wing, ") || c.Cause != "tier of xy-wing") {
			t.Errorf("%s used %v and moves: %+v", id, fourth, c)
		}
	}
	if only == 0 || only == v.Changed || v.Causes["tier of xy-wing"] != v.Changed {
		t.Errorf("%d puzzles needed xy-wing alone; causes %v", only, v.Causes)
	}
}

func TestReplayNamesATechniqueThatWasAddedOrRemoved(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	onRecord(t, r, 9)
	text := profileOf(t, "sudoku.tiers")
	less, _, _ := strings.Cut(text, "\n[[technique]]\nname = \"simple-coloring\"")
	without := engine.RaterChoice{Profile: []byte(less)}
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic", All: true}, Rater: without})
	if v.Changed == 0 || v.Causes["simple-coloring removed"] != v.Changed || !strings.HasPrefix(changes[0].First.From, "simple-coloring, ") {
		t.Fatalf("%+v %+v", v.Causes, changes)
	}
	pool, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: "sudoku/classic", Rater: without, Actor: "editor", Reason: "coloring is too much"})
	if err != nil || pool.Version != v.To.Version {
		t.Fatalf("%+v, %v", pool, err)
	}
	back, _ := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic", All: true}, Rater: engine.RaterChoice{Name: "sudoku.tiers"}, DryRun: true})
	if back.Changed != v.Changed || back.Causes["simple-coloring added"] == 0 {
		t.Errorf("%+v", back)
	}
}

// A replay that is stopped at any moment and run again leaves the keys and bodies of one that was not, and once
// more adds nothing.
func TestReplayGoesOnWhereItWas(t *testing.T) {
	facts := func(log events.Log) map[events.Key]events.Body {
		all := map[events.Key]events.Body{}
		for e, err := range log.Read(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			all[e.Key] = e.Body
		}
		return all
	}
	req := registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: reordered(t, "xy-wing", "swordfish", 3)}
	whole := logtest.NewMemory()
	r := open(t, whole, at(morning))
	onRecord(t, r, 2)
	want, changes := replay(t, r, req)

	log := logtest.NewMemory()
	r = open(t, log, at(morning))
	onRecord(t, r, 2)
	for _, stopAt := range []int{1, 7, 50, 120, 200, 280, 333, 400, 450, 490} {
		ctx, stop := context.WithCancel(t.Context())
		part := req
		part.Actor = "operator"
		n := 0
		counted := &stopping{Log: log, after: func() {
			if n += 100; n > stopAt {
				stop()
			}
		}}
		r.Log = counted
		if _, err := r.Replay(ctx, part); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stop()
	}
	r.Log = log
	got, again := replay(t, r, req)
	if diff := cmp.Diff(facts(whole), facts(log)); diff != "" {
		t.Error(diff)
	}
	got.Recorded = want.Recorded
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(engine.Matrix{})); diff != "" || !slices.EqualFunc(changes, again, func(a, b registry.ReplayChange) bool { return cmp.Equal(a, b) }) {
		t.Errorf("the report is another: %s", diff)
	}
	before := length(t, log)
	if v, _ := replay(t, r, req); v.Recorded != 0 || length(t, log) != before {
		t.Errorf("once more: %+v", v)
	}
}

// stopping is a log that tells when something was read of it or appended.
type stopping struct {
	events.Log
	after func()
}

func (s *stopping) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	defer s.after()
	return s.Log.Append(ctx, batch...)
}

// wrongRater removes what is so in the last step of one puzzle, and runs out of its budget on another one.
type wrongRater struct {
	raters.Rater
	wrong, slow string
	solution    string
}

func (wrongRater) Name() string { return "sudoku.wrong" }

func (w wrongRater) Rate(ctx context.Context, p raters.Puzzle) (raters.Rating, error) {
	v, err := w.Rater.Rate(ctx, p)
	switch p.ID() {
	case w.slow:
		return raters.Rating{}, raters.ErrBudget
	case w.wrong:
		steps := v.Steps()
		n := len(steps) - 1
		steps[n] = logic.Step{Technique: "x-wing", Level: "hard", Instance: "rows 1 and 2", Removed: []logic.Literal{logic.Lit(80, int(w.solution[80]-'1'))}}
		v.Solve = raters.Steps(steps)
	}
	return v, err
}

func TestReplayListsUnsoundStepsAndBudgetsAndRecordsNeither(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	ids := onRecord(t, r, 49)
	rec, err := r.Show(t.Context(), ids[3])
	if err != nil {
		t.Fatal(err)
	}
	g := genre(t, "sudoku")
	v := &g.Variants[0]
	tiers := v.Scales[0]
	v.Scales = append(v.Scales, raters.Scale{Rater: wrongRater{Rater: tiers.Rater, wrong: ids[3], slow: ids[5], solution: rec.Solution}})
	r.Genres = []raters.Genre{g}
	got, _ := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic", All: true}, Rater: engine.RaterChoice{Name: "sudoku.wrong"}})
	want := []engine.Unsound{{
		ID: ids[3], Step: len(stepsOf(t, tiers.Rater, rec.Text)), Literal: "r9c9=" + rec.Solution[80:],
		Text: "x-wing, rows 1 and 2: not r9c9=" + rec.Solution[80:],
	}}
	if diff := cmp.Diff(want, got.Unsound); diff != "" || !slices.Equal(got.Budget, []string{ids[5]}) || got.Recorded != len(ids)-2 {
		t.Errorf("%s\n%+v", diff, got)
	}
	for i, id := range ids {
		_, err := log.Get(t.Context(), events.RatedKey(id, "sudoku.wrong", "1"))
		if recorded := err == nil; recorded == (i == 3 || i == 5) {
			t.Errorf("puzzle %d: %v", i, err)
		}
	}
}

func stepsOf(t testing.TB, rater raters.Rater, text string) []logic.Step {
	t.Helper()
	v, err := rater.Rate(t.Context(), raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return v.Steps()
}

// A chain has no level: its score lies below, inside or above the band of its label.
func TestReplayOfAChainGoesByItsBands(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	publish(t, r, 20)
	narrow := strings.Replace(profileOf(t, "chain.score"), "low = 16\nhigh = 19", "low = 18\nhigh = 19", 1)
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Series: "daily"}, Rater: engine.RaterChoice{Profile: []byte(narrow)}, DryRun: true})
	if v.Puzzles != 21 || v.Changed == 0 || v.Matrix.At("inside", "below") != v.Changed || v.Matrix.At("inside", "inside") != 21-v.Changed || v.Causes["band hard"] != v.Changed {
		t.Fatalf("%+v", v)
	}
	var days []string
	for _, d := range v.Days {
		if d.Label != "hard" || d.From != "inside" || d.To != "below" {
			t.Errorf("%+v", d)
		}
		days = append(days, d.ID)
	}
	ids := make([]string, len(changes))
	for i, c := range changes {
		ids[i] = c.ID
	}
	slices.Sort(days)
	if !slices.Equal(days, ids) { // today's is not hard, so that all of them are still to come
		t.Errorf("days of %v, changes of %v", days, ids)
	}
}

func TestSelections(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	ids := onRecord(t, r, 19)
	publish(t, r, 3)
	tiers := engine.RaterChoice{Name: "sudoku.tiers"}
	for _, c := range []struct {
		s    registry.Selection
		with engine.RaterChoice
		n    int // puzzles, or
		want string
	}{
		{s: registry.Selection{Pool: "sudoku/classic"}, n: 47},
		{s: registry.Selection{Pool: "sudoku/classic", Stuck: true}, n: 5},
		{s: registry.Selection{Pool: "sudoku/classic", All: true}, n: len(ids)},
		{s: registry.Selection{Pool: "sudoku/classic/evil"}, n: 9},
		{s: registry.Selection{Pool: "sudoku/classic/evil", Stuck: true}, n: 5},
		{s: registry.Selection{Pool: "sudoku/classic/evil", All: true}, n: 14},
		{s: registry.Selection{Pool: "sudoku/classic/easy", Stuck: true}, n: 0},
		{s: registry.Selection{Pool: "sudoku/classic/evil", Using: "unique-rectangle,naked-single"}, n: 9},
		{s: registry.Selection{Pool: "sudoku/classic", Stuck: true, All: true}, want: "say one of the two"},
		{s: registry.Selection{Series: "daily", All: true}, with: tiers, want: "are those of a pool or a shelf"},
		{s: registry.Selection{Pool: "sudoku/classic/easy"}, n: 9},
		{s: registry.Selection{Pool: "sudoku/classic/evil", Using: "unique-rectangle"}, n: 9},
		{s: registry.Selection{IDs: []string{ids[4], ids[2], ids[4]}}, n: 2},
		{s: registry.Selection{Series: "daily"}, with: engine.RaterChoice{Name: "chain.score"}, n: 4},
		{s: registry.Selection{Series: "daily"}, with: tiers, n: 0},
		{s: registry.Selection{Pool: "sudoku/classic"}, with: engine.RaterChoice{Name: "sudoku.tiers@1"}, n: 47},
		{s: registry.Selection{}, want: "say which puzzles"},
		{s: registry.Selection{Pool: "sudoku/classic", Series: "daily"}, want: "say which puzzles"},
		{s: registry.Selection{Series: "daily", Using: "x-wing"}, with: tiers, want: "a technique chooses among the puzzles of a pool"},
		{s: registry.Selection{Series: "daily"}, want: "name the rater"},
		{s: registry.Selection{Series: "weekly"}, with: tiers, want: `no series "weekly"`},
		{s: registry.Selection{Pool: "sudoku/5x5"}, want: "sudoku has no variant"},
		{s: registry.Selection{Pool: "sudoku/classic/extreme"}, want: "extreme"},
		{s: registry.Selection{Pool: "sudoku/classic", Using: "magic"}, want: "magic"},
		{s: registry.Selection{IDs: []string{"sudoku-0000000000000000"}}, want: "no puzzle"},
		{s: registry.Selection{IDs: []string{ids[0], "chain-0000000000000000"}}, want: "is no puzzle of sudoku"},
		{s: registry.Selection{Pool: "sudoku/classic"}, with: engine.RaterChoice{Name: "sudoku.tiers@9"}, want: "cannot run sudoku.tiers 9, and no rating of it is on record; there is sudoku.tiers 1, sudoku.canonical 1"},
		{s: registry.Selection{Pool: "sudoku/classic"}, with: engine.RaterChoice{Name: "chain.score"}, want: "sudoku/classic has no rater"},
	} {
		v, err := r.Replay(t.Context(), registry.ReplayRequest{Selection: c.s, Rater: c.with, DryRun: true})
		if c.want == "" && (err != nil || v.Puzzles != c.n) {
			t.Errorf("%+v: %d puzzles, %v; want %d", c.s, v.Puzzles, err, c.n)
		}
		if c.want != "" && (!isInput(err) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %s", c.s, err, c.want)
		}
	}
}

func TestComparingTwoRaters(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	onRecord(t, r, 6)
	choice := reordered(t, "xy-wing", "swordfish", 3)
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, Rater: choice})
	compared := func(a, b string) (c registry.RaterComparison, ids []string) {
		req := registry.CompareRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, A: a, B: b}
		req.Difference = func(d registry.CompareDifference) error {
			ids = append(ids, fmt.Sprint(d.ID, d.A, d.B))
			return nil
		}
		c, err := r.Compare(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return c, ids
	}
	other := "sudoku.tiers@" + string(v.To.Version)
	c, ids := compared("sudoku.tiers", other)
	var want []string
	for _, d := range changes {
		want = append(want, fmt.Sprint(d.ID, d.From, d.To))
	}
	if v.Changed == 0 || c.Differ != v.Changed || c.Same != v.Puzzles-v.Changed || c.Without != 0 || !slices.Equal(ids, want) {
		t.Errorf("%+v %v, want %v", c, ids, want)
	}
	back, _ := compared(other, "sudoku.tiers@1")
	for _, from := range c.Matrix.Levels() {
		for _, to := range c.Matrix.Levels() {
			if c.Matrix.At(from, to) != back.Matrix.At(to, from) {
				t.Errorf("%s, %s: %d, and back %d", from, to, c.Matrix.At(from, to), back.Matrix.At(to, from))
			}
		}
	}
	for _, odd := range []string{"sudoku.tiers@7", "sudoku.tiers@", "@1", "a@b@c", "sudoku.tiers@01", "sudoku.tiers@1+zz", ""} {
		req := registry.CompareRequest{Selection: registry.Selection{Pool: "sudoku/classic"}, A: "sudoku.tiers", B: odd}
		if _, err := r.Compare(t.Context(), req); !isInput(err) {
			t.Errorf("%q: %v", odd, err)
		}
		if _, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "sudoku/classic", Rater: odd}); odd != "" && !isInput(err) {
			t.Errorf("frequency by %q: %v", odd, err)
		}
	}
	publish(t, r, 1)
	chains := registry.CompareRequest{Selection: registry.Selection{Series: "daily"}, A: "chain.score", B: "chain.score"}
	if _, err := r.Compare(t.Context(), chains); !isInput(err) || !strings.Contains(err.Error(), "gives scores and no levels") {
		t.Errorf("chains: %v", err)
	}
}

// Two raters of a genre, of which one leaves puzzles unrated: that is a level to move from and to. A pool is filed by
// either, and counted by either with the levels that it has.
func TestAnUnratedPuzzleMoves(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	ids := onRecord(t, r, 7)
	canonical := engine.RaterChoice{Name: "sudoku.canonical"}
	pool := registry.Selection{Pool: "sudoku/classic", All: true}
	v, _ := replay(t, r, registry.ReplayRequest{Selection: pool, Rater: canonical})
	lost := v.Matrix.At("evil", "unrated")
	if lost == 0 || v.Matrix.At("evil", "none") != 0 || v.Changed < lost || v.Causes["rater"] != v.Changed {
		t.Fatalf("%+v", v)
	}
	before := length(t, log)
	if _, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: "sudoku/classic", Rater: canonical, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	back, changes := replay(t, r, registry.ReplayRequest{Selection: pool, Rater: engine.RaterChoice{Name: "sudoku.tiers"}, DryRun: true})
	if back.Matrix.At("unrated", "evil") != lost || back.Changed != v.Changed {
		t.Errorf("%+v", back)
	}
	for _, c := range changes {
		if c.First != nil && strings.Contains(c.First.To+c.First.From, "[") {
			t.Errorf("%+v", c)
		}
	}
	compared, err := r.Compare(t.Context(), registry.CompareRequest{Selection: pool, A: "sudoku.tiers", B: "sudoku.canonical"})
	if err != nil || compared.Differ != v.Changed || compared.Without != 0 {
		t.Errorf("%+v, %v", compared, err)
	}
	counted := func(q registry.FrequencyQuery) registry.Frequency {
		f, err := r.Frequency(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, rater := range []string{"sudoku.tiers", "sudoku.canonical"} {
		on, all := counted(registry.FrequencyQuery{Pool: "sudoku/classic", Rater: rater}), counted(registry.FrequencyQuery{Pool: "sudoku/classic", Rater: rater, All: true})
		if on.Puzzles != len(ids)-lost || all.Puzzles != len(ids) || on.Unrated+all.Unrated != 0 {
			t.Errorf("by %s %d puzzles on shelves, %d in all, of %d of which %d are on no shelf", rater, on.Puzzles, all.Puzzles, len(ids), lost)
		}
	}
	if _, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "sudoku/classic/evil", Rater: "sudoku.tiers"}); !isInput(err) {
		t.Errorf("of a level of a rater that does not file them: %v", err)
	}
	if f := counted(registry.FrequencyQuery{Pool: "sudoku/classic", AsOf: new(events.Seq(before)), All: true}); f.Rater != "sudoku.tiers" || f.Puzzles != len(ids) {
		t.Errorf("as of before the adoption: %+v", f)
	}
	p, err := variant(t, "sudoku").Generator.Generate(t.Context(), raters.Request{Variant: "classic", Level: "easy", Seed: 99})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{p.Puzzle}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	if rec, err := r.Show(t.Context(), p.Puzzle.ID()); err != nil || rec.Ratings[0].Rater != "sudoku.canonical" {
		t.Errorf("an import is rated by who files the pool: %+v, %v", rec.Ratings, err)
	}
}

// The shelves of a pool follow the rater that is adopted; labels of published days do not.
func TestAdoptingARater(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	onRecord(t, r, 3)
	choice := reordered(t, "xy-wing", "swordfish", 3)
	req := registry.AdoptRequest{Pool: "sudoku/classic", Rater: choice, Actor: "editor", Reason: "xy-wing is hard"}
	if _, err := r.AdoptRater(t.Context(), req); !isInput(err) || !strings.Contains(err.Error(), "333 of 333 puzzles of sudoku/classic are not rated by sudoku.tiers 1+") {
		t.Fatal(err)
	}
	v, changes := replay(t, r, registry.ReplayRequest{Selection: registry.Selection{Pool: "sudoku/classic", All: true}, Rater: choice})
	stock := func(p registry.Pool) map[string]int {
		all := map[string]int{}
		for _, s := range p.Shelves {
			all[s.Level] = s.Unpublished
		}
		return all
	}
	list, err := r.Pools(t.Context(), "sudoku/classic")
	if err != nil {
		t.Fatal(err)
	}
	before := stock(list[0])
	pool, err := r.AdoptRater(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := maps.Clone(before)
	for _, c := range changes {
		want[c.From]--
		want[c.To]++
	}
	if pool.Version != v.To.Version || !maps.Equal(stock(pool), want) {
		t.Errorf("%+v, want %v", pool, want)
	}
	n := length(t, log)
	if again, err := r.AdoptRater(t.Context(), req); err != nil || again.Adopted != pool.Adopted || length(t, log) != n {
		t.Errorf("once more: %+v, %v", again, err)
	}
	e, err := log.Get(t.Context(), events.AdoptedKey("sudoku", "classic", 1))
	if err != nil || e.Actor != "editor" || e.Body.(events.Adopted).Reason != "xy-wing is hard" || e.Seq != pool.Adopted {
		t.Errorf("%+v, %v", e, err)
	}
	h, err := r.History(t.Context(), changes[0].ID)
	if err != nil || len(h.Ratings) != 2 || h.Ratings[0].Files || !h.Ratings[1].Files || h.Ratings[1].Profile == "" ||
		!slices.Equal(h.Ratings[1].Parameters, []string{"xy-wing hard, not expert", "xy-wing before swordfish"}) {
		t.Errorf("%+v, %v", h, err)
	}
	// Filling goes by the rater that was adopted.
	fill, err := r.FillPool(t.Context(), registry.FillRequest{Pool: "sudoku/classic", PerShelf: want["hard"] + 3, Candidates: 600, Seed: new(uint64), Actor: "editor"})
	if err != nil || fill.Version != pool.Version || fill.Outcomes["kept"] == 0 {
		t.Fatalf("%+v, %v", fill, err)
	}
	if check, err := r.VerifyPool(t.Context(), "sudoku/classic", nil); err != nil || !check.OK || check.Unrated != 0 {
		t.Errorf("%+v, %v", check, err)
	}
}

// A rater has the shelves of its own levels, and does not take over a pool from which a series takes another level.
func TestAdoptingARaterWithoutAShelfThatIsNeeded(t *testing.T) {
	log := logtest.NewMemory()
	r := open(t, log, at(morning))
	for _, odd := range []string{"nope", "chain.score", "sudoku.tiers@3", "@"} {
		req := registry.AdoptRequest{Pool: "sudoku/classic", Rater: engine.RaterChoice{Name: odd}, Actor: "editor"}
		if _, err := r.AdoptRater(t.Context(), req); !isInput(err) || length(t, log) != 0 {
			t.Errorf("%s: %v, %d events", odd, err, length(t, log))
		}
	}
	policy := strings.NewReplacer(`"toys"`, `"grid"`, `"toy"`, `"sudoku"`, `"flat"`, `"classic"`, `"daily", level = "hard" }`, `"daily", level = "hard" }`, `"hard" }`, `"evil" }`).Replace(shelfPolicy)
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(policy), Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	canonical := registry.AdoptRequest{Pool: "sudoku/classic", Rater: engine.RaterChoice{Name: "sudoku.canonical"}, Actor: "editor"}
	if _, err := r.AdoptRater(t.Context(), canonical); !isInput(err) || !strings.Contains(err.Error(), "series grid takes its Thursdays from sudoku/classic/evil, and sudoku.canonical 1 has no shelf for that level") {
		t.Errorf("%v", err)
	}
	singles, _, _ := strings.Cut(profileOf(t, "sudoku.tiers"), "\n[[technique]]\nname = \"pointing\"")
	pool, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: "sudoku/classic", Rater: engine.RaterChoice{Profile: []byte(singles)}, Actor: "editor"})
	if err != nil || len(pool.Shelves) != 2 || pool.Shelves[0].Level != "easy" || pool.Shelves[1].Level != "evil" {
		t.Errorf("%+v, %v", pool, err)
	}
}

// A filling ends when there are no more puzzles for a shelf.
func TestFillingEndsWhenNothingIsLeft(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	fill, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: 5000, Seed: new(uint64), Actor: "editor"})
	if err != nil || fill.Full || !fill.Stalled || fill.Candidates < 100_000 {
		t.Errorf("%+v, %v", fill, err)
	}
}
