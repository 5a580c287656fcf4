package badgerlog

import (
	"context"
	"fmt"
	"sync"

	"assay/events"
	"assay/events/store"

	"github.com/dgraph-io/badger/v4"
)

// pendingAppend is one Append on its way through the writer. The writer fills in receipt and err, then closes done.
type pendingAppend struct {
	ctx     context.Context
	batch   []events.Event
	raws    [][]byte
	instead func() error // what the writer does instead of appending
	receipt events.Receipt
	err     error
	done    chan struct{}
}

func (p *pendingAppend) size() int {
	n := 0
	for _, raw := range p.raws {
		n += len(raw)
	}
	return n
}

// Append is as in events.Log. Appends that wait for one another are committed together, in the sequence in which they
// arrived. It returns events.ErrFull when too little disk is left.
func (l *Log) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raws, err := events.EncodeBatch(batch)
	if err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	return l.submit(&pendingAppend{ctx: ctx, batch: batch, raws: raws, done: make(chan struct{})})
}

// submit hands something to the writer and waits for it.
func (l *Log) submit(p *pendingAppend) (events.Receipt, error) {
	select {
	case l.queue <- p:
	case <-p.ctx.Done():
		return nil, p.ctx.Err()
	case <-l.closing:
		return nil, errClosed
	}
	select {
	case <-p.done:
		return p.receipt, p.err
	case <-p.ctx.Done(): // it may be done all the same
		return nil, p.ctx.Err()
	}
}

// write runs in the one goroutine that changes the store. After a write that failed in the middle, the content of the
// store is unknown. So its end is settled before the next write.
func (l *Log) write() {
	defer close(l.stopped)
	var next *pendingAppend
	var failed error
	for {
		if next == nil {
			select {
			case next = <-l.queue:
			case <-l.closing:
				return
			}
		}
		if next.instead != nil {
			next.err = next.instead()
			close(next.done)
			next = nil
			continue
		}
		var group []*pendingAppend
		group, next = l.gather(next)
		if failed != nil {
			failed = l.view(l.recover)
		}
		if failed == nil {
			failed = l.commit(group)
		}
		for _, p := range group {
			if failed != nil {
				p.receipt, p.err = nil, fmt.Errorf("append: %w", failed)
			}
			close(p.done)
		}
	}
}

// gather adds waiting appends to the first one of a group, as long as they fit the limits of one batch. An append that
// does not fit begins the next group.
func (l *Log) gather(first *pendingAppend) (group []*pendingAppend, next *pendingAppend) {
	group = []*pendingAppend{first}
	count, size := len(first.raws), first.size()
	for {
		select {
		case p := <-l.queue:
			if p.instead != nil {
				return group, p
			}
			if count, size = count+len(p.raws), size+p.size(); count > events.MaxBatch || size > events.MaxBatchBytes {
				return group, p
			}
			group = append(group, p)
		default:
			return group, nil
		}
	}
}

// commit records a group in one synced transaction and lets the witness vouch for it. A single append of the group may
// fail; an error of commit is a failure of the log. The witness hashes and marks the records while the transaction
// takes them in.
func (l *Log) commit(group []*pendingAppend) error {
	head, full := l.Size(), l.room()
	var records [][]byte
	var mark []byte
	var marking, extending sync.WaitGroup
	seal := func() error { return nil }
	placed := func(all [][]byte) {
		if records = all; len(records) > 0 && l.witness != nil {
			marking.Go(func() { mark = l.witness.Mark(head, records) })
			extending.Go(func() { seal = l.witness.Extend(records) })
		}
	}
	err := l.db.Update(func(txn *badger.Txn) error {
		err := placeAll(txn, group, head, full, placed)
		marking.Wait()
		if err != nil || len(records) == 0 {
			return err
		}
		if err := l.raiseFormat(mark); err != nil {
			return err
		}
		return txn.Set(groupKey, append(seqValue(head+1, head+events.Seq(len(records))), mark...))
	})
	extending.Wait()
	if err == nil {
		err = seal()
	}
	if err == nil && len(records) > 0 {
		l.grow(head + events.Seq(len(records)))
	}
	return err
}

// placeAll puts the new records of a group into the transaction. It calls placed with these records when all are known,
// before the last of them are in the transaction. Without room it refuses the appends that record something.
func placeAll(txn *badger.Txn, group []*pendingAppend, head events.Seq, full error, placed func(records [][]byte)) error {
	var records [][]byte
	last := &pendingAppend{} // placed, but not in the transaction yet
	for _, p := range group {
		if err := last.set(txn); err != nil {
			return err
		}
		last, p.receipt = &pendingAppend{}, nil
		p.err = store.Safely(func() error { return p.place(txn, head+events.Seq(len(records))) })
		if p.err == nil && full != nil && p.receipt.Appended() > 0 {
			p.err = full
		}
		if p.err != nil {
			p.receipt = nil
			continue
		}
		last, records = p, append(records, p.fresh()...)
	}
	placed(records)
	return last.set(txn)
}

// place fills in the receipt: the position of each event, existing or new after the position head.
func (p *pendingAppend) place(txn *badger.Txn, head events.Seq) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	for i := range p.batch {
		key := p.batch[i].Key
		at, stands, err := indexed(txn, key)
		if err != nil {
			return fmt.Errorf("append %s: %w", key, err)
		}
		if !stands {
			head++
			p.receipt = append(p.receipt, events.Placed{Seq: head, Appended: true})
			continue
		}
		stored, err := sameContent(txn, at, key, p.raws[i])
		if err == nil {
			p.batch, err = events.Recause(p.batch, p.raws, i, stored)
		}
		if err != nil {
			return err
		}
		p.receipt = append(p.receipt, events.Placed{Seq: at})
	}
	return nil
}

// sameContent returns the record at a position if it is the same fact, and *events.ConflictError if it is another one.
func sameContent(txn *badger.Txn, at events.Seq, key events.Key, raw []byte) ([]byte, error) {
	stored, err := record(txn, at)
	if err != nil {
		return nil, fmt.Errorf("append %s: %w", key, err)
	}
	same, err := events.SameContent(raw, stored)
	if err != nil {
		return nil, fmt.Errorf("append %s: event %d: %w", key, at, store.Damaged(err))
	}
	if !same {
		return nil, &events.ConflictError{Key: key, At: at}
	}
	return stored, nil
}

// fresh returns the new records of the append.
func (p *pendingAppend) fresh() (records [][]byte) {
	for i, placed := range p.receipt {
		if placed.Appended {
			records = append(records, p.raws[i])
		}
	}
	return records
}

// set puts the new records of the append and their keys into the transaction.
func (p *pendingAppend) set(txn *badger.Txn) error {
	for i, placed := range p.receipt {
		if !placed.Appended {
			continue
		}
		if err := txn.Set(recordKey(placed.Seq), p.raws[i]); err != nil {
			return err
		}
		if err := txn.Set(indexKey(p.batch[i].Key), seqValue(placed.Seq)); err != nil {
			return err
		}
	}
	return nil
}

// raiseFormat makes FORMAT name the version of groups with a mark. It runs before the first such group is stored.
func (l *Log) raiseFormat(mark []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(mark) == 0 || l.format >= markedVersion {
		return nil
	}
	if l.raise != nil {
		if err := l.raise(); err != nil {
			return err
		}
	}
	err := writeFormat(l.dir, markedVersion)
	if err == nil {
		l.format = markedVersion
	}
	return err
}

func (l *Log) grow(head events.Seq) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.head = head
	close(l.grown)
	l.grown = make(chan struct{})
}
