package natslog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"

	"assay/events"
	"assay/events/natslog/link"
)

// Read requests events in chunks. The first chunks are small, for a caller who wants one event. Later ones are larger.
const (
	firstChunk = 16      // events
	maxChunk   = 2048    // events
	chunkBytes = 2 << 20 // bytes after which a chunk is closed
)

// pollEvery is how often a follower looks at the end of the log when nothing wakes it.
const pollEvery = time.Second

// lookUp returns the messages at subjects that the answering server has; that server may lag.
func (l *Log) lookUp(ctx context.Context, subjects []string) (map[string]message, error) {
	stored := make(map[string]message, len(subjects))
	err := l.servers.Retry(ctx, "look up keys", directGet(l.o.Stream), func(ctx context.Context) error {
		list, err := jetstreamext.GetLastMsgsFor(ctx, l.servers.JS, l.o.Stream, subjects)
		if err != nil {
			return err
		}
		for m, err := range list {
			if err != nil {
				return err
			}
			stored[m.Subject] = newMessage(m.Sequence, m.Subject, m.Header, m.Data)
		}
		return nil
	})
	if errors.Is(err, jetstreamext.ErrNoMessages) {
		err = nil
	}
	return stored, err
}

func directGet(stream string) string { return "$JS.API.DIRECT.GET." + stream }

// Get is as in events.Log.
func (l *Log) Get(ctx context.Context, key events.Key) (events.Event, error) {
	if err := ctx.Err(); err != nil {
		return events.Event{}, err
	}
	if err := key.Check(); err != nil {
		return events.Event{}, fmt.Errorf("get: %w", err)
	}
	e, err := l.get(ctx, key)
	if err != nil {
		return events.Event{}, fmt.Errorf("get %s: %w", key, err)
	}
	return e, nil
}

// get asks any server first. If it has nothing, it may lag, so the leader is asked.
func (l *Log) get(ctx context.Context, key events.Key) (events.Event, error) {
	last := getRequest{LastFor: l.subject(key)}
	m, err := l.askAnyone(ctx, l.o.Stream, last)
	if errors.Is(err, events.ErrNotFound) {
		m, err = l.askLeader(ctx, last)
	}
	if err != nil {
		return events.Event{}, err
	}
	return l.shown(ctx, m)
}

// GetEach is as in events.GetEach. Get looks up what the answering server does not have.
func (l *Log) GetEach(ctx context.Context, keys []events.Key) ([]events.Event, error) {
	list := make([]events.Event, 0, len(keys))
	for some := range slices.Chunk(keys, events.MaxBatch) {
		subjects := make([]string, len(some))
		for i, key := range some {
			if err := key.Check(); err != nil {
				return nil, fmt.Errorf("get: %w", err)
			}
			subjects[i] = l.subject(key)
		}
		stored, err := l.lookUp(ctx, subjects)
		if err != nil {
			return nil, fmt.Errorf("get %d keys: %w", len(some), err)
		}
		for i, key := range some {
			var e events.Event
			if m, found := stored[subjects[i]]; found {
				e, err = l.shown(ctx, m)
			} else {
				e, err = l.Get(ctx, key)
			}
			if err != nil {
				return nil, err
			}
			list = append(list, e)
		}
	}
	return list, nil
}

// getRequest requests one message, in the form of the server's API.
type getRequest struct {
	Seq     events.Seq `json:"seq,omitempty"`
	LastFor string     `json:"last_by_subj,omitempty"`
}

// askLeader asks the leader for a message. If the leader does not have it, it does not exist: events.ErrNotFound.
func (l *Log) askLeader(ctx context.Context, req getRequest) (m message, err error) {
	err = l.servers.Retry(ctx, "ask the leader", leaderGet(l.o.Stream), func(ctx context.Context) error {
		m, err = l.askLeaderOnce(ctx, l.o.Stream, req)
		return err
	})
	return m, err
}

func leaderGet(stream string) string { return "$JS.API.STREAM.MSG.GET." + stream }

