package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
)

// tableFile is a table that the manifest names.
type tableFile struct {
	id    uint64
	level uint8
	size  int64 // bytes; 0 when it is missing
}

// readManifest returns the tables that a store's manifest names, by their number. A new store has none.
func readManifest(dir string) (tables map[uint64]tableFile, err error) {
	file, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	err = Safely(func() error {
		manifest, _, err := badger.ReplayManifestFile(file, 0, badger.DefaultOptions(dir).WithLogger(nil))
		if err != nil {
			return Damaged(err)
		}
		tables = make(map[uint64]tableFile, len(manifest.Tables))
		for id, t := range manifest.Tables {
			tables[id] = tableFile{id: id, level: t.Level, size: sizeOf(table.NewFilename(id, dir))}
		}
		return nil
	})
	return tables, err
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// checkTables reads every table and compares all its checksums. Badger does the same when it opens them, but in a
// goroutine of its own and only after following the offsets in them. There some flipped bits end the process.
func checkTables(dir string, tables map[uint64]tableFile) error {
	var data bytes.Buffer
	for id := range tables {
		data.Reset()
		if err := checkTable(dir, id, &data); err != nil {
			return Damaged(fmt.Errorf("%s: %w", table.IDToFilename(id), err))
		}
	}
	return nil
}

// maxTable is above the size of any table, in bytes.
const maxTable = 1 << 30

func checkTable(dir string, id uint64, data *bytes.Buffer) error {
	file, err := os.Open(table.NewFilename(id, dir))
	if err != nil {
		return err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() < maxTable {
		data.Grow(int(info.Size()) + bytes.MinRead) // reading grows it in steps, each of which copies
	}
	if _, err := data.ReadFrom(file); err != nil {
		return err
	}
	return Safely(func() error {
		t, err := table.OpenInMemoryTable(data.Bytes(), id, &table.Options{ReadOnly: true})
		if err != nil {
			return err
		}
		return t.VerifyChecksum()
	})
}
