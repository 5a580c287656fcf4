package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"assay/events"
	"assay/events/badgerlog"
	"assay/events/durable"
	"assay/events/ledger"
	"assay/projections"
	"assay/raters/catalog"
	"assay/registry"
)

// formatVersion is the version of a directory's layout:
//
//	format          this version
//	lock            who holds the directory
//	serve.sock      where a serving process takes carried verbs, while one runs
//	log/            the events
//	ledger/         what vouches for them: tree hashes and signed checkpoints
//	tables/         the projections; can be thrown away
//	keys/           the signing key of the log and the secret of each series
//
// All of it is its owner's alone: folders have mode 0700, files and the socket 0600. Version 1 is of a log whose groups
// have no marks, which older programs can read.
const (
	formatVersion  = "assay directory 2\n"
	unmarkedFormat = "assay directory 1\n"
)

// ours are the names of a registry's directory; serve.json was of a program before this one.
var ours = []string{"format", "lock", socketName, "serve.json", "log", "ledger", "tables", "keys"}

// directory is a registry's directory, held by this process alone.
type directory struct {
	path    string
	warn    io.Writer // hears what is found and put right
	lock    *os.File
	ledger  *ledger.Ledger
	log     closingLog
	shared  *ledger.Shared // the log under the ledger, when others append to it as well
	tables  *projections.Store
	secrets secretFiles
}

// raiseFormat makes the format say that the groups of the log have marks, before the first one has.
func (d *directory) raiseFormat() error {
	format := filepath.Join(d.path, "format")
	if found, err := os.ReadFile(format); err != nil || string(found) != unmarkedFormat {
		return err
	}
	return durable.WriteFile(format, []byte(formatVersion))
}

// closingLog is a log that this process has open.
type closingLog interface {
	events.Log
	Close() error
}

// holder says who holds a directory.
type holder struct {
	PID   int       `json:"pid"`
	Verb  string    `json:"verb"`
	Since time.Time `json:"since"`
}

// heldError tells that another process holds the directory.
type heldError struct {
	dir string
	by  holder
}

func (e *heldError) Error() string {
	who := "another process"
	if e.by.PID != 0 {
		who = fmt.Sprintf("process %d (assay %s, since %s)", e.by.PID, e.by.Verb, e.by.Since.Format("15:04:05"))
	}
	return fmt.Sprintf("%s is held by %s: wait for it to end, end it, or use another --dir", e.dir, who)
}

// openDirectory opens a directory, which it makes when it is missing. Secret is a file that holds the
// series secret, or "". What was found open to others is told to warn.
func openDirectory(path, verb, secret string, warn io.Writer) (*directory, error) {
	return openWith(path, verb, secret, warn, (*directory).openStores)
}

// openWith takes a directory and opens its stores.
func openWith(path, verb, secret string, warn io.Writer, open func(*directory) error) (*directory, error) {
	if err := checkOurs(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(path, "keys"), 0o700); err != nil {
		return nil, fmt.Errorf("make the directory: %w", err)
	}
	lock, err := lockDirectory(path, verb)
	if err != nil {
		return nil, err
	}
	d := &directory{path: path, warn: warn, lock: lock, secrets: secretFiles{dir: filepath.Join(path, "keys"), given: secret}}
	err = errors.Join(forgetServing(path), closeToOthers(path, warn))
	if err == nil {
		err = open(d)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func (d *directory) openStores() error {
	format := filepath.Join(d.path, "format")
	fresh, err := checkFormat(format, formatVersion)
	if err == nil && fresh {
		err = d.beginFirstRun()
	}
	if err != nil {
		return err
	}
	if d.ledger, err = openLedger(ledger.Options{Dir: filepath.Join(d.path, "ledger"), KeyFile: keyFile(d.path), New: fresh, Marks: true}); err != nil {
		return err
	}
	log, err := badgerlog.Open(badgerlog.Options{
		Dir: filepath.Join(d.path, "log"), Witness: d.ledger, Raise: d.raiseFormat, Logger: slog.New(slog.NewTextHandler(d.warn, nil)),
	})
	if err != nil {
		return err
	}
	d.log = log
	if fresh {
		if err := durable.SyncDir(d.path); err != nil {
			return err
		}
	}
	return d.openTables(fresh, format, formatVersion)
}

func openLedger(o ledger.Options) (*ledger.Ledger, error) {
	l, err := ledger.Open(o)
	if errors.Is(err, ledger.ErrHashes) {
		err = fmt.Errorf("%w: assay rebuild --ledger computes them from the log", err)
	}
	return l, err
}

// openTables opens the tables, and marks a new directory as one that has all it should.
func (d *directory) openTables(fresh bool, format, version string) (err error) {
	if d.tables, err = projections.Open(filepath.Join(d.path, "tables")); err != nil {
		if !errors.Is(err, events.ErrFull) && !events.Shortage(err) {
			err = fmt.Errorf("%w; assay rebuild --discard builds the tables anew from the log", err)
		}
		return err
	}
	if fresh { // from now on what is missing was lost
		return durable.WriteFile(format, []byte(version))
	}
	return nil
}

// checkOurs refuses a directory that holds what is not a registry's.
func checkOurs(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look into the directory: %w", err)
	}
	for _, e := range entries {
		if slices.Contains(ours, strings.TrimSuffix(e.Name(), ".new")) {
			return nil // one of ours is enough: what else is there is the owner's affair
		}
	}
	if len(entries) > 0 {
		return &registry.InputError{Reason: fmt.Sprintf("%s is not empty and no registry's directory: name another with --dir", path)}
	}
	return nil
}

// keyFile is where a directory's signing key is.
func keyFile(dir string) string { return filepath.Join(dir, "keys", "log.key") }

// discardTables throws a directory's tables away, unless somebody holds it.
func discardTables(path string) error {
	lock, err := lockDirectory(path, "rebuild")
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(filepath.Join(path, "tables")), lock.Close())
}

