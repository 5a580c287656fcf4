package queue

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events/natslog/link"
)

// put publishes a message into the queue. The message may be there already, or the queue may be full.
func (q *Queue) put(ctx context.Context, subject string, data []byte) (full bool, err error) {
	for p := q.servers.Patience("put work into the queue"); ; {
		err := q.servers.Attempt(ctx, subject, func(ctx context.Context) error {
			_, err := q.servers.JS.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: data}, jetstream.WithRetryAttempts(0))
			return err
		})
		switch {
		case err == nil, isQueued(err):
			return false, nil
		case isFull(err):
			return true, nil
		case isGone(err):
			if _, err := q.setUp(ctx, q.servers, q.o.redeliverAfter); err != nil {
				return false, err
			}
			p.Extend() // the servers answer
		case ctx.Err() != nil:
			return false, context.Cause(ctx)
		case !link.Passing(err):
			return false, fmt.Errorf("put work into the queue: %w", err)
		}
		if err := p.Wait(ctx, err); err != nil {
			return false, err
		}
	}
}
