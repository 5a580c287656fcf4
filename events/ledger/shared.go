package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"assay/events"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Processes on several machines append to a shared log and cannot ask this ledger first. One of them signs: its ledger
// reads the new events in sequence, signs a checkpoint and posts it. The ledgers of the others have only the public
// key. They read the same events and accept the checkpoint only when their own tree has its root.

// Board is where the signing ledger posts its key rotations and its newest checkpoint, in the form of NotesUpTo.
type Board interface {
	// Post replaces the posted notes. It fails when the posted notes are not those that Posted last returned.
	Post(ctx context.Context, notes []byte) error
	// Posted returns the notes that were posted last, or nothing.
	Posted(ctx context.Context) ([]byte, error)
}

// ErrOtherSigner means that the posted checkpoints were signed by a key that this ledger does not have or trust.
var ErrOtherSigner = errors.New("another registry signs this log")

// Shared is a log that others append to as well, under the ledger of this process. Events up to the ledger's newest
// checkpoint are compared with the ledger when they are read. If this process signs, these are all events at that
// moment. If it verifies, events that are not signed yet follow.
type Shared struct {
	log    events.Log
	ledger *Ledger
	board  Board

	mu     sync.Mutex // held while the ledger grows; guards posted
	posted []byte
}

var _ events.Log = (*Shared)(nil)

// Share puts a log under a ledger, and catches up with it. It returns events.ErrDamaged when the log lacks an event
// that the ledger vouches for, or has another one in its place.
func Share(ctx context.Context, log events.Log, l *Ledger, b Board) (*Shared, error) {
	s := &Shared{log: log, ledger: l, board: b}
	l.shared = true
	return s, s.CatchUp(ctx)
}

// CatchUp makes the ledger vouch for new events: it signs and posts a checkpoint, or accepts a posted one.
func (s *Shared) CatchUp(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.posted == nil || !s.ledger.signs() {
		posted, err := s.board.Posted(ctx)
		if err == nil && posted != nil {
			err = s.ledger.take(ctx, s.log, posted)
		}
		if err != nil {
			return fmt.Errorf("the ledger: %w", err)
		}
		s.posted = posted
	}
	if !s.ledger.signs() {
		return nil
	}
	if err := s.ledger.signUp(ctx, s.log); err != nil {
		return fmt.Errorf("the ledger: %w", err)
	}
	return s.post(ctx)
}

// post posts the newest notes of the ledger, unless they are posted already.
func (s *Shared) post(ctx context.Context) error {
	notes := s.ledger.posting()
	if bytes.Equal(notes, s.posted) {
		return nil
	}
	if err := s.board.Post(ctx, notes); err != nil {
		s.posted = nil
		return fmt.Errorf("posting a checkpoint: %w", err)
	}
	s.posted = notes
	return nil
}

// Append is as in events.Log. If this process signs, the ledger vouches for the events when Append returns.
func (s *Shared) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	receipt, err := s.log.Append(ctx, batch...)
	if err == nil && receipt.Appended() > 0 && s.ledger.signs() {
		err = s.CatchUp(ctx)
	}
	return receipt, err
}

// Get is as in events.Log.
func (s *Shared) Get(ctx context.Context, key events.Key) (events.Event, error) {
	e, err := s.log.Get(ctx, key)
	if err == nil {
		err = s.check(e)
	}
	return e, err
}

// GetEach is as in events.GetEach.
func (s *Shared) GetEach(ctx context.Context, keys []events.Key) ([]events.Event, error) {
	list, err := events.GetEach(ctx, s.log, keys)
	for i := 0; i < len(list) && err == nil; i++ {
		err = s.check(list[i])
	}
	return list, err
}

// Read is as in events.Log.
func (s *Shared) Read(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		if err := s.CatchUp(ctx); err != nil {
			yield(events.Event{}, err)
			return
		}
		s.checked(s.log.Read(ctx, after), yield)
	}
}

// Follow is as in events.Log.
func (s *Shared) Follow(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		s.checked(s.log.Follow(ctx, after), yield)
	}
}

func (s *Shared) checked(read iter.Seq2[events.Event, error], yield func(events.Event, error) bool) {
	for e, err := range read {
		if err == nil {
			err = s.check(e)
		}
		if err != nil {
			e = events.Event{}
		}
		if !yield(e, err) || err != nil {
			return
		}
	}
}

// check compares an event with the ledger, if the ledger vouches for it yet.
func (s *Shared) check(e events.Event) error {
	if e.Seq > s.ledger.Size() {
		return nil
	}
	return s.ledger.Check(e.Seq, e.Raw)
}

// certain tells the log how many events must exist, because a lagging server might report fewer.
func certain(log events.Log, size events.Seq) {
	if l, ok := log.(interface{ Certain(events.Seq) }); ok {
		l.Certain(size)
	}
}

// signs reports whether this ledger has a signing key.
func (l *Ledger) signs() bool { return l.o.PublicKey == "" }

// signUp reads the events of a log beyond the newest checkpoint, and signs them.
func (l *Ledger) signUp(ctx context.Context, log events.Log) error {
	certain(log, l.Size())
	next, err := l.reach(ctx, log, 0)
	if err != nil || events.Seq(next.size) == l.Size() {
		return err
	}
	return l.sign(next, l.key)
}

func (l *Ledger) advance(tree frontier, k key, c Checkpoint) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tree, l.key, l.last = tree, k, c
}