// rebuildLedger computes a directory's tree hashes anew from its log, unless somebody holds it.
func rebuildLedger(ctx context.Context, path string) (err error) {
	lock, err := lockDirectory(path, "rebuild")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if _, err := os.Stat(filepath.Join(path, "log")); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s has no log to compute the tree hashes from: put it back, or restore a backup into another directory (assay --dir NEW restore)", events.ErrDamaged, path)
	}
	log, err := badgerlog.Open(badgerlog.Options{Dir: filepath.Join(path, "log")})
	if err != nil {
		return err
	}
	return errors.Join(ledger.Rebuild(ctx, ledger.Options{Dir: filepath.Join(path, "ledger"), KeyFile: keyFile(path)}, log), log.Close())
}

// lockDirectory takes the directory for this process.
func lockDirectory(path, verb string) (*os.File, error) {
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the directory: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer lock.Close()
		return nil, heldBy(path)
	}
	note, err := json.Marshal(holder{PID: os.Getpid(), Verb: verb, Since: time.Now()})
	if err == nil {
		err = lock.Truncate(0)
	}
	if err == nil {
		err = writeAt(lock, note)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the directory: %w", err), lock.Close())
	}
	return lock, nil
}

func writeAt(f *os.File, data []byte) error {
	_, err := f.WriteAt(data, 0)
	return err
}

func heldBy(path string) *heldError {
	held := &heldError{dir: path}
	if note, err := os.ReadFile(filepath.Join(path, "lock")); err == nil && json.Unmarshal(note, &held.by) != nil {
		held.by = holder{}
	}
	return held
}

// checkFormat refuses a directory of another layout by name, and tells whether it is a new one.
func checkFormat(file, want string) (fresh bool, err error) {
	found, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("read the directory's format: %w", err)
	case string(found) == want, want == formatVersion && string(found) == unmarkedFormat:
		return false, nil
	case string(found) == sharedVersion:
		return false, &registry.InputError{Reason: fmt.Sprintf("the log of %s is on NATS: give --log", filepath.Dir(file))}
	case string(found) == formatVersion, string(found) == unmarkedFormat:
		return false, &registry.InputError{Reason: fmt.Sprintf("%s holds a log of its own: give no --log, or name another --dir for the tables", filepath.Dir(file))}
	default:
		return false, fmt.Errorf("%s says %q, this program knows %q: use the program that wrote the directory, or a newer one",
			file, strings.TrimSpace(string(found)), strings.TrimSpace(want))
	}
}

func (d *directory) registry(now func() time.Time) *registry.Registry {
	var log events.Log = d.log
	if d.shared != nil {
		log = d.shared
	}
	return &registry.Registry{Log: log, Ledger: d.ledger, Store: d.tables, Genres: catalog.Genres(), Now: now, Secrets: d.secrets}
}

// Close gives the directory back.
func (d *directory) Close() error {
	errs := []error{d.settle()}
	if d.tables != nil {
		errs = append(errs, d.tables.Close())
	}
	if d.log != nil {
		errs = append(errs, d.log.Close())
	}
	if d.ledger != nil {
		errs = append(errs, d.ledger.Close())
	}
	return errors.Join(append(errs, d.lock.Close())...)
}
