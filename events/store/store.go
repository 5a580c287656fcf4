// Package store keeps Badger stores in directories that are not trusted: after a killed process, and after
// anything may have changed a file. What a damaged store makes Badger do is an error, events.ErrDamaged.
//
// # Nothing is merged behind our back
//
// When Badger merges tables and cannot create a file for the result, it drops the result, deletes what went in
// and tells nobody (levels.go, inflightBuilders.Done). So the stores here never merge by themselves. Compact
// does: it writes new tables beside the old ones, reads them again, switches, and only then removes the old ones.
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

// ErrClosed: the store was closed.
var ErrClosed = errors.New("the store is closed")

// Options say where a store is and how it is kept.
type Options struct {
	Dir     string // made when it does not exist
	Sync    bool   // a transaction is on the disk when Update returns
	Reserve int64  // bytes of disk that stay free: below it Room is events.ErrFull
	// MemTable is how many bytes are kept in memory, and in a write-ahead log, before they become a table; zero means
	// 16 MiB. It has to take the largest transaction in 15 % of its size.
	MemTable int64
	// Check, when not nil, is asked about each key and value that a compaction has written anew.
	Check func(key, value []byte) error
	// Settle, when not nil, looks at the store whenever it was opened, before anybody else does. Its error keeps
	// the store closed.
	Settle func(db *badger.DB) error
}

// defaultMemTable is the size of a memtable when Options say nothing.
const defaultMemTable = 16 << 20

// badger returns the options of Badger. All is kept small, so that an idle store costs little memory and disk. There
// are no compactors, and so many tables may be at level 0 that nothing ever waits for one.
func (o Options) badger() badger.Options {
	return badger.DefaultOptions(o.Dir).
		WithLogger(nil).           // its errors are returned
		WithBypassLockGuard(true). // who opens a store has locked its directory
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

// DB is an open store. All methods may be called by any goroutine. After a write that failed nobody knows what
// Badger's memory holds: the next call opens the store again, from what is on the disk.
type DB struct {
	o      Options
	failed atomic.Bool // a write failed since the store was opened
	wrote  atomic.Bool // a write succeeded

	commits sync.RWMutex // held for reading while a transaction is committed

	mu     sync.Mutex // held while the store is opened, closed or compacted; guards what follows
	unused *sync.Cond // signalled when nobody uses the store any more
	users  int        // of db
	db     *badger.DB // nil while it is not open
	closed bool
}

// Open opens a store once its tables have been read and found whole. With too little disk left it is
// events.ErrFull, with too few file descriptors events.ErrDescriptors.
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

// shut closes Badger. Where it could not write what it has in memory it is left as a crash would leave it, which
// loses nothing that was synced.
func (o Options) shut(db *badger.DB) error {
	if err := o.roomToClose(); err != nil {
		return fmt.Errorf("closing the store: %w", err)
	}
	return Safely(db.Close)
}

// View reads in a transaction. It is ErrClosed once the store was closed.
func (d *DB) View(read func(txn *badger.Txn) error) error {
	return d.with(func(db *badger.DB) error {
		err := Safely(func() error { return db.View(read) })
		if errors.Is(err, events.ErrDamaged) && d.broke() {
			return fmt.Errorf("the store is opened again after a write that failed: %w", ErrFailed)
		}
		return err
	})
}

// ErrFailed: a write failed in the middle. The next call opens the store again.
var ErrFailed = errors.New("a write failed")

// broke reports whether the newest write failed, which can make a reader beside it find anything.
func (d *DB) broke() bool {
	d.commits.Lock() // a commit that is under way ends first
	defer d.commits.Unlock()
	return d.failed.Load()
}

// Update changes the store in one transaction. An error of change leaves it as it was, and so does
// badger.ErrTxnTooBig. Any other error of the commit may leave either.
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

// with returns the open store to a reader or writer.
func (d *DB) with(do func(db *badger.DB) error) error {
	db, err := d.enter()
	if err != nil {
		return err
	}
	defer d.leave()
	return do(db)
}

// enter takes the store into use. If a write has failed it opens it before that, unless others still use it: they may be
// callers of this one, so that nobody waits for them.
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

// waitUnused waits, with d.mu, until nobody uses the store. Who comes meanwhile uses it first: one who uses it may need it
// once more before he ends.
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

// exchange closes Badger, does something to its files, and opens it, with d.mu. Nobody uses it.
func (d *DB) exchange(do func() error) error {
	if d.db != nil {
		if err := d.o.shut(d.db); err != nil {
			return err
		}
		d.db = nil
	}
	return errors.Join(do(), d.open())
}

// Close closes the store, and compacts it when that is due and this process has written. It may be called more
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

// Safely makes a panic an error, and so the fault of reading a mapped file that the disk cannot give.
func Safely(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = Damaged(withCause(fmt.Errorf("the store failed: %v", p)))
		}
	}()
	return do()
}

// withCause returns an error of which Badger has kept only the text its cause again, if that is a shortage.
func withCause(err error) error {
	if err == nil || events.Shortage(err) {
		return err
	}
	if cause := events.ShortageIn(err.Error()); cause != nil {
		return fmt.Errorf("%w (%w)", err, cause)
	}
	return err
}

// Damaged marks an error as damage, unless it tells only that the process lacks what it takes to look.
func Damaged(err error) error {
	if errors.Is(err, events.ErrDamaged) || events.Shortage(err) {
		return err
	}
	return fmt.Errorf("%w: %w", events.ErrDamaged, err)
}
