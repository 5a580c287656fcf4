package store_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
	"pgregory.net/rapid"
)

// content reads all that a store has.
func content(t testing.TB, db *store.DB) map[string]string {
	t.Helper()
	found := map[string]string{}
	if err := db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			value, err := it.Item().ValueCopy(nil)
			if err != nil {
				return err
			}
			found[string(it.Item().KeyCopy(nil))] = string(value)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// tables counts the tables in a directory.
func tables(t testing.TB, dir string) int { return len(image(t, dir, ".sst")) }

// image reads the files in a directory whose names end so.
func image(t testing.TB, dir, end string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), end) {
			continue
		}
		if files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func put(t testing.TB, dir string, files map[string][]byte) {
	t.Helper()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// fullOr is the full count when ASSAY_FULL is set, else the short one.
func fullOr(full, short int) int {
	if os.Getenv("ASSAY_FULL") != "" {
		return full
	}
	return short
}

// Whatever is written, replaced and deleted between openings and compactions, a store has what a map has.
func TestCompactionChangesNoAnswer(t *testing.T) {
	checks := flag.Lookup("rapid.checks").Value
	was := checks.String()
	t.Cleanup(func() { checks.Set(was) })
	if err := checks.Set(strconv.Itoa(fullOr(100, 30))); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		want, db := map[string]string{}, mustOpen(t, store.Options{Dir: dir})
		for range rapid.IntRange(1, 12).Draw(r, "processes") {
			for range rapid.IntRange(0, 4).Draw(r, "writes") {
				key := fmt.Sprint("key ", rapid.IntRange(0, 9).Draw(r, "key"))
				if rapid.Bool().Draw(r, "delete") {
					delete(want, key)
					if err := db.Update(func(txn *badger.Txn) error { return txn.Delete([]byte(key)) }); err != nil {
						r.Fatal(err)
					}
					continue
				}
				want[key] = rapid.String().Draw(r, "value")
				set(t, db, key, want[key])
			}
			if rapid.IntRange(0, 5).Draw(r, "compact") == 0 {
				if err := db.Compact(t.Context()); err != nil {
					r.Fatal(err)
				}
			}
			if rapid.Bool().Draw(r, "reopen") {
				mustClose(t, db)
				db = mustOpen(t, store.Options{Dir: dir})
			}
			if got := content(t, db); !maps.Equal(got, want) {
				r.Fatalf("it has %q, want %q", got, want)
			}
		}
		mustClose(t, db)
	})
}

// processes writes from this many processes, each of which leaves a table.
func processes(t testing.TB, o store.Options, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		db := mustOpen(t, o)
		set(t, db, fmt.Sprintf("key %04d", i), "value")
		mustClose(t, db)
	}
}

func TestManyProcessesLeaveFewTables(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	count := fullOr(200, 60)
	processes(t, o, 0, count)
	if n := tables(t, o.Dir); n > 17 {
		t.Errorf("%d processes left %d tables", count, n)
	}
	db := mustOpen(t, o)
	if n := len(content(t, db)); n != count {
		t.Errorf("%d keys", n)
	}
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := tables(t, o.Dir); n != 1 {
		t.Errorf("compacted, there are %d tables", n)
	}
	if n := len(content(t, db)); n != count {
		t.Errorf("compacted, %d keys", n)
	}
}

// A process that only reads leaves the files alone.
func TestReadersDoNotCompact(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 16)
	db := mustOpen(t, o)
	has(t, db, "key 0007", "value")
	mustClose(t, db)
	if n := tables(t, o.Dir); n != 16 {
		t.Errorf("%d tables", n)
	}
}

