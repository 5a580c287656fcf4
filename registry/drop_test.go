package registry_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/jobs"
)

// shelves returns a registry with a series that takes from full shelves of toys, and the easy ones, oldest first.
func shelves(t *testing.T, log events.Log) (r *registry.Registry, easy []string) {
	t.Helper()
	r = openToy(t, log)
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(shelfPolicy), Actor: "chief"}); err != nil {
		t.Fatal(err)
	}
	fillToy(t, r, 4, 3)
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := e.Body.(events.Generated); ok && b.Level == "easy" {
			easy = append(easy, b.Puzzle)
		}
	}
	return r, easy
}

// easyStock returns the number of easy toys.
func easyStock(t *testing.T, r *registry.Registry) (unpublished, published int) {
	t.Helper()
	list, err := r.Pools(t.Context(), toyPool)
	if err != nil {
		t.Fatal(err)
	}
	f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: toyPool + "/easy"})
	s := list[0].Shelves[0]
	if err != nil || f.Puzzles != s.Unpublished+s.Published {
		t.Errorf("%d puzzles are counted, %v, and the shelf holds %+v", f.Puzzles, err, s)
	}
	return s.Unpublished, s.Published
}

func TestADroppedPuzzleIsOnNoShelfUntilItIsRestored(t *testing.T) {
	r, easy := shelves(t, logtest.NewMemory())
	d := drop(t, r, easy[0])
	want := registry.DroppedPuzzle{Schema: "drop/1", ID: easy[0], Pool: toyPool, Drop: registry.Drop{Revision: 1, Time: "2026-12-01T09:00:00Z", Actor: "chief", Reason: "a test", Event: events.Seq(length(t, r.Log))}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	if free, _ := easyStock(t, r); free != 3 {
		t.Errorf("%d easy toys", free)
	}
	days, _ := publishToys(t, r, 0)
	if days[0].ID != easy[1] {
		t.Errorf("%s is published, not the next one, %s", days[0].ID, easy[1])
	}
	for range 2 { // and once more after that
		back, err := r.RestorePuzzle(t.Context(), easy[0], "desk", "it is fine")
		if err != nil || back.Restored == nil || back.Restored.Actor != "desk" || back.Restored.Reason != "it is fine" || back.Restored.Event != events.Seq(length(t, r.Log)) {
			t.Fatalf("%+v, %v", back, err)
		}
		if free, gone := easyStock(t, r); free != 3 || gone != 1 {
			t.Errorf("%d and %d easy toys", free, gone)
		}
		drop(t, r, easy[0])
	}
	if _, err := r.RestorePuzzle(t.Context(), easy[0], "desk", "it is fine"); err != nil {
		t.Fatal(err)
	}
	if days, _ := publishToys(t, r, 1); days[1].ID != easy[0] {
		t.Errorf("%s is published, not the oldest one, %s", days[1].ID, easy[0])
	}
	rec, err := r.Show(t.Context(), easy[0])
	h, err2 := r.History(t.Context(), easy[0])
	if err != nil || err2 != nil || len(rec.Drops) != 3 || rec.Drops[2].Revision != 3 || rec.Drops[2].Restored == nil || !cmp.Equal(rec.Drops, h.Drops) {
		t.Errorf("%+v, %v; %+v, %v", rec.Drops, err, h.Drops, err2)
	}
	a, err := r.AuditPuzzleID(t.Context(), "toys", easy[0])
	if err != nil || len(a.Later) != 0 || !cmp.Equal(a.Drops, h.Drops) || a.Drops[0].Restored.Reason != "it is fine" {
		t.Errorf("%+v, %+v, %v", a.Drops, a.Later, err)
	}
}

func TestWhatCannotBeDroppedOrRestored(t *testing.T) {
	r, easy := shelves(t, logtest.NewMemory())
	publishToys(t, r, 1)
	if _, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: "toys", Date: date(t, "2026-12-01"), Actor: "chief", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	drop(t, r, easy[3])
	n := length(t, r.Log)
	for name, c := range map[string]struct {
		do               func(id, reason string) error
		id, reason, says string
	}{
		"withdrawn":    {drops(t, r), easy[0], "a test", "was published and withdrawn"},
		"published":    {drops(t, r), easy[1], "a test", "is the puzzle of toys 2026-12-02, event "},
		"with a way":   {drops(t, r), easy[1], "a test", "assay withdraw 2026-12-02 --series toys"},
		"dropped":      {drops(t, r), easy[3], "again", "is dropped already: chief dropped it at 2026-12-01T09:00:00Z, event "},
		"unknown":      {drops(t, r), "toy-0000000000000000", "a test", "no puzzle"},
		"no reason":    {drops(t, r), easy[2], " ", "--reason"},
		"odd reason":   {drops(t, r), easy[2], "a\x07test", "reason"},
		"not dropped":  {restoring(t, r), easy[2], "a test", "is not dropped"},
		"not known":    {restoring(t, r), "toy-0000000000000000", "a test", "no puzzle"},
		"for nothing":  {restoring(t, r), easy[3], "", "--reason"},
		"odd restored": {restoring(t, r), easy[3], "a\x07test", "reason"},
	} {
		if err := c.do(c.id, c.reason); !isInput(err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if length(t, r.Log) != n {
		t.Errorf("%d events were recorded", length(t, r.Log)-n)
	}
}

func drops(t *testing.T, r *registry.Registry) func(id, reason string) error {
	return func(id, reason string) error {
		_, err := r.DropPuzzle(t.Context(), id, "desk", reason)
		return err
	}
}

func restoring(t *testing.T, r *registry.Registry) func(id, reason string) error {
	return func(id, reason string) error {
		_, err := r.RestorePuzzle(t.Context(), id, "desk", reason)
		return err
	}
}

// A puzzle that is dropped just before it is published is withdrawn, and the date gets another. The dropper is told
// nothing: the drop has its effect.
func TestADropJustBeforeAPublication(t *testing.T) {
	log := logtest.NewMemory()
	r, easy := shelves(t, log)
	racing := openToy(t, &beforehand{Log: log, do: func() { drop(t, openToy(t, log), easy[0]) }})
	if days, _ := publishToys(t, racing, 0); len(days) != 1 || days[0].ID != easy[1] || days[0].Revision != 1 {
		t.Errorf("%+v", days)
	}
	rec, err := r.Show(t.Context(), easy[0])
	if err != nil || len(rec.Publications) != 1 || rec.Publications[0].Withdrawn == nil || !strings.Contains(rec.Publications[0].Withdrawn.Reason, "dropped the puzzle first") {
		t.Errorf("%+v, %v", rec, err)
	}
	if free, gone := easyStock(t, r); free != 2 || gone != 2 {
		t.Errorf("%d and %d easy toys", free, gone)
	}
}

// A puzzle that is published just before it is dropped stands, and the dropper is told. The drop has no effect.
func TestAPublicationJustBeforeADrop(t *testing.T) {
	log := logtest.NewMemory()
	r, easy := shelves(t, log)
	published := false
	racing := openToy(t, outrun{log, "dropped/", func() { publishToys(t, openToy(t, log), 0); published = true }})
	_, err := racing.DropPuzzle(t.Context(), easy[0], "desk", "a test")
	if !published || !isInput(err) || !strings.Contains(err.Error(), "toys took "+easy[0]+" for 2026-12-01 at the same moment, event ") || !strings.Contains(err.Error(), "withdraw the day") {
		t.Errorf("%t, %v", published, err)
	}
	check := func() {
		t.Helper()
		if free, gone := easyStock(t, r); free != 3 || gone != 1 {
			t.Errorf("%d and %d easy toys", free, gone)
		}
	}
	check()
	if rec, err := r.Show(t.Context(), easy[0]); err != nil || len(rec.Drops) != 1 || len(rec.Publications) != 1 || rec.Publications[0].Withdrawn != nil {
		t.Errorf("%+v, %v", rec, err)
	}
	if err := restoring(t, r)(easy[0], "it has no effect"); err != nil {
		t.Error(err)
	}
	check()
}

// When two callers drop or restore a puzzle at the same time, one gets an error that says what stands.
func TestTwoDropsAtOnce(t *testing.T) {
	log := logtest.NewMemory()
	_, easy := shelves(t, log)
	for prefix, do := range map[string]func(r *registry.Registry, reason string) error{
		"dropped/":  func(r *registry.Registry, reason string) error { return drops(t, r)(easy[0], reason) },
		"restored/": func(r *registry.Registry, reason string) error { return restoring(t, r)(easy[1], reason) },
	} {
		if prefix == "restored/" {
			drop(t, openToy(t, log), easy[1])
		}
		r := openToy(t, outrun{log, prefix, func() {
			if err := do(openToy(t, log), "the first reason"); err != nil {
				t.Error(err)
			}
		}})
		var stands *registry.StandsError
		if err := do(r, "another reason"); !errors.As(err, &stands) || !strings.Contains(err.Error(), "drop of "+map[string]string{"dropped/": easy[0], "restored/": easy[1]}[prefix]) {
			t.Errorf("%s: %v", prefix, err)
		}
	}
}

// Filling and importing take a dropped puzzle as known, and one that is the same up to symmetry too.
func TestADroppedPuzzleIsKnown(t *testing.T) {
	r, easy := shelves(t, logtest.NewMemory())
	for _, id := range easy {
		drop(t, r, id)
	}
	rec, err := r.Show(t.Context(), easy[0])
	if err != nil {
		t.Fatal(err)
	}
	level, n, _ := toyParts(rec.Text)
	twin := toyPuzzle(toyText(level, n^1))
	got, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{toyPuzzle(rec.Text), twin}, Actor: "editor"})
	if err != nil || got[0].Status != registry.Known || got[1].Status != registry.New || got[1].Equivalent != easy[0] {
		t.Errorf("%+v, %v", got, err)
	}
	fillToy(t, r, 4, 3)
	forms := map[events.Form]bool{}
	for e, err := range r.Log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := e.Body.(events.Generated); ok {
			if forms[b.Canonical] {
				t.Errorf("%s is made again", b.Text)
			}
			forms[b.Canonical] = true
		}
	}
	if free, _ := easyStock(t, r); free != 4 || len(forms) != 16 {
		t.Errorf("%d easy toys, %d were made in all", free, len(forms))
	}
}

