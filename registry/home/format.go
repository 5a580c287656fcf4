package home

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/events/durable"
	"assay/registry/input"
)

// The versions of a directory's layout. Version 1 is of a log whose groups have no marks, which older programs can read.
const (
	formatVersion  = "assay directory 2\n"
	unmarkedFormat = "assay directory 1\n"
	sharedVersion  = "assay directory 1, log on NATS\n" // without log/
)

// ours are the names of a registry's directory; serve.json was of a program before this one.
var ours = []string{"format", "lock", socketName, "serve.json", "log", "ledger", "tables", "keys"}

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
		return &input.Error{Reason: fmt.Sprintf("%s is not empty and no registry's directory: name another with --dir", path)}
	}
	return nil
}

// checkFormat refuses a directory of another layout by name. It reports whether the directory is new.
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
		return false, &input.Error{Reason: fmt.Sprintf("the log of %s is on NATS: give --log", filepath.Dir(file))}
	case string(found) == formatVersion, string(found) == unmarkedFormat:
		return false, &input.Error{Reason: fmt.Sprintf("%s holds a log of its own: give no --log, or name another --dir for the tables", filepath.Dir(file))}
	default:
		return false, fmt.Errorf("%s says %q, this program knows %q: use the program that wrote the directory, or a newer one",
			file, strings.TrimSpace(string(found)), strings.TrimSpace(want))
	}
}

// raiseFormat makes the format say that the groups of the log have marks. It runs before the first such group is
// stored.
func (h *Home) raiseFormat() error {
	format := h.file("format")
	if found, err := os.ReadFile(format); err != nil || string(found) != unmarkedFormat {
		return err
	}
	return durable.WriteFile(format, []byte(formatVersion))
}
