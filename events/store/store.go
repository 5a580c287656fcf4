// Package store opens Badger stores in directories that are not trusted: a process may have been killed, and any file
// may have been changed. Whatever a damaged store makes Badger do becomes an error, events.ErrDamaged.
//
// # Badger never merges
//
// When Badger merges tables and cannot create a file for the result, it drops the result, deletes the inputs and
// reports nothing (levels.go, inflightBuilders.Done). So Badger never merges in these stores. Compact merges instead:
// it writes new tables beside the old ones, reads them again, switches, and only then removes the old ones.
package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"assay/events"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// ErrClosed means that the store was closed.
var ErrClosed = errors.New("the store is closed")

// Options say where a store is and how it is opened.
type Options struct {
	Dir     string // made when it does not exist
	Sync    bool   // a transaction is on the disk when Update returns
	Reserve int64  // bytes of disk that stay free: below it Room is events.ErrFull
	// MemTable is the number of bytes that stay in memory, and in a write-ahead log, before they become a table. Zero
	// means 16 MiB. 15 % of it must be enough for the largest transaction.
	MemTable int64
	// Check, if not nil, checks each key and value that a compaction has written.
	Check func(key, value []byte) error
	// Settle, if not nil, checks the store whenever it was opened, before anybody uses it. If it returns an error, the
	// store stays closed.
	Settle func(db *badger.DB) error
}

// defaultMemTable is the size of a memtable when Options name none.
const defaultMemTable = 16 << 20

// badger returns the options of Badger. Everything is small, so that an idle store costs little memory and disk. There
// are no compactors, and the limit of tables at level 0 is so high that no write ever waits for a merge.
func (o Options) badger() badger.Options {
	return badger.DefaultOptions(o.Dir).
		WithLogger(nil).           // its errors are returned
		WithBypassLockGuard(true). // the caller that opens a store has locked its directory
		WithSyncWrites(o.Sync).
		WithDetectConflicts(false). // there is one writer at a time
		WithMetricsEnabled(false).
		WithChecksumVerificationMode(options.OnTableRead). // a wrong table makes opening fail
		WithValueThreshold(1 << 20).                       // values stay out of the value log, which is not verified
		WithValueLogFileSize(1 << 20).
		WithMemTableSize(o.MemTable).
		WithNumMemtables(1).
		WithNumCompactors(0).
		WithNumLevelZeroTables(math.MaxInt32 - 1).
		WithNumLevelZeroTablesStall(math.MaxInt32).
		WithCompression(options.None). // it would need a cache
		WithBlockCacheSize(0).
		WithIndexCacheSize(0)
}

// DB is an open store. All methods may be called from any goroutine. After a failed write the content of Badger's
// memory is unknown. So the next call opens the store again, from what is on the disk.
type DB struct {
	o      Options
	failed atomic.Bool // a write failed since the store was opened
	wrote  atomic.Bool // a write succeeded

	commits sync.RWMutex // held for reading while a transaction is committed

	mu     sync.Mutex // held while the store is opened, closed or compacted; guards the fields below
	unused *sync.Cond // signalled when nobody uses the store any more
	users  int        // of db
	db     *badger.DB // nil while it is not open
	closed bool
}

// Open opens a store after it has read all tables and found them whole. It returns events.ErrFull when too little disk
// is left, and events.ErrDescriptors when too few file descriptors are free.
func Open(o Options) (*DB, error) {
	if o.MemTable == 0 {
		o.MemTable = defaultMemTable
	}
	d := &DB{o: o}
	d.unused = sync.NewCond(&d.mu)
	return d, d.open()
}

// open opens Badger; nobody else uses the store meanwhile.
func (d *DB) open() error {
	if err := d.o.prepare(); err != nil {
		return err
	}
	var db *badger.DB
	err := Safely(func() (err error) {
		db, err = badger.Open(d.o.badger())
		return err
	})
	if err != nil {
		return withCause(err)
	}
	if d.o.Settle != nil {
		if err := Safely(func() error { return d.o.Settle(db) }); err != nil {
			return errors.Join(err, d.o.shut(db))
		}
	}
	if err := removeStrays(d.o.Dir, db); err != nil {
		return errors.Join(err, d.o.shut(db))
	}
	d.db = db
	d.failed.Store(false)
	return nil
}

