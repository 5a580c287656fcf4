package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
)

// A stray is a table that the manifest does not name. A killed process may have left it while it created or removed the
// table, or the manifest may have lost its end. Badger deletes strays when it opens a store. So this package sets them
// aside before that, and removes them only when the store has everything that is in them.

const strayMark = ".stray"

func setStraysAside(dir string, tables map[uint64]tableFile) error {
	return eachFile(dir, func(name string) error {
		id, isTable := table.ParseFileID(name)
		if _, named := tables[id]; !isTable || named {
			return nil
		}
		path := filepath.Join(dir, name)
		return os.Rename(path, path+strayMark)
	})
}

// removeStrays removes the strays that a store does not need. The others are damage and stay.
func removeStrays(dir string, db *badger.DB) error {
	return eachFile(dir, func(name string) error {
		if !strings.HasSuffix(name, strayMark) {
			return nil
		}
		path := filepath.Join(dir, name)
		if err := coveredBy(db, path); err != nil {
			return Damaged(fmt.Errorf("%s, a table that the manifest does not name: %w", name, err))
		}
		return os.Remove(path)
	})
}

// coveredBy returns nil if a store has each key of a table, in that version or a newer one. A table that cannot be read
// was never finished.
func coveredBy(db *badger.DB, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var t *table.Table
	if err := Safely(func() (err error) {
		if t, err = table.OpenInMemoryTable(data, 0, &table.Options{ReadOnly: true}); err == nil {
			err = t.VerifyChecksum()
		}
		return err
	}); err != nil {
		return nil
	}
	return db.View(func(txn *badger.Txn) error {
		it := t.NewIterator(table.NOCACHE)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if err := covered(txn, it.Key()); err != nil {
				return err
			}
		}
		return nil
	})
}

func covered(txn *badger.Txn, key []byte) error {
	name, version := y.ParseKey(key), y.ParseTs(key)
	it := txn.NewKeyIterator(name, badger.IteratorOptions{AllVersions: true})
	defer it.Close()
	if it.Rewind(); it.Valid() && it.Item().Version() >= version {
		return nil
	}
	return errors.New("it holds what the store has lost; it was set aside")
}
