package badgerlog

import (
	"encoding/binary"
	"errors"
	"fmt"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

var (
	recordPrefix = []byte{'e'}
	groupKey     = []byte{'g'}
)

func recordKey(seq events.Seq) []byte { return binary.BigEndian.AppendUint64([]byte{'e'}, uint64(seq)) }

func indexKey(key events.Key) []byte { return append([]byte{'k'}, key...) }

func seqValue(seqs ...events.Seq) []byte {
	var b []byte
	for _, seq := range seqs {
		b = binary.BigEndian.AppendUint64(b, uint64(seq))
	}
	return b
}

// indexed returns the position stored for a key; found is false when there is none.
func indexed(txn *badger.Txn, key events.Key) (at events.Seq, found bool, err error) {
	item, err := txn.Get(indexKey(key))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	return at, true, item.Value(func(value []byte) error {
		if len(value) != 8 {
			return store.Damaged(fmt.Errorf("%q has a position of %d bytes", key, len(value)))
		}
		at = events.Seq(binary.BigEndian.Uint64(value))
		return nil
	})
}

// group describes the group that was committed last.
type group struct {
	first, last events.Seq
	mark        []byte // nil in version 1
}

// lastGroup reads that group; found is false in a log that never had one.
func lastGroup(txn *badger.Txn) (g group, found bool, err error) {
	item, err := txn.Get(groupKey)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return group{}, false, nil
	}
	if err != nil {
		return group{}, false, err
	}
	value, err := item.ValueCopy(nil)
	if err != nil {
		return group{}, false, err
	}
	if len(value) < 16 {
		return group{}, false, store.Damaged(fmt.Errorf("the last group has %d bytes", len(value)))
	}
	g = group{first: events.Seq(binary.BigEndian.Uint64(value)), last: events.Seq(binary.BigEndian.Uint64(value[8:]))}
	if len(value) > 16 {
		g.mark = value[16:]
	}
	return g, true, nil
}

// record reads the stored bytes at a position that must exist.
func record(txn *badger.Txn, seq events.Seq) ([]byte, error) {
	item, err := txn.Get(recordKey(seq))
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, store.Damaged(fmt.Errorf("event %d is missing", seq))
	}
	if err != nil {
		return nil, err
	}
	return item.ValueCopy(nil)
}

// lastRecord returns the position of the last record in the store, 0 when there is none.
func lastRecord(txn *badger.Txn) events.Seq {
	it := txn.NewIterator(badger.IteratorOptions{Reverse: true, Prefix: recordPrefix})
	defer it.Close()
	it.Seek(recordKey(1<<64 - 1))
	if !it.Valid() {
		return 0
	}
	return seqOf(it.Item().Key())
}

func seqOf(key []byte) events.Seq {
	if len(key) != 9 {
		return 0
	}
	return events.Seq(binary.BigEndian.Uint64(key[1:]))
}
