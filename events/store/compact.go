package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"assay/events"
	"assay/events/durable"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"github.com/dgraph-io/ristretto/v2/z"
	"google.golang.org/protobuf/proto"
)

// A compaction merges tables of a store that is closed. The files of the result are written beside those that went
// in, read again, and compared with them entry by entry. Then a new manifest, put in place of the old one,
// switches, and only then the old files are removed. Wherever it is cut off the store is whole: what the manifest
// does not name is a stray.

// A process writes to level 0, where a key can be in any table. A deeper level is one run: its tables are sorted, and a
// key can be in one of them only. Each process that writes leaves a table behind, so their number grows. So small
// tables are merged into larger ones, and a full level 0 into a run.
const (
	maxSmall = 16 // tables of level 0 that are smaller than half a memtable
	maxFresh = 64 // tables of level 0
	runs     = 6  // levels that can hold a run
)

// merge says which tables to merge, and to which level the result goes: to level 0, or to a level that is otherwise
// empty. A merge drops replaced entries. It keeps the marks of deleted ones, because a table left by a crash may still
// have the entry.
type merge struct {
	tables []tableFile
	level  uint8
}

// due returns the merge that is due in a store with memtables of this size. It has no tables when none is due.
func due(tables map[uint64]tableFile, memTable int64) merge {
	var fresh, small []tableFile
	used := map[uint8]bool{}
	for _, t := range tables {
		used[t.level] = true
		if t.level == 0 {
			fresh = append(fresh, t)
		}
		if t.level == 0 && t.size < memTable/2 {
			small = append(small, t)
		}
	}
	switch {
	case len(fresh) > maxFresh:
		for level := uint8(1); level <= runs; level++ {
			if !used[level] {
				return merge{tables: fresh, level: level}
			}
		}
		return everything(tables)
	case len(small) > maxSmall:
		return merge{tables: small}
	}
	return merge{}
}

func everything(tables map[uint64]tableFile) merge {
	return merge{tables: slices.Collect(maps.Values(tables)), level: 1}
}

// compactDue compacts a closed store if that is due. A merge that is impossible now is done another time; damage is
// reported.
func (o Options) compactDue() error {
	tables, err := readManifest(o.Dir)
	if err != nil {
		return err
	}
	if err := o.compact(context.Background(), tables, due(tables, o.MemTable)); errors.Is(err, events.ErrDamaged) {
		return err
	}
	return nil
}

// Compact merges all tables of the store into as few as possible, without replaced entries. It waits until nobody uses
// the store, and new users wait for it. When it fails, because of too little disk or a failed check, the store stays as
// it was.
func (d *DB) Compact(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.waitUnused(ctx); err != nil {
		return err
	}
	if d.closed {
		return ErrClosed
	}
	return d.exchange(func() error {
		tables, err := readManifest(d.o.Dir)
		if err != nil {
			return err
		}
		return d.o.compact(ctx, tables, everything(tables))
	})
}

// Files returns how many tables the store has, and their bytes.
func (d *DB) Files() (number int, bytes int64, err error) {
	tables, err := readManifest(d.o.Dir)
	for _, t := range tables {
		bytes += t.size
	}
	return len(tables), bytes, err
}

// compact runs a merge on a closed store.
func (o Options) compact(ctx context.Context, tables map[uint64]tableFile, m merge) error {
	if len(m.tables) < 2 {
		return nil
	}
	if err := o.merge(ctx, tables, m); err != nil {
		return fmt.Errorf("compacting %s: %w", o.Dir, err)
	}
	return nil
}

func (o Options) merge(ctx context.Context, tables map[uint64]tableFile, m merge) error {
	size := int64(0)
	for _, t := range m.tables {
		size += t.size
	}
	if err := errors.Join(CheckSpace(o.Dir, FreeSpace, size+OpenReserve), CheckDescriptors(o.Dir, len(m.tables)+int(size/mergedTable)+ReserveDescriptors)); err != nil {
		return err
	}
	sources, err := openTables(o.Dir, m.tables)
	defer closeTables(sources)
	if err != nil {
		return err
	}
	next := slices.Max(slices.Collect(maps.Keys(tables))) + 1
	merged, err := m.write(ctx, o.Dir, next, sources)
	if err == nil {
		err = o.compare(ctx, sources, merged)
	}
	if err != nil {
		return errors.Join(err, removeTables(o.Dir, merged))
	}
	for _, t := range m.tables {
		delete(tables, t.id)
	}
	for _, t := range merged {
		tables[t.id] = t
	}
	if err := writeManifest(o.Dir, tables); err != nil {
		return err
	}
	return removeTables(o.Dir, m.tables)
}

// entry is a key with its version, and its value.
type entry struct {
	key   []byte
	value y.ValueStruct
}

// newest yields the newest version of each key of some tables, sorted. The bytes are valid until the next entry.
func newest(ctx context.Context, tables []*table.Table, yield func(entry) error) error {
	each := make([]y.Iterator, len(tables))
	for i, t := range tables {
		each[i] = t.NewIterator(table.NOCACHE)
	}
	it := table.NewMergeIterator(each, false)
	defer it.Close()
	var last []byte
	for it.Rewind(); it.Valid(); it.Next() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		key := it.Key() // newer versions of a key come first
		if last != nil && y.SameKey(key, last) {
			continue
		}
		last = append(last[:0], key...)
		if err := yield(entry{key, it.Value()}); err != nil {
			return err
		}
	}
	return nil
}

