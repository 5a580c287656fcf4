package ledger

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"

	"assay/events"

	"golang.org/x/mod/sumdb/tlog"
)

// Report is what Verify found.
type Report struct {
	Checkpoint Checkpoint // the checkpoint that the log was compared with
	Events     events.Seq // how many events were read and found as recorded
	Problems   []Problem  // by position; at most maxProblems
}

// Problem is one thing that is wrong.
type Problem struct {
	Seq     events.Seq `json:"seq,omitempty"` // the event that it is about; 0 when it is about none
	Problem string     `json:"problem"`
}

// maxProblems is how many problems are listed before Verify gives up.
const maxProblems = 100

// verification is the state of a running Verify.
type verification struct {
	l      *Ledger
	log    events.Log
	report Report
	roots  map[events.Seq]Checkpoint // the stored checkpoints by size
	tree   frontier
	seed   maphash.Seed
	names  map[uint64]events.Seq // the position of each key, by its hash
}

// Verify reads a whole log and compares it with the ledger: that it has the events it should, without a gap; each
// record's hash; no key twice; all hashes of the tree; signature and root of every stored checkpoint. It returns an
// error when it cannot look; whatever is wrong is in the report. Progress, if not nil, is called with the position. The
// log may grow meanwhile, but the key must not be rotated.
func (l *Ledger) Verify(ctx context.Context, log events.Log, progress func(events.Seq)) (Report, error) {
	if shared, ok := log.(*Shared); ok {
		if err := shared.CatchUp(ctx); err != nil {
			return Report{}, err
		}
	}
	v := &verification{l: l, log: log, seed: maphash.MakeSeed(), names: map[uint64]events.Seq{}}
	kept, err := l.keptCheckpoints()
	if err != nil {
		v.problem(0, "checkpoints: %v", err)
		kept = []Checkpoint{l.Checkpoint()}
	}
	v.roots, v.report.Checkpoint = rootsOf(kept), kept[len(kept)-1]
	v.checkRoot()
	for v.at() < v.report.Checkpoint.Size && !v.givenUp() {
		if err := v.read(ctx, progress); err != nil {
			return Report{}, err
		}
	}
	if !v.givenUp() {
		err = v.beyond(ctx)
	}
	return v.report, err
}

func (v *verification) givenUp() bool { return len(v.report.Problems) >= maxProblems }

// keptCheckpoints reads the list from disk and checks every signature.
func (l *Ledger) keptCheckpoints() ([]Checkpoint, error) {
	data, err := os.ReadFile(filepath.Join(l.o.Dir, "checkpoints"))
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	key := l.key
	l.mu.Unlock()
	notes, _ := splitNotes(data)
	if len(notes) == 0 && !l.signs() {
		return []Checkpoint{l.Checkpoint()}, nil
	}
	return checkNotes(notes, key.verifier)
}

// at returns the position up to which the log was read.
func (v *verification) at() events.Seq { return events.Seq(v.tree.size) }

func (v *verification) problem(seq events.Seq, format string, args ...any) {
	v.report.Problems = append(v.report.Problems, Problem{seq, fmt.Sprintf(format, args...)})
}

// read reads on up to the checkpoint, or to the first event that the log does not deliver. That event is a problem, and
// is skipped.
func (v *verification) read(ctx context.Context, progress func(events.Seq)) error {
	size := v.report.Checkpoint.Size
	why := errors.New("the log ends before it")
	for e, err := range v.log.Read(ctx, v.at()) {
		if errors.Is(err, events.ErrDamaged) {
			why = err
			break
		}
		if err != nil {
			return err
		}
		if e.Seq != v.at()+1 {
			why = fmt.Errorf("event %d is in its place", e.Seq)
			break
		}
		v.event(ctx, e)
		if progress != nil && e.Seq%1024 == 0 {
			progress(e.Seq)
		}
		if e.Seq == size || v.givenUp() {
			return nil
		}
	}
	v.problem(v.at()+1, "%v", why)
	return v.pass()
}

// pass skips an event that cannot be read, and uses its recorded hash.
func (v *verification) pass() error {
	leaf, err := v.l.hashes.at(tlog.StoredHashIndex(0, v.tree.size))
	if errors.Is(err, events.ErrDamaged) {
		err = nil // add reports that the hash is missing
	}
	if err == nil {
		v.add(leaf)
	}
	return err
}

func (v *verification) event(ctx context.Context, e events.Event) {
	leaf := tlog.RecordHash(e.Raw)
	recorded, err := v.l.hashes.at(tlog.StoredHashIndex(0, int64(e.Seq)-1))
	if err == nil && recorded != leaf {
		v.problem(e.Seq, "its record has another hash than was recorded")
		leaf = recorded
	} else {
		v.report.Events++
	}
	name := maphash.String(v.seed, string(e.Key))
	if at, seen := v.names[name]; seen {
		if other, err := events.At(ctx, v.log, at); err != nil || other.Key == e.Key {
			v.problem(e.Seq, "its key %s stands at event %d already", e.Key, at)
		}
	}
	v.names[name] = e.Seq
	v.add(leaf)
}

// add makes the tree one leaf larger. It compares the hashes of the nodes and, if a checkpoint has this size, the root.
func (v *verification) add(leaf tlog.Hash) {
	first := tlog.StoredHashCount(v.tree.size)
	var space [64 * tlog.HashSize]byte
	out := v.tree.add(leaf, space[:0])
	for i := range len(out) / tlog.HashSize {
		stored, err := v.l.hashes.at(first + int64(i))
		if err != nil || stored != tlog.Hash(out[i*tlog.HashSize:]) {
			v.problem(v.at(), "the tree hash %d is not the one of its records (%v)", first+int64(i), err)
			break
		}
	}
	v.checkRoot()
}

func (v *verification) checkRoot() {
	if c, ok := v.roots[v.at()]; ok {
		if root := v.tree.root(); root != c.Root {
			v.problem(v.at(), "the root is %v, signed is %v", root, c.Root)
		}
	}
}

// beyond looks for events after the newest checkpoint. The ledger vouches for those of a running append by the time the
// log delivers them.
func (v *verification) beyond(ctx context.Context) error {
	size := v.report.Checkpoint.Size
	for e, err := range v.log.Read(ctx, size) {
		switch {
		case errors.Is(err, events.ErrDamaged):
			v.problem(size+1, "%v", err)
		case err != nil:
			return err
		case e.Seq > v.l.Size() && !v.l.shared:
			v.problem(e.Seq, "no checkpoint vouches for it")
		}
		break
	}
	return nil
}
