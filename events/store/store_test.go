package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

func mustOpen(t testing.TB, o store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func set(t testing.TB, db *store.DB, key, value string) {
	t.Helper()
	if err := db.Update(func(txn *badger.Txn) error { return txn.Set([]byte(key), []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func has(t testing.TB, db *store.DB, key, value string) {
	t.Helper()
	err := db.View(func(txn *badger.Txn) error {
		item, err := txn.Get([]byte(key))
		if err != nil {
			return err
		}
		return item.Value(func(found []byte) error {
			if string(found) != value {
				return fmt.Errorf("it is %.40q", found)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
}

func mustClose(t testing.TB, db *store.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// A process that is killed while the store makes its files leaves some of no size behind.
func TestUnbornFilesAreNoObstacle(t *testing.T) {
	dir := t.TempDir()
	db := mustOpen(t, store.Options{Dir: dir})
	set(t, db, "k", "v")
	mustClose(t, db)
	for _, name := range []string{"000077.vlog", "00077.mem"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil)); err == nil {
		t.Error("Badger opens such a store by itself now: removing the files is needless")
		db.Close()
	}
	has(t, mustOpen(t, store.Options{Dir: dir}), "k", "v")
}

func TestAPanicIsDamage(t *testing.T) {
	if err := store.Safely(func() error { panic("at the wrong offset") }); !errors.Is(err, events.ErrDamaged) {
		t.Fatalf("error %v", err)
	}
}

// What the process lacks tells nothing of the store: neither as an error nor as a panic, which has its text alone.
func TestAShortageIsNoDamage(t *testing.T) {
	for _, s := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		err := &os.PathError{Op: "open", Path: "000001.sst", Err: s}
		if got := store.Damaged(err); errors.Is(got, events.ErrDamaged) {
			t.Error(got)
		}
		if got := store.Safely(func() error { panic("while opening tables err: " + err.Error()) }); errors.Is(got, events.ErrDamaged) {
			t.Error(got)
		}
	}
}

// A mapped file that has lost its end faults when it is read.
func TestAFaultIsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped")
	if err := os.WriteFile(path, make([]byte, 1<<16), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := syscall.Mmap(int(f.Fd()), 0, 1<<16, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(data)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	sum := 0
	err = store.Safely(func() error { sum += int(data[1<<15]); return nil })
	if !errors.Is(err, events.ErrDamaged) || sum != 0 {
		t.Fatalf("error %v", err)
	}
}
