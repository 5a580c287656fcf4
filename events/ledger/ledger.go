// Package ledger makes any later change of a log visible. Outside the store it has a Merkle tree over the stored
// records in log order, and signed checkpoints of this tree.
//
// # The tree
//
// It is the tree of RFC 6962, section 2.1: the event at position n is leaf n−1, and its hash is
// SHA-256(0x00 ‖ record). The root of all events up to a position says everything about them and their order.
//
// # The directory
//
//	hashes       32 bytes for each node of the tree, in the order of tlog.StoredHashIndex. Can be computed
//	             again from the log (Rebuild).
//	checkpoints  signed notes (golang.org/x/mod/sumdb/note), each followed by an empty line: checkpoints and
//	             key rotations in the sequence in which they were made. An unfinished note at the end belongs to an
//	             append that was not acknowledged, and is dropped.
//	key          the signing key as note.GenerateKey writes it, mode 0600, unless Options.KeyFile names another file.
//	key.new      while a key rotation is under way.
//	checkpoints.before  the checkpoints of a chain whose key was lost (Renew).
//
// A checkpoint is text as c2sp.org/tlog-checkpoint has it: origin, number of events, root in base64. If each group of
// records is stored with a mark, it also has the extension line "groups are marked". The origin is the name of the
// signing key: "assay/" and 16 hexadecimal digits that were drawn when the ledger was created. Checkpoints are thinned
// as they age: the newest 256 stay; when there are 512, every second one before those is dropped.
//
// The ledger of a process that only verifies (Options.PublicKey) has no key, and only the checkpoints that it has
// accepted.
//
// A key rotation is a note with four lines: the origin, "key rotation", the verifier key until now, the verifier key
// from now on. Both keys sign it.
package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"assay/events"
	"assay/events/durable"

	"golang.org/x/mod/sumdb/tlog"
)

// Options say where a ledger is.
type Options struct {
	Dir     string // created when New
	KeyFile string // the signing key; "" means the file key in Dir. Created with mode 0600 when New and missing
	New     bool   // the log is empty: a missing ledger is created. Otherwise a missing ledger is damage

	// PublicKey is set for a ledger that signs nothing. It verifies what another ledger signs with this key, or with a
	// key that follows it by key rotations; see Shared.
	PublicKey string

	// Marks is set for a log that stores a mark with each group.
	Marks bool

	noSync bool // for the test that shows what syncing is for
}

func (o Options) keyFile() string {
	if o.KeyFile != "" {
		return o.KeyFile
	}
	return filepath.Join(o.Dir, "key")
}

// Ledger vouches for the events of one log: it has a signed checkpoint over their hashes. Only one goroutine at a time
// may extend it or rotate its key; the other methods may be called from any. Damage of itself or of a log is
// events.ErrDamaged.
type Ledger struct {
	o      Options
	hashes *hashFile
	list   *list
	shared bool // others append to the log without asking

	mu   sync.Mutex // guards the fields below
	key  key
	tree frontier
	last Checkpoint
}

// Open opens a ledger. The root of its last checkpoint must be that of its tree.
func Open(o Options) (*Ledger, error) {
	l, err := open(o)
	if err != nil {
		return nil, fmt.Errorf("ledger in %s: %w", o.Dir, err)
	}
	return l, nil
}

