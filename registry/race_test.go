package registry_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/raters"
	"assay/registry"
	"assay/registry/interchange"
	"assay/registry/schedule"
)

// outrun is a log on which somebody else is faster, once: before the first append of an event under a key that begins so.
type outrun struct {
	events.Log
	prefix string
	other  func()
}

func (l outrun) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	for _, e := range batch {
		if strings.HasPrefix(string(e.Key), l.prefix) {
			l.other()
		}
	}
	return l.Log.Append(ctx, batch...)
}

// outrunning returns a registry and another one on the same log, which does something just before the first records.
func outrunning(t *testing.T, prefix string, do func(other *registry.Registry)) *registry.Registry {
	t.Helper()
	log := logtest.NewMemory()
	other := open(t, log, at(morning))
	return open(t, outrun{log, prefix, sync.OnceFunc(func() { do(other) })}, at(morning))
}

// The loser of a race gets an error that says what stands, who recorded it and when.
func TestTheLoserOfARaceIsToldWhatStands(t *testing.T) {
	withdraw := func(r *registry.Registry, actor, reason string) error {
		_, err := r.Withdraw(t.Context(), registry.WithdrawRequest{Series: registry.DefaultSeries, Date: date(t, "2026-12-02"), Actor: actor, Reason: reason})
		return err
	}
	adopt := func(r *registry.Registry, actor, from string) error {
		return r.Adopt(t.Context(), schedule.Daily(date(t, from), schedule.DailyZone), actor)
	}
	for what, c := range map[string]struct {
		prefix string
		do     func(r *registry.Registry, actor, what string) error
		whats  [2]string
		says   string
	}{
		"withdraw":     {"withdrawn/", withdraw, [2]string{"the first reason", "another reason"}, "another withdrawal of daily 2026-12-02, revision 0, stands already: editor recorded it at 2026-12-01T09:00:00Z, event "},
		"series adopt": {"policy/", adopt, [2]string{"2026-12-01", "2026-12-02"}, "another policy 1 of daily stands already: editor recorded it at 2026-12-01T09:00:00Z, event "},
	} {
		t.Run(what, func(t *testing.T) {
			r := outrunning(t, c.prefix, func(other *registry.Registry) {
				if err := c.do(other, "editor", c.whats[0]); err != nil {
					t.Error(err)
				}
			})
			if what == "withdraw" {
				publish(t, r, 3)
			}
			err := c.do(r, "desk", c.whats[1])
			var conflict *events.ConflictError
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "do this again if it is still needed") || !errors.As(err, &conflict) {
				t.Errorf("it says: %v", err)
			}
		})
	}
}

// When two callers import the same puzzles at the same time, each reports as new those that its own appends recorded.
func TestTwoImportsAtOnceCountTheirOwn(t *testing.T) {
	list := chainPuzzles(t)
	imports := func(r *registry.Registry, source string) (counts map[string]int) {
		results, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: list, Source: source, Actor: "editor"})
		if err != nil {
			t.Fatal(err)
		}
		counts = map[string]int{}
		for _, i := range results {
			counts[i.Status]++
		}
		return counts
	}
	for name, source := range map[string]string{"the same file": "a.txt", "another file": "b.txt"} {
		t.Run(name, func(t *testing.T) {
			var first map[string]int
			r := outrunning(t, "imported/", func(other *registry.Registry) { first = imports(other, "a.txt") })
			second := imports(r, source)
			if first[registry.New] != len(list) || second[registry.New] != 0 || second[registry.Known] != len(list) {
				t.Errorf("first %v, second %v", first, second)
			}
		})
	}
}

// An import of several appends, of which the second is outrun by another file with one of its puzzles, still counts those of
// its first append as new.
func TestAnImportThatIsOutrunHalfwayCountsItsOwn(t *testing.T) {
	list := sudokuPuzzles(t, 600)
	log, appends := logtest.NewMemory(), 0
	other := open(t, log, at(morning))
	r := open(t, outrun{log, "imported/", func() {
		if appends++; appends == 2 {
			if _, err := other.Import(t.Context(), registry.ImportRequest{Puzzles: list[590:591], Source: "other", Actor: "desk"}); err != nil {
				t.Error(err)
			}
		}
	}}, at(morning))
	results, err := r.Import(t.Context(), registry.ImportRequest{Puzzles: list, Source: "this", Actor: "editor"})
	if err != nil || appends < 3 {
		t.Fatal(appends, err)
	}
	for i, got := range results {
		if want := map[bool]string{true: registry.Known, false: registry.New}[i == 590]; got.Status != want || got.ID != list[i].ID() || got.Event == 0 || (got.Level == "") != (i == 590) {
			t.Errorf("puzzle %d: %+v", i, got)
		}
	}
}

// When two fillings run at the same time, each counts the candidates that it has recorded.
func TestTwoFillingsAtOnceCountTheirOwn(t *testing.T) {
	log := logtest.NewMemory()
	other := openToy(t, log)
	var first registry.Fill
	r := openToy(t, outrun{log, "filled/", sync.OnceFunc(func() { first = fillToy(t, other, 2, 7) })})
	if second := fillToy(t, r, 2, 7); second.Candidates != 0 || second.Outcomes["kept"] != 0 || first.Candidates == 0 {
		t.Errorf("first %+v, second %+v", first, second)
	}
}

// chainPuzzles returns some puzzles from outside.
func chainPuzzles(t *testing.T) (list []raters.Puzzle) {
	t.Helper()
	g := genre(t, "chain")
	for _, text := range []string{"79 160 3 +65 -28 +55 +54 -36", "21 200 5 -37 +70 /3 +82 +84 +76"} {
		p, err := g.Reader.Read(g.Variants[0].Name, text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// sudokuPuzzles returns n puzzles from outside.
func sudokuPuzzles(t *testing.T, n int) (list []raters.Puzzle) {
	t.Helper()
	g := genre(t, "sudoku")
	file, err := os.Open("../raters/sudoku/testdata/bench.sdm")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := interchange.For(g, g.Variants[0].Name)
	for text := range reader.Texts(file) {
		p, err := reader.Read(text.Text)
		if err = errors.Join(err, text.Err); err != nil {
			t.Fatal(err)
		}
		if list = append(list, p); len(list) == n {
			break
		}
	}
	return list
}
