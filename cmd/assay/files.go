package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"assay/events/durable"
	"assay/registry/input"
)

// path makes a path of the command line absolute, relative to where the command was typed.
func (a *app) path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.env.Dir, p)
}

// maxFile is the largest file of keys, a checkpoint or a proof that is read, in bytes.
const maxFile = 1 << 20

// readFile reads a whole small file.
func (a *app) readFile(name string) ([]byte, error) {
	f, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var data bytes.Buffer
	n, err := io.Copy(&data, io.LimitReader(f, maxFile+1))
	if err == nil && n > maxFile {
		err = input.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	return data.Bytes(), err
}

// newFile writes a file that must not exist, with mode 0600. The file is whole or does not exist.
func (a *app) newFile(name string, write func(*os.File) error) error {
	path := a.path(name)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(&input.Error{Reason: name + " is there already: name a new file"}, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return input.Errorf("there is no folder %s to write %s into: make it first", filepath.Dir(path), filepath.Base(path))
	}
	draft, err := durable.Draft(path)
	if err != nil {
		return err
	}
	err = errors.Join(write(draft), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}