func (l *Log) askLeaderOnce(ctx context.Context, stream string, req getRequest) (message, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return message{}, err
	}
	answer, err := l.servers.NC.RequestWithContext(ctx, leaderGet(stream), body)
	if err != nil {
		return message{}, err
	}
	var got struct {
		Error   *jetstream.APIError `json:"error"`
		Message struct {
			Subject string     `json:"subject"`
			Seq     events.Seq `json:"seq"`
			Header  []byte     `json:"hdrs"`
			Data    []byte     `json:"data"`
		} `json:"message"`
	}
	if err := json.Unmarshal(answer.Data, &got); err != nil {
		return message{}, err
	}
	switch {
	case got.Error != nil && got.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return message{}, events.ErrNotFound
	case got.Error != nil:
		return message{}, got.Error
	}
	header, err := readHeader(got.Message.Header)
	return newMessage(uint64(got.Message.Seq), got.Message.Subject, header, got.Message.Data), err
}

// end returns the position of the last event that is shown.
func (l *Log) end(ctx context.Context) (events.Seq, error) {
	m, err := l.lastOf(ctx, l.o.Stream, l.prefix+">")
	if err != nil && !errors.Is(err, events.ErrNotFound) {
		return 0, fmt.Errorf("look for the end of the log: %w", err)
	}
	last, err := l.whole(ctx, m)
	if err != nil {
		return 0, fmt.Errorf("look for the end of the log: %w", err)
	}
	return l.saw(last), nil
}

// lastOf returns the last message of a stream at a subject. The leader knows it. Without a leader, lastOf takes the
// message that any server has.
func (l *Log) lastOf(ctx context.Context, stream, subject string) (m message, err error) {
	m, err = l.lastOfLeader(ctx, stream, subject)
	if err != nil && link.Passing(err) && ctx.Err() == nil {
		l.servers.Tell(stream, "no leader: the stream is read as far as the server that answers has it", "stream", stream, "error", err)
		m, err = l.askAnyone(ctx, stream, getRequest{LastFor: subject})
	}
	return m, err
}

func (l *Log) lastOfLeader(ctx context.Context, stream, subject string) (m message, err error) {
	err = l.servers.Attempt(ctx, leaderGet(stream), func(ctx context.Context) (err error) {
		m, err = l.askLeaderOnce(ctx, stream, getRequest{LastFor: subject})
		return err
	})
	return m, err
}

// askAnyone asks any server for a message.
func (l *Log) askAnyone(ctx context.Context, stream string, req getRequest) (m message, err error) {
	body, err := json.Marshal(req)
	if err != nil {
		return m, err
	}
	err = l.servers.Retry(ctx, "ask any server", directGet(stream), func(ctx context.Context) error {
		answer, err := l.servers.NC.RequestWithContext(ctx, directGet(stream), body)
		if err != nil {
			return err
		}
		m, err = direct(answer)
		return err
	})
	return m, err
}

// direct reads the answer to a direct get.
func direct(answer *nats.Msg) (m message, err error) {
	switch status := answer.Header.Get("Status"); status {
	case "":
	case "404":
		return m, events.ErrNotFound
	default:
		return m, fmt.Errorf("the server answers %s %s", status, answer.Header.Get("Description"))
	}
	seq, err := strconv.ParseUint(answer.Header.Get(jetstream.SequenceHeader), 10, 64)
	if err != nil {
		return m, fmt.Errorf("the server answers without a sequence: %w", err)
	}
	return newMessage(seq, answer.Header.Get(jetstream.SubjectHeader), answer.Header, answer.Data), nil
}

// event reads a stored message.
func (l *Log) event(m message) (events.Event, error) {
	e, err := events.Decode(m.data)
	if err == nil && l.subject(e.Key) != m.subject {
		err = fmt.Errorf("%s lies at the subject %s", e.Key, m.subject)
	}
	if err != nil {
		return events.Event{}, fmt.Errorf("event %d: %w: %w", m.seq, events.ErrDamaged, err)
	}
	e.Seq = m.seq
	return e, nil
}

// Read is as in events.Log.
func (l *Log) Read(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		if _, err := l.read(ctx, after, yield); err != nil && !errors.Is(err, errEnough) {
			yield(events.Event{}, err)
		}
	}
}

// Follow is as in events.Log. It waits for servers that do not answer for as long as it takes.
func (l *Log) Follow(ctx context.Context, after events.Seq) iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		if err := l.follow(ctx, after, yield); !errors.Is(err, errEnough) {
			yield(events.Event{}, err)
		}
	}
}

