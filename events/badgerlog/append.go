package badgerlog

import (
	"context"
	"fmt"
	"sync"

	"assay/events"
	"assay/events/badgerlog/store"

	"github.com/dgraph-io/badger/v4"
)

// pending is one Append on its way through the writer. The writer fills in receipt and err, then closes done.
type pending struct {
	ctx     context.Context
	keys    []events.Key
	raws    [][]byte
	receipt events.Receipt
	err     error
	done    chan struct{}
}

func (p *pending) size() int {
	n := 0
	for _, raw := range p.raws {
		n += len(raw)
	}
	return n
}

// Append is as in events.Log. Appends that wait for one another are committed together, in the order in
// which they came. With too little disk left it is events.ErrFull.
func (l *Log) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raws, err := events.EncodeBatch(batch)
	if err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	p := &pending{ctx: ctx, raws: raws, done: make(chan struct{})}
	for _, e := range batch {
		p.keys = append(p.keys, e.Key)
	}
	select {
	case l.queue <- p:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.closing:
		return nil, errClosed
	}
	select {
	case <-p.done:
		return p.receipt, p.err
	case <-ctx.Done(): // it may be recorded all the same
		return nil, ctx.Err()
	}
}

// write is the one goroutine that changes the store. After a write that failed in the middle nobody knows
// what the store holds, so that all that follow are refused until the log is opened again.
func (l *Log) write() {
	defer close(l.stopped)
	var next *pending
	var failed error
	for {
		if next == nil {
			select {
			case next = <-l.queue:
			case <-l.closing:
				return
			}
		}
		var group []*pending
		group, next = l.gather(next)
		if failed == nil {
			failed = l.commit(group)
		}
		for _, p := range group {
			if failed != nil {
				p.receipt, p.err = nil, fmt.Errorf("append: the log has to be opened again: %w", failed)
			}
			close(p.done)
		}
	}
}

// gather adds to the first append of a group those that wait, as long as they fit the limits of one batch.
// One that does not fit begins the next group.
func (l *Log) gather(first *pending) (group []*pending, next *pending) {
	group = []*pending{first}
	count, size := len(first.raws), first.size()
	for {
		select {
		case p := <-l.queue:
			if count, size = count+len(p.raws), size+p.size(); count > events.MaxBatch || size > events.MaxBatchBytes {
				return group, p
			}
			group = append(group, p)
		default:
			return group, nil
		}
	}
}

// commit records a group in one synced transaction and lets the witness vouch for it. An append of the
// group may fail alone; an error is a failure of the log.
func (l *Log) commit(group []*pending) error {
	txn := l.db.NewTransaction(true)
	defer txn.Discard()
	head, full := l.Size(), l.space()
	var records [][]byte
	for _, p := range group {
		p.err = store.Safely(func() error { return p.place(txn, head+events.Seq(len(records))) })
		if p.err == nil && full != nil && p.receipt.Appended() > 0 {
			p.err = full
		}
		if p.err != nil {
			p.receipt = nil
			continue
		}
		fresh, err := p.set(txn)
		if err != nil {
			return err
		}
		records = append(records, fresh...)
	}
	if len(records) == 0 {
		return nil
	}
	return l.store(txn, head, records)
}

// place fills in the receipt: where each event stands, or will stand after the position head.
func (p *pending) place(txn *badger.Txn, head events.Seq) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	for i, key := range p.keys {
		at, stands, err := seqs(txn, indexKey(key), 1)
		if err != nil {
			return fmt.Errorf("append %s: %w", key, err)
		}
		if !stands {
			head++
			p.receipt = append(p.receipt, events.Placed{Seq: head, Appended: true})
			continue
		}
		if err := sameContent(txn, at[0], key, p.raws[i]); err != nil {
			return err
		}
		p.receipt = append(p.receipt, events.Placed{Seq: at[0]})
	}
	return nil
}

func sameContent(txn *badger.Txn, at events.Seq, key events.Key, raw []byte) error {
	stored, err := record(txn, at)
	if err != nil {
		return fmt.Errorf("append %s: %w", key, err)
	}
	same, err := events.SameContent(raw, stored)
	if err != nil {
		return fmt.Errorf("append %s: event %d: %w", key, at, store.Damaged(err))
	}
	if !same {
		return &events.ConflictError{Key: key, At: at}
	}
	return nil
}

// set puts the new records of the append and their keys into the transaction, and gives the records.
func (p *pending) set(txn *badger.Txn) (fresh [][]byte, err error) {
	for i, placed := range p.receipt {
		if !placed.Appended {
			continue
		}
		fresh = append(fresh, p.raws[i])
		if err := txn.Set(recordKey(placed.Seq), p.raws[i]); err != nil {
			return nil, err
		}
		if err := txn.Set(indexKey(p.keys[i]), seqValue(placed.Seq)); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// store commits the group. Without an error its records are durable and vouched for.
func (l *Log) store(txn *badger.Txn, head events.Seq, records [][]byte) error {
	last := head + events.Seq(len(records))
	if err := txn.Set(groupKey, seqValue(head+1, last)); err != nil {
		return err
	}
	seal := func() error { return nil }
	var hashing sync.WaitGroup
	if l.witness != nil {
		hashing.Go(func() { seal = l.witness.Extend(records) })
	}
	err := store.Safely(txn.Commit)
	hashing.Wait()
	if err == nil {
		err = seal()
	}
	if err == nil {
		l.grow(last)
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
