// Package home is a registry's directory: its lock, its content and who may read it, its keys and secrets. It creates,
// restores and repairs the directory.
//
//	format          the version of this layout
//	lock            who holds the directory
//	serve.sock      where a serving process takes forwarded verbs, while one runs
//	log/            the events, unless they are on NATS
//	ledger/         what vouches for them: tree hashes and signed checkpoints
//	tables/         the projections; can be thrown away
//	keys/           the signing key of the log and the secret of each series
//
// Only its owner may use it: folders have mode 0700, files and the socket 0600. Beside a log on NATS a directory that
// signs has keys/log.key. One that verifies has
//
//	ledger/public   the public key of the registry that signs
package home

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/durable"
	"assay/events/ledger"
	"assay/events/natslog"
	"assay/projections"
	"assay/raters/catalog"
	"assay/registry"
)

// Place says where a registry is: its directory, and its log if that is elsewhere.
type Place struct {
	Dir       string           // created at first use
	NATS      *natslog.Options // where the log is; nil for a log in the directory
	PublicKey string           // of the signing registry of a log on NATS, if this one only verifies; else ""
	Secret    string           // a file with the secret of the series, or ""
	Warn      io.Writer        // gets lines about what was found and repaired
}

// Exists reports whether there is a registry to open: a directory with a part of one, or a log elsewhere.
func (p Place) Exists() bool {
	if p.NATS != nil {
		return true
	}
	for _, part := range []string{"format", "lock", "log", "ledger", "keys", "tables"} {
		if _, err := os.Lstat(filepath.Join(p.Dir, part)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// Home is a registry's directory that this process has locked, with its stores open.
type Home struct {
	place  Place
	lock   *os.File
	ledger *ledger.Ledger
	log    Log
	shared *ledger.Shared // the log under the ledger, when others append to it as well
	tables *projections.Store
}

// Log is a log that this process has opened.
type Log interface {
	events.Log
	Close() error
}

// Open locks the directory for a command of this process, creates what a new one lacks, and opens its stores. If
// another process has locked it, the error is a *HeldError; if something was lost, it is events.ErrDamaged.
func (p Place) Open(ctx context.Context, verb string) (*Home, error) {
	if err := checkOurs(p.Dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(p.Dir, "keys"), 0o700); err != nil {
		return nil, fmt.Errorf("make the directory: %w", err)
	}
	lock, err := lockDirectory(p.Dir, verb)
	if err != nil {
		return nil, err
	}
	h := &Home{place: p, lock: lock}
	if err := errors.Join(forgetServing(p.Dir), closeToOthers(p.Dir, p.Warn)); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	open := h.openOwn
	if p.NATS != nil {
		open = func() error { return h.openShared(ctx) }
	}
	if err := open(); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// openOwn opens the stores of a directory that has its log in it.
func (h *Home) openOwn() error {
	fresh, err := checkFormat(h.file("format"), formatVersion)
	if err == nil && fresh {
		err = h.beginFirstRun()
	}
	if err != nil {
		return err
	}
	if h.ledger, err = openLedger(ledger.Options{Dir: h.file("ledger"), KeyFile: keyFile(h.place.Dir), New: fresh, Marks: true}); err != nil {
		return err
	}
	log, err := badgerlog.Open(badgerlog.Options{
		Dir: h.file("log"), Witness: h.ledger, Raise: h.raiseFormat, Logger: slog.New(slog.NewTextHandler(h.place.Warn, nil)),
	})
	if err != nil {
		return err
	}
	h.log = log
	if fresh {
		if err := durable.SyncDir(h.place.Dir); err != nil {
			return err
		}
	}
	return h.openTables(fresh, formatVersion)
}

func openLedger(o ledger.Options) (*ledger.Ledger, error) {
	l, err := ledger.Open(o)
	if errors.Is(err, ledger.ErrHashes) {
		err = fmt.Errorf("%w: assay rebuild --ledger computes them from the log", err)
	}
	return l, err
}

// openTables opens the tables. It then marks a new directory as complete.
func (h *Home) openTables(fresh bool, version string) (err error) {
	if h.tables, err = projections.Open(h.file("tables")); err != nil {
		if !errors.Is(err, events.ErrFull) && !events.Shortage(err) {
			err = fmt.Errorf("%w; assay rebuild --discard builds the tables again from the log", err)
		}
		return err
	}
	if fresh { // from now on a missing part was lost
		return durable.WriteFile(h.file("format"), []byte(version))
	}
	return nil
}

// file returns the path of a file in the directory.
func (h *Home) file(name string) string { return filepath.Join(h.place.Dir, name) }

// keyFile returns the path of a directory's signing key.
func keyFile(dir string) string { return filepath.Join(dir, "keys", "log.key") }

// Registry returns the registry in the directory, with a clock.
func (h *Home) Registry(now func() time.Time) *registry.Registry {
	var log events.Log = h.log
	if h.shared != nil {
		log = h.shared
	}
	return &registry.Registry{Log: log, Ledger: h.ledger, Store: h.tables, Genres: catalog.Genres(), Now: now, Secrets: h.Secrets(h.place.Secret)}
}

// Close unlocks the directory.
func (h *Home) Close() error {
	errs := []error{h.settle()}
	if h.tables != nil {
		errs = append(errs, h.tables.Close())
	}
	if h.log != nil {
		errs = append(errs, h.log.Close())
	}
	if h.ledger != nil {
		errs = append(errs, h.ledger.Close())
	}
	return errors.Join(append(errs, h.lock.Close())...)
}

// openLog opens a log in a directory, or on NATS, without its ledger.
func (p Place) openLog(ctx context.Context) (Log, error) {
	if p.NATS != nil {
		return natslog.Open(ctx, *p.NATS)
	}
	return badgerlog.Open(badgerlog.Options{Dir: filepath.Join(p.Dir, "log")})
}

// OpenLog opens only the log: that in the directory, under its ledger, or the stream on NATS, which needs no directory.
func (p Place) OpenLog(ctx context.Context, verb string) (Log, error) {
	if p.NATS != nil {
		return p.openLog(ctx)
	}
	h, err := p.Open(ctx, verb)
	if err != nil {
		return nil, err
	}
	return heldLog{h.log, h}, nil
}

// heldLog is the log of a directory that is unlocked with it.
type heldLog struct {
	events.Log
	home *Home
}

// Close unlocks the directory.
func (l heldLog) Close() error { return l.home.Close() }
