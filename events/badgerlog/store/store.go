// Package store opens Badger stores in directories that are not trusted: after a killed process, and after
// anything may have changed a file. What a damaged store makes Badger do is an error, events.ErrDamaged.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"assay/events"

	"github.com/dgraph-io/badger/v4"
)

// Open opens a store, without compression, once its tables have been read and found whole.
func Open(o badger.Options) (db *badger.DB, err error) {
	if err := removeUnborn(o.Dir); err != nil {
		return nil, err
	}
	if err := checkTables(o.Dir); err != nil {
		return nil, err
	}
	err = Safely(func() error {
		db, err = badger.Open(o)
		return err
	})
	return db, err
}

// removeUnborn removes files that a process had made and not yet given a size when it was killed: they
// hold nothing, and Badger would refuse to open a store that has one.
func removeUnborn(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if kind := filepath.Ext(e.Name()); kind != ".vlog" && kind != ".mem" {
			continue
		}
		info, statErr := e.Info()
		if statErr == nil && info.Size() == 0 {
			statErr = os.Remove(filepath.Join(dir, e.Name()))
		}
		if statErr != nil && !errors.Is(statErr, fs.ErrNotExist) {
			return statErr
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Safely makes a panic an error, and so the fault of reading a mapped file that the disk cannot give.
func Safely(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = Damaged(fmt.Errorf("the store failed: %v", p))
		}
	}()
	return do()
}

// Damaged marks an error as damage, unless it tells only that the process lacks what it takes to look.
func Damaged(err error) error {
	if errors.Is(err, events.ErrDamaged) || events.Shortage(err) {
		return err
	}
	return fmt.Errorf("%w: %w", events.ErrDamaged, err)
}
