package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// othersMay are the permissions of a file that are not its owner's.
const othersMay = 0o077

// private makes what this process makes from now on its user's alone: folders of mode 0700 and files of mode 0600. The
// store makes its files with modes of its own.
func private() { syscall.Umask(othersMay) }

// closeToOthers takes from others what they may do with a registry's directory and what is ours in it, and says so. An
// older program, a copy or whoever made the directory may have left it open.
func closeToOthers(dir string, warn io.Writer) error {
	found, err := closeFile(dir, nil)
	for _, name := range ours {
		for _, name := range []string{name, name + ".new"} {
			if err == nil {
				found, err = closeTree(filepath.Join(dir, name), found)
			}
		}
	}
	if len(found) > 0 {
		fmt.Fprintf(warn, "assay: %s was open to other users and is closed now: %s, the first is %s\n", dir, plural(len(found), "path"), found[0])
	}
	if err != nil {
		return fmt.Errorf("close the directory to other users: %w; let its owner do it, with chmod -R go= %s", err, dir)
	}
	return nil
}

// closeTree closes a file, or a folder and all in it. The folder may be a link to another disk.
func closeTree(path string, found []string) ([]string, error) {
	root, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return found, nil
	}
	if err != nil {
		return found, err
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		found, err = closeFile(path, found)
		return err
	})
	return found, err
}

// closeFile closes one file or folder, and adds it to those that were open.
func closeFile(path string, found []string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&othersMay == 0 {
		return found, err
	}
	if err := os.Chmod(path, info.Mode()&^othersMay); err != nil {
		return found, err
	}
	return append(found, path), nil
}