// Wherever a compaction is cut off, nothing is lost, and nothing is left over.
func TestInterruptedCompactions(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 10)
	db := mustOpen(t, o)
	if err := db.Update(func(txn *badger.Txn) error { return txn.Delete([]byte("key 0003")) }); err != nil {
		t.Fatal(err)
	}
	mustClose(t, db)
	before := image(t, o.Dir, "")
	db = mustOpen(t, o)
	want := content(t, db)
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustClose(t, db)
	after := image(t, o.Dir, "")
	half := map[string][]byte{}
	for name, data := range after {
		half[name] = data[:len(data)/2]
	}
	for name, files := range map[string][]map[string][]byte{
		"in the new table":      {half, before},
		"before the switch":     {after, before},
		"before the removal":    {before, after},
		"in the manifest draft": {after, before, {"MANIFEST.new": after["MANIFEST"][:12]}},
	} {
		t.Run(name, func(t *testing.T) {
			o := store.Options{Dir: t.TempDir()}
			for _, f := range files {
				put(t, o.Dir, f)
			}
			db := mustOpen(t, o)
			if got := content(t, db); !maps.Equal(got, want) {
				t.Errorf("%d keys, want %d", len(got), len(want))
			}
			if n := tables(t, o.Dir); n != 1 && n != 11 {
				t.Errorf("%d tables", n)
			}
			if left := image(t, o.Dir, ".stray"); len(left) != 0 {
				t.Errorf("left over: %d", len(left))
			}
		})
	}
}

// A process that is killed after its memory was written as a table, and before its write-ahead log was removed, leaves
// entries twice.
func TestEntriesTwiceAreMerged(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 3)
	db := mustOpen(t, o)
	set(t, db, "twice", "value")
	log := image(t, o.Dir, ".mem")
	mustClose(t, db)
	put(t, o.Dir, log)
	processes(t, o, 3, 30)
	if n := tables(t, o.Dir); n > 17 {
		t.Errorf("%d tables", n)
	}
	db = mustOpen(t, o)
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	has(t, db, "twice", "value")
	if n := len(content(t, db)); n != 31 {
		t.Errorf("%d keys", n)
	}
}

// A table that the manifest has lost is not deleted while the store lacks what is in it.
func TestLostTablesAreKept(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 1)
	manifest := image(t, o.Dir, "MANIFEST")
	processes(t, o, 1, 2)
	put(t, o.Dir, manifest)
	for range 2 {
		if db, err := store.Open(o); !errors.Is(err, events.ErrDamaged) {
			t.Fatalf("opened: %v, %v", db, err)
		}
		if left := image(t, o.Dir, ".stray"); len(left) != 1 {
			t.Fatalf("set aside: %d", len(left))
		}
	}
}

// What a check refuses is not switched to, and neither is what is cut off.
func TestRefusedCompactions(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 5)
	before := image(t, o.Dir, ".sst")
	refusal := errors.New("not what was recorded")
	o.Check = func(key, value []byte) error {
		if string(key) == "key 0003" {
			return refusal
		}
		return nil
	}
	db := mustOpen(t, o)
	if err := db.Compact(t.Context()); !errors.Is(err, refusal) {
		t.Fatalf("compacted: %v", err)
	}
	if after := image(t, o.Dir, ".sst"); !maps.EqualFunc(before, after, bytes.Equal) {
		t.Errorf("%d tables, there were %d", len(after), len(before))
	}
	if n := len(content(t, db)); n != 5 {
		t.Errorf("%d keys", n)
	}
	mustClose(t, db)
	if err := db.Compact(context.Background()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed store: %v", err)
	}
}

// A reader that reads once more within its reading is in nobody's way: not in that of a compaction that waits for it.
func TestCompactionWaitsForReadersWithin(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 5)
	db := mustOpen(t, o)
	compacted := make(chan error)
	if err := db.View(func(*badger.Txn) error {
		go func() { compacted <- db.Compact(context.Background()) }()
		for range 1000 {
			runtime.Gosched() // let it come to wait
			if err := db.View(func(txn *badger.Txn) error { _, err := txn.Get([]byte("key 0003")); return err }); err != nil {
				return err
			}
		}
		if n := tables(t, o.Dir); n != 5 {
			return fmt.Errorf("compacted while it is read: %d tables", n)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := <-compacted; err != nil {
		t.Fatal(err)
	}
	if n := tables(t, o.Dir); n != 1 {
		t.Errorf("%d tables", n)
	}
}

// A compaction that is not to go on stops waiting.
func TestCompactionStopsWaiting(t *testing.T) {
	db := mustOpen(t, store.Options{Dir: t.TempDir()})
	ctx, cancel := context.WithCancel(t.Context())
	if err := db.View(func(*badger.Txn) error {
		cancel()
		return db.Compact(ctx)
	}); !errors.Is(err, context.Canceled) {
		t.Fatalf("compacted: %v", err)
	}
}
