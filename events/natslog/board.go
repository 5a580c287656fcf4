package natslog

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events"
	"assay/events/ledger"
)

// Board is where the signing registry posts its checkpoints: a small stream beside that of the log. Only one goroutine
// at a time may use it.
type Board struct {
	l       *Log
	seen    events.Seq // the sequence number of the newest posting when it was read
	checked bool       // the stream exists and has the right settings
}

var _ ledger.Board = (*Board)(nil)

// keptPostings is how many postings the stream keeps, so that people can look at them.
const keptPostings = 64

// Board returns the board of the log.
func (l *Log) Board() *Board { return &Board{l: l} }

func (b *Board) stream() string  { return b.l.o.Stream + "-checkpoints" }
func (b *Board) subject() string { return b.l.o.Stream + ".checkpoint" }

func (b *Board) config() jetstream.StreamConfig {
	c := b.l.config()
	c.Name, c.Subjects, c.Description = b.stream(), []string{b.subject()}, "the signed checkpoints of an assay registry"
	c.MaxMsgsPerSubject, c.Discard, c.AllowAtomicPublish = keptPostings, jetstream.DiscardOld, false
	return c
}

// Posted is as in ledger.Board.
func (b *Board) Posted(ctx context.Context) ([]byte, error) {
	m, err := b.last(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for the newest checkpoint: %w", err)
	}
	b.seen = m.seq
	return m.data, nil
}

func (b *Board) last(ctx context.Context) (message, error) {
	m, err := b.l.lastOf(ctx, b.stream(), b.subject())
	if errors.Is(err, events.ErrNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return message{}, nil
	}
	return m, err
}

// Post is as in ledger.Board.
func (b *Board) Post(ctx context.Context, notes []byte) error {
	var at uint64
	post := func() error {
		return b.l.servers.Retry(ctx, "post a checkpoint", b.subject(), func(ctx context.Context) error {
			m := &nats.Msg{Subject: b.subject(), Data: notes}
			ack, err := b.l.servers.JS.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(uint64(b.seen)), jetstream.WithRetryAttempts(0))
			if err == nil {
				at = ack.Sequence
			}
			return full(err)
		})
	}
	if !b.checked || b.seen == 0 { // the stream may have been deleted
		if err := b.l.servers.EnsureStream(ctx, b.config()); err != nil {
			return fmt.Errorf("make the stream %s: %w", b.stream(), err)
		}
		b.checked = true
	}
	err := post()
	if taken(err) {
		return b.postedMeanwhile(ctx, notes)
	}
	if err == nil {
		b.seen = events.Seq(at)
	}
	return err
}

// postedMeanwhile returns nil if the newer posting is this board's own, whose answer was lost.
func (b *Board) postedMeanwhile(ctx context.Context, notes []byte) error {
	m, err := b.last(ctx)
	if err == nil && !bytes.Equal(m.data, notes) {
		err = fmt.Errorf("%w: it posted meanwhile", ledger.ErrOtherSigner)
	}
	if err == nil {
		b.seen = m.seq
	}
	return err
}
