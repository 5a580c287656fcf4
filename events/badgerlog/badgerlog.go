// Package badgerlog is the embedded log: an events.Log in one directory, without a server, in a Badger store.
//
// # Layout
//
// The directory holds Badger's files and a file FORMAT that names the version of this layout. The store has
//
//	'e' seq   → record                    seq as 8 bytes, big-endian
//	'k' key   → seq                       the write-once index
//	'g'       → first seq, last seq       of the group that was committed last
//
// all of a group in one transaction, synced. Entries are never changed, but for 'g', and never deleted.
//
// # What Badger does not do
//
// Badger was seen to end an iteration early without an error, to drop the tail of its write-ahead log after
// one flipped bit, and to die of SIGBUS on a full disk. So this package checks every position it reads, knows
// where the log must end, asks a Witness outside the store, and stops appending before the disk is full.
package badgerlog

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"assay/events"
	"assay/events/badgerlog/store"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// ErrLocked: another process has the directory open.
var ErrLocked = errors.New("in use by another process")

var errClosed = errors.New("the log is closed")

// Options say where a log is and how it is kept.
type Options struct {
	Dir     string       // made when it does not exist
	Witness Witness      // vouches for what is stored; nil for none
	Reserve int64        // bytes of disk that stay free: below it Append refuses; zero means DefaultReserve
	Logger  *slog.Logger // hears what the store has to say; nil for silence
	noSync  bool         // for the test that shows what syncing is for
}

// Witness keeps, outside the store, a proof of what the log holds. One goroutine at a time calls Size, Extend
// and seal; any may call Check, also while another seals.
type Witness interface {
	// Size is the position of the last event it vouches for.
	Size() events.Seq
	// Extend is given the records that follow Size, while the store is still writing them, and must change
	// nothing that lasts. When the store has synced them, seal makes the witness vouch for them, durably;
	// only then is any of them acknowledged or read. Without seal they are forgotten.
	Extend(records [][]byte) (seal func() error)
	// Check tells whether a record is the one it vouches for at a position.
	Check(seq events.Seq, record []byte) error
}

// Log is an events.Log in one directory, which one process at a time may open. All methods may be called by
// any goroutine.
type Log struct {
	db      *badger.DB
	lock    *os.File
	witness Witness
	space   func() error // refuses when the disk is too full to append
	queue   chan *pending
	closing chan struct{}
	stopped chan struct{} // closed when the writer has ended
	close   func() error
	late    int

	open   sync.RWMutex // held for writing while the store is closed: a reader of a closed store would crash
	closed bool         // guarded by open

	mu    sync.Mutex    // guards what follows
	head  events.Seq    // last acknowledged event
	grown chan struct{} // closed and replaced when head grows
}

var _ events.Log = (*Log)(nil)

// Open opens the log in a directory, and makes an empty one where there is none. Its errors: ErrLocked;
// events.ErrFull when so little disk is left that opening is a risk; events.ErrDamaged when what is stored
// is not what was recorded, or not what the witness vouches for.
func Open(o Options) (*Log, error) {
	l, err := open(o)
	if err != nil {
		return nil, fmt.Errorf("log in %s: %w", o.Dir, err)
	}
	return l, nil
}

func open(o Options) (l *Log, err error) {
	if o.Reserve == 0 {
		o.Reserve = DefaultReserve
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Close())
		}
	}()
	if err := store.CheckSpace(o.Dir, store.FreeSpace, min(o.Reserve, store.OpenReserve)); err != nil {
		return nil, err
	}
	if err := checkFormat(o.Dir); err != nil {
		return nil, err
	}
	l = &Log{
		lock: lock, witness: o.Witness, queue: make(chan *pending), closing: make(chan struct{}), stopped: make(chan struct{}),
		grown: make(chan struct{}), space: func() error { return store.CheckSpace(o.Dir, store.FreeSpace, o.Reserve) },
	}
	return l, l.start(o)
}

// start opens the store and settles its end, and begins to write.
func (l *Log) start(o Options) error {
	var err error
	if l.db, err = store.Open(storeOptions(o)); err != nil {
		return err
	}
	if err := store.Safely(l.recover); err != nil {
		return errors.Join(err, store.Close(l.db))
	}
	l.close = sync.OnceValue(l.shut)
	go l.write()
	return nil
}

// The memtable has to take the largest transaction in 15 % of its size. All is kept small, so that an idle
// log costs little memory and little disk.
const (
	memTable  = 16 << 20 // bytes
	memTables = 1        // beside the one being filled
	l0Tables  = 8        // start a compaction: fewer mean more of them; at twice as many, writing waits
)

func storeOptions(o Options) badger.Options {
	return badger.DefaultOptions(o.Dir).
		WithLogger(store.Logger(o.Logger)).
		WithBypassLockGuard(true). // see lockDir
		WithSyncWrites(!o.noSync).
		WithDetectConflicts(false). // there is one writer
		WithMetricsEnabled(false).
		WithChecksumVerificationMode(options.OnTableRead). // a wrong table makes opening fail
		WithValueThreshold(events.MaxRecord + 1).          // records stay out of the value log, which is not verified
		WithValueLogFileSize(1 << 20).
		WithMemTableSize(memTable).
		WithNumMemtables(memTables).
		WithNumLevelZeroTables(l0Tables).
		WithNumLevelZeroTablesStall(2 * l0Tables).
		WithNumCompactors(2).
		WithCompression(options.None). // records have little to gain, and it would need a cache
		WithBlockCacheSize(0).
		WithIndexCacheSize(0)
}

// Late is the number of events at the end of the log that stood without the witness's word when it was
// opened: of one append that was interrupted between the store's sync and the witness's. They were checked
// and are vouched for now.
func (l *Log) Late() int { return l.late }

// Size is the position of the last acknowledged event.
func (l *Log) Size() events.Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head
}

// Close ends the log: what is being appended is finished, what waits is refused, and whoever reads or
// follows gets an error. It may be called more than once.
func (l *Log) Close() error { return l.close() }

func (l *Log) shut() error {
	close(l.closing)
	<-l.stopped
	l.open.Lock()
	defer l.open.Unlock()
	l.closed = true
	if err := errors.Join(store.Close(l.db), l.lock.Close()); err != nil {
		return fmt.Errorf("closing the log: %w", err)
	}
	return nil
}

// view reads from the store, unless it is closed. What a damaged store makes Badger do is an error.
func (l *Log) view(read func(txn *badger.Txn) error) error {
	l.open.RLock()
	defer l.open.RUnlock()
	if l.closed {
		return errClosed
	}
	return store.Safely(func() error { return l.db.View(read) })
}
