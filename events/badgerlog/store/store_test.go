package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"assay/events"
	"assay/events/badgerlog/store"

	"github.com/dgraph-io/badger/v4"
)

func options(dir string) badger.Options {
	return badger.DefaultOptions(dir).WithLogger(store.Logger(nil)).WithMemTableSize(1 << 20).WithValueLogFileSize(1 << 20).WithValueThreshold(1 << 10).WithCompression(0)
}

// A process that is killed while the store makes its files leaves some of no size behind.
func TestUnbornFilesAreNoObstacle(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(options(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(func(txn *badger.Txn) error { return txn.Set([]byte("k"), []byte("v")) }), db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"000077.vlog", "00077.mem"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if db, err := badger.Open(options(dir)); err == nil {
		t.Error("Badger opens such a store by itself now: removing the files is needless")
		db.Close()
	}
	if db, err = store.Open(options(dir)); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.View(func(txn *badger.Txn) error { _, err := txn.Get([]byte("k")); return err }); err != nil {
		t.Fatal(err)
	}
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