func open(o Options) (*Ledger, error) {
	l, err := openSigned(o)
	if err != nil {
		return nil, err
	}
	if l.hashes, err = openHashes(filepath.Join(o.Dir, "hashes"), o.New); err == nil {
		l.tree, err = l.hashes.frontier(l.last.Size)
	}
	if root := l.tree.root(); err == nil && root != l.last.Root {
		err = damaged(fmt.Errorf("%w: of %d events they have root %v, signed is %v", ErrHashes, l.last.Size, root, l.last.Root))
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// openSigned opens the key and the checkpoints.
func openSigned(o Options) (*Ledger, error) {
	if o.New {
		if err := os.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(o.Dir, "checkpoints")
	if o.New {
		if err := begin(o, path); err != nil {
			return nil, err
		}
	}
	k, list, err := openList(o, path)
	if err != nil {
		return nil, err
	}
	return &Ledger{o: o, list: list, key: k, last: list.last()}, nil
}

// begin creates the key and the checkpoint of the empty log, if there is no checkpoint yet.
func begin(o Options, path string) error {
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if o.PublicKey != "" { // its first checkpoint is a posted one
		return durable.WriteFile(path, nil)
	}
	k, err := readKey(o.keyFile())
	if errors.Is(err, os.ErrNotExist) {
		k, err = makeKey(o.keyFile(), "")
	}
	if err != nil {
		return err
	}
	empty, err := k.checkpoint(0, (&frontier{}).root(), o.Marks)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, append(empty.Note, '\n'))
}

// Close closes the ledger.
func (l *Ledger) Close() error {
	err := l.list.file.Close()
	if l.hashes != nil {
		err = errors.Join(err, l.hashes.file.Close())
	}
	return err
}

// Checkpoint returns the newest checkpoint.
func (l *Ledger) Checkpoint() Checkpoint {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Size returns the position of the last event that the ledger vouches for.
func (l *Ledger) Size() events.Seq { return l.Checkpoint().Size }

// VerifierKey returns the public key of the newest checkpoint, as note.NewVerifier reads it.
func (l *Ledger) VerifierKey() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.key.public
}

// Mark returns a MAC of a group of records and the position that they follow, or nil unless Options.Marks. The MAC's
// secret is derived from the signing key, so a mark that is stored with the group shows later that this registry
// recorded it.
func (l *Ledger) Mark(after events.Seq, records [][]byte) []byte {
	l.mu.Lock()
	key := l.key
	l.mu.Unlock()
	if !l.o.Marks {
		return nil
	}
	return key.mark(after, records)
}

// Bears reports whether a group of records has its mark. The mark may be missing if no checkpoint says that the log has
// marks.
func (l *Ledger) Bears(after events.Seq, records [][]byte, mark []byte) bool {
	l.mu.Lock()
	key, marked := l.key, l.last.Marked
	l.mu.Unlock()
	if mark == nil {
		return !marked
	}
	return key.bears(after, records, mark)
}

// Extend hashes the records that follow Size and writes the hashes where the next checkpoint finds them. Seal signs
// that checkpoint and makes it durable. Only then does the ledger vouch for the records.
func (l *Ledger) Extend(records [][]byte) (seal func() error) {
	l.mu.Lock()
	next, key, before := l.tree, l.key, l.last
	l.mu.Unlock()
	at := tlog.StoredHashCount(next.size)
	var out []byte
	for _, r := range records {
		out = next.add(tlog.RecordHash(r), out)
	}
	if err := l.hashes.write(at, out, !l.o.noSync); err != nil {
		return func() error { return fmt.Errorf("tree hashes: %w", full(err)) }
	}
	return func() error {
		if size := l.Size(); size != before.Size {
			return fmt.Errorf("checkpoint of event %d: the ledger has grown from %d to %d meanwhile", next.size, before.Size, size)
		}
		return l.sign(next, key)
	}
}

// sign makes the checkpoint of a tree the newest one.
func (l *Ledger) sign(next frontier, k key) error {
	c, err := k.checkpoint(events.Seq(next.size), next.root(), l.o.Marks)
	if err == nil {
		err = l.list.append(c.Note, !l.o.noSync)
	}
	if err != nil {
		return fmt.Errorf("checkpoint of event %d: %w", next.size, full(err))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tree, l.last = next, c
	return nil
}

// Check returns an error unless a record is the one that the ledger vouches for at a position.
func (l *Ledger) Check(seq events.Seq, record []byte) error {
	if size := l.Size(); seq < 1 || seq > size {
		return damaged(fmt.Errorf("event %d is not vouched for, only those up to %d", seq, size))
	}
	leaf, err := l.hashes.at(tlog.StoredHashIndex(0, int64(seq)-1))
	if err != nil {
		return err
	}
	if tlog.RecordHash(record) != leaf {
		return damaged(fmt.Errorf("event %d is not what was recorded", seq))
	}
	return nil
}

// NotesUpTo returns the stored checkpoints of at most size events, and the key rotations before them, as in the file of
// checkpoints.
func (l *Ledger) NotesUpTo(size events.Seq) []byte { return l.list.upTo(size) }

// Rotations returns the statements of the key rotations, oldest first.
func (l *Ledger) Rotations() (statements [][]byte) {
	l.list.mu.Lock()
	defer l.list.mu.Unlock()
	for _, text := range l.list.notes {
		if _, _, ok := parseRotation(text); ok {
			statements = append(statements, text)
		}
	}
	return statements
}

// Rotate makes a new signing key. Both keys sign the handover; the old one does not count for later checkpoints.
func (l *Ledger) Rotate() error {
	if err := l.rotate(); err != nil {
		return fmt.Errorf("rotating the key: %w", full(err))
	}
	return nil
}

func (l *Ledger) rotate() error {
	if !l.signs() {
		return errors.New("this registry does not sign: rotate it where the signing key is")
	}
	path := l.o.keyFile()
	if err := os.Remove(path + ".new"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	next, err := makeKey(path+".new", l.key.signer.Name())
	if err != nil {
		return err
	}
	statement, err := rotation(l.key, next)
	if err != nil {
		return err
	}
	if err := l.list.append(statement, true); err != nil {
		return err
	}
	if err := durable.Rename(path+".new", path); err != nil {
		return err
	}
	c, err := next.checkpoint(l.last.Size, l.last.Root, l.last.Marked)
	if err == nil {
		err = l.list.append(c.Note, true)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.key, l.last = next, c
	return nil
}

// ErrHashes means that the tree hashes are missing or are not those that were signed. Rebuild makes them again.
var ErrHashes = errors.New("the tree hashes are not those that were signed")

// full marks an error of a full disk, or of a process without free file descriptors.
func full(err error) error {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return fmt.Errorf("%w: %w", events.ErrDescriptors, err)
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", events.ErrFull, err)
	}
	return err
}

func damaged(err error) error { return fmt.Errorf("%w: %w", events.ErrDamaged, err) }
