package ledger_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/ledger"
	"assay/events/logtest"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
	"golang.org/x/mod/sumdb/note"
)

// registry is a log and its ledger in one directory.
type registry struct {
	*badgerlog.Log
	ledger *ledger.Ledger
	dir    string
}

func open(dir string) (*registry, error) { return openWith(dir, true) }

func openWith(dir string, marks bool) (*registry, error) {
	logDir := filepath.Join(dir, "log")
	_, missing := os.Stat(logDir)
	l, err := ledger.Open(ledger.Options{Dir: filepath.Join(dir, "ledger"), New: os.IsNotExist(missing), Marks: marks})
	if err != nil {
		return nil, err
	}
	log, err := badgerlog.Open(badgerlog.Options{Dir: logDir, Witness: l, Reserve: 1})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &registry{log, l, dir}, nil
}

func mustOpen(t testing.TB, dir string) *registry {
	t.Helper()
	r, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func (r *registry) Close() error { return errors.Join(r.Log.Close(), r.ledger.Close()) }

func (r *registry) append(t testing.TB, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if _, err := r.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
}

func (r *registry) verify(t testing.TB, n int) {
	t.Helper()
	report, err := r.ledger.Verify(context.Background(), r, nil) // also when the test has ended
	if err != nil || len(report.Problems) != 0 || report.Events != events.Seq(n) || r.Size() != events.Seq(n) {
		t.Fatalf("%d of %d events, %v, %v", report.Events, n, report.Problems, err)
	}
}

// The embedded log with its ledger is a log.
func TestLog(t *testing.T) {
	logtest.Run(t, func(t testing.TB) logtest.Open {
		dir := t.TempDir()
		return func(t testing.TB) (events.Log, func()) {
			r, err := open(dir)
			if err != nil {
				t.Fatal(err)
			}
			return r, func() {
				r.verify(t, int(r.Size()))
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// state is what the files of a directory hold at a moment, without the zeros at their ends.
type state map[string][]byte

// capture reads a directory while it is in use: as a crash would leave it.
func capture(t testing.TB, dir string) (state, map[string]int64) {
	t.Helper()
	files, sizes := state{}, map[string]int64{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name], sizes[name] = bytes.TrimRight(data, "\x00"), int64(len(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, sizes
}

func restore(t testing.TB, files state, sizes map[string]int64) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600), os.Truncate(path, sizes[name]))
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// After a crash the store and the ledger may be of different moments. One append that the ledger does not
// vouch for is taken; a ledger that vouches for more than the store has, or misses more than one append, or is
// not there, is damage.
func TestMomentsOfACrash(t *testing.T) {
	r := mustOpen(t, t.TempDir())
	var at [4]state
	var sizes [4]map[string]int64
	for i := range at {
		at[i], sizes[i] = capture(t, r.dir)
		r.append(t, i, i+1)
	}
	for _, c := range []struct{ log, ledger, events, late int }{
		{0, 0, 0, 0}, {3, 3, 3, 0}, // one moment
		{1, 0, 1, 1}, {2, 1, 2, 1}, {3, 2, 3, 1}, // between the two syncs
		{2, 0, -1, 0}, {3, 1, -1, 0}, {3, 0, -1, 0}, // the ledger went back
		{0, 1, -1, 0}, {2, 3, -1, 0}, {1, 3, -1, 0}, // the store lost its end
		{1, -1, -1, 0}, {3, -1, -1, 0}, // the ledger is gone
	} {
		files, lengths := state{}, map[string]int64{}
		take := func(folder string, moment int) {
			for name, data := range at[max(moment, 0)] {
				if moment >= 0 && filepath.Dir(name) == folder {
					files[name], lengths[name] = data, sizes[moment][name]
				}
			}
		}
		take("log", c.log)
		take("ledger", c.ledger)
		again, err := open(restore(t, files, lengths))
		if c.events < 0 {
			if !errors.Is(err, events.ErrDamaged) {
				t.Errorf("log %d, ledger %d: %v", c.log, c.ledger, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("log %d, ledger %d: %v", c.log, c.ledger, err)
		}
		if len(again.Late()) != c.late {
			t.Errorf("log %d, ledger %d: %d late", c.log, c.ledger, len(again.Late()))
		}
		again.verify(t, c.events)
		again.append(t, c.events, c.events+3)
		again.verify(t, c.events+3)
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Wherever a bit of the store's write-ahead log or of the ledger flips, nothing is lost or altered without an
// error: the registry does not open, or verify names the event, or all is there.
func TestFlippedBitsShow(t *testing.T) {
	r := mustOpen(t, t.TempDir())
	r.append(t, 0, 20)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r = mustOpen(t, r.dir)
	r.append(t, 20, 40)
	files, sizes := capture(t, r.dir)
	outcomes := map[string]int{}
	for name, data := range files {
		if len(data) == 0 {
			continue
		}
		step := max(1, len(data)/flips())
		for at := 0; at < len(data); at += step {
			data[at] ^= 1 << (at / step % 8)
			outcomes[filepath.Base(name)+" "+flipped(t, restore(t, files, sizes))]++
			data[at] ^= 1 << (at / step % 8)
		}
	}
	t.Log(outcomes)
	for _, must := range []string{"checkpoints refused", "hashes named", "00001.mem refused"} {
		if outcomes[must] == 0 {
			t.Errorf("never %s", must)
		}
	}
}

func flips() int {
	if os.Getenv("ASSAY_FULL") == "1" {
		return 400
	}
	return 5
}

func flipped(t *testing.T, dir string) string {
	r, err := open(dir)
	if err != nil {
		return "refused"
	}
	defer r.Close()
	report, err := r.ledger.Verify(t.Context(), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) > 0 {
		return "named"
	}
	n := 0
	for e, err := range r.Read(t.Context(), 0) {
		raw, encodeErr := events.Encode(logtest.Fact(fmt.Sprint("a-", n), "text", uint64(n)))
		if err != nil || encodeErr != nil || !bytes.Equal(e.Raw, raw) {
			t.Fatalf("event %d: %v", e.Seq, err)
		}
		n++
	}
	if n != 40 {
		t.Fatalf("%d events, and nothing was wrong", n)
	}
	return "whole"
}

// When an append is acknowledged, its checkpoint is on the disk too. For the record see badgerlog; for what
// is seen without syncing, TestSealSyncs.
func TestAcknowledgedIsVouchedForOnDisk(t *testing.T) {
	r := mustOpen(t, logtest.DiskDir(t))
	path := filepath.Join(r.dir, "ledger", "checkpoints")
	for i := range 20 {
		r.append(t, i, i+1)
		if kib, at := logtest.Unwritten(t, path, r.ledger.Checkpoint().Note); kib != 0 || at < 0 {
			t.Errorf("append %d: %d KiB of the checkpoints not on the disk; its own at %d", i, kib, at)
		}
		if kib, _ := logtest.Unwritten(t, filepath.Join(r.dir, "ledger", "hashes"), nil); kib != 0 {
			t.Errorf("append %d: %d KiB of the tree hashes not on the disk", i, kib)
		}
	}
}

// dropCheckpoint removes the newest note of a closed ledger.
func dropCheckpoint(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, "ledger", "checkpoints")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	notes := bytes.SplitAfter(data, []byte("\n\n")) // text, signatures, text, signatures, …
	notes = notes[:len(notes)-3]
	if err := os.WriteFile(path, bytes.Join(notes, nil), 0o600); err != nil {
		t.Fatal(err)
	}
}

// forge changes the last record of a closed log, with all its checksums right, and what else is asked for.
func forge(t *testing.T, dir string, last events.Seq, more func(txn *badger.Txn) error) {
	t.Helper()
	db, err := store.Open(store.Options{Dir: filepath.Join(dir, "log"), Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(txn *badger.Txn) error {
		key := binary.BigEndian.AppendUint64([]byte{'e'}, uint64(last))
		item, err := txn.Get(key)
		if err != nil {
			return err
		}
		record, err := item.ValueCopy(nil)
		if err != nil {
			return err
		}
		forged := bytes.Replace(record, []byte("text"), []byte("lies"), 1)
		return errors.Join(txn.Set(key, forged), more(txn))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func setFormat(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "log", "FORMAT"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// unmark takes the mark from the last group.
func unmark(txn *badger.Txn) error {
	item, err := txn.Get([]byte("g"))
	if err != nil {
		return err
	}
	value, err := item.ValueCopy(nil)
	if err != nil {
		return err
	}
	return txn.Set([]byte("g"), value[:16])
}

func nothing(*badger.Txn) error { return nil }

// A group that nothing was signed for is signed when this registry recorded it, and refused when another did: whoever
// can change every file, but has no key, cannot make the mark.
func TestForgedTails(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		late  int // −1 when it is refused
	}{
		"interrupted":               {func(*testing.T, string) {}, 1},
		"forged":                    {func(t *testing.T, dir string) { forge(t, dir, 3, nothing) }, -1},
		"forged, without its mark":  {func(t *testing.T, dir string) { forge(t, dir, 3, unmark) }, -1},
		"forged, as of old":         {func(t *testing.T, dir string) { forge(t, dir, 3, unmark); setFormat(t, dir, "assay-log/1\n") }, -1},
		"forged, and more unsigned": {func(t *testing.T, dir string) { forge(t, dir, 3, unmark); dropCheckpoint(t, dir) }, -1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r := mustOpen(t, dir)
			r.append(t, 0, 3)
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			dropCheckpoint(t, dir)
			c.spoil(t, dir)
			again, err := open(dir)
			if c.late < 0 {
				if !errors.Is(err, events.ErrDamaged) {
					t.Fatalf("opened: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if len(again.Late()) != c.late || again.Size() != 3 {
				t.Errorf("%d of %d events are late", len(again.Late()), again.Size())
			}
		})
	}
}

// A log of a program that made no marks may end in a group without one: once.
func TestUnmarkedTailsAreTakenOnce(t *testing.T) {
	dir := t.TempDir()
	r, err := openWith(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	r.append(t, 0, 3)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	dropCheckpoint(t, dir)
	r = mustOpen(t, dir)
	if len(r.Late()) != 1 {
		t.Fatalf("%d events are late", len(r.Late()))
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	dropCheckpoint(t, dir)
	if _, err := open(dir); !errors.Is(err, events.ErrDamaged) {
		t.Fatalf("taken again: %v", err)
	}
}

// What a reader needs to check an event without the registry: its record, the proof, the public key.
func Example() {
	dir, err := os.MkdirTemp("", "ledger")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	l, err := ledger.Open(ledger.Options{Dir: dir, New: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	if err := l.Extend([][]byte{[]byte("one"), []byte("two"), []byte("three")})(); err != nil {
		fmt.Println(err)
		return
	}
	proof, err := l.Prove(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	verifier, err := note.NewVerifier(l.VerifierKey())
	if err != nil {
		fmt.Println(err)
		return
	}
	seq, checkpoint, err := ledger.CheckProof(proof, []byte("two"), note.VerifierList(verifier))
	fmt.Println(seq, checkpoint.Size, err)
	_, _, err = ledger.CheckProof(proof, []byte("2"), note.VerifierList(verifier))
	fmt.Println(err)
	// Output:
	// 2 3 <nil>
	// proof: invalid transparency proof
}
