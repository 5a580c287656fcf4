package logtest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"assay/events"
)

func testOrder(t *testing.T, l *openedLog) {
	var all []events.Event
	for round, n := range []int{1, 3, 1, 200, 7} {
		batch := facts(fmt.Sprint("round", round), n)
		for i, p := range mustAppend(t, l, batch...) {
			if want := events.Seq(len(all) + i + 1); !p.Appended || p.Seq != want {
				t.Fatalf("placed at %d (appended %v), want %d", p.Seq, p.Appended, want)
			}
		}
		all = append(all, batch...)
	}
	wantAll(t, l, all)
	l.reopen(t)
	wantAll(t, l, all)
	if p := mustAppend(t, l, Fact("later", "text", 1)); p[0].Seq != events.Seq(len(all)+1) {
		t.Fatalf("after reopening placed at %d", p[0].Seq)
	}
}

// Keys that a back end might confuse: in case, in dots for slashes, in a prefix, in length.
func testKeys(t *testing.T, l *openedLog) {
	names := []string{"a", "A", "a.b", "a/b", "a-b", "a_b", "a+b", "a=b", "a.b/c", "a/b.c", "a/b/c", ".", "..", "-", "=", "ab",
		strings.Repeat("k", events.MaxKey-len("imported/"))}
	var all []events.Event
	for i, name := range names {
		all = append(all, Fact(name, "text of "+name, uint64(i)))
	}
	for _, e := range all {
		mustAppend(t, l, e)
	}
	wantAll(t, l, all)
	for i, want := range all {
		got, err := l.Get(t.Context(), want.Key)
		if err != nil || got.Seq != events.Seq(i+1) {
			t.Fatalf("%s found at %d, %v", want.Key, got.Seq, err)
		}
		wantStored(t, want, got)
	}
}

// An event may have another event of its batch as its cause. If the fact of the cause stood before, the cause becomes
// the event that stands.
func testCauses(t *testing.T, l *openedLog) {
	caused := func(e, by events.Event) events.Event {
		e.Cause = by.ID
		return e
	}
	first, again := Fact("a", "text", 1), Fact("a", "text", 11)
	mustAppend(t, l, first)
	fresh := Fact("b", "text", 2)
	stored := caused(Fact("s", "text", 6), again) // as an event of another log, whose record stays as it is
	raw, err := events.Encode(stored)
	if err != nil {
		t.Fatal(err)
	}
	stored.Raw = raw
	batch := []events.Event{again, caused(Fact("c", "text", 3), again), fresh, caused(Fact("d", "text", 4), fresh), stored, caused(Fact("e", "text", 5), again)}
	mustAppend(t, l, batch...)
	if batch[1].Cause != again.ID {
		t.Error("the batch of whoever appends is changed")
	}
	wantAll(t, l, []events.Event{first, caused(batch[1], first), fresh, batch[3], batch[4], caused(batch[5], first)})
	l.reopen(t)
	for _, e := range []events.Event{caused(batch[1], first), batch[3], batch[4], caused(batch[5], first)} {
		got, err := l.Get(t.Context(), e.Key)
		if err != nil || got.Cause != e.Cause {
			t.Errorf("%s has the cause %s, %v, not %s", e.Key, got.Cause, err, e.Cause)
		}
	}
}

func testSkips(t *testing.T, l *openedLog) {
	first := []events.Event{Fact("a", "text", 1), Fact("b", "text", 2)}
	mustAppend(t, l, first...)
	for range 2 {
		batch := []events.Event{Fact("b", "text", 12), Fact("c", "text", 13), Fact("a", "text", 11), Fact("d", "text", 14)}
		got := mustAppend(t, l, batch...)
		for i, want := range []events.Seq{2, 3, 1, 4} {
			if got[i].Seq != want {
				t.Fatalf("%s placed at %d, want %d", batch[i].Key, got[i].Seq, want)
			}
		}
		if got[0].Appended || got[2].Appended {
			t.Fatal("a standing event was said to be appended")
		}
		l.reopen(t)
	}
	wantAll(t, l, append(first, Fact("c", "text", 13), Fact("d", "text", 14)))
}

func testConflict(t *testing.T, l *openedLog) {
	first := []events.Event{Fact("a", "text", 1), Fact("b", "text", 2)}
	mustAppend(t, l, first...)
	for range 2 {
		_, err := l.Append(t.Context(), Fact("new", "text", 3), Fact("a", "text", 4), Fact("b", "another text", 5), Fact("newer", "text", 6))
		var conflict *events.ConflictError
		if !errors.As(err, &conflict) || conflict.Key != first[1].Key || conflict.At != 2 {
			t.Fatalf("conflict at b: %v", err)
		}
		wantAll(t, l, first)
		l.reopen(t)
	}
}

