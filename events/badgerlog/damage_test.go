package badgerlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"assay/events"
	"assay/events/logtest"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

// tamper changes the store of a closed log behind its back.
func tamper(t *testing.T, dir string, change func(txn *badger.Txn) error) {
	t.Helper()
	db, err := store.Open(store.Options{Dir: dir, Sync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(change), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// filled makes a closed log of n events.
func filled(t *testing.T, n int) (dir string) {
	dir = t.TempDir()
	l := mustOpen(t, Options{Dir: dir})
	for i := range n {
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func readAll(ctx context.Context, l events.Log) (n int, err error) {
	for _, err := range l.Read(ctx, 0) {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func TestDamageIsAnError(t *testing.T) {
	fact := func(name, text string) []byte {
		raw, err := events.Encode(logtest.Fact(name, text, 1))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	for name, c := range map[string]struct {
		change func(txn *badger.Txn) error
		read   int // events that can be read before the damage; −1 when the log does not open
		get    bool
	}{
		"nothing":           {func(txn *badger.Txn) error { return nil }, 30, true},
		"a gap":             {func(txn *badger.Txn) error { return txn.Delete(recordKey(20)) }, 19, false},
		"no beginning":      {func(txn *badger.Txn) error { return txn.Delete(recordKey(1)) }, 0, true},
		"no end":            {func(txn *badger.Txn) error { return txn.Delete(recordKey(30)) }, -1, false},
		"one too many":      {func(txn *badger.Txn) error { return txn.Set(recordKey(31), fact("b", "text")) }, -1, false},
		"no group":          {func(txn *badger.Txn) error { return txn.Delete(groupKey) }, -1, false},
		"a group of no use": {func(txn *badger.Txn) error { return txn.Set(groupKey, []byte("x")) }, -1, false},
		"a strange key":     {func(txn *badger.Txn) error { return txn.Set([]byte("exyz"), nil) }, -1, false},
		"not a record":      {func(txn *badger.Txn) error { return txn.Set(recordKey(20), []byte("x")) }, 19, false},
		"another record":    {func(txn *badger.Txn) error { return txn.Set(recordKey(20), fact("b", "text")) }, 30, false},
		"index to another":  {func(txn *badger.Txn) error { return txn.Set(indexKey("imported/a-19"), seqValue(3)) }, 30, false},
		"index to nothing":  {func(txn *badger.Txn) error { return txn.Set(indexKey("imported/a-19"), seqValue(0)) }, 30, false},
		"index of no use":   {func(txn *badger.Txn) error { return txn.Set(indexKey("imported/a-19"), []byte("x")) }, 30, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filled(t, 30)
			tamper(t, dir, c.change)
			l, err := Open(Options{Dir: dir, Reserve: 1})
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
			if n, err := readAll(t.Context(), l); n != c.read || n < 30 && !errors.Is(err, events.ErrDamaged) || n == 30 && err != nil {
				t.Errorf("%d events read, then %v", n, err)
			}
			if _, err := l.Get(t.Context(), "imported/a-19"); (err == nil) != c.get || !c.get && !errors.Is(err, events.ErrDamaged) {
				t.Errorf("got: %v", err)
			}
		})
	}
}

// A flipped bit in any file of the store is an error when the log is opened or read, or it changes nothing,
// or it takes events from the end, which only a witness can see; it never changes an event.
func TestFlippedBits(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, Options{Dir: dir})
	const n = 40
	for i := range n {
		if i == n/2 { // one half in a table, one in the write-ahead log
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			l = mustOpen(t, Options{Dir: dir})
		}
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	files := snapshot(t, dir) // while it is open: as after a crash
	random := rand.New(rand.NewPCG(1, 2))
	outcomes := map[string]int{}
	for round := range flips() {
		work := t.TempDir()
		flipped := files[round%len(files)]
		for _, f := range files {
			f.write(t, work, f.name == flipped.name, random)
		}
		outcomes[filepath.Ext(flipped.name)+" "+openFlipped(t, work, n)]++
		if err := os.RemoveAll(work); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(outcomes)
	if outcomes[".sst refused"] == 0 || outcomes[".mem cut"] == 0 {
		t.Errorf("the flips reached nothing: %v", outcomes)
	}
}

func flips() int {
	if os.Getenv("ASSAY_FULL") == "1" {
		return 4000
	}
	return 100
}

func openFlipped(t *testing.T, dir string, n int) string {
	l, err := Open(Options{Dir: dir, Reserve: 1})
	if err != nil {
		return "refused"
	}
	defer l.Close()
	read := 0
	for e, err := range l.Read(t.Context(), 0) {
		if err != nil {
			return "not read"
		}
		raw, err := events.Encode(logtest.Fact(fmt.Sprint("a-", read), "text", uint64(read)))
		if err != nil || string(raw) != string(e.Raw) {
			t.Errorf("event %d was altered, and read", e.Seq)
		}
		read++
	}
	if read < n {
		return "cut"
	}
	return "whole"
}

// content is a file without the zeros at its end. Badger's files have many of them.
type content struct {
	name string
	data []byte
	size int64
}

func snapshot(t *testing.T, dir string) (files []content) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if used := bytes.TrimRight(data, "\x00"); len(used) > 0 {
			files = append(files, content{e.Name(), used, int64(len(data))})
		}
	}
	return files
}

func (c content) write(t *testing.T, dir string, flip bool, random *rand.Rand) {
	data := c.data
	if flip {
		data = bytes.Clone(data)
		data[random.IntN(len(data))] ^= 1 << random.IntN(8)
	}
	path := filepath.Join(dir, c.name)
	if err := errors.Join(os.WriteFile(path, data, 0o666), os.Truncate(path, c.size)); err != nil {
		t.Fatal(err)
	}
}

func TestFullDiskIsAnErrorBeforeItIsFull(t *testing.T) {
	l := mustOpen(t, Options{Dir: t.TempDir()})
	if _, err := l.Append(t.Context(), logtest.Fact("a", "text", 1)); err != nil {
		t.Fatal(err)
	}
	left := int64(99)
	l.room = func() error {
		return store.CheckSpace("the disk", func(string) (int64, error) { return left, nil }, 100)
	}
	if _, err := l.Append(t.Context(), logtest.Fact("b", "text", 1)); !errors.Is(err, events.ErrFull) {
		t.Fatalf("append: %v", err)
	}
	if r, err := l.Append(t.Context(), logtest.Fact("a", "text", 2)); err != nil || r[0] != (events.Placed{Seq: 1}) {
		t.Fatalf("what stands needs no room: %v, %v", r, err)
	}
	if n, err := readAll(t.Context(), l); n != 1 || err != nil {
		t.Fatalf("%d events, %v", n, err)
	}
	left = 100
	if r, err := l.Append(t.Context(), logtest.Fact("b", "text", 1)); err != nil || r[0] != (events.Placed{Seq: 2, Appended: true}) {
		t.Fatalf("with room again: %v, %v", r, err)
	}
	if err := store.CheckSpace("disk", func(string) (int64, error) { return 95 << 20, nil }, store.OpenReserve); !errors.Is(err, events.ErrFull) {
		t.Fatalf("open with little room: %v", err)
	}
}

func TestFormatVersion(t *testing.T) {
	for text, want := range map[string]string{
		"assay-log/1\n": "",
		"assay-log/3\n": "version 3",
		"assay-log/0\n": "says",
		"assay-log/x":   "says",
		"something":     "says",
		"":              "says",
	} {
		dir := filled(t, 1)
		if err := os.WriteFile(filepath.Join(dir, formatFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := Open(Options{Dir: dir, Reserve: 1})
		if err == nil {
			l.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	dir := filled(t, 1)
	if err := os.Remove(filepath.Join(dir, formatFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a directory of something else: %v", err)
	}
}

func TestOneProcess(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, Options{Dir: dir})
	if _, err := Open(Options{Dir: dir, Reserve: 1}); !errors.Is(err, ErrLocked) {
		t.Fatal(err)
	}
}

// An append to a closed log, and one that waits while it is closed, is refused or done, and never hangs;
// a follower is told.
func TestClose(t *testing.T) {
	l := mustOpen(t, Options{Dir: t.TempDir()})
	var group sync.WaitGroup
	var done atomic.Int64
	for w := range 4 {
		group.Go(func() {
			for i := 0; ; i++ {
				if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprintf("a-%d-%d", w, i), "text", 1)); err != nil {
					if !errors.Is(err, errClosed) {
						t.Error(err)
					}
					return
				}
				done.Add(1)
			}
		})
	}
	group.Go(func() {
		var last error
		for _, last = range l.Follow(t.Context(), 0) {
			if done.Load() > 20 {
				go l.Close()
			}
		}
		if !errors.Is(last, errClosed) {
			t.Errorf("follow ended with %v", last)
		}
	})
	group.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Get(t.Context(), "imported/a"); !errors.Is(err, errClosed) {
		t.Errorf("get: %v", err)
	}
}

// The largest batch under the longest keys fits one transaction.
func TestLargestTransaction(t *testing.T) {
	l := mustOpen(t, Options{Dir: t.TempDir()})
	batch := make([]events.Event, events.MaxBatch)
	for i := range batch {
		name := strings.Repeat("k", events.MaxKey-len("imported/0000")) + fmt.Sprintf("%04d", i)
		batch[i] = logtest.Fact(name, strings.Repeat("x", 1460), 1<<63)
	}
	raws, err := events.EncodeBatch(batch)
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, raw := range raws {
		size += len(raw)
	}
	if size < events.MaxBatchBytes*9/10 {
		t.Fatalf("a batch of only %d bytes", size)
	}
	if _, err := l.Append(t.Context(), batch...); err != nil {
		t.Fatal(err)
	}
}

// Appends that wait together are committed together, and one that does not fit begins the next group.
func TestGroups(t *testing.T) {
	l := &Log{queue: make(chan *pendingAppend, 4)}
	for _, n := range []int{400, 500, 400, 1} {
		l.queue <- &pendingAppend{raws: make([][]byte, n)}
	}
	group, next := l.gather(&pendingAppend{raws: make([][]byte, 100)})
	if len(group) != 3 || next == nil || len(next.raws) != 400 {
		t.Fatalf("a group of %d, then %+v", len(group), next)
	}
	if group, next = l.gather(next); len(group) != 2 || next != nil {
		t.Fatalf("then a group of %d, then %+v", len(group), next)
	}
}
