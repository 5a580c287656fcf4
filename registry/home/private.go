package home

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// othersMay are the permissions of a file that are not its owner's.
const othersMay = 0o077

// Private makes all new files of this process private to its user: folders of mode 0700 and files of mode 0600. The
// store would otherwise use modes of its own.
func Private() { syscall.Umask(othersMay) }

// linkable are the folders of a directory that may be links to another disk.
var linkable = []string{"log", "ledger", "tables", "keys"}

// closeToOthers removes other users' rights to a registry's directory and to our files in it, and reports this. An
// older program, a copy or the creator of the directory may have left it open. Meanwhile others may have put links into
// it. So nothing outside is changed, except for a folder that the directory's owner has linked.
func closeToOthers(dir string, warn io.Writer) error {
	found, err := closeAll(dir)
	if len(found) > 0 {
		paths := "paths"
		if len(found) == 1 {
			paths = "path"
		}
		fmt.Fprintf(warn, "assay: %s was open to other users and is closed now: %d %s, the first is %s\n", dir, len(found), paths, found[0])
	}
	if err != nil {
		return fmt.Errorf("close the directory to other users: %w; let its owner do it, with chmod -R go= %s", err, dir)
	}
	return nil
}

func closeAll(dir string) (found []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if found, err = closePath(root, ".", nil); err != nil {
		return found, err
	}
	for _, name := range ours {
		for _, name := range []string{name, name + ".new"} {
			if found, err = closeOurs(root, name, found); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// closeOurs closes a file of the directory, or a folder with everything in it.
func closeOurs(dir *os.Root, name string, found []string) ([]string, error) {
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found, nil
	case err != nil:
		return found, err
	case info.IsDir():
		folder, err := dir.OpenRoot(name)
		if err != nil {
			return found, err
		}
		return closeTree(folder, found)
	case info.Mode()&fs.ModeSymlink == 0:
		return closePath(dir, name, found)
	case !slices.Contains(linkable, name) || !linkedByOwner(dir, name):
		return found, nil
	}
	folder, err := os.OpenRoot(filepath.Join(dir.Name(), name))
	if err != nil {
		return found, err
	}
	return closeTree(folder, found)
}

// linkedByOwner reports whether a link and what it leads to belong to the owner of the directory.
func linkedByOwner(dir *os.Root, name string) bool {
	path := filepath.Join(dir.Name(), name)
	owner, ownerErr := ownerOf(os.Stat(dir.Name()))
	link, linkErr := ownerOf(os.Lstat(path))
	target, targetErr := ownerOf(os.Stat(path))
	return errors.Join(ownerErr, linkErr, targetErr) == nil && owner == link && owner == target
}

func ownerOf(info fs.FileInfo, err error) (uint32, error) {
	if err != nil {
		return 0, err
	}
	return info.Sys().(*syscall.Stat_t).Uid, nil
}

// closeTree closes a folder with everything in it, but not the targets of links.
func closeTree(folder *os.Root, found []string) ([]string, error) {
	defer folder.Close()
	err := fs.WalkDir(folder.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		found, err = closePath(folder, name, found)
		return err
	})
	return found, err
}

// closePath closes one file or folder, and adds it to those that were open.
func closePath(root *os.Root, name string, found []string) ([]string, error) {
	info, err := root.Lstat(name)
	if err != nil || info.Mode()&othersMay == 0 {
		return found, err
	}
	if err := root.Chmod(name, info.Mode()&^othersMay); err != nil {
		return found, err
	}
	return append(found, filepath.Join(root.Name(), name)), nil
}
