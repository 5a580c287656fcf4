package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
)

// put records a fact past every check of the registry.
func put(t testing.TB, r *registry.Registry, key events.Key, body events.Body) {
	t.Helper()
	e := logtest.Fact("x", "x", uint64(length(t, r.Log)+1))
	e.Key, e.Body, e.Time = key, body, time.Now()
	if _, err := r.Log.Append(t.Context(), e); err != nil {
		t.Fatal(err)
	}
}

// forge puts a toy on record with a level of somebody's choice.
func forge(t testing.TB, r *registry.Registry, text, level string) string {
	p := toyPuzzle(text)
	id := p.ID()
	put(t, r, events.ImportedKey(id), events.Imported{Puzzle: id, Genre: p.Genre, Variant: p.Variant, Text: text, Solution: "solved " + text})
	put(t, r, events.RatedKey(id, "toy.levels", "1"), events.Rated{Puzzle: id, Genre: p.Genre, Variant: p.Variant, Rater: "toy.levels", Version: "1", Outcome: "rated", Level: level})
	return id
}

func TestTheGateNamesWhatIsNotAsRecorded(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	fillToy(t, r, 50, 3)
	progress := 0
	check, err := r.VerifyPool(t.Context(), toyPool, func(done, total int) { progress = done*1000 + total })
	if err != nil || !check.OK || check.Puzzles != 150 || check.Unrated != 0 || len(check.Problems) != 0 || progress != 150*1000+150 {
		t.Fatalf("%+v, %v, progress %d", check, err, progress)
	}
	second, wrong := forge(t, r, toyText(1, 901), "medium"), forge(t, r, toyText(2, 700), "easy")
	unrated := toyPuzzle(toyText(0, 800))
	put(t, r, events.ImportedKey(unrated.ID()), events.Imported{Puzzle: unrated.ID(), Genre: toyGenre, Variant: toyVariant, Text: unrated.Text, Solution: "solved " + unrated.Text})
	other := toyPuzzle(toyText(0, 802))
	put(t, r, events.ImportedKey(other.ID()), events.Imported{Puzzle: other.ID(), Genre: toyGenre, Variant: toyVariant, Text: other.Text, Solution: "another"})
	want := []registry.PoolProblem{
		{ID: second, Problem: "more than one solution", Recorded: "medium"},
		{ID: wrong, Problem: "recorded as easy, rated hard (tier 3)", Recorded: "easy", Measured: "hard"},
		{ID: other.ID(), Problem: "its solution is another than the recorded one"},
	}
	slices.SortFunc(want, func(a, b registry.PoolProblem) int { return strings.Compare(a.ID, b.ID) })
	check, err = r.VerifyPool(t.Context(), toyPool, nil)
	if err != nil || check.OK || check.Puzzles != 154 || check.Unrated != 2 || !slices.Equal(check.Problems, want) {
		t.Fatalf("%v\n%s", err, cmp.Diff(want, check.Problems))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.VerifyPool(ctx, toyPool, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that ended: %v", err)
	}
}

func TestAPoolFiledByAnotherVersionIsNotTouched(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	put(t, r, events.AdoptedKey(toyGenre, toyVariant, 1), events.Adopted{Genre: toyGenre, Variant: toyVariant, Revision: 1, Rater: "toy.levels", Version: "7", Levels: []string{"easy"}})
	if _, err := r.VerifyPool(t.Context(), toyPool, nil); err == nil || !strings.Contains(err.Error(), "filed by toy.levels 7") {
		t.Error(err)
	}
	if _, err := r.FillPool(t.Context(), registry.FillRequest{Pool: toyPool, PerShelf: 1, Actor: "editor"}); err == nil || !strings.Contains(err.Error(), "filed by toy.levels 7") {
		t.Error(err)
	}
}

// counts adds up what a plain reading of the log counts.
func counts(t *testing.T, log events.Log, upTo events.Seq, levels ...string) registry.Frequency {
	f := registry.Frequency{Schema: "freq/1", Rater: "toy.levels", Version: "1"}
	sum := 0
	byName := map[string]*registry.TechniqueFrequency{}
	for i, level := range toyLevels {
		f.Order = append(f.Order, "rule-"+level)
		f.Techniques = append(f.Techniques, registry.TechniqueFrequency{Name: "rule-" + level, Level: level})
		byName[f.Order[i]] = nil
	}
	for i := range f.Techniques {
		byName[f.Techniques[i].Name] = &f.Techniques[i]
	}
	for e, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq > upTo {
			break
		}
		f.Seq = e.Seq
		b, ok := e.Body.(events.Rated)
		if !ok || !slices.Contains(levels, b.Level) {
			continue
		}
		if f.Puzzles++; f.Puzzles == 1 || b.Clues < f.Clues.Min {
			f.Clues.Min = b.Clues
		}
		f.Clues.Max, sum = max(f.Clues.Max, b.Clues), sum+b.Clues
		for _, u := range b.Techniques {
			c := byName[u.Name]
			c.Using++
			c.Uses += u.Uses
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

func TestFrequencyIsWhatTheLogCounts(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	fillToy(t, r, 60, 3)
	all := events.Seq(length(t, r.Log))
	for _, c := range []struct {
		pool   string
		asOf   *events.Seq
		levels []string
	}{
		{toyPool, nil, []string{"easy", "medium", "hard"}}, {toyPool + "/hard", nil, []string{"hard"}},
		{toyPool + "/medium", new(events.Seq(300)), []string{"medium"}}, {toyPool, new(events.Seq(57)), []string{"easy", "medium", "hard"}},
		{toyPool + "/easy", &all, []string{"easy"}}, {toyPool, new(events.Seq), []string{"easy", "medium", "hard"}},
	} {
		got, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: c.pool, AsOf: c.asOf, Rater: "toy.levels@1"})
		upTo := all
		if c.asOf != nil {
			upTo = *c.asOf
		}
		want := counts(t, r.Log, upTo, c.levels...)
		want.Pool = c.pool
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s as of %d: %v %s", c.pool, upTo, err, diff)
		}
	}
	for name, q := range map[string]registry.FrequencyQuery{
		"to come": {Pool: toyPool, AsOf: new(all + 1)}, "no shelf": {Pool: toyPool + "/extreme"}, "no version": {Pool: toyPool, Rater: "toy.retired"},
		"no pool": {Pool: "toy"}, "deep": {Pool: "toy/flat/easy/x"}, "empty": {Pool: "toy//easy"}, "no genre": {Pool: "chess/blitz"},
	} {
		if f, err := r.Frequency(t.Context(), q); !isInput(err) {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	if f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: toyPool, Rater: "toy.retired@3"}); !isInput(err) {
		t.Errorf("of a rater that never rated: %+v, %v", f, err)
	}
}

