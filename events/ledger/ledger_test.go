package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/events"
	"assay/events/logtest"

	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"
)

func newLedger(t testing.TB) *Ledger {
	t.Helper()
	return mustOpen(t, Options{Dir: filepath.Join(t.TempDir(), "ledger"), New: true, noSync: true})
}

func mustOpen(t testing.TB, o Options) *Ledger {
	t.Helper()
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// vouch makes a ledger vouch for records that were stored.
func vouch(l *Ledger, records [][]byte) error {
	return l.Extend(records)()
}

// reopen opens a ledger that must be there.
func reopen(t testing.TB, l *Ledger) *Ledger {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return mustOpen(t, Options{Dir: l.o.Dir, KeyFile: l.o.KeyFile, noSync: true})
}

func mustSeal(t testing.TB, l *Ledger, records ...[]byte) {
	t.Helper()
	if err := vouch(l, records); err != nil {
		t.Fatal(err)
	}
}

func trust(t testing.TB, l *Ledger) note.Verifiers {
	t.Helper()
	v, err := note.NewVerifier(l.VerifierKey())
	if err != nil {
		t.Fatal(err)
	}
	return note.VerifierList(v)
}

func recordsUpTo(n int) (records [][]byte) {
	for i := range n {
		records = append(records, fmt.Append(nil, "record ", i+1))
	}
	return records
}

// However the records come, the ledger vouches for them, each at its place and nowhere else, and for no
// others; also after it was opened again, and after hashes were written that no checkpoint followed.
func TestLedgerVouches(t *testing.T) {
	dir, run := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		l := mustOpen(t, Options{Dir: filepath.Join(dir, fmt.Sprint(run)), New: true, noSync: true})
		var records [][]byte
		for range rapid.IntRange(1, 6).Draw(rt, "groups") {
			n := rapid.IntRange(1, 40).Draw(rt, "records")
			group := recordsUpTo(len(records) + n)[len(records):]
			switch rapid.IntRange(0, 3).Draw(rt, "then") {
			case 0:
				l.Extend(recordsUpTo(n)) // forgotten
			case 1:
				l = reopen(t, l)
			}
			mustSeal(t, l, group...)
			records = append(records, group...)
			if c := l.Checkpoint(); c.Size != events.Seq(len(records)) || c.Root != naiveRoot(records) {
				rt.Fatalf("checkpoint of %d with root %v after %d records", c.Size, c.Root, len(records))
			}
		}
		for i, r := range records {
			if err := l.Check(events.Seq(i+1), r); err != nil {
				rt.Fatal(err)
			}
		}
		at := rapid.IntRange(0, len(records)+1).Draw(rt, "at")
		other := rapid.IntRange(1, len(records)).Draw(rt, "other")
		if err := l.Check(events.Seq(at), records[other-1]); (err == nil) != (at == other) || err != nil && !errors.Is(err, events.ErrDamaged) {
			rt.Fatalf("record %d at %d: %v", other, at, err)
		}
	})
}

