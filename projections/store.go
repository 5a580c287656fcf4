package projections

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/dgraph-io/badger/v4"
	"github.com/fxamacker/cbor/v2"

	"assay/events"
	"assay/events/store"
)

// Store has the rows of all tables in one directory. Each table has numbered builds: one is active and answers queries,
// another may be under construction beside it.
//
//	a/<table>              → build{version, number}, the active one
//	c/<table>/<number>     → cursor, the last event that a build has taken in
//	r/<table>/<number>/…   → rows of a build
type Store struct {
	dir string
	db  *store.DB
	mu  sync.Mutex // locked while an active build's rows change, or the choice of the active build

	comparing sync.Mutex // locked while there is a fresh store beside this one

	rebuilding chan struct{} // has one value while a table is being rebuilt

	followed *followState
}

// build identifies one build of a table. The zero build is empty and has no version.
type build struct {
	_       struct{} `cbor:",toarray"`
	Version int
	Build   uint32
}

// cursor is the last event that a build has applied.
type cursor struct {
	_   struct{} `cbor:",toarray"`
	Seq events.Seq
	ID  [16]byte
}

var errTooBig = badger.ErrTxnTooBig

// Open opens the store in a directory, which it creates when it is missing. With too little disk left it returns
// events.ErrFull, and so does every change of a table.
func Open(dir string) (*Store, error) {
	return open(store.Options{Dir: dir, Reserve: reserve})
}

// open opens a store. Tables can be rebuilt, so nothing is synced.
func open(o store.Options) (*Store, error) {
	db, err := store.Open(o)
	if err != nil {
		return nil, fmt.Errorf("open tables in %s: %w", o.Dir, err)
	}
	return &Store{dir: o.Dir, db: db, rebuilding: make(chan struct{}, 1), followed: newFollowed()}, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.db.Close() }

// Compact rewrites the files of the store into as few as possible, without replaced rows. Queries and changes wait
// meanwhile.
func (s *Store) Compact(ctx context.Context) error { return s.db.Compact(ctx) }

// Files returns the number of files with rows, and their bytes.
func (s *Store) Files() (number int, bytes int64, err error) { return s.db.Files() }

// reserve is how many bytes of disk stay free. It is less than that of the log, so that the tables have room for every
// event that the log accepted.
const reserve = 256 << 20

// Viewer can query tables, as a Store does.
type Viewer interface {
	View(table string, query func(tx *Tx) error) error
}

// Query returns the result of a query of a table.
func Query[T any](v Viewer, p Projection, query func(tx *Tx) (T, error)) (found T, err error) {
	err = v.View(p.Name(), func(tx *Tx) error {
		found, err = query(tx)
		return err
	})
	return found, err
}

// Each yields rows of a table. They do not change meanwhile.
func Each[T any](v Viewer, p Projection, rows func(tx *Tx) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		more := true
		err := v.View(p.Name(), func(tx *Tx) error {
			for row, err := range rows(tx) {
				if more = yield(row, err) && err == nil; !more {
					return nil
				}
			}
			return nil
		})
		if err != nil && more {
			var none T
			yield(none, err)
		}
	}
}

// View runs a query on the table's active build. The rows do not change while it runs.
func (s *Store) View(table string, query func(tx *Tx) error) error {
	return s.db.View(func(txn *badger.Txn) error {
		b, err := activeIn(txn, table)
		if err != nil {
			return err
		}
		return query(&Tx{txn: txn, prefix: rowPrefix(table, b.Build)})
	})
}

// Cursor returns the position in the log that the table has reached.
func (s *Store) Cursor(table string) (events.Seq, error) {
	b, err := s.active(table)
	if err != nil {
		return 0, err
	}
	at, err := s.cursor(table, b.Build)
	return at.Seq, err
}

// Digest hashes all rows of the table's active build in order: SHA-256 over each row's key and value, each preceded by
// its length in eight bytes. Two tables with the same digest are equal.
func (s *Store) Digest(table string) ([32]byte, error) {
	b, err := s.active(table)
	if err != nil {
		return [32]byte{}, err
	}
	return s.digest(table, b.Build)
}

func (s *Store) digest(table string, number uint32) ([32]byte, error) {
	h := sha256.New()
	err := s.db.View(func(txn *badger.Txn) error {
		tx := &Tx{txn: txn, prefix: rowPrefix(table, number)}
		for row, err := range tx.Scan(nil) {
			if err != nil {
				return err
			}
			for _, part := range [][]byte{row.Key, row.Value} {
				h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
				h.Write(part)
			}
		}
		return nil
	})
	return [32]byte(h.Sum(nil)), err
}

func (s *Store) active(table string) (b build, err error) {
	err = s.db.View(func(txn *badger.Txn) error {
		b, err = activeIn(txn, table)
		return err
	})
	return b, err
}

func activeIn(txn *badger.Txn, table string) (b build, err error) {
	_, err = get(txn, []byte("a/"+table), &b)
	return b, err
}

func (s *Store) activate(table string, b build) error {
	return s.db.Update(func(txn *badger.Txn) error { return put(txn, []byte("a/"+table), b) })
}

func (s *Store) cursor(table string, number uint32) (at cursor, err error) {
	err = s.db.View(func(txn *badger.Txn) error {
		_, err := get(txn, cursorKey(table, number), &at)
		return err
	})
	return at, err
}

