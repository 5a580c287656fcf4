package badgerlog

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/events"
	"assay/events/logtest"

	"github.com/dgraph-io/badger/v4"
)

// memo is a witness that remembers records.
type memo struct {
	refuse  error  // what seal answers
	sealing func() // called by seal

	mu      sync.Mutex // guards records, which are checked while others are added
	records [][]byte
}

func (m *memo) Size() events.Seq {
	m.mu.Lock()
	defer m.mu.Unlock()
	return events.Seq(len(m.records))
}

func (m *memo) Mark(events.Seq, [][]byte) []byte { return nil }

func (m *memo) Bears(events.Seq, [][]byte, []byte) bool { return true }

func (m *memo) Extend(records [][]byte) (seal func() error) {
	copied := make([][]byte, len(records))
	for i, r := range records {
		copied[i] = bytes.Clone(r)
	}
	return func() error {
		if m.sealing != nil {
			m.sealing()
		}
		if m.refuse != nil {
			return m.refuse
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.records = append(m.records, copied...)
		return nil
	}
}

func (m *memo) Check(seq events.Seq, record []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seq > events.Seq(len(m.records)) || !bytes.Equal(m.records[seq-1], record) {
		return errors.New("not what was seen")
	}
	return nil
}

// When the witness is asked to vouch the records are in the store, and nobody can read them yet.
func TestNothingIsReadBeforeItIsVouchedFor(t *testing.T) {
	witness := &memo{}
	l := mustOpen(t, Options{Dir: t.TempDir(), Witness: witness})
	fact := logtest.Fact("a", "text", 1)
	witness.sealing = func() {
		if n, err := readAll(t.Context(), l); n != 0 || err != nil {
			t.Errorf("%d events, %v", n, err)
		}
		if _, err := l.Get(t.Context(), fact.Key); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("got: %v", err)
		}
		if err := l.view(func(txn *badger.Txn) error { _, err := record(txn, 1); return err }); err != nil {
			t.Errorf("not in the store: %v", err)
		}
	}
	if _, err := l.Append(t.Context(), fact); err != nil {
		t.Fatal(err)
	}
	if n, err := readAll(t.Context(), l); n != 1 || err != nil {
		t.Fatalf("%d events, %v", n, err)
	}
}

// A log whose witness failed appends no more, until it is opened again; then what was committed last is
// vouched for.
func TestWitnessFails(t *testing.T) {
	dir, witness, failure := t.TempDir(), &memo{}, errors.New("no seal")
	l := mustOpen(t, Options{Dir: dir, Witness: witness})
	if _, err := l.Append(t.Context(), logtest.Fact("a", "text", 1)); err != nil {
		t.Fatal(err)
	}
	witness.refuse = failure
	for _, name := range []string{"b", "c"} {
		if _, err := l.Append(t.Context(), logtest.Fact(name, "text", 1), logtest.Fact(name+"2", "text", 1)); !errors.Is(err, failure) {
			t.Fatalf("append %s: %v", name, err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	witness.refuse = nil
	l = mustOpen(t, Options{Dir: dir, Witness: witness})
	if n, err := readAll(t.Context(), l); n != 3 || err != nil || len(l.Late()) != 2 || len(witness.records) != 3 {
		t.Fatalf("%d events, %v, %d late, %d seen", n, err, len(l.Late()), len(witness.records))
	}
}

// When the witness goes on while the log is open, what was interrupted is vouched for and told, once.
func TestLateWhileOpen(t *testing.T) {
	dir, witness := t.TempDir(), &memo{refuse: errors.New("no seal")}
	var said strings.Builder
	l := mustOpen(t, Options{Dir: dir, Witness: witness, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if _, err := l.Append(t.Context(), logtest.Fact("a", "text", 1)); err == nil {
		t.Fatal("acknowledged without a seal")
	}
	witness.refuse = nil
	if r, err := l.Append(t.Context(), logtest.Fact("b", "text", 1)); err != nil || r[0].Seq != 2 {
		t.Fatalf("%v, %v", r, err)
	}
	if n := strings.Count(said.String(), "interrupted"); n != 1 || len(l.Late()) != 1 {
		t.Errorf("told %d times: %s; %d late", n, said.String(), len(l.Late()))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = mustOpen(t, Options{Dir: dir, Witness: witness})
	if late := l.Late(); len(late) != 1 || late[0].Seq != 1 {
		t.Fatalf("opened again, %v are late", late)
	}
	if err := errors.Join(l.ForgetLate(1), l.Close()); err != nil {
		t.Fatal(err)
	}
	if late := mustOpen(t, Options{Dir: dir, Witness: witness}).Late(); late != nil {
		t.Errorf("after that was noted, %v are late", late)
	}
}

func TestWitnessDisagrees(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(m *memo)
		read  int // −1 when the log does not open
	}{
		"not at all":     {func(m *memo) {}, 30},
		"one behind":     {func(m *memo) { m.records = m.records[:29] }, 30},
		"two behind":     {func(m *memo) { m.records = m.records[:28] }, -1},
		"knows nothing":  {func(m *memo) { m.records = nil }, -1},
		"ahead":          {func(m *memo) { m.records = append(m.records, nil) }, -1},
		"about the last": {func(m *memo) { m.records[29] = nil }, -1},
		"about another":  {func(m *memo) { m.records[19] = nil }, 19},
	} {
		t.Run(name, func(t *testing.T) {
			dir, witness := t.TempDir(), &memo{}
			l := mustOpen(t, Options{Dir: dir, Witness: witness})
			for i := range 30 {
				if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", 1)); err != nil {
					t.Fatal(err)
				}
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			c.spoil(witness)
			l, err := Open(Options{Dir: dir, Reserve: 1, Witness: witness})
			if c.read < 0 {
				if !errors.Is(err, events.ErrDamaged) {
					t.Fatalf("opened: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			n, err := readAll(t.Context(), l)
			if n != c.read || (err == nil) != (n == 30) || err != nil && !errors.Is(err, events.ErrDamaged) {
				t.Errorf("%d events, %v", n, err)
			}
		})
	}
}

// An empty log is small, also to programs that count its files by their length.
func TestEmptyLogIsSmall(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, Options{Dir: dir})
	size := int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	if err != nil || size > 72<<20 {
		t.Fatalf("%d MiB, %v", size>>20, err)
	}
}
