package queue

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events/natslog/link"
)

// heldMessage is a message that a worker has, with the connection through which it came. Over a later connection an
// answer could belong to another message, because restarted servers have lost the queue and number the messages again.
type heldMessage struct {
	jetstream.Msg
	servers *link.Link
	since   uint64 // the number of reconnections at that time
}

// say tells the servers the state of the message, unless the connection is another. If this is lost, the servers
// redeliver the message.
func (h *heldMessage) say(what func() error) error {
	if h.servers.NC.Stats().Reconnects != h.since {
		return nats.ErrConnectionReconnecting
	}
	return what()
}

// workedOn repeatedly tells the servers that the message is worked on, until it is stopped.
func (h *heldMessage) workedOn(every time.Duration) (quiet func()) {
	tick, end, ended := time.NewTicker(every), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				h.say(h.InProgress) // the next call says it as well
			case <-end:
				return
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// takeOut removes the message from the queue, and makes sure of it.
func (h *heldMessage) takeOut() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return h.say(func() error { return h.DoubleAck(ctx) })
}
