// Package durable writes files so that they are on the disk: a file that takes the place of another is whole or missing
// whenever the machine stops. All have mode 0600.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// draftMark is the ending of a file that is to take the place of another.
const draftMark = ".new"

// Draft makes the file that is to take the place of another one, its name with .new. What was there is removed: it may be
// open to others, or theirs.
func Draft(path string) (*os.File, error) {
	draft := path + draftMark
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(draft, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
}

// WriteFile writes a file by way of a draft.
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
