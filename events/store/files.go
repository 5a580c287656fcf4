package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// prepare makes the directory of a store ready to be opened by Badger.
func (o Options) prepare() error {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return err
	}
	if err := CheckSpace(o.Dir, FreeSpace, min(o.Reserve, OpenReserve)); err != nil {
		return err
	}
	tables, err := readManifest(o.Dir)
	if err != nil {
		return err
	}
	if err := CheckDescriptors(o.Dir, len(tables)+otherFiles+ReserveDescriptors); err != nil {
		return err
	}
	if err := errors.Join(setStraysAside(o.Dir, tables), removeUnborn(o.Dir), makeDiscard(o.Dir)); err != nil {
		return err
	}
	return checkTables(o.Dir, tables)
}

// makeDiscard creates a file for Badger's statistics, because Badger would end the process if it could not create it.
func makeDiscard(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, "DISCARD"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// Room returns events.ErrFull when the disk is too full to write, and events.ErrDescriptors when too few file
// descriptors are free.
func (d *DB) Room() error {
	return errors.Join(CheckSpace(d.o.Dir, FreeSpace, d.o.Reserve), CheckDescriptors(d.o.Dir, ReserveDescriptors))
}

// roomToClose returns an error when Badger could not write its memory as a table, because then Close would try for
// ever.
func (o Options) roomToClose() error {
	if err := errors.Join(CheckSpace(o.Dir, FreeSpace, OpenReserve), CheckDescriptors(o.Dir, ReserveDescriptors)); err != nil {
		return err
	}
	path := filepath.Join(o.Dir, "probe")
	probe, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(path))
}

// removeUnborn removes files that a killed process had created but not yet given a size. They are empty, and Badger
// would refuse to open a store that has one.
func removeUnborn(dir string) error {
	return eachFile(dir, func(name string) error {
		if ext := filepath.Ext(name); ext != ".vlog" && ext != ".mem" {
			return nil
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil && info.Size() == 0 {
			err = os.Remove(path)
		}
		return err
	})
}

// eachFile calls do with each name in a directory. It is no error if the file is gone.
func eachFile(dir string, do func(name string) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := do(e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