func TestFrequencyOfAGenreWithoutLevelsHasItsScores(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	publish(t, r, 30)
	f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "chain/daily"})
	if err != nil || f.Puzzles != 31 || len(f.Scores) < 3 || f.Rater != "chain.score" {
		t.Fatalf("%+v, %v", f, err)
	}
	sum := 0
	for _, s := range f.Scores {
		sum += s.Puzzles
	}
	half, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: "chain/daily", AsOf: new(events.Seq(48))})
	if err != nil || sum != 31 || half.Puzzles != 15 && half.Puzzles != 16 {
		t.Errorf("%d scores; as of event 48 %+v, %v", sum, half, err)
	}
}

func TestListOfATechniqueIsPaged(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	fillToy(t, r, 20, 3)
	q := registry.UsingQuery{FrequencyQuery: registry.FrequencyQuery{Pool: toyPool}, Techniques: []string{"rule-medium"}, Limit: 7}
	var ids []string
	for pages := 0; ; pages++ {
		list, err := r.Using(t.Context(), q)
		if err != nil || pages > 10 {
			t.Fatal(pages, err)
		}
		for _, u := range list {
			level, _, ok := toyParts(u.Text)
			if !ok || level < 1 || toyLevels[level] != u.Level || toyPuzzle(u.Text).ID() != u.ID {
				t.Errorf("%+v", u)
			}
			ids = append(ids, u.ID)
		}
		if len(list) < 7 {
			break
		}
		q.After = list[6].Next
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 40 {
		t.Errorf("%d puzzles of the two upper shelves", len(ids))
	}
	for name, bad := range map[string]registry.UsingQuery{
		"technique": {FrequencyQuery: q.FrequencyQuery, Techniques: []string{"x-wing"}, Limit: 1}, "limit": {FrequencyQuery: q.FrequencyQuery, Techniques: []string{"rule-easy"}}, "no technique": {FrequencyQuery: q.FrequencyQuery, Limit: 1},
		"after": {FrequencyQuery: q.FrequencyQuery, Techniques: []string{"rule-easy"}, Limit: 1, After: "12"}, "no such page": {FrequencyQuery: q.FrequencyQuery, Techniques: []string{"rule-easy"}, Limit: 1, After: "evil:12"},
	} {
		if _, err := r.Using(t.Context(), bad); !isInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheFunnelCountsEveryCandidate(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	f := fillToy(t, r, 40, 3)
	got, err := r.Funnel(t.Context(), toyPool)
	if err != nil {
		t.Fatal(err)
	}
	byOutcome := map[string]int{}
	for _, l := range got.Lines {
		byOutcome[l.Outcome] += l.Count
	}
	if diff := cmp.Diff(f.Outcomes, byOutcome); diff != "" {
		t.Error(diff)
	}
}

const shelfPolicy = `series = "toys"
effective = "2026-12-01"
zone = "UTC"
release = "06:00"
[days]
monday    = { label = "gentle", source = "shelf", genre = "toy", variant = "flat", level = "easy" }
tuesday   = { label = "gentle", source = "shelf", genre = "toy", variant = "flat", level = "easy" }
wednesday = { label = "gentle", source = "shelf", genre = "toy", variant = "flat", level = "easy" }
thursday  = { label = "tough", source = "shelf", genre = "toy", variant = "flat", level = "hard" }
friday    = { label = "tough", source = "shelf", genre = "toy", variant = "flat", level = "hard" }
saturday  = { label = "chain", source = "generator", genre = "chain", variant = "daily", level = "hard" }
sunday    = { label = "chain", source = "generator", genre = "chain", variant = "daily", level = "hard" }
`

func publishToys(t *testing.T, r *registry.Registry, ahead int) ([]registry.Day, *registry.EmptyShelfError) {
	t.Helper()
	days, _, err := r.Publish(t.Context(), registry.PublishRequest{Series: "toys", Ahead: ahead, Actor: "editor"})
	var empty *registry.EmptyShelfError
	if err != nil && !errors.As(err, &empty) {
		t.Fatal(err)
	}
	return days, empty
}

// The days take the oldest puzzles of their shelves, each once; a day whose shelf is empty stays without
// one, the others go on, and it is told of until the shelf is filled.
func TestPublishingFromShelves(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(shelfPolicy), Actor: "chief"}); err != nil {
		t.Fatal(err)
	}
	fillToy(t, r, 3, 3)
	days, empty := publishToys(t, r, 13) // Tuesday 1 to Monday 14 December: 6 easy, 4 hard, 4 chains
	if empty == nil || len(days) != 14-3-1 || len(empty.Days) != 4 {
		t.Fatalf("%d days, %+v", len(days), empty)
	}
	first := empty.Days[0]
	if first.Date != "2026-12-08" || first.Shelf != "toy/flat/easy" || first.Label != "gentle" || !strings.Contains(first.Reason, "assay pool fill toy/flat") {
		t.Errorf("%+v", first)
	}
	wantOldest(t, r, days)
	r.Now = at("2026-12-01T06:00:00Z")
	day, err := seen(t, r).Day(t.Context(), "toys", date(t, "2026-12-01"))
	if err != nil || day.PublicChain != nil || day.Grid == nil || day.Grid.Columns != 3 || len(day.Grid.Cells) != 3 || day.Board.Columns != 3 {
		t.Errorf("in public: %+v, %v", day, err)
	}
	missing, err := r.AuditDay(t.Context(), "toys", date(t, "2026-12-08"))
	if err != nil || missing.Unpublished != first.Reason || missing.Policy.Level != "easy" || missing.Label != "gentle" || missing.Puzzle.ID != "" {
		t.Errorf("audit: %+v, %v", missing, err)
	}
	stock, err := r.Pools(t.Context(), toyPool)
	if err != nil || stock[0].Shelves[0].Unpublished != 0 || stock[0].Shelves[0].Published != 3 || *stock[0].Shelves[0].Runway != 7 {
		t.Errorf("%+v, %v", stock, err)
	}
	fillToy(t, r, 4, 3)
	if days, empty = publishToys(t, r, 13); empty != nil || len(days) != 14 {
		t.Fatalf("filled again: %d days, %+v", len(days), empty)
	}
	wantOldest(t, r, days)
	if _, err := r.AuditDay(t.Context(), "toys", date(t, "2027-06-01")); !isInput(err) {
		t.Errorf("audit of a day whose shelf holds puzzles: %v", err)
	}
}

// wantOldest wants each shelf's days to have its puzzles in the order in which they came on record.
func wantOldest(t *testing.T, r *registry.Registry, days []registry.Day) {
	t.Helper()
	byLevel := map[string][]string{}
	for e, err := range r.Log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := e.Body.(events.Generated); ok && b.Genre == toyGenre {
			byLevel[b.Level] = append(byLevel[b.Level], b.Puzzle)
		}
	}
	for _, d := range days {
		level := map[string]string{"gentle": "easy", "tough": "hard"}[d.Label]
		if level == "" {
			continue
		}
		if d.Revision == 0 && d.ID != byLevel[level][0] {
			t.Errorf("%s has %s, not the oldest of %s, %s", d.Date, d.ID, level, byLevel[level][0])
		}
		byLevel[level] = byLevel[level][1:]
	}
}