// mergedTable is the size of the tables that a merge writes, in bytes. One whole table is in memory.
const mergedTable = 32 << 20

// write writes the newest entries of some tables into new ones. An error comes with the tables that were written.
func (m merge) write(ctx context.Context, dir string, next uint64, sources []*table.Table) (merged []tableFile, err error) {
	var b *table.Builder
	size := 0
	flush := func() error {
		defer b.Close()
		merged = append(merged, tableFile{id: next, level: m.level})
		err := durable.WriteFile(table.NewFilename(next, dir), b.Finish())
		b, size, next = nil, 0, next+1
		return err
	}
	err = Safely(func() error {
		return newest(ctx, sources, func(e entry) error {
			if b == nil {
				b = table.NewTableBuilder(tableOptions)
			}
			b.Add(e.key, e.value, 0)
			if size += len(e.key) + len(e.value.Value); size < mergedTable {
				return nil
			}
			return flush()
		})
	})
	if err == nil && b != nil {
		err = flush()
	}
	return merged, err
}

// tableOptions are those of the tables that Badger writes with the options of Options.badger.
var tableOptions = table.Options{BlockSize: 4 << 10, BloomFalsePositive: 0.01, TableSize: mergedTable}

// compare reads the new tables and the old ones side by side, and returns an error unless they have the same entries.
func (o Options) compare(ctx context.Context, sources []*table.Table, merged []tableFile) error {
	results, err := openTables(o.Dir, merged)
	defer closeTables(results)
	if err != nil {
		return err
	}
	it := table.NewConcatIterator(results, table.NOCACHE)
	defer it.Close()
	it.Rewind()
	err = Safely(func() error {
		return newest(ctx, sources, func(e entry) error {
			if !it.Valid() || !bytes.Equal(it.Key(), e.key) || !sameValue(it.Value(), e.value) {
				return Damaged(fmt.Errorf("the new tables do not have %q as the old ones do", y.ParseKey(e.key)))
			}
			defer it.Next()
			if o.Check == nil {
				return nil
			}
			return o.Check(y.ParseKey(it.Key()), it.Value().Value)
		})
	})
	if err == nil && it.Valid() {
		err = Damaged(fmt.Errorf("the new tables have %q, the old ones do not", y.ParseKey(it.Key())))
	}
	return err
}

func sameValue(a, b y.ValueStruct) bool {
	return a.Meta == b.Meta && a.UserMeta == b.UserMeta && a.ExpiresAt == b.ExpiresAt && bytes.Equal(a.Value, b.Value)
}

// openTables opens tables for reading and compares their checksums. An error comes with the tables that are open.
func openTables(dir string, files []tableFile) (open []*table.Table, err error) {
	for _, f := range files {
		t, err := openTable(table.NewFilename(f.id, dir))
		if err != nil {
			return open, fmt.Errorf("%s: %w", table.IDToFilename(f.id), err)
		}
		open = append(open, t)
	}
	return open, nil
}

func openTable(path string) (*table.Table, error) {
	file, err := z.OpenMmapFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	var t *table.Table
	err = Safely(func() (err error) {
		if t, err = table.OpenTable(file, table.Options{ReadOnly: true, ChkMode: options.OnTableRead}); err != nil {
			return Damaged(err)
		}
		return checkCount(t)
	})
	return t, err
}

// checkCount counts the entries of a table, because an iterator that cannot go on looks as if it were at the end.
func checkCount(t *table.Table) error {
	it := t.NewIterator(table.NOCACHE)
	defer it.Close()
	n := uint32(0)
	for it.Rewind(); it.Valid(); it.Next() {
		n++
	}
	if n != t.KeyCount() {
		return Damaged(fmt.Errorf("it has %d entries of %d", n, t.KeyCount()))
	}
	return nil
}

func closeTables(open []*table.Table) {
	for _, t := range open {
		t.Close(-1) // a table that was only read needs no care
	}
}

func removeTables(dir string, files []tableFile) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, os.Remove(table.NewFilename(f.id, dir)))
	}
	return errors.Join(append(errs, durable.SyncDir(dir))...)
}

// writeManifest replaces the manifest by one that names the tables, in Badger's format: its first eight bytes, then one
// set of changes with its length and checksum.
func writeManifest(dir string, tables map[uint64]tableFile) error {
	path := filepath.Join(dir, badger.ManifestFilename)
	before, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var set pb.ManifestChangeSet
	for _, id := range slices.Sorted(maps.Keys(tables)) {
		set.Changes = append(set.Changes, &pb.ManifestChange{Id: id, Op: pb.ManifestChange_CREATE, Level: uint32(tables[id].level)})
	}
	changes, err := proto.Marshal(&set)
	if err != nil {
		return err
	}
	data := binary.BigEndian.AppendUint32(before[:8:8], uint32(len(changes)))
	data = binary.BigEndian.AppendUint32(data, crc32.Checksum(changes, y.CastagnoliCrcTable))
	return durable.WriteFile(path, append(data, changes...))
}
