package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"
)

// altered is a log that gives other events than it was given.
type altered struct {
	events.Log
	alter func(e events.Event) (events.Event, error)
	last  events.Seq // where it ends, when not 0
}

func (a altered) Read(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		for e, err := range a.Log.Read(ctx, after) {
			if err == nil && a.alter != nil {
				e, err = a.alter(e)
			}
			if a.last != 0 && e.Seq > a.last || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// vouched makes a log of n events in groups of 5, and its ledger.
func vouched(t testing.TB, n int) (*logtest.Memory, *Ledger) {
	log, l := logtest.NewMemory(), newLedger(t)
	extend(t, log, l, 0, n)
	return log, l
}

func extend(t testing.TB, log events.Log, l *Ledger, from, to int) {
	var group [][]byte
	for i := from; i < to; i++ {
		fact := logtest.Fact(fmt.Sprint("a-", i), "text", uint64(i))
		raw, err := events.Encode(fact)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(t.Context(), fact); err != nil {
			t.Fatal(err)
		}
		if group = append(group, raw); len(group) == 5 || i == to-1 {
			mustSeal(t, l, group...)
			group = nil
		}
	}
}

func TestVerify(t *testing.T) {
	other, err := events.Encode(logtest.Fact("b", "text", 1))
	if err != nil {
		t.Fatal(err)
	}
	failure := fmt.Errorf("no such block: %w", events.ErrDamaged)
	at := func(seq events.Seq, change func(e *events.Event) error) func(events.Event) (events.Event, error) {
		return func(e events.Event) (events.Event, error) {
			var err error
			if e.Seq == seq {
				err = change(&e)
			}
			return e, err
		}
	}
	shift := func(e events.Event) (events.Event, error) {
		if e.Seq >= 20 {
			e.Seq++
		}
		return e, nil
	}
	for name, c := range map[string]struct {
		log   altered
		spoil func(l *Ledger) // after it was opened
		want  []string        // the problems, each with its position
	}{
		"nothing":        {},
		"another record": {log: altered{alter: at(17, func(e *events.Event) error { e.Raw = other; return nil })}, want: []string{"17 its record"}},
		"an error":       {log: altered{alter: at(17, func(*events.Event) error { return failure })}, want: []string{"17 no such block"}},
		"a gap":          {log: altered{alter: at(17, func(e *events.Event) error { e.Seq = 18; return nil })}, want: []string{"17 event 18 is in its place"}},
		"a shift":        {log: altered{alter: shift, last: 22}, want: []string{"20 event 21", "21 event 22", "22 the log ends", "23 the log ends"}},
		"no end":         {log: altered{last: 21}, want: []string{"22 the log ends before", "23 the log ends before"}},
		"a key twice":    {log: altered{alter: at(17, func(e *events.Event) error { e.Key = "imported/a-2"; return nil })}, want: []string{"17 its key imported/a-2 stands at event 3"}},
		"a leaf hash":    {spoil: hash(31), want: []string{"17 its record", "18 the tree hash", "20 the tree hash", "20 the root", "23 the root"}},
		"a node hash":    {spoil: hash(2), want: []string{"2 the tree hash 2"}},
		"no hashes":      {spoil: func(l *Ledger) { l.hashes.file.Truncate(64); l.hashes.write(0, nil, false) }, want: []string{"2 the tree hash", "3 the tree hash"}},
		"a checkpoint":   {spoil: func(l *Ledger) { overwrite(l, 30) }, want: []string{"0 checkpoints: note 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			log, l := vouched(t, 23)
			c.log.Log = log
			if c.spoil != nil {
				c.spoil(l)
			}
			report, err := l.Verify(t.Context(), c.log, nil)
			if err != nil || report.Checkpoint.Size != 23 {
				t.Fatalf("%d events, %v", report.Checkpoint.Size, err)
			}
			if len(c.want) == 0 && (len(report.Problems) != 0 || report.Events != 23) {
				t.Fatalf("%d events, %v", report.Events, report.Problems)
			}
			for i, want := range c.want {
				if len(report.Problems) <= i || !strings.HasPrefix(fmt.Sprintf("%d %s", report.Problems[i].Seq, report.Problems[i].Problem), want) {
					t.Errorf("problem %d of %v, want %q", i, report.Problems, want)
				}
			}
		})
	}
}

func hash(index int64) func(l *Ledger) {
	return func(l *Ledger) { l.hashes.write(index, make([]byte, 32), false) }
}

func overwrite(l *Ledger, at int64) {
	f, err := os.OpenFile(filepath.Join(l.o.Dir, "checkpoints"), os.O_WRONLY, 0)
	if err == nil {
		f.WriteAt([]byte("x"), at)
		f.Close()
	}
}

func TestVerifyGoesOnWhileTheLogGrows(t *testing.T) {
	log, l := vouched(t, 3000)
	told := events.Seq(0)
	report, err := l.Verify(t.Context(), log, func(at events.Seq) {
		told = at
		extend(t, log, l, int(l.Size()), int(l.Size())+7)
	})
	if err != nil || len(report.Problems) != 0 || report.Events != 3000 || told != 2048 {
		t.Fatalf("%d events, %v, %v; told %d", report.Events, report.Problems, err, told)
	}
	if _, err := log.Append(t.Context(), logtest.Fact("b", "text", 1)); err != nil {
		t.Fatal(err)
	}
	report, err = l.Verify(t.Context(), log, nil)
	if err != nil || len(report.Problems) != 1 || report.Problems[0].Seq != l.Size()+1 {
		t.Fatalf("an event too many: %v, %v", report.Problems, err)
	}
}

func TestVerifyEnds(t *testing.T) {
	log, l := vouched(t, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	broken := altered{Log: log, alter: func(e events.Event) (events.Event, error) { return e, events.ErrDamaged }}
	report, err := l.Verify(ctx, broken, nil)
	if err != nil || len(report.Problems) != maxProblems || report.Events != 0 {
		t.Fatalf("%d problems, %v", len(report.Problems), err)
	}
	failure := errors.New("no connection")
	broken.alter = func(e events.Event) (events.Event, error) { return e, failure }
	if _, err := l.Verify(ctx, broken, nil); !errors.Is(err, failure) {
		t.Fatalf("a failure to read: %v", err)
	}
	cancel()
	if _, err := l.Verify(ctx, log, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestRebuild(t *testing.T) {
	log, l := vouched(t, 123)
	want, err := os.ReadFile(filepath.Join(l.o.Dir, "hashes"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func([]byte) []byte{
		"missing": func([]byte) []byte { return nil },
		"zeros":   func(d []byte) []byte { clear(d); return d },
	} {
		spoil(t, l, "hashes", change)
		if _, err := Open(Options{Dir: l.o.Dir}); !errors.Is(err, events.ErrDamaged) {
			t.Fatalf("%s: %v", name, err)
		}
		if err := Rebuild(t.Context(), l.o, log); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := os.ReadFile(filepath.Join(l.o.Dir, "hashes"))
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s: rebuilt otherwise, %v", name, err)
		}
	}
	for name, bad := range map[string]events.Log{
		"no end": altered{Log: log, last: 120},
		"another record": altered{Log: log, alter: func(e events.Event) (events.Event, error) {
			if e.Seq == 7 {
				e.Raw = e.Raw[1:]
			}
			return e, nil
		}},
	} {
		if err := Rebuild(t.Context(), l.o, bad); !errors.Is(err, events.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	mustOpen(t, Options{Dir: l.o.Dir})
}
