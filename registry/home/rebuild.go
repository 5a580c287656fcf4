package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"assay/events"
	"assay/events/ledger"
)

// rebuildVerb is the command that locks a directory whose stores cannot be opened.
const rebuildVerb = "rebuild"

// DiscardTables deletes the tables, unless another process has locked the directory.
func (p Place) DiscardTables() error {
	lock, err := lockDirectory(p.Dir, rebuildVerb)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(filepath.Join(p.Dir, "tables")), lock.Close())
}

// RebuildLedger computes the tree hashes again from the log, unless another process has locked the directory.
func (p Place) RebuildLedger(ctx context.Context) (err error) {
	lock, err := lockDirectory(p.Dir, rebuildVerb)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := os.Stat(filepath.Join(p.Dir, "log")); p.NATS == nil && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s has no log to compute the tree hashes from: put it back, or restore a backup into another directory (assay --dir NEW restore)", events.ErrDamaged, p.Dir)
	}
	log, err := p.openLog(ctx)
	if err != nil {
		return err
	}
	o := ledger.Options{Dir: filepath.Join(p.Dir, "ledger"), KeyFile: keyFile(p.Dir)}
	if public, err := os.ReadFile(publicFile(p.Dir)); p.NATS != nil && err == nil {
		o.PublicKey = strings.TrimSpace(string(public))
	}
	return errors.Join(ledger.Rebuild(ctx, o, log), log.Close())
}
