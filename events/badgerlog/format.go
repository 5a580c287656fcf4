package badgerlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"assay/events/durable"
	"assay/events/store"
)

// formatVersion is the version of the layout in the package comment. A log begins with version 1; the first group
// that has a mark raises it to version 2.
const (
	formatVersion = 2
	markedVersion = 2
	formatFile    = "FORMAT"
	formatWord    = "assay-log/"
)

// checkFormat returns the version of a directory if this program can read it. It marks an empty directory with version
// 1.
func checkFormat(dir string) (version int, err error) {
	text, err := os.ReadFile(filepath.Join(dir, formatFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 1, markFormat(dir)
	}
	if err != nil {
		return 0, err
	}
	number, ok := strings.CutPrefix(strings.TrimSpace(string(text)), formatWord)
	version, err = strconv.Atoi(number)
	switch {
	case !ok || err != nil || version < 1:
		return 0, store.Damaged(fmt.Errorf("%s says %.40q, not %s and a version", formatFile, text, formatWord))
	case version > formatVersion:
		return 0, fmt.Errorf("it has version %d of the format, this program knows %d: use a newer program", version, formatVersion)
	}
	return version, nil
}

func markFormat(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != formatFile+".new" {
			return store.Damaged(fmt.Errorf("it has no file %s, but is not empty: there is %s", formatFile, e.Name()))
		}
	}
	return writeFormat(dir, 1)
}

func writeFormat(dir string, version int) error {
	return durable.WriteFile(filepath.Join(dir, formatFile), fmt.Appendf(nil, "%s%d\n", formatWord, version))
}
