package badgerlog

import (
	"encoding/binary"
	"errors"
	"fmt"

	"assay/events"
	"assay/events/badgerlog/store"

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

// seqs reads the n positions stored under a key; found is false when there is no such key.
func seqs(txn *badger.Txn, key []byte, n int) (at []events.Seq, found bool, err error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return at, true, item.Value(func(value []byte) error {
		if len(value) != 8*n {
			return store.Damaged(fmt.Errorf("%q has a position of %d bytes", key, len(value)))
		}
		for i := range n {
			at = append(at, events.Seq(binary.BigEndian.Uint64(value[8*i:])))
		}
		return nil
	})
}

// record reads the stored bytes at a position that the log must have.
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

// lastRecord gives the position of the last record in the store, 0 when there is none.
func lastRecord(txn *badger.Txn) events.Seq {
	it := txn.NewIterator(badger.IteratorOptions{Reverse: true, Prefix: recordPrefix})
	defer it.Close()
	it.Seek(recordKey(1<<64 - 1))
	if !it.Valid() {
		return 0
	}
	return seqOf(it.Item())
}

func seqOf(item *badger.Item) events.Seq {
	key := item.Key()
	if len(key) != 9 {
		return 0
	}
	return events.Seq(binary.BigEndian.Uint64(key[1:]))
}
