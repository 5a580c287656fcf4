package badgerlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// formatVersion is the version of the layout in the package comment.
const (
	formatVersion = 1
	formatFile    = "FORMAT"
	formatWord    = "assay-log/"
)

// checkFormat looks whether this program can read the directory, and marks an empty one as its own.
func checkFormat(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, formatFile))
	if errors.Is(err, fs.ErrNotExist) {
		return markFormat(dir)
	}
	if err != nil {
		return err
	}
	number, ok := strings.CutPrefix(strings.TrimSpace(string(text)), formatWord)
	version, err := strconv.Atoi(number)
	switch {
	case !ok || err != nil || version < 1:
		return fmt.Errorf("%s says %.40q, not %s and a version", formatFile, text, formatWord)
	case version > formatVersion:
		return fmt.Errorf("it has version %d of the format, this program knows %d: use a newer program", version, formatVersion)
	}
	return nil
}

func markFormat(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != formatFile+".new" {
			return fmt.Errorf("it has no file %s, but is not empty: there is %s", formatFile, e.Name())
		}
	}
	path := filepath.Join(dir, formatFile)
	if err := writeSynced(path+".new", fmt.Sprintf("%s%d\n", formatWord, formatVersion)); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	return syncDir(dir)
}

func writeSynced(path, text string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