// beforehand is a log that does something before the first publication is appended.
type beforehand struct {
	events.Log
	do func()
}

func (l *beforehand) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	if _, ok := batch[len(batch)-1].Body.(events.Published); ok && l.do != nil {
		do := l.do
		l.do = nil
		do()
	}
	return l.Log.Append(ctx, batch...)
}

// Two series take from one shelf at the same moment: the second gives the puzzle back, in the open.
func TestTwoSeriesNeverKeepOnePuzzle(t *testing.T) {
	log := &beforehand{Log: logtest.NewMemory()}
	r := openToy(t, log)
	for _, series := range []string{"toys", "games"} {
		if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(strings.Replace(shelfPolicy, "toys", series, 1)), Actor: "chief"}); err != nil {
			t.Fatal(err)
		}
	}
	fillToy(t, r, 4, 3)
	var theirs []registry.Day
	log.do = func() {
		var err error
		if theirs, _, err = openToy(t, log.Log).Publish(t.Context(), registry.PublishRequest{Series: "games", Actor: "editor"}); err != nil {
			t.Fatal(err)
		}
	}
	ours, _ := publishToys(t, r, 1)
	if len(theirs) != 1 || len(ours) != 2 || ours[0].Revision != 1 || ours[0].ID == theirs[0].ID || ours[1].ID == theirs[0].ID || ours[1].ID == ours[0].ID {
		t.Fatalf("ours %+v, theirs %+v", ours, theirs)
	}
	a, err := r.AuditDay(t.Context(), "toys", date(t, "2026-12-01"))
	if err != nil || a.Revisions[0].ID != theirs[0].ID || a.Revisions[0].Withdrawn == nil || !strings.Contains(a.Revisions[0].Withdrawn.Reason, "took the puzzle first") {
		t.Errorf("%+v, %v", a.Revisions, err)
	}
}