func (l *Log) follow(ctx context.Context, after events.Seq, yield func(events.Event, error) bool) (err error) {
	woken := make(chan *nats.Msg, 1)
	grown, err := l.servers.NC.ChanSubscribe(l.o.Stream+".grown", woken)
	if err != nil {
		return fmt.Errorf("follow: %w", link.Explained(err))
	}
	defer grown.Unsubscribe()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		if after, err = l.read(ctx, after, yield); err != nil && !errors.Is(err, link.ErrNoAnswer) {
			return err
		}
		select {
		case <-woken:
		case <-poll.C:
		case <-ctx.Done():
		}
	}
}

// errEnough ends a read whose caller wants no more.
var errEnough = errors.New("enough")

// read yields the events after a position up to the end of the log, and returns the last position it reached.
func (l *Log) read(ctx context.Context, after events.Seq, yield func(events.Event, error) bool) (events.Seq, error) {
	if ctx.Err() != nil {
		return after, ctx.Err()
	}
	head, err := l.end(ctx)
	if err != nil {
		return after, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var ahead chan fetchedChunk // the next chunk, requested while the caller works on the last
	defer func() {
		cancel()
		if ahead != nil {
			<-ahead
		}
	}()
	for n := firstChunk; after < head; n = min(4*n, maxChunk) {
		got := fetchedChunk{}
		if ahead == nil {
			got = l.fetch(ctx, after, min(n, int(head-after)))
		} else {
			got, ahead = <-ahead, nil
		}
		if next := after + events.Seq(len(got.stored)); n > firstChunk && got.err == nil && next < head {
			ahead = make(chan fetchedChunk, 1)
			go func(to chan<- fetchedChunk) { to <- l.fetch(ctx, next, min(maxChunk, int(head-next))) }(ahead)
		}
		if after, err = l.give(ctx, after, got, yield); err != nil {
			return after, err
		}
	}
	return after, nil
}

// give yields the events of a chunk after a position, and returns the last position it reached.
func (l *Log) give(ctx context.Context, after events.Seq, got fetchedChunk, yield func(events.Event, error) bool) (events.Seq, error) {
	for _, m := range got.stored {
		if ctx.Err() != nil {
			return after, ctx.Err()
		}
		if m.seq != after+1 {
			return after, fmt.Errorf("event %d is missing, the next is %d: %w", after+1, m.seq, events.ErrDamaged)
		}
		e, err := l.event(m)
		if err != nil {
			return after, err
		}
		after = e.Seq
		if !yield(e, nil) {
			return after, errEnough
		}
	}
	if ctx.Err() != nil {
		return after, ctx.Err()
	}
	if got.err != nil {
		return after, fmt.Errorf("reading after event %d: %w", after, got.err)
	}
	return after, nil
}

// fetchedChunk is a chunk of the log.
type fetchedChunk struct {
	stored []message
	err    error
}

// fetch gets the next messages after a position, at least one and at most n. The log must have them.
func (l *Log) fetch(ctx context.Context, after events.Seq, n int) (got fetchedChunk) {
	got.err = l.servers.Retry(ctx, "read", directGet(l.o.Stream), func(ctx context.Context) (err error) {
		got.stored, err = l.fetchOnce(ctx, after, n)
		return err
	})
	if errors.Is(got.err, jetstreamext.ErrNoMessages) { // the server lags, or the events are lost
		m, err := l.askLeader(ctx, getRequest{Seq: after + 1})
		if errors.Is(err, events.ErrNotFound) {
			err = fmt.Errorf("event %d is missing: %w", after+1, events.ErrDamaged)
		}
		got = fetchedChunk{[]message{m}, err}
	}
	if got.err != nil {
		got.stored = nil
	}
	return got
}

func (l *Log) fetchOnce(ctx context.Context, after events.Seq, n int) (stored []message, err error) {
	list, err := jetstreamext.GetBatch(ctx, l.servers.JS, l.o.Stream, n, jetstreamext.GetBatchSeq(uint64(after)+1), jetstreamext.GetBatchMaxBytes(chunkBytes))
	if err != nil {
		return nil, err
	}
	stored = make([]message, 0, n)
	for m, err := range list {
		if err != nil {
			return stored, err
		}
		stored = append(stored, newMessage(m.Sequence, m.Subject, m.Header, m.Data))
	}
	return stored, nil
}