// Many goroutines want the same keys, each with its own content and with a fact of its own in the batch. Each key has
// one winner. A loser learns who won, and nothing of its batch is recorded.
func testRace(t *testing.T, l *openedLog) {
	const writers, rounds = 8, 20
	type outcome struct {
		won bool
		at  events.Seq
	}
	outcomes := make([][rounds]outcome, writers)
	name := func(w, r int) string { return fmt.Sprintf("own-%d-%d", w, r) }
	for r := range rounds {
		together(writers, func(w int) {
			text := fmt.Sprint("text of ", w)
			receipt, err := l.Append(t.Context(), Fact(name(w, r), text, 1), Fact(fmt.Sprint("shared-", r), text, 2))
			var conflict *events.ConflictError
			switch {
			case err == nil:
				outcomes[w][r] = outcome{true, receipt[1].Seq}
			case errors.As(err, &conflict):
				outcomes[w][r] = outcome{false, conflict.At}
			default:
				t.Errorf("writer %d, round %d: %v", w, r, err)
			}
		})
	}
	if got := len(contents(t, l, 0)); got != 2*rounds {
		t.Fatalf("%d events, want %d", got, 2*rounds)
	}
	for r := range rounds {
		winner, err := l.Get(t.Context(), events.ImportedKey(fmt.Sprint("shared-", r)))
		if err != nil {
			t.Fatal(err)
		}
		for w := range writers {
			o := outcomes[w][r]
			_, err := l.Get(t.Context(), events.ImportedKey(name(w, r)))
			wins := winner.Body.(events.Imported).Text == fmt.Sprint("text of ", w)
			if o.at != winner.Seq || o.won != wins || (err == nil) != wins {
				t.Fatalf("round %d, writer %d: wins %v, told %+v, its own fact %v", r, w, wins, o, err)
			}
		}
	}
}

// together calls do in n goroutines at the same moment, and waits for them.
func together(n int, do func(i int)) {
	var ready, done sync.WaitGroup
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			do(i)
		})
	}
	done.Wait()
}

func testSameFactRace(t *testing.T, l *openedLog) {
	const writers = 8
	receipts := make([]events.Receipt, writers)
	together(writers, func(w int) {
		var err error
		if receipts[w], err = l.Append(t.Context(), Fact("a", "text", uint64(w)), Fact("b", "text", uint64(w))); err != nil {
			t.Error(err)
		}
	})
	appended := 0
	for _, r := range receipts {
		if len(r) != 2 || r[0].Seq != 1 || r[1].Seq != 2 {
			t.Fatalf("receipt %v", r)
		}
		appended += r.Appended()
	}
	if got := len(contents(t, l, 0)); appended != 2 || got != 2 {
		t.Fatalf("%d said to be appended, %d recorded, want 2", appended, got)
	}
}

// sized makes n facts whose records have this size in bytes.
func sized(t testing.TB, prefix string, n, size int) []events.Event {
	all := facts(prefix, n)
	for i := range all {
		all[i] = Fact(fmt.Sprintf("%s-%03d", prefix, i), strings.Repeat("x", size-1000), 0)
		raw, err := events.Encode(all[i])
		if err != nil {
			t.Fatal(err)
		}
		all[i] = Fact(fmt.Sprintf("%s-%03d", prefix, i), strings.Repeat("x", 2*size-1000-len(raw)), 0)
	}
	return all
}

func testLimits(t *testing.T, l *openedLog) {
	for name, bad := range map[string][]events.Event{
		"empty":              nil,
		"too many":           facts("many", events.MaxBatch+1),
		"one over its limit": sized(t, "large", 1, events.MaxRecord+1),
		"all over their limit": append(sized(t, "full", events.MaxBatchBytes/events.MaxRecord, events.MaxRecord),
			Fact("one-more", "text", 1)),
		"a key twice, same":  {Fact("a", "text", 1), Fact("b", "text", 2), Fact("a", "text", 1)},
		"a key twice, other": {Fact("a", "text", 1), Fact("a", "another text", 2)},
	} {
		if _, err := l.Append(t.Context(), bad...); !errors.Is(err, events.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	wantAll(t, l, nil)
	most := facts("many", events.MaxBatch)
	largest := sized(t, "full", events.MaxBatchBytes/events.MaxRecord, events.MaxRecord)
	mustAppend(t, l, most...)
	mustAppend(t, l, largest...)
	all := append(most, largest...)
	wantAll(t, l, all)
	l.reopen(t)
	wantAll(t, l, all)
}

func testRefused(t *testing.T, l *openedLog) {
	spoil := map[string]func(e *events.Event){
		"no body":            func(e *events.Event) { e.Body = nil },
		"no actor":           func(e *events.Event) { e.Actor = "" },
		"no ID":              func(e *events.Event) { e.ID = [16]byte{} },
		"a bad key":          func(e *events.Event) { e.Key = "imported/a b" },
		"a wildcard":         func(e *events.Event) { e.Key = "imported/*" },
		"an empty segment":   func(e *events.Event) { e.Key = "imported//a" },
		"text not UTF-8":     func(e *events.Event) { e.Body = events.Imported{Text: "\xff"} },
		"a record of no use": func(e *events.Event) { e.Raw = []byte("no record") },
	}
	for name, spoil := range spoil {
		bad := Fact("bad", "text", 1)
		spoil(&bad)
		if _, err := l.Append(t.Context(), Fact("good", "text", 2), bad); err == nil {
			t.Errorf("%s: recorded", name)
		}
	}
	wantAll(t, l, nil)
}
