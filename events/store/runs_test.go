package store

import (
	"fmt"
	"testing"

	"github.com/dgraph-io/badger/v4"
)

// filled makes a closed store of tables at a level, of this many keys each.
func filled(t *testing.T, levels map[uint8]int) (Options, map[uint64]tableFile) {
	t.Helper()
	o := Options{Dir: t.TempDir(), MemTable: defaultMemTable}
	for level, n := range levels {
		for i := range n {
			db, err := Open(o)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Update(func(txn *badger.Txn) error { return txn.Set(fmt.Append(nil, "key ", level, i), fmt.Append(nil, level)) }); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if level == 0 {
			continue
		}
		files, err := readManifest(o.Dir)
		if err != nil {
			t.Fatal(err)
		}
		m := merge{level: level}
		for _, f := range files {
			if f.level == 0 {
				m.tables = append(m.tables, f)
			}
		}
		if err := o.compact(t.Context(), files, m); err != nil {
			t.Fatal(err)
		}
	}
	files, err := readManifest(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return o, files
}

// Runs at several levels, and tables above them, answer together.
func TestRunsAnswerTogether(t *testing.T) {
	levels := map[uint8]int{1: 3, 2: 4, 6: 2, 0: 5}
	o, _ := filled(t, levels)
	db, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for level, n := range levels {
		for i := range n {
			if err := db.View(func(txn *badger.Txn) error { _, err := txn.Get(fmt.Append(nil, "key ", level, i)); return err }); err != nil {
				t.Errorf("key %d of level %d: %v", i, level, err)
			}
		}
	}
}

// files makes a list of tables of levels and sizes.
func files(levels map[uint8]int, size int64) map[uint64]tableFile {
	tables := map[uint64]tableFile{}
	for level, n := range levels {
		for range n {
			id := uint64(len(tables) + 1)
			tables[id] = tableFile{id: id, level: level, size: size}
		}
	}
	return tables
}

func TestWhatIsDue(t *testing.T) {
	for name, c := range map[string]struct {
		levels map[uint8]int
		size   int64
		want   string
	}{
		"nothing is there":     {map[uint8]int{}, 0, "0 to 0"},
		"some small ones":      {map[uint8]int{0: 16, 1: 40}, 100, "0 to 0"},
		"many small ones":      {map[uint8]int{0: 17, 1: 40}, 100, "17 to 0"},
		"some of full size":    {map[uint8]int{0: 64}, defaultMemTable, "0 to 0"},
		"a full level":         {map[uint8]int{0: 65}, defaultMemTable, "65 to 1"},
		"a full level, a run":  {map[uint8]int{0: 65, 1: 32}, defaultMemTable, "65 to 2"},
		"a hole between runs":  {map[uint8]int{0: 65, 1: 32, 2: 32, 4: 32}, defaultMemTable, "65 to 3"},
		"runs at every level":  {map[uint8]int{0: 65, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}, defaultMemTable, "77 to 1"},
		"many small, in a run": {map[uint8]int{0: 3, 6: 40}, 100, "0 to 0"},
	} {
		m := due(files(c.levels, c.size), defaultMemTable)
		got := fmt.Sprintf("%d to %d", len(m.tables), m.level)
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
