package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/events"
	"assay/events/durable"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Rebuild computes the tree hashes again from a log whose ledger has lost them. The log must have the root of every
// stored checkpoint. The ledger must not be open.
func Rebuild(ctx context.Context, o Options, log events.Log) error {
	if err := rebuild(ctx, o, log); err != nil {
		return fmt.Errorf("rebuilding the ledger in %s: %w", o.Dir, err)
	}
	return nil
}

func rebuild(ctx context.Context, o Options, log events.Log) error {
	o.New = false
	l, err := openSigned(o)
	if err != nil {
		return err
	}
	defer l.Close()
	return l.rehash(ctx, log)
}

// Renew begins a new chain of checkpoints, with a new key and a new origin, over a log whose signing key was lost.
// First it checks the notes of the old chain, with the last of its verifier keys and against the log. The old notes go
// to the file checkpoints.before.
func Renew(ctx context.Context, o Options, log events.Log, notes []byte, verifierKey string) error {
	if err := renew(ctx, o, log, notes, verifierKey); err != nil {
		return fmt.Errorf("beginning a new ledger in %s: %w", o.Dir, err)
	}
	return nil
}

func renew(ctx context.Context, o Options, log events.Log, notes []byte, verifierKey string) error {
	verifier, err := note.NewVerifier(verifierKey)
	if err != nil {
		return err
	}
	texts, whole := splitNotes(notes)
	kept, err := checkNotes(texts, verifier)
	if err == nil && whole < len(notes) {
		err = errors.New("the notes end in the middle of one")
	}
	if err != nil {
		return damaged(err)
	}
	old := &Ledger{o: o, list: &list{kept: kept}, last: kept[len(kept)-1]}
	if err := old.rehash(ctx, log); err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(o.Dir, "checkpoints.before"), notes); err != nil {
		return err
	}
	k, err := makeKey(o.keyFile(), "")
	if err != nil {
		return err
	}
	first, err := k.checkpoint(old.last.Size, old.last.Root, o.Marks)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(o.Dir, "checkpoints"), append(first.Note, '\n'))
}

// rehash replaces the tree hashes by those of a log.
func (l *Ledger) rehash(ctx context.Context, log events.Log) error {
	path := filepath.Join(l.o.Dir, "hashes")
	if err := os.Remove(path + ".new"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	hashes, err := openHashes(path+".new", true)
	if err != nil {
		return err
	}
	err = l.hashAll(ctx, log, hashes)
	if err := errors.Join(err, hashes.file.Sync(), hashes.file.Close()); err != nil {
		return err
	}
	return durable.Rename(path+".new", path)
}

// hashAll writes the tree hashes of a log up to the newest checkpoint.
func (l *Ledger) hashAll(ctx context.Context, log events.Log, to *hashFile) error {
	var tree frontier
	var out []byte
	written, roots := int64(0), rootsOf(l.list.kept)
	for e, err := range log.Read(ctx, 0) {
		if err != nil {
			return err
		}
		if events.Seq(tree.size) == l.last.Size {
			break
		}
		out = tree.add(tlog.RecordHash(e.Raw), out)
		if c, ok := roots[e.Seq]; ok && c.Root != tree.root() {
			return damaged(fmt.Errorf("the log does not have the root of the checkpoint of %d events", e.Seq))
		}
		if len(out) >= 1<<20 {
			if err := to.write(written, out, false); err != nil {
				return err
			}
			written, out = written+int64(len(out))/tlog.HashSize, out[:0]
		}
	}
	if events.Seq(tree.size) != l.last.Size {
		return damaged(fmt.Errorf("the log has %d events, the newest checkpoint %d", tree.size, l.last.Size))
	}
	return to.write(written, out, false)
}
