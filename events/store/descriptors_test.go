package store_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

// leave lets the process open this many more files than it has open, until the test gives the others back.
func leave(t testing.TB, free int) (giveBack func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		t.Fatal(err)
	}
	// A limit is one of the numbers that files get. All that are free below it are taken.
	now := before
	now.Cur = 256
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &now); err != nil {
		t.Fatal(err)
	}
	var taken []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		taken = append(taken, f)
	}
	for range free {
		taken[0].Close()
		taken = taken[1:]
	}
	return func() {
		for _, f := range taken {
			f.Close()
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
			t.Fatal(err)
		}
	}
}

// Under every limit a write is done or refused, what was done stays, and with the limit gone writing goes on in the
// same store: also when nobody asked for room first, so that Badger itself fails.
func TestDescriptorsRunOut(t *testing.T) {
	for _, asks := range []bool{true, false} {
		for free := 0; free < 14; free++ {
			if asks && free%4 != 3 {
				continue // Room refuses below a number and not from it on
			}
			t.Run(fmt.Sprintf("asks %v, %d free", asks, free), func(t *testing.T) {
				o := store.Options{Dir: t.TempDir()}
				db := mustOpen(t, o)
				value := strings.Repeat("x", 1<<20-1)
				done, refused := writeAll(db, value, asks, func() func() { return leave(t, free) })
				if asks && free < store.ReserveDescriptors && refused == nil {
					t.Error("nothing was refused")
				}
				if refused != nil && !errors.Is(refused, events.ErrDescriptors) && !errors.Is(refused, syscall.EMFILE) {
					t.Errorf("refused: %v", refused)
				}
				set(t, db, "afterwards", value)
				for _, key := range append(done, "afterwards") {
					has(t, db, key, value)
				}
				mustClose(t, db)
				db = mustOpen(t, o)
				for _, key := range append(done, "afterwards") {
					has(t, db, key, value)
				}
			})
		}
	}
}

// writeAll writes some memtables full, and returns the keys that were written and the last refusal. Who does not ask
// writes two: Badger lets the one who has filled a third wait until there are descriptors.
func writeAll(db *store.DB, value string, asks bool, limit func() func()) (done []string, refused error) {
	defer limit()()
	writes := 60
	if !asks {
		writes = 30
	}
	for i := range writes {
		key := fmt.Sprint("key ", i)
		var err error
		if asks {
			err = db.Room()
		}
		if err == nil {
			err = db.Update(func(txn *badger.Txn) error { return txn.Set([]byte(key), []byte(value)) })
		}
		if err == nil {
			done = append(done, key)
		} else {
			refused = err
		}
	}
	return done, refused
}

// A store that could not write under the limit is not opened, and is told how many descriptors it needs.
func TestOpeningNeedsDescriptors(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	processes(t, o, 0, 10)
	giveBack := leave(t, 20)
	db, err := store.Open(o)
	giveBack()
	if !errors.Is(err, events.ErrDescriptors) || !strings.Contains(err.Error(), "26 have to be free, and 20 of 256 are") {
		t.Fatalf("opened: %v, %v", db, err)
	}
	has(t, mustOpen(t, o), "key 0003", "value")
}