// posting returns the key rotations and the newest checkpoint.
func (l *Ledger) posting() []byte {
	return joinNotes(append(l.Rotations(), l.Checkpoint().Note))
}

// take makes a posted checkpoint the newest one, if its key is trusted and the log has its root.
func (l *Ledger) take(ctx context.Context, log events.Log, posted []byte) error {
	k, c, rotations, err := l.readPosted(posted)
	if err != nil {
		return err
	}
	if c.Size < l.Size() || bytes.Equal(c.Note, l.Checkpoint().Note) || k.public != l.key.public && len(rotations) == 0 {
		return nil // an older one, or the same
	}
	certain(log, c.Size)
	next, err := l.reach(ctx, log, c.Size)
	if err != nil {
		return err
	}
	if root := next.root(); root != c.Root {
		return damaged(fmt.Errorf("the log of %d events has root %v, signed is %v", c.Size, root, c.Root))
	}
	for _, text := range append(rotations, c.Note) {
		if err := l.list.append(text, !l.o.noSync); err != nil {
			return full(err)
		}
	}
	l.advance(next, k, c)
	return nil
}

// readPosted checks the posted notes: key rotations that begin at the trusted key, and a checkpoint that the newest key
// has signed. It returns the rotations that are not in the list yet.
func (l *Ledger) readPosted(posted []byte) (k key, c Checkpoint, fresh [][]byte, err error) {
	texts, whole := splitNotes(posted)
	if whole != len(posted) || len(texts) == 0 {
		return k, c, nil, damaged(errors.New("what is posted are not the notes of a ledger"))
	}
	known := l.Rotations()
	if k, err = l.keyAfter(known, len(texts)-1); err != nil {
		return k, c, nil, err
	}
	for i, text := range texts[:len(texts)-1] {
		from, to, ok := parseRotation(text)
		if !ok || i < len(known) && !bytes.Equal(known[i], text) {
			return k, c, nil, damaged(errors.New("the key rotations that are posted are not those of this ledger"))
		}
		if i >= len(known) {
			fresh = append(fresh, text)
		}
		if from != k.public {
			continue
		}
		if _, k.verifier, err = checkRotation(text); err != nil {
			return k, c, nil, damaged(err)
		}
		k.public = to
	}
	if c, err = ParseCheckpoint(texts[len(texts)-1], note.VerifierList(k.verifier)); err != nil {
		return k, c, nil, fmt.Errorf("%w, or it has another key: %w", ErrOtherSigner, err)
	}
	if l.signs() && len(fresh) > 0 {
		return k, c, nil, fmt.Errorf("%w: its key was rotated since", ErrOtherSigner)
	}
	return k, c, fresh, nil
}

// keyAfter returns the key that was in force after the first n of the known key rotations.
func (l *Ledger) keyAfter(known [][]byte, n int) (k key, err error) {
	if n >= len(known) {
		return l.key, nil
	}
	k.public, _, _ = parseRotation(known[n])
	k.verifier, err = note.NewVerifier(k.public)
	return k, err
}

// reach reads a log from the newest checkpoint on to a position, or to its end when that is 0. It writes the hashes
// where the next checkpoint finds them, and returns the tree. The last event that the ledger vouches for must be in the
// log.
func (l *Ledger) reach(ctx context.Context, log events.Log, to events.Seq) (frontier, error) {
	known := l.Size()
	l.mu.Lock()
	next := l.tree
	l.mu.Unlock()
	g := growth{l: l, tree: next, at: tlog.StoredHashCount(next.size)}
	seen := known == 0
	for e, err := range log.Read(ctx, max(known, 1)-1) {
		switch {
		case err != nil:
			return next, err
		case e.Seq == known:
			seen, err = true, l.Check(known, e.Raw)
		case to > 0 && e.Seq > to:
			return g.end(to)
		default:
			err = g.add(e.Raw)
		}
		if err != nil {
			return next, err
		}
	}
	if !seen {
		return next, damaged(fmt.Errorf("%d events are vouched for, but the log ends before that", known))
	}
	return g.end(to)
}

// growth is a tree to which records are added.
type growth struct {
	l    *Ledger
	tree frontier
	at   int64 // the stored hash index of what is to be written
	out  []byte
}

func (g *growth) add(record []byte) error {
	g.out = g.tree.add(tlog.RecordHash(record), g.out)
	if len(g.out) < 1<<20 {
		return nil
	}
	return g.flush(false)
}

func (g *growth) flush(sync bool) error {
	if err := g.l.hashes.write(g.at, g.out, sync); err != nil {
		return fmt.Errorf("tree hashes: %w", full(err))
	}
	g.at, g.out = g.at+int64(len(g.out))/tlog.HashSize, g.out[:0]
	return nil
}

func (g *growth) end(to events.Seq) (frontier, error) {
	if to > 0 && events.Seq(g.tree.size) != to {
		return g.tree, damaged(fmt.Errorf("%d events are signed, but the log ends at %d", to, g.tree.size))
	}
	return g.tree, g.flush(!g.l.o.noSync)
}

// RootOf reads a log and returns the number of its events, at most this many, and their root.
func RootOf(ctx context.Context, log events.Log, most events.Seq) (events.Seq, tlog.Hash, error) {
	var tree frontier
	for e, err := range log.Read(ctx, 0) {
		if err != nil {
			return 0, tlog.Hash{}, err
		}
		if e.Seq > most {
			break
		}
		tree.add(tlog.RecordHash(e.Raw), nil)
	}
	return events.Seq(tree.size), tree.root(), nil
}
