// Package badgerlog is the embedded log: an events.Log in one directory, without a server, in a Badger store.
//
// # Layout
//
// The directory holds Badger's files and a file FORMAT that names the version of this layout. The store has
//
//	'e' seq   → record                    seq as 8 bytes, big-endian
//	'k' key   → seq                       the write-once index
//	'g'       → first seq, last seq, mark of the group that was committed last
//
// All records of a group are stored in one transaction, synced. Entries are never changed, except 'g', and never
// deleted. The mark comes from the witness: see Witness. Groups of version 1 have none.
//
// # What Badger does not do
//
// Badger was seen to end an iteration early without an error, to drop the tail of its write-ahead log after one flipped
// bit, to delete tables that it could not merge, and to die of SIGBUS on a full disk. So this package checks every
// position that it reads, knows where the log must end, asks a Witness outside the store, and lets Badger merge
// nothing. It stops appending before the disk is full or the file descriptors are used up.
package badgerlog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

// ErrLocked means that another process has the directory open.
var ErrLocked = errors.New("in use by another process")

var errClosed = errors.New("the log is closed")

// Options say where a log is and how it is stored.
type Options struct {
	Dir     string       // made when it does not exist
	Witness Witness      // vouches for the stored records; nil for none
	Reserve int64        // bytes of disk that stay free: below it Append refuses; zero means DefaultReserve
	Logger  *slog.Logger // logs which events are vouched for late while the log is open; nil for no log
	Raise   func() error // called before FORMAT names a newer version, to say so elsewhere as well; nil for nothing
	noSync  bool         // for the test that shows what syncing is for
}

// Witness has, outside the store, a proof of what is in the log.
type Witness interface {
	// Size returns the position of the last event that the witness vouches for.
	Size() events.Seq
	// Mark returns the mark to store with a group of records that follow a position, or nil. Nobody else can make this
	// mark.
	Mark(after events.Seq, records [][]byte) []byte
	// Bears reports whether a group of records that follow a position has its mark, or may lack one.
	Bears(after events.Seq, records [][]byte, mark []byte) bool
	// Extend receives the records that follow Size while the store is still writing them, and must change nothing that
	// lasts. When the store has synced them, seal makes the witness vouch for them, durably. Only then is any of them
	// acknowledged or read. If seal is not called, they are forgotten.
	Extend(records [][]byte) (seal func() error)
	// Check returns an error unless the witness vouches for this record at this position.
	Check(seq events.Seq, record []byte) error
}

// Log is an events.Log in one directory. Only one process at a time may open it. All methods may be called from any
// goroutine.
type Log struct {
	dir     string
	db      *store.DB
	lock    *os.File
	witness Witness
	room    func() error // returns an error when there is too little disk or too few descriptors
	queue   chan *pendingAppend
	closing chan struct{}
	stopped chan struct{} // closed when the writer has ended
	close   func() error
	logger  *slog.Logger
	raise   func() error

	mu     sync.Mutex    // guards the fields below
	format int           // the version that FORMAT names
	head   events.Seq    // last acknowledged event
	grown  chan struct{} // closed and replaced when head grows
	late   []events.Event
}

var _ events.Log = (*Log)(nil)

// Open opens the log in a directory, and creates an empty one if there is none. Its errors are ErrLocked;
// events.ErrFull when too little disk is left to open safely; events.ErrDamaged when the stored records are not those
// that were recorded, or not those that the witness vouches for.
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
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
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
	format, err := checkFormat(o.Dir)
	if err != nil {
		return nil, err
	}
	l = &Log{
		dir: o.Dir, lock: lock, witness: o.Witness, format: format, logger: o.Logger, raise: o.Raise,
		queue: make(chan *pendingAppend), closing: make(chan struct{}), stopped: make(chan struct{}), grown: make(chan struct{}),
	}
	if l.logger == nil {
		l.logger = slog.New(slog.DiscardHandler)
	}
	return l, l.start(o)
}

// start opens the store, settles its end, and starts the writer.
func (l *Log) start(o Options) (err error) {
	l.db, err = store.Open(store.Options{
		Dir: o.Dir, Sync: !o.noSync, Reserve: o.Reserve, MemTable: memTable,
		Settle: func(db *badger.DB) error { return db.View(l.recover) }, Check: l.checkEntry,
	})
	if err != nil {
		return err
	}
	l.room, l.close = l.db.Room, sync.OnceValue(l.shut)
	if l.late, err = l.readLate(); err != nil {
		return errors.Join(err, l.db.Close())
	}
	go l.write()
	return nil
}

// memTable is the smallest size at which appending is as fast as when Badger merges tables beside it. With 16 MiB,
// twice as many tables have to be searched for each new key.
const memTable = 32 << 20

// checkEntry lets the witness check an entry of the store, if the entry is a record.
func (l *Log) checkEntry(key, value []byte) error {
	if l.witness == nil || key[0] != recordPrefix[0] {
		return nil
	}
	if err := l.witness.Check(seqOf(key), value); err != nil {
		return store.Damaged(fmt.Errorf("event %d: %w", seqOf(key), err))
	}
	return nil
}

// Size is the position of the last acknowledged event.
func (l *Log) Size() events.Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.head
}

// Compact rewrites the log into as few files as possible. Each record is compared with the witness before the old files
// are removed. Appends and readers wait meanwhile.
func (l *Log) Compact(ctx context.Context) error {
	p := &pendingAppend{ctx: ctx, instead: func() error { return l.db.Compact(ctx) }, done: make(chan struct{})}
	_, err := l.submit(p)
	return err
}

// Files returns how many tables the log has, and their bytes.
func (l *Log) Files() (number int, bytes int64, err error) { return l.db.Files() }

// Close ends the log. The current append is finished, waiting appends are refused, and readers and followers get an
// error. Close may be called more than once.
func (l *Log) Close() error { return l.close() }

func (l *Log) shut() error {
	close(l.closing)
	<-l.stopped
	if err := errors.Join(l.db.Close(), l.lock.Close()); err != nil {
		return fmt.Errorf("closing the log: %w", err)
	}
	return nil
}

// view reads from the store. It returns an error when the log is closed.
func (l *Log) view(read func(txn *badger.Txn) error) error {
	err := l.db.View(read)
	if errors.Is(err, store.ErrClosed) {
		return errClosed
	}
	return err
}