// applyOnce applies a batch in one transaction with the cursor, or not at all.
func (s *Store) applyOnce(p Projection, number uint32, batch []events.Event) error {
	if err := s.db.Room(); err != nil {
		return err
	}
	return s.db.Update(func(txn *badger.Txn) error {
		tx := &Tx{txn: txn, prefix: rowPrefix(p.Name(), number)}
		for _, e := range batch {
			if err := apply(p, tx, e); err != nil {
				return err
			}
		}
		last := batch[len(batch)-1]
		return put(txn, cursorKey(p.Name(), number), cursor{Seq: last.Seq, ID: last.ID})
	})
}

// dropOthers deletes every build of a table except one, with rows and cursors. Queries that still read them see no
// change.
func (s *Store) dropOthers(ctx context.Context, table string, kept build) error {
	if err := s.db.Room(); err != nil {
		return err
	}
	err := errors.Join(
		s.deleteBut(ctx, []byte("c/"+table+"/"), cursorKey(table, kept.Build)),
		s.deleteBut(ctx, []byte("r/"+table+"/"), rowPrefix(table, kept.Build)))
	if err != nil {
		return fmt.Errorf("drop old rows of table %s: %w", table, err)
	}
	return nil
}

// Forget deletes tables that no program of this version has any more.
func (s *Store) Forget(ctx context.Context, tables ...string) error {
	for _, table := range tables {
		b, err := s.active(table)
		if err == nil && b != (build{}) {
			err = s.forget(ctx, table)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget deletes a table: what says that there is one goes last.
func (s *Store) forget(ctx context.Context, table string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.dropOthers(ctx, table, build{}); err != nil {
		return err
	}
	return s.db.Update(func(txn *badger.Txn) error { return txn.Delete([]byte("a/" + table)) })
}

// deleteBut deletes what starts with a prefix, except what starts with another.
func (s *Store) deleteBut(ctx context.Context, prefix, kept []byte) error {
	for from := prefix; from != nil; {
		err := s.db.Update(func(txn *badger.Txn) (err error) {
			from, err = deleteSome(ctx, txn, prefix, from, kept)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteSome deletes as deleteBut does, from a key on, as much as fits a transaction. It returns the key to go on from.
func deleteSome(ctx context.Context, txn *badger.Txn, prefix, from, kept []byte) (next []byte, err error) {
	const most = 10_000
	deleted := 0
	it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
	defer it.Close()
	for it.Seek(from); it.Valid(); it.Next() {
		key := it.Item().KeyCopy(nil)
		if deleted == most {
			return key, nil
		}
		if bytes.HasPrefix(key, kept) {
			continue
		}
		if err := errors.Join(ctx.Err(), txn.Delete(key)); err != nil {
			return nil, err
		}
		deleted++
	}
	return nil, nil
}

func cursorKey(table string, number uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte("c/"+table+"/"), number)
}

func rowPrefix(table string, number uint32) []byte {
	return append(binary.BigEndian.AppendUint32([]byte("r/"+table+"/"), number), '/')
}

// Tx reads and writes the rows of one build of one table. Values are CBOR.
type Tx struct {
	txn    *badger.Txn
	prefix []byte
}

// Row is a row as it is stored.
type Row struct{ Key, Value []byte }

// Get reads the row under a key into v and tells whether there is one.
func (t *Tx) Get(key []byte, v any) (bool, error) { return get(t.txn, t.key(key), v) }

// Put writes the row under a key.
func (t *Tx) Put(key []byte, v any) error { return put(t.txn, t.key(key), v) }

// Delete removes the row under a key, if there is one.
func (t *Tx) Delete(key []byte) error { return t.txn.Delete(t.key(key)) }

// Scan returns the rows whose key starts with a prefix, in order of their keys.
func (t *Tx) Scan(prefix []byte) iter.Seq2[Row, error] { return t.ScanFrom(prefix, prefix) }

// ScanFrom is Scan, from a key on.
func (t *Tx) ScanFrom(prefix, from []byte) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		it := t.txn.NewIterator(badger.IteratorOptions{Prefix: t.key(prefix)}) // values lie beside their keys: fetching ahead only costs
		defer it.Close()
		for it.Seek(t.key(from)); it.Valid(); it.Next() {
			value, err := it.Item().ValueCopy(nil)
			key := bytes.TrimPrefix(it.Item().KeyCopy(nil), t.prefix)
			if !yield(Row{Key: key, Value: value}, err) || err != nil {
				return
			}
		}
	}
}

// Rows returns the values of the rows whose key starts with a prefix, from a key on, in order of their keys.
func Rows[T any](t *Tx, prefix, from []byte) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row, err := range t.ScanFrom(prefix, from) {
			var value T
			if err == nil {
				err = row.Decode(&value)
			}
			if !yield(value, err) || err != nil {
				return
			}
		}
	}
}

// List returns the values of all rows whose key starts with a prefix, in order of their keys.
func List[T any](t *Tx, prefix []byte) (list []T, err error) {
	for value, err := range Rows[T](t, prefix, prefix) {
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

// Decode reads the row's value.
func (r Row) Decode(v any) error { return decode(r.Key, r.Value, v) }

func (t *Tx) key(k []byte) []byte { return append(bytes.Clone(t.prefix), k...) }

var encoder = func() cbor.EncMode {
	m, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic(err) // the options are constants
	}
	return m
}()

func put(txn *badger.Txn, key []byte, v any) error {
	value, err := encoder.Marshal(v)
	if err != nil {
		return fmt.Errorf("row %q: %w", key, err)
	}
	return txn.Set(key, value)
}

func get(txn *badger.Txn, key []byte, v any) (bool, error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("row %q: %w", key, err)
	}
	return true, item.Value(func(value []byte) error { return decode(key, value, v) })
}

func decode(key, value []byte, v any) error {
	if err := cbor.Unmarshal(value, v); err != nil {
		return fmt.Errorf("row %q: %w", key, err)
	}
	return nil
}
