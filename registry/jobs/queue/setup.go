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

// names are the names of a queue's parts on the servers.
type names struct {
	stream  string
	jobs    string // the beginning of the subjects of messages
	answers string // the beginning of the subjects of answers
}

func namesOf(log string) names {
	return names{stream: log + "-jobs", jobs: log + ".job.", answers: log + ".answer."}
}

// workers is the consumer that all workers take messages from.
const workers = "workers"

// Where a worker requests messages, and where it reports on one.
func (n names) next() string { return "$JS.API.CONSUMER.MSG.NEXT." + n.stream + "." + workers }
func (n names) done() string { return "$JS.ACK." + n.stream + "." + workers + "." }

// The limits of the queue. Messages that nobody waits for any more are dropped after maxAge.
const (
	maxOrders     = 4096
	maxOrderBytes = 64 << 20
	maxAge        = time.Hour
)

// setUp creates the missing parts of the queue.
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

// look returns how many messages wait, and how many are worked on.
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

// notStored is the error for a message that no stream accepts.
const notStored jetstream.ErrorCode = 10077

// isQueued reports whether the error means that the message is in the queue already.
func isQueued(err error) bool {
	api := link.APIError(err)
	return api != nil && api.ErrorCode == notStored && strings.Contains(api.Description, "per subject")
}

// isFull reports whether the error means that the queue has no room.
func isFull(err error) bool {
	api := link.APIError(err)
	return api != nil && api.ErrorCode == notStored && strings.Contains(api.Description, "maximum")
}

// isGone reports whether the error means that the stream does not exist: the servers may have been restarted.
func isGone(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound)
}