func TestWithdrawingAShelfDay(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	if _, err := r.AdoptPolicy(t.Context(), registry.PolicyRequest{Text: []byte(shelfPolicy), Actor: "chief"}); err != nil {
		t.Fatal(err)
	}
	fillToy(t, r, 4, 3)
	before, _ := publishToys(t, r, 1)
	became, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: "toys", Date: date(t, "2026-12-01"), Released: true, Actor: "chief", Reason: "too gentle"})
	if err != nil {
		t.Fatal(err)
	}
	if day := became.Day; day.Revision != 1 || day.ID == before[0].ID || day.ID == before[1].ID {
		t.Fatalf("%+v", day)
	}
	after, _ := publishToys(t, r, 7)
	for _, d := range after[1:] {
		if d.ID == before[0].ID {
			t.Error("a withdrawn puzzle is published again")
		}
	}
	a, err := r.AuditDay(t.Context(), "toys", date(t, "2026-12-01"))
	if err != nil || a.Policy.Source != "shelf" || a.Rating.Level != "easy" || a.Hardest == nil || a.Hardest.Step.N != 1 || len(a.Hardest.Grid) != 1 ||
		a.Regenerated != registry.Identical || len(a.Revisions) != 2 {
		t.Errorf("audit %+v, %v", a, err)
	}
	became, err = r.Withdraw(t.Context(), registry.WithdrawRequest{Series: "toys", Date: date(t, "2026-12-01"), Released: true, Actor: "chief", Reason: "again"})
	if err != nil || became.Day != nil || became.Vacant == nil || !strings.Contains(became.Vacant.Reason, "assay pool fill toy/flat") {
		t.Errorf("with an empty shelf: %+v, %v", became, err)
	}
}

