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
// all of a group in one transaction, synced. Entries are never changed, but for 'g', and never deleted. The mark is
// the witness's: see Witness. Groups of version 1 have none.
//
// # What Badger does not do
//
// Badger was seen to end an iteration early without an error, to drop the tail of its write-ahead log after
// one flipped bit, to delete tables that it could not merge, and to die of SIGBUS on a full disk. So this package
// checks every position it reads, knows where the log must end, asks a Witness outside the store, lets Badger merge
// nothing, and stops appending before the disk is full or the file descriptors are used up.
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

// ErrLocked: another process has the directory open.
var ErrLocked = errors.New("in use by another process")

var errClosed = errors.New("the log is closed")

// Options say where a log is and how it is kept.
type Options struct {
	Dir     string       // made when it does not exist
	Witness Witness      // vouches for what is stored; nil for none
	Reserve int64        // bytes of disk that stay free: below it Append refuses; zero means DefaultReserve
	Logger  *slog.Logger // hears which events are vouched for late while the log is open; nil for silence
	Raise   func() error // called before FORMAT names a newer version, to say so elsewhere as well; nil for nothing
	noSync  bool         // for the test that shows what syncing is for
}

// Witness keeps, outside the store, a proof of what the log holds.
type Witness interface {
	// Size is the position of the last event it vouches for.
	Size() events.Seq
	// Mark returns what is stored with a group of records that follow a position, or nil. Nobody else can make it.
	Mark(after events.Seq, records [][]byte) []byte
	// Bears reports whether a group of records that follow a position bears its mark, or lacks one and may.
	Bears(after events.Seq, records [][]byte, mark []byte) bool
	// Extend is given the records that follow Size, while the store is still writing them, and must change
	// nothing that lasts. When the store has synced them, seal makes the witness vouch for them, durably;
	// only then is any of them acknowledged or read. Without seal they are forgotten.
	Extend(records [][]byte) (seal func() error)
	// Check returns an error unless a record is the one it vouches for at a position.
	Check(seq events.Seq, record []byte) error
}

// Log is an events.Log in one directory, which one process at a time may open. All methods may be called by
// any goroutine.
type Log struct {
	dir     string
	db      *store.DB
	lock    *os.File
	witness Witness
	room    func() error // refuses what needs disk or descriptors that are not there
	queue   chan *pending
	closing chan struct{}
	stopped chan struct{} // closed when the writer has ended
	close   func() error
	logger  *slog.Logger
	raise   func() error

	mu     sync.Mutex    // guards what follows
	format int           // the version that FORMAT names
	head   events.Seq    // last acknowledged event
	grown  chan struct{} // closed and replaced when head grows
	late   []events.Event
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
		queue: make(chan *pending), closing: make(chan struct{}), stopped: make(chan struct{}), grown: make(chan struct{}),
	}
	if l.logger == nil {
		l.logger = slog.New(slog.DiscardHandler)
	}
	return l, l.start(o)
}

// start opens the store and settles its end, and begins to write.
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

// memTable is the smallest size at which appending is as fast as it was when Badger merged tables beside it: with 16 MiB
// twice as many tables have to be asked for each new key.
const memTable = 32 << 20

// checkEntry asks the witness about an entry of the store that is a record.
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

// Compact writes the files of the log anew, as few as there can be. Each record is compared with what the witness
// vouches for before the old files are removed. Appends and readers wait meanwhile.
func (l *Log) Compact(ctx context.Context) error {
	p := &pending{ctx: ctx, instead: func() error { return l.db.Compact(ctx) }, done: make(chan struct{})}
	_, err := l.submit(p)
	return err
}

// Files returns how many tables the log has, and their bytes.
func (l *Log) Files() (number int, bytes int64, err error) { return l.db.Files() }

// Close ends the log: what is being appended is finished, what waits is refused, and whoever reads or
// follows gets an error. It may be called more than once.
func (l *Log) Close() error { return l.close() }

func (l *Log) shut() error {
	close(l.closing)
	<-l.stopped
	if err := errors.Join(l.db.Close(), l.lock.Close()); err != nil {
		return fmt.Errorf("closing the log: %w", err)
	}
	return nil
}

// view reads from the store, unless it is closed.
func (l *Log) view(read func(txn *badger.Txn) error) error {
	err := l.db.View(read)
	if errors.Is(err, store.ErrClosed) {
		return errClosed
	}
	return err
}
