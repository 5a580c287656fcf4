package natslog

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"assay/events"
	"assay/events/natslog/link"
)

// These are the errors of a batch with a key that is taken. A cluster may return either.
const (
	wrongLastSequence         jetstream.ErrorCode = 10071
	wrongLastSequenceConstant jetstream.ErrorCode = 10164
)

// appendState is the state of one Append.
type appendState struct {
	l        *Log
	batch    []events.Event
	raws     [][]byte
	receipt  events.Receipt
	open     []int  // the events of the batch that have no place yet
	doubtful bool   // an attempt was not answered, and may have recorded all that are open
	cut      cutOff // the part of this batch that is stored already but shown to nobody
}

// Append is as in events.Log. While no server can answer, it waits, logs this, and returns ErrNoAnswer after
// Options.Patience. An attempt whose answer was lost is made again; the keys ensure that nothing is recorded twice.
// When the servers have no room, it returns events.ErrFull. Nothing of the batch is shown then, and what a server has
// stored of it is completed when the same batch is appended again.
func (l *Log) Append(ctx context.Context, batch ...events.Event) (events.Receipt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	raws, err := events.EncodeBatch(batch)
	if err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a := &appendState{l: l, batch: batch, raws: raws, receipt: make(events.Receipt, len(batch))}
	for i := range batch {
		a.open = append(a.open, i)
	}
	if err := a.run(ctx); err != nil {
		return nil, fmt.Errorf("append: %w", err)
	}
	return a.receipt, nil
}

func (a *appendState) run(ctx context.Context) error {
	for p := a.l.servers.Patience("append"); len(a.open) > 0; {
		err := a.attempt(ctx)
		if taken(err) {
			var found int
			if found, err = a.standing(ctx); found > 0 && err == nil {
				continue
			}
			if err == nil { // the server that answered does not have them yet
				err = nats.ErrTimeout
			}
		}
		if err = full(err); err == nil || ctx.Err() != nil || !again(err) {
			return err
		}
		if err := p.Wait(ctx, err); errors.Is(err, link.ErrNoAnswer) && !a.l.alone {
			return fmt.Errorf("%w; servers of a cluster do not answer either when they are full: look whether JetStream has room there", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// attempt publishes the open events, if the end of the log is whole.
func (a *appendState) attempt(ctx context.Context) error {
	if a.l.alone {
		if err := a.checkEnd(ctx); err != nil {
			return err
		}
	}
	return a.publish(ctx)
}

func taken(err error) bool {
	api := link.APIError(err)
	return api != nil && (api.ErrorCode == wrongLastSequence || api.ErrorCode == wrongLastSequenceConstant)
}

// again reports whether a batch may be accepted when it is sent once more.
func again(err error) bool {
	return link.Passing(err) || errors.Is(err, jetstreamext.ErrBatchPublishIncomplete) || errors.Is(err, jetstreamext.ErrInvalidBatchAck)
}

// publish sends the open events as one atomic batch, and sets their places when it is acknowledged.
func (a *appendState) publish(ctx context.Context) error {
	messages := make([]*nats.Msg, len(a.open))
	for i, n := range a.open {
		messages[i] = &nats.Msg{
			Subject: a.l.subject(a.batch[n].Key), Data: a.raws[n],
			Header: nats.Header{jetstream.ExpectedLastSubjSeqHeader: {"0"}},
		}
	}
	var last uint64
	err := a.l.servers.Attempt(ctx, a.l.prefix, func(ctx context.Context) (err error) {
		last, err = a.l.send(ctx, messages)
		return err
	})
	if err != nil {
		a.doubtful = a.doubtful || !taken(err)
		return err
	}
	for i, n := range a.open {
		a.receipt[n] = events.Placed{Seq: events.Seq(last) - events.Seq(len(a.open)-1-i), Appended: true}
	}
	a.open = nil
	a.l.saw(events.Seq(last))
	a.l.servers.NC.Publish(a.l.o.Stream+".grown", nil) // if this message is lost, followers look for themselves
	return nil
}

// send stores messages in one step, and returns the sequence number of the last one. A server with one replica stages a
// batch on disk, which takes 15 ms, so a single message is sent without a batch.
func (l *Log) send(ctx context.Context, messages []*nats.Msg) (last uint64, err error) {
	if len(messages) == 1 {
		ack, err := l.servers.JS.PublishMsg(ctx, messages[0], jetstream.WithRetryAttempts(0))
		if err != nil {
			return 0, err
		}
		return ack.Sequence, nil
	}
	ack, err := jetstreamext.PublishMsgBatch(ctx, l.servers.JS, messages, jetstreamext.BatchFlowControl{})
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// standing looks up the open keys, and sets the places of those that stand. An event that an unanswered attempt
// recorded is recognized by its bytes, which include its ID.
func (a *appendState) standing(ctx context.Context) (found int, err error) {
	stored, err := a.l.lookUp(ctx, a.subjects())
	if err != nil {
		return 0, err
	}
	var open []int
	for _, n := range a.open {
		m, stands := stored[a.l.subject(a.batch[n].Key)]
		if !stands {
			open = append(open, n)
			continue
		}
		same, err := events.SameContent(a.raws[n], m.data)
		if err != nil {
			return 0, fmt.Errorf("event %d: %w: %w", m.seq, events.ErrDamaged, err)
		}
		if !same {
			return 0, a.firstConflict(ctx, open, &events.ConflictError{Key: a.batch[n].Key, At: m.seq})
		}
		if a.batch, err = events.Recause(a.batch, a.raws, n, m.data); err != nil {
			return 0, fmt.Errorf("event %d: %w", m.seq, err)
		}
		a.receipt[n] = events.Placed{Seq: m.seq, Appended: a.doubtful && bytes.Equal(a.raws[n], m.data) || a.cut.holds(m.seq)}
		found++
	}
	a.open = open
	return found, nil
}

// firstConflict returns the conflict of the first event of the batch that has one. The server that answered may lag and
// lack an earlier key of the batch. So the leader is asked for the open keys before the conflict.
func (a *appendState) firstConflict(ctx context.Context, open []int, shown *events.ConflictError) error {
	for _, n := range open {
		m, err := a.l.askLeader(ctx, getRequest{LastFor: a.l.subject(a.batch[n].Key)})
		if errors.Is(err, events.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if same, err := events.SameContent(a.raws[n], m.data); err == nil && !same {
			return &events.ConflictError{Key: a.batch[n].Key, At: m.seq}
		}
	}
	return shown
}

func (a *appendState) subjects() (list []string) {
	for _, n := range a.open {
		list = append(list, a.l.subject(a.batch[n].Key))
	}
	return list
}
