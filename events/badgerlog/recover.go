package badgerlog

import (
	"fmt"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

// recover finds the end of the log after the store was opened or a write failed, and settles it with the witness.
func (l *Log) recover(txn *badger.Txn) error {
	g, found, err := lastGroup(txn)
	if err != nil {
		return err
	}
	if stands := lastRecord(txn); stands != g.last || found && (g.first == 0 || g.first > g.last) {
		return store.Damaged(fmt.Errorf("the last event is %d, the last group committed was %d to %d", stands, g.first, g.last))
	}
	if l.witness != nil {
		if err := l.settle(txn, g); err != nil {
			return err
		}
	}
	if g.last > l.Size() {
		l.grow(g.last)
	}
	return nil
}

// settle compares the end of the log with what the witness vouches for. Only the group that was committed last may lie
// beyond: the process may have ended between the two syncs. Such a group was not acknowledged, but it is whole. It is
// checked, and then the witness vouches for it.
func (l *Log) settle(txn *badger.Txn, g group) error {
	switch vouched := l.witness.Size(); {
	case vouched > g.last:
		return store.Damaged(fmt.Errorf("%d events are vouched for, but the last is %d", vouched, g.last))
	case vouched == g.last && g.last > 0:
		raw, err := record(txn, g.last)
		if err == nil {
			_, err = l.event(g.last, raw)
		}
		return err
	case vouched < g.last && vouched+1 == g.first:
		return l.vouchLate(txn, g)
	case vouched < g.last:
		return store.Damaged(fmt.Errorf("events %d to %d are not vouched for, more than the last append, which began at %d", vouched+1, g.last, g.first))
	}
	return nil
}

// vouchLate lets the witness vouch for a group late, if the group has its mark.
func (l *Log) vouchLate(txn *badger.Txn, g group) error {
	late, records, err := groupRecords(txn, g)
	if err != nil {
		return err
	}
	if l.mustBearMark() && g.mark == nil || !l.witness.Bears(g.first-1, records, g.mark) {
		return store.Damaged(fmt.Errorf("events %d to %d were not recorded by this registry: the group does not bear its mark", g.first, g.last))
	}
	seal := l.witness.Extend(records)
	if err := l.noteLate(g); err != nil {
		return err
	}
	if err := seal(); err != nil {
		return err
	}
	l.tellLate(late)
	return l.raiseFormat(l.witness.Mark(g.first-1, records)) // a group without a mark is taken once
}

// mustBearMark reports whether a group of the log had a mark before.
func (l *Log) mustBearMark() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.format >= markedVersion
}

// groupRecords reads the records of a group, and looks that each is indexed where it stands.
func groupRecords(txn *badger.Txn, g group) (late []events.Event, records [][]byte, err error) {
	for seq := g.first; seq <= g.last; seq++ {
		raw, err := record(txn, seq)
		if err != nil {
			return nil, nil, err
		}
		e, err := events.Decode(raw)
		if err != nil {
			return nil, nil, store.Damaged(fmt.Errorf("event %d: %w", seq, err))
		}
		at, found, err := indexed(txn, e.Key)
		if err == nil && (!found || at != seq) {
			err = fmt.Errorf("its key %s is indexed at %d", e.Key, at)
		}
		if err != nil {
			return nil, nil, store.Damaged(fmt.Errorf("event %d: %w", seq, err))
		}
		e.Seq = seq
		late, records = append(late, e), append(records, raw)
	}
	return late, records, nil
}
