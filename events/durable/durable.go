// Package durable writes files so that they reach the disk. A file that replaces another is whole or missing, whenever
// the machine stops. All files have mode 0600.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// draftMark is the ending of a file that will replace another.
const draftMark = ".new"

// Draft creates the file that will replace another one: its name with .new. An existing draft is removed, because it
// may be open to others, or belong to them.
func Draft(path string) (*os.File, error) {
	draft := path + draftMark
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(draft, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
}

// WriteFile writes a draft and then renames it.
func WriteFile(path string, data []byte) error {
	draft, err := Draft(path)
	if err != nil {
		return err
	}
	_, err = draft.Write(data)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	return Rename(draft.Name(), path)
}

// Rename renames a file within its folder.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(to))
}

// SyncDir syncs the names in a folder.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