// A rating's steps can be read from the log when no engine is left.
func TestStepsAreReadFromTheLogAlone(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	p := toyPuzzle(toyText(2, 5))
	if _, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: []raters.Puzzle{p}, Actor: "editor"}); err != nil {
		t.Fatal(err)
	}
	rating, err := engine.Rate(t.Context(), toyRater{}, p)
	if err != nil {
		t.Fatal(err)
	}
	r.Genres = nil
	rec, err := r.ShowSteps(t.Context(), p.ID())
	if err != nil || len(rec.Ratings) != 1 || len(rec.Ratings[0].Steps) != 3 {
		t.Fatalf("%+v, %v", rec, err)
	}
	if diff := cmp.Diff(rating.WithSteps().Steps, rec.Ratings[0].Steps); diff != "" {
		t.Error(diff)
	}
	if s := rec.Ratings[0].Steps[1]; s.N != 2 || s.Technique != "rule-medium" || !slices.Equal(s.Placed, []string{"r1c2=2"}) || s.Text != "rule-medium, here: r1c2=2" {
		t.Errorf("%+v", s)
	}
	if plain, err := r.Show(t.Context(), p.ID()); err != nil || plain.Ratings[0].Steps != nil {
		t.Errorf("steps that nobody asked for: %+v, %v", plain.Ratings, err)
	}
}

func second[T any](_ T, err error) error { return err }

// A file of more puzzles than one append takes, some of them twice, known, or with two solutions, comes
// on record in order.
func TestImportingMany(t *testing.T) {
	count := 1300
	if os.Getenv("ASSAY_FULL") != "" {
		count = 20_000
	}
	r := openToy(t, logtest.NewMemory())
	known := forge(t, r, toyText(1, 1), "medium")
	var puzzles []raters.Puzzle
	var want []string
	seen := map[string]string{known: registry.Known}
	for i := range count {
		p := toyPuzzle(toyText(i%3, i*7%950))
		status := seen[p.ID()]
		if status == "" {
			status = registry.New
			if i*7%950 >= 900 {
				status = registry.Refused
			}
			seen[p.ID()] = registry.Known
		}
		puzzles, want = append(puzzles, p), append(want, status)
	}
	results, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: puzzles, Actor: "editor"})
	if err != nil {
		t.Fatal(err)
	}
	last, firstOf := events.Seq(0), map[string]string{}
	for i, got := range results {
		_, n, _ := toyParts(puzzles[i].Text)
		if twin := firstOf[puzzles[i].Text[:2]+strconv.Itoa(n&^1)]; got.Status == registry.New && twin == "" {
			firstOf[puzzles[i].Text[:2]+strconv.Itoa(n&^1)] = got.ID
		} else if got.Status == registry.New && got.Equivalent != twin {
			t.Fatalf("puzzle %d: %+v, the same as %s up to symmetry", i, got, twin)
		}
		if got.ID != puzzles[i].ID() || got.Status != want[i] {
			t.Fatalf("puzzle %d: %+v, want %s", i, got, want[i])
		}
		if got.Status == registry.New {
			if got.Event <= last {
				t.Fatalf("puzzle %d came on record at %d, after %d", i, got.Event, last)
			}
			last = got.Event
		}
	}
	if equivalent := slices.IndexFunc(results, func(i registry.Imported) bool { return i.Equivalent != "" }); equivalent < 0 {
		t.Error("no puzzle is the same as another up to symmetry")
	}
	if check, err := r.VerifyPool(t.Context(), toyPool, nil); err != nil || !check.OK || check.Puzzles < 500 {
		t.Errorf("%+v, %v", check, err)
	}
}

func TestObjectsHaveTheirKeys(t *testing.T) {
	r := openToy(t, logtest.NewMemory())
	fillToy(t, r, 2, 3)
	f, err := r.Frequency(t.Context(), registry.FrequencyQuery{Pool: toyPool + "/easy"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"schema":"freq/1"`, `"pool":"toy/flat/easy"`, `"rater":"toy.levels"`, `"version":1`, `"order":["rule-easy",`, `"seq":`, `"puzzles":2`, `"clues":{"min":2`, `"mean":`, `"techniques":[{"name":"rule-easy","level":"easy","using":2,"uses":2,"deciding":2}`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("%s lacks %s", text, key)
		}
	}
	if !strings.Contains(fmt.Sprint(f.Techniques), "rule-extreme") {
		t.Error("a technique that nobody used is left out")
	}
}