func TestOriginStaysAndKeyIsSecret(t *testing.T) {
	l := newLedger(t)
	origin := l.Checkpoint().Origin
	if !strings.HasPrefix(origin, "assay/") || len(origin) != len("assay/")+16 || origin == newLedger(t).Checkpoint().Origin {
		t.Errorf("origin %q", origin)
	}
	info, err := os.Stat(filepath.Join(l.o.Dir, "key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	mustSeal(t, l, []byte("a"))
	if l = reopen(t, l); l.Checkpoint().Origin != origin {
		t.Errorf("origin %q, was %q", l.Checkpoint().Origin, origin)
	}
	if err := os.Chmod(filepath.Join(l.o.Dir, "key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(l.o); err == nil || !strings.Contains(err.Error(), "0600") {
		t.Errorf("a key that others can read: %v", err)
	}
}

func TestGivenKey(t *testing.T) {
	secret, public, err := note.GenerateKey(zeros{}, "example.org/puzzles")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "given")
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := mustOpen(t, Options{Dir: filepath.Join(t.TempDir(), "ledger"), KeyFile: path, New: true})
	mustSeal(t, l, []byte("a"))
	if c := l.Checkpoint(); c.Origin != "example.org/puzzles" || l.VerifierKey() != public {
		t.Fatalf("origin %s, key %s, want %s", c.Origin, l.VerifierKey(), public)
	}
	reopen(t, l)
}

// zeros is a source of bytes that are all the same.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// spoil changes a file of a closed ledger.
func spoil(t *testing.T, l *Ledger, file string, change func(data []byte) []byte) {
	t.Helper()
	path := filepath.Join(l.o.Dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if data = change(data); data == nil {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestDamagedLedger(t *testing.T) {
	gone := func([]byte) []byte { return nil }
	flip := func(at int) func([]byte) []byte {
		return func(data []byte) []byte { data[(at+len(data))%len(data)] ^= 1; return data }
	}
	for name, c := range map[string]struct {
		file   string
		change func(data []byte) []byte
		size   events.Seq // the size when it opens, else it must not
	}{
		"nothing":                 {"key", bytes.Clone, 20},
		"no key":                  {"key", gone, 0},
		"another key":             {"key", func([]byte) []byte { return otherKey(t) }, 0},
		"no checkpoints":          {"checkpoints", gone, 0},
		"empty checkpoints":       {"checkpoints", func(d []byte) []byte { return d[:0] }, 0},
		"a flipped bit first":     {"checkpoints", flip(10), 0},
		"a flipped bit late":      {"checkpoints", flip(-40), 0},
		"a size":                  {"checkpoints", func(d []byte) []byte { return bytes.Replace(d, []byte("\n18\n"), []byte("\n16\n"), 1) }, 0},
		"two swapped":             {"checkpoints", swapNotes, 0},
		"an unfinished note":      {"checkpoints", func(d []byte) []byte { return d[:len(d)-1] }, 18},
		"half a note":             {"checkpoints", func(d []byte) []byte { return d[:len(d)-70] }, 18},
		"half a text":             {"checkpoints", func(d []byte) []byte { return append(d, "assay/x\n12"...) }, 20},
		"no hashes":               {"hashes", gone, 0},
		"no last hash":            {"hashes", func(d []byte) []byte { return d[:len(d)-1] }, 0},
		"a flipped bit of a peak": {"hashes", flip(-1), 0},
		"more hashes":             {"hashes", func(d []byte) []byte { return append(d, 1, 2, 3) }, 20},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLedger(t)
			for i := range 10 {
				mustSeal(t, l, recordsUpTo(2*i + 2)[2*i:]...)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			spoil(t, l, c.file, c.change)
			again, err := Open(Options{Dir: l.o.Dir, noSync: true})
			if c.size == 0 {
				if err == nil {
					t.Fatal("opened")
				}
				if c.file != "key" && !errors.Is(err, events.ErrDamaged) {
					t.Fatal(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if again.Size() != c.size {
				t.Fatalf("size %d, want %d", again.Size(), c.size)
			}
			mustSeal(t, again, recordsUpTo(22)[c.size:]...)
			if again = reopen(t, again); again.Checkpoint().Root != naiveRoot(recordsUpTo(22)) {
				t.Error("what came after is not right")
			}
		})
	}
}

func otherKey(t *testing.T) []byte {
	l := newLedger(t)
	data, err := os.ReadFile(filepath.Join(l.o.Dir, "key"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func swapNotes(data []byte) []byte {
	notes, _ := splitNotes(data)
	notes[3], notes[5] = notes[5], notes[3]
	return append(bytes.Join(notes, []byte("\n")), '\n')
}

func TestMissingLedgerIsMadeOnlyForAnEmptyLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	if _, err := Open(Options{Dir: dir}); !errors.Is(err, events.ErrDamaged) {
		t.Fatalf("%v", err)
	}
	mustOpen(t, Options{Dir: dir, New: true}).Close()
	mustOpen(t, Options{Dir: dir, New: true}).Close()
	mustOpen(t, Options{Dir: dir})
}

// Old checkpoints are dropped the more of them the older they are; the first stays, and so do the newest.
func TestCheckpointsAreThinned(t *testing.T) {
	l := newLedger(t)
	const n = 2500
	for i := range n {
		mustSeal(t, l, fmt.Append(nil, "record ", i+1))
		if i == n/2 {
			if err := l.Rotate(); err != nil {
				t.Fatal(err)
			}
		}
	}
	l = reopen(t, l)
	kept := l.list.kept
	if len(kept) > maxKept || len(kept) < keptRecent || kept[0].Size != 0 || l.Size() != n {
		t.Fatalf("%d checkpoints kept, from %d to %d", len(kept), kept[0].Size, l.Size())
	}
	for i := range keptRecent - 1 {
		if got, want := kept[len(kept)-1-i].Size, events.Seq(n-i); got != want {
			t.Fatalf("checkpoint %d from the end is of %d, want %d", i, got, want)
		}
	}
	if !bytes.Contains(bytes.Join(l.list.notes, nil), []byte(rotationLine)) {
		t.Error("the key rotation was dropped")
	}
}

// A write that fails before anything is in the file is done again; one that cannot be taken back is the last.
func TestFailedCheckpoint(t *testing.T) {
	l := newLedger(t)
	mustSeal(t, l, []byte("a"))
	good := l.list.file
	defer good.Close()
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	l.list.file = closed
	if err := vouch(l, [][]byte{[]byte("b")}); err == nil {
		t.Fatal("sealed without a file")
	}
	l.list.file = good
	mustSeal(t, l, []byte("b"))
	if l.list.file, err = os.Open(l.list.path); err != nil { // to read only
		t.Fatal(err)
	}
	if err := vouch(l, [][]byte{[]byte("c")}); err == nil {
		t.Fatal("sealed in a file that is not to be written")
	}
	l.list.file = good
	if err := vouch(l, [][]byte{[]byte("c")}); err == nil || l.Size() != 2 {
		t.Fatalf("sealed after a failure: %v", err)
	}
	l = reopen(t, l)
	mustSeal(t, l, []byte("c"))
}

// Without a free descriptor the list cannot be thinned. The checkpoint is refused, and made when there is one.
func TestThinningWithoutDescriptors(t *testing.T) {
	l := newLedger(t)
	for n := range maxKept - 1 {
		mustSeal(t, l, fmt.Append(nil, "record ", n))
	}
	path := l.list.path
	l.list.path = filepath.Join(t.TempDir(), "gone", "checkpoints") // there no file can be made
	if err := vouch(l, [][]byte{[]byte("next")}); err == nil {
		t.Fatal("thinned without a file")
	}
	l.list.path = path
	mustSeal(t, l, []byte("next"))
	if l = reopen(t, l); l.Size() != maxKept || len(l.list.notes) != maxKept-keptRecent/2+1 {
		t.Fatalf("%d events, %d notes", l.Size(), len(l.list.notes))
	}
}

// When a group is sealed the kernel has nothing of it still to write; without syncing it has, which shows
// that there is something to see.
func TestSealSyncs(t *testing.T) {
	waiting := func(noSync bool) (kib int) {
		l := mustOpen(t, Options{Dir: filepath.Join(logtest.DiskDir(t), "ledger"), New: true, noSync: noSync})
		for i := range 20 {
			mustSeal(t, l, fmt.Append(nil, "record ", i+1))
			for _, file := range []string{"checkpoints", "hashes"} {
				n, _ := logtest.Unwritten(t, filepath.Join(l.o.Dir, file), nil)
				kib += n
			}
		}
		return kib
	}
	if n := waiting(false); n != 0 {
		t.Errorf("%d KiB not on the disk", n)
	}
	if n := waiting(true); n == 0 {
		t.Error("without sync nothing was seen to wait for the disk: this test cannot tell")
	}
}