// shut closes Badger. If Badger has no room to write its memory, the store is left as a crash would leave it. That
// loses nothing that was synced.
func (o Options) shut(db *badger.DB) error {
	if err := o.roomToClose(); err != nil {
		return fmt.Errorf("closing the store: %w", err)
	}
	return Safely(db.Close)
}

// View reads in a transaction. It returns ErrClosed when the store is closed.
func (d *DB) View(read func(txn *badger.Txn) error) error {
	return d.with(func(db *badger.DB) error {
		err := Safely(func() error { return db.View(read) })
		if errors.Is(err, events.ErrDamaged) && d.broke() {
			return fmt.Errorf("the store is opened again after a write that failed: %w", ErrFailed)
		}
		return err
	})
}

// ErrFailed means that a write failed in the middle. The next call opens the store again.
var ErrFailed = errors.New("a write failed")

// broke reports whether the newest write failed. If it did, a concurrent reader may have read anything.
func (d *DB) broke() bool {
	d.commits.Lock() // a commit that is under way ends first
	defer d.commits.Unlock()
	return d.failed.Load()
}

// Update changes the store in one transaction. If change returns an error, nothing is stored, and neither after
// badger.ErrTxnTooBig. After any other error of the commit, the change may be stored or not.
func (d *DB) Update(change func(txn *badger.Txn) error) error {
	return d.with(func(db *badger.DB) error {
		txn := db.NewTransaction(true)
		defer txn.Discard()
		if err := Safely(func() error { return change(txn) }); err != nil {
			return err
		}
		return d.commit(txn)
	})
}

func (d *DB) commit(txn *badger.Txn) error {
	d.commits.RLock()
	defer d.commits.RUnlock()
	err := Safely(txn.Commit)
	switch {
	case err == nil:
		d.wrote.Store(true)
	case !errors.Is(err, badger.ErrTxnTooBig):
		d.failed.Store(true)
	}
	return err
}

// with calls do with the open store.
func (d *DB) with(do func(db *badger.DB) error) error {
	db, err := d.enter()
	if err != nil {
		return err
	}
	defer d.leave()
	return do(db)
}

// enter registers a user of the store. If a write has failed, it first opens the store again, unless others still use
// it. It does not wait for them, because they may be callers of this call.
func (d *DB) enter() (*badger.DB, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, ErrClosed
	case d.db != nil && !d.failed.Load():
	case d.users > 0:
		return nil, ErrFailed
	default:
		if err := d.exchange(func() error { return nil }); err != nil {
			return nil, fmt.Errorf("opening the store again: %w", err)
		}
	}
	d.users++
	return d.db, nil
}

func (d *DB) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.users--; d.users == 0 {
		d.unused.Broadcast()
	}
}

// waitUnused waits, with d.mu locked, until nobody uses the store. New users come first meanwhile, because a current
// user may have to enter once more before it ends.
func (d *DB) waitUnused(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.unused.Broadcast()
	})
	defer stop()
	for d.users > 0 && ctx.Err() == nil {
		d.unused.Wait()
	}
	return context.Cause(ctx)
}

// exchange closes Badger, calls do on its files, and opens it again. d.mu is locked, and nobody uses the store.
func (d *DB) exchange(do func() error) error {
	if d.db != nil {
		if err := d.o.shut(d.db); err != nil {
			return err
		}
		d.db = nil
	}
	return errors.Join(do(), d.open())
}

// Close closes the store. It compacts the store when that is due and this process has written. It may be called more
// than once.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	d.waitUnused(context.Background()) // which never ends it
	if d.db == nil {
		return nil
	}
	db := d.db
	d.db = nil
	if err := d.o.shut(db); err != nil || !d.wrote.Load() {
		return err
	}
	return d.o.compactDue()
}

// Safely turns a panic into an error. This includes the fault of reading a mapped file that the disk cannot deliver.
func Safely(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = Damaged(withCause(fmt.Errorf("the store failed: %v", p)))
		}
	}()
	return do()
}

// withCause adds the cause to an error again if that is a shortage, because Badger keeps only the text of the cause.
func withCause(err error) error {
	if err == nil || events.Shortage(err) {
		return err
	}
	if cause := events.ShortageIn(err.Error()); cause != nil {
		return fmt.Errorf("%w (%w)", err, cause)
	}
	return err
}

// Damaged marks an error as damage, unless the error only means that the process lacks the resources to look.
func Damaged(err error) error {
	if errors.Is(err, events.ErrDamaged) || events.Shortage(err) {
		return err
	}
	return fmt.Errorf("%w: %w", events.ErrDamaged, err)
}
