package home

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/events"
	"assay/events/durable"
	"assay/events/ledger"
	"assay/registry/input"
	"assay/registry/integrity"
)

// Restore creates a directory from a backup and its keys. It builds the directory beside its place, verifies it, and
// moves it there. If this fails, nothing is left of it. But events that reached a log on NATS stay, and the next
// restore continues with them.
func (p Place) Restore(ctx context.Context, backup io.Reader, keys Keys) (integrity.Verification, error) {
	if err := os.Remove(p.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one may be there
		return integrity.Verification{}, &input.Error{Reason: fmt.Sprintf("%s is not empty: restore into a new directory with --dir", p.Dir)}
	}
	draft := p
	draft.Dir, draft.Secret = p.Dir+".restoring", ""
	if err := os.RemoveAll(draft.Dir); err != nil {
		return integrity.Verification{}, err
	}
	v, err := draft.fill(ctx, backup, keys)
	if err == nil && v.OK {
		err = os.Rename(draft.Dir, p.Dir)
	}
	if err != nil || !v.OK {
		return v, errors.Join(err, os.RemoveAll(draft.Dir))
	}
	return v, nil
}

// fill fills the directory from a backup, and verifies it.
func (p Place) fill(ctx context.Context, backup io.Reader, keys Keys) (integrity.Verification, error) {
	notes, records, err := integrity.OpenBackup(backup)
	if err != nil {
		return integrity.Verification{}, err
	}
	for _, folder := range []string{"keys", "ledger"} {
		if err := os.MkdirAll(filepath.Join(p.Dir, folder), 0o700); err != nil {
			return integrity.Verification{}, err
		}
	}
	log, err := p.openLog(ctx)
	if err != nil {
		return integrity.Verification{}, err
	}
	_, err = integrity.Copy(ctx, records, log)
	if err == nil {
		err = p.restoreLedger(ctx, log, notes, keys)
	}
	if err := errors.Join(err, log.Close()); err != nil {
		return integrity.Verification{}, err
	}
	return p.verify(ctx)
}

// restoreLedger creates the ledger of a restored log, signed with its old keys or with a new one.
func (p Place) restoreLedger(ctx context.Context, log events.Log, notes []byte, keys Keys) error {
	o := ledger.Options{Dir: filepath.Join(p.Dir, "ledger"), KeyFile: keyFile(p.Dir), Marks: p.NATS == nil}
	if keys.lost != "" {
		return ledger.Renew(ctx, o, log, notes, keys.lost)
	}
	if err := keys.write(p); err != nil {
		return err
	}
	if err := durable.WriteFile(filepath.Join(o.Dir, "checkpoints"), notes); err != nil {
		return err
	}
	return ledger.Rebuild(ctx, o, log)
}

// verify completes a restored directory, opens and verifies it.
func (p Place) verify(ctx context.Context) (integrity.Verification, error) {
	version := formatVersion
	if p.NATS != nil {
		version = sharedVersion
	}
	if err := durable.WriteFile(filepath.Join(p.Dir, "format"), []byte(version)); err != nil {
		return integrity.Verification{}, err
	}
	h, err := p.Open(ctx, "restore")
	if err != nil {
		return integrity.Verification{}, err
	}
	v, err := h.Registry(time.Now).Holdings().Verify(ctx, integrity.VerifyRequest{})
	return v, errors.Join(err, h.Close())
}
