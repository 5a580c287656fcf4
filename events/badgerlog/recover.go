package badgerlog

import (
	"fmt"

	"assay/events"
	"assay/events/badgerlog/store"

	"github.com/dgraph-io/badger/v4"
)

// recover finds the end of the log when it is opened, and settles it with the witness.
func (l *Log) recover() error {
	var first, last events.Seq
	if err := l.db.View(func(txn *badger.Txn) error {
		group, found, err := seqs(txn, groupKey, 2)
		if err != nil {
			return err
		}
		if found {
			first, last = group[0], group[1]
		}
		if stands := lastRecord(txn); stands != last || found && (first == 0 || first > last) {
			return store.Damaged(fmt.Errorf("the last event is %d, the last group committed was %d to %d", stands, first, last))
		}
		return nil
	}); err != nil {
		return err
	}
	if l.witness != nil {
		if err := l.settle(first, last); err != nil {
			return err
		}
	}
	l.head = last
	return nil
}

// settle compares the end of the log with what the witness vouches for. Only the group that was committed
// last may lie beyond: when the process ended between the two syncs. It was not acknowledged, but it is
// whole; it is checked, and the witness vouches for it.
func (l *Log) settle(first, last events.Seq) error {
	switch vouched := l.witness.Size(); {
	case vouched > last:
		return store.Damaged(fmt.Errorf("%d events are vouched for, but the last is %d", vouched, last))
	case vouched == last && last > 0:
		_, err := l.chunk(last-1, last, 1)
		return err
	case vouched < last && vouched+1 == first:
		return l.vouchLate(first, last)
	case vouched < last:
		return store.Damaged(fmt.Errorf("events %d to %d are not vouched for, more than the last append, which began at %d", vouched+1, last, first))
	}
	return nil
}

func (l *Log) vouchLate(first, last events.Seq) error {
	var records [][]byte
	err := l.db.View(func(txn *badger.Txn) error {
		for seq := first; seq <= last; seq++ {
			raw, err := record(txn, seq)
			if err != nil {
				return err
			}
			e, err := events.Decode(raw)
			if err != nil {
				return store.Damaged(fmt.Errorf("event %d: %w", seq, err))
			}
			if at, found, err := seqs(txn, indexKey(e.Key), 1); err != nil || !found || at[0] != seq {
				return store.Damaged(fmt.Errorf("event %d: its key %s is indexed at %d: %w", seq, e.Key, at, err))
			}
			records = append(records, raw)
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.late = len(records)
	return l.witness.Extend(records)()
}