// The generator of a series passes over a puzzle that was dropped.
func TestADayIsNotMadeOfADroppedPuzzle(t *testing.T) {
	made := open(t, logtest.NewMemory(), at(morning))
	days, _ := publish(t, made, 1)
	rec, err := made.Show(t.Context(), days[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, logtest.NewMemory(), at(morning))
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{chain(t, rec.Text)}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	drop(t, r, rec.ID)
	again, _ := publish(t, r, 1)
	if again[0].ID != days[0].ID || again[1].ID == days[1].ID {
		t.Errorf("%+v, before the drop %+v", again, days)
	}
	e, err := r.Log.Get(t.Context(), events.PublishedKey(registry.DefaultSeries, "2026-12-02", 0))
	if err != nil || len(e.Body.(events.Published).Skipped) != 1 || e.Body.(events.Published).Skipped[0].Puzzle != rec.ID {
		t.Errorf("%+v, %v", e, err)
	}
}

// What a rater gets stuck on is kept for no shelf, on any number of cores. What an older program kept stands on the
// shelf of stuck puzzles, and the other one is filled.
func TestFillingKeepsNoStuckPuzzle(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	less, _, _ := strings.Cut(profileOf(t, "sudoku.tiers"), "\n[[technique]]\nname = \"naked-triple\"")
	_, last, _ := strings.Cut(profileOf(t, "sudoku.tiers"), "name = \"simple-coloring\"\ntier = 4\n")
	profile := engine.RaterChoice{Profile: []byte(less + last)}
	var runs [][]string
	elsewhere := &forger{t: t, forge: func([]byte) []byte { return nil }} // an honest worker
	for _, c := range []struct {
		cores int
		pool  jobs.Crew
	}{{1, nil}, {4, nil}, {4, elsewhere}} {
		runtime.GOMAXPROCS(c.cores)
		r := open(t, logtest.NewMemory(), at(morning))
		r.Crew = c.pool
		pool, err := r.AdoptRater(t.Context(), registry.AdoptRequest{Pool: classic, Rater: profile, Actor: "editor", Reason: "a test"})
		if err != nil {
			t.Fatal(err)
		}
		keepStuck(t, r, pool)
		f, err := r.FillPool(t.Context(), registry.FillRequest{Pool: classic, PerShelf: 20, Candidates: 900, Seed: new(uint64), Actor: "editor"})
		if err != nil || f.Outcomes["outside"] == 0 {
			t.Fatalf("%+v, %v", f, err)
		}
		runs = append(runs, facts(t, r.Log))
		w := worldOf(t, r, 1<<40)
		stuck, evil := w.puzzles(asked{level: "evil", stuck: true}), w.puzzles(asked{level: "evil"})
		if len(stuck) != 1 || len(evil) == 0 {
			t.Errorf("%d stuck, %d evil: %+v", len(stuck), len(evil), f)
		}
		list, err := r.Pools(t.Context(), classic)
		if at := len(list[0].Shelves) - 1; err != nil || list[0].Shelves[at].Level != "evil" || list[0].Shelves[at].Unpublished != len(evil) || !slices.Equal(list[0].Stuck, []registry.PoolShelf{{Level: "evil", Unpublished: 1}}) {
			t.Errorf("%+v, %v", list, err)
		}
	}
	for _, other := range runs[1:] {
		if diff := cmp.Diff(runs[0], other); diff != "" {
			t.Error(diff)
		}
	}
}

// A shelf that no technique leads to is not waited for.
func TestFillingLeavesOutAShelfOfNoTechnique(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	singles, _, _ := strings.Cut(profileOf(t, "sudoku.tiers"), "\n[[technique]]\nname = \"pointing\"")
	adopt := registry.AdoptRequest{Pool: classic, Rater: engine.RaterChoice{Profile: []byte(singles)}, Actor: "editor", Reason: "a test"}
	if _, err := r.AdoptRater(t.Context(), adopt); err != nil {
		t.Fatal(err)
	}
	f, err := r.FillPool(t.Context(), registry.FillRequest{Pool: classic, PerShelf: 3, Seed: new(uint64), Actor: "editor"})
	if err != nil || !f.Full || f.Stalled || f.Shelves[0].Unpublished != 3 || f.Shelves[1].Unpublished != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// keepStuck records a block in which an older program kept a stuck puzzle for the evil shelf.
func keepStuck(t *testing.T, r *registry.Registry, pool registry.Pool) {
	t.Helper()
	const hardest = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
	rated := events.Rated{Genre: "sudoku", Variant: "classic", Rater: pool.Rater, Version: string(pool.Version), Outcome: "stuck", Level: "evil", Tier: 5, Clues: 21}
	rated.Puzzle = raters.Puzzle{Genre: "sudoku", Variant: "classic", Text: hardest}.ID()
	put(t, r, events.ImportedKey(rated.Puzzle), events.Imported{Puzzle: rated.Puzzle, Genre: "sudoku", Variant: "classic", Text: hardest})
	put(t, r, events.RatedKey(rated.Puzzle, rated.Rater, rated.Version), rated)
	put(t, r, events.FilledKey("sudoku", "classic", 1, 0, 0), events.Filled{
		Genre: "sudoku", Variant: "classic", Generator: 1, Rater: rated.Rater, Version: rated.Version, PerShelf: 1,
		Counts: []events.Fate{{Cap: "evil", Earned: "evil", Outcome: "kept", Count: 1}}, Kept: []events.Shelved{{Candidate: 0, Level: "evil"}},
	})
}

// A pool without levels is counted like any other.
func TestDroppingFromAPoolWithoutShelves(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	list := chainPuzzles(t)
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: list, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	before := events.Seq(length(t, r.Log))
	drop(t, r, list[0].ID())
	for all, want := range map[bool]int{false: len(list) - 1, true: len(list)} {
		f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "chain/daily", All: all})
		if err != nil || f.Puzzles != want || f.Unrated != 0 {
			t.Errorf("%+v, %v", f, err)
		}
		v, err := r.Replay(t.Context(), registry.ReplayRequest{Selection: registry.Selection{Pool: "chain/daily", All: all}, DryRun: true})
		if err != nil || v.Puzzles != want {
			t.Errorf("%+v, %v", v, err)
		}
	}
	if f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "chain/daily", AsOf: &before}); err != nil || f.Puzzles != len(list) {
		t.Errorf("%+v, %v", f, err)
	}
}

// A series that takes stuck puzzles empties their shelf, and no other.
func TestTheShelfOfStuckPuzzlesLastsForItsDays(t *testing.T) {
	r := open(t, logtest.NewMemory(), at(morning))
	onRecord(t, r, 30) // 3 stuck
	p := events.Policy{Series: "grim", Revision: 1, Effective: "2026-12-01", Zone: "UTC", Release: "06:00", Stuck: []int{0, 1, 2, 3, 4}}
	for i := range p.Days {
		p.Days[i] = events.DayRule{Label: "grim", Source: "shelf", Genre: "sudoku", Variant: "classic", Level: "evil"}
	}
	put(t, r, events.PolicyKey(p.Series, 1), p)
	list, err := r.Pools(t.Context(), classic)
	if err != nil || len(list[0].Stuck) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	evil, stuck := list[0].Shelves[4], list[0].Stuck[0]
	// From Tuesday on: three stuck puzzles last until Friday, 30 evil ones until the sixteenth Saturday.
	if stuck.Unpublished != 3 || *stuck.Runway != 3 || evil.Unpublished != 30 || *evil.Runway != 4+15*7 {
		t.Errorf("%+v for %d days, %+v for %d days", stuck, *stuck.Runway, evil, *evil.Runway)
	}
}
