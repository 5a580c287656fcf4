package queue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events/natslog/link"
)

// names are what the parts of a queue are called on the servers.
type names struct {
	stream  string
	jobs    string // what the subjects of messages begin with
	answers string // what those of answers begin with
}

func namesOf(log string) names {
	return names{stream: log + "-jobs", jobs: log + ".job.", answers: log + ".answer."}
}

// workers is the consumer that all workers take messages from.
const workers = "workers"

// Where a worker asks for messages, and where it says what became of one.
func (n names) next() string { return "$JS.API.CONSUMER.MSG.NEXT." + n.stream + "." + workers }
func (n names) done() string { return "$JS.ACK." + n.stream + "." + workers + "." }

// What the queue holds at most. Orders that nobody waits for any more are dropped after maxAge.
const (
	maxOrders     = 4096
	maxOrderBytes = 64 << 20
	maxAge        = time.Hour
)

// setUp makes what is missing of the queue.
func (n names) setUp(ctx context.Context, servers *link.Link, redeliverAfter time.Duration) (consumer jetstream.Consumer, err error) {
	err = servers.EnsureStream(ctx, jetstream.StreamConfig{
		Name: n.stream, Subjects: []string{n.jobs + ">"}, Description: "what the workers of an assay registry are to do",
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage, Replicas: servers.Replicas(), Discard: jetstream.DiscardNew,
		MaxMsgs: maxOrders, MaxBytes: maxOrderBytes, MaxAge: maxAge, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true,
		MaxConsumers: -1, MaxMsgSize: -1, DenyDelete: true, DenyPurge: true,
	})
	if err != nil {
		return nil, fmt.Errorf("make the stream %s: %w", n.stream, err)
	}
	err = servers.Retry(ctx, "make the queue's consumer", "$JS.API.CONSUMER.CREATE."+n.stream, func(ctx context.Context) (err error) {
		consumer, err = servers.JS.CreateOrUpdateConsumer(ctx, n.stream, jetstream.ConsumerConfig{
			Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: redeliverAfter, MaxAckPending: maxOrders,
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("make what workers take from: %w", err)
	}
	return consumer, nil
}

// look tells how many messages wait, and how many are worked on.
func (n names) look(ctx context.Context, servers *link.Link) (info *jetstream.ConsumerInfo, err error) {
	err = servers.Attempt(ctx, "$JS.API.CONSUMER.INFO."+n.stream, func(ctx context.Context) error {
		consumer, err := servers.JS.Consumer(ctx, n.stream, workers)
		if err == nil {
			info = consumer.CachedInfo()
		}
		return err
	})
	return info, err
}

// notStored is the error of a message that a stream has no place for.
const notStored jetstream.ErrorCode = 10077

// isQueued tells of a message that is in the queue already.
func isQueued(err error) bool {
	api := link.APIError(err)
	return api != nil && api.ErrorCode == notStored && strings.Contains(api.Description, "per subject")
}

// isFull tells of a queue that has no room.
func isFull(err error) bool {
	api := link.APIError(err)
	return api != nil && api.ErrorCode == notStored && strings.Contains(api.Description, "maximum")
}

// isGone tells of a stream that is not there: the servers may have been started again.
func isGone(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound)
}
