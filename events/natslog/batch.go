package natslog

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"assay/events"
	"assay/events/natslog/link"
)

// A single server stores the messages of a batch one after the other. When it runs out of room, it stops there. When it
// is started again, it stores the rest if there is room now, and else drops the rest. Until the batch is whole, its
// beginning is shown to nobody, and no other append comes after it.

// message is a stored message.
type message struct {
	seq     events.Seq
	subject string
	data    []byte
	place   events.Seq // in its batch, from 1; 0 for a message without a batch
	last    bool       // the message is the last one of its batch
}

// newMessage reads the headers that a batch leaves on its messages.
func newMessage(seq uint64, subject string, header nats.Header, data []byte) message {
	place, err := strconv.ParseUint(header.Get(jetstreamext.BatchSeqHeader), 10, 32)
	if err != nil {
		place = 0
	}
	return message{
		seq: events.Seq(seq), subject: subject, data: data,
		place: events.Seq(place), last: header.Get(jetstreamext.BatchCommitHeader) != "",
	}
}

// readHeader reads the headers of a message in the leader's form; nil when it has none.
func readHeader(text []byte) (nats.Header, error) {
	if len(text) == 0 {
		return nil, nil
	}
	return nats.DecodeHeadersMsg(text)
}

// goesOn reports whether more messages of the same batch must follow.
func (m message) goesOn() bool { return m.place > 0 && !m.last }

// whole returns the position of the last complete message, given the last one of the stream: it leaves out an
// incomplete batch.
func (l *Log) whole(ctx context.Context, m message) (events.Seq, error) {
	for m.goesOn() && m.seq > l.certain() {
		before := max(m.seq, m.place) - m.place
		if before == 0 {
			return 0, nil
		}
		var err error
		if m, err = l.askLeader(ctx, getRequest{Seq: before}); err != nil {
			return 0, err
		}
	}
	return m.seq, nil
}

// shown reads a stored message, unless its batch is incomplete.
func (l *Log) shown(ctx context.Context, m message) (events.Event, error) {
	if l.alone && m.goesOn() && m.seq > l.certain() {
		switch end, err := l.end(ctx); {
		case err != nil:
			return events.Event{}, err
		case m.seq > end:
			return events.Event{}, events.ErrNotFound
		}
	}
	return l.event(m)
}

// cutOff is the beginning of an incomplete batch at the end of the log.
type cutOff struct {
	after events.Seq // the position before it
	size  int
}

// checkEnd refuses to append after an incomplete batch, unless the append is that batch: then it completes it.
func (a *appendState) checkEnd(ctx context.Context) error {
	m, err := a.l.lastOfLeader(ctx, a.l.o.Stream, a.l.prefix+">")
	if errors.Is(err, events.ErrNotFound) || err == nil && !m.goesOn() {
		return nil
	}
	if err != nil {
		return err
	}
	whole, err := a.l.whole(ctx, m)
	if err != nil {
		return err
	}
	cut := cutOff{whole, int(m.seq - whole)}
	for after := whole; after < m.seq; {
		got := a.l.fetch(ctx, after, int(m.seq-after))
		if got.err != nil {
			return got.err
		}
		if !a.has(got.stored) {
			return cut.error()
		}
		after += events.Seq(len(got.stored))
	}
	if a.cut = cut; cut.size >= len(a.batch) {
		return cut.error()
	}
	return nil
}

// has reports whether the append contains all of these messages.
func (a *appendState) has(stored []message) bool {
	raws := make(map[string][]byte, len(a.batch))
	for i, e := range a.batch {
		raws[a.l.subject(e.Key)] = a.raws[i]
	}
	for _, m := range stored {
		raw, has := raws[m.subject]
		if same, err := events.SameContent(raw, m.data); !has || err != nil || !same {
			return false
		}
	}
	return true
}

// holds reports whether an event belongs to it.
func (c cutOff) holds(seq events.Seq) bool { return seq > c.after && seq <= c.after+events.Seq(c.size) }

// error returns the error of an append of something else after an incomplete batch.
func (c cutOff) error() error {
	return fmt.Errorf("%w: the server ran full in the middle of another append, and %d of its events are stored after event %d. "+
		"They are shown to nobody. Make room for JetStream there, and start the server again or do again what was appended: either completes them",
		events.ErrFull, c.size, c.after)
}

// These are the errors of servers that have no room.
const (
	accountExceeded     jetstream.ErrorCode = 10002
	insufficient        jetstream.ErrorCode = 10023
	insufficientStorage jetstream.ErrorCode = 10047
	notStored           jetstream.ErrorCode = 10077
)

// full turns the error of a server without room into events.ErrFull. It is no longer an API error, so it is not tried
// again.
func full(err error) error {
	api := link.APIError(err)
	if api == nil {
		return err
	}
	switch api.ErrorCode {
	case accountExceeded, insufficient, insufficientStorage, notStored:
		return fmt.Errorf("%w on the NATS servers: make room for JetStream there (its limits, its disk): %v", events.ErrFull, err)
	}
	return err
}
