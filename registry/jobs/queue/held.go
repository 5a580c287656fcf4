package queue

import (
	"context"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events/natslog/link"
)

// held is a message that a worker has, and the connection that it came by. What is said of it over a later one may be
// taken to be of another message: servers that were started again have lost the queue, and number the messages again.
type held struct {
	jetstream.Msg
	servers *link.Link
	since   uint64 // how often the servers had been connected to again
}

// say tells the servers something of the message, unless the connection is another. When that is lost, their hearing
// nothing has the message done again.
func (h *held) say(what func() error) error {
	if h.servers.NC.Stats().Reconnects != h.since {
		return nats.ErrConnectionReconnecting
	}
	return what()
}

// workedOn says again and again that the message is worked on, until it is told to be quiet.
func (h *held) workedOn(every time.Duration) (quiet func()) {
	tick, end, ended := time.NewTicker(every), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				h.say(h.InProgress) // the next one says it as well
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

// takeOut takes the message out of the queue, and is sure of it.
func (h *held) takeOut() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return h.say(func() error { return h.DoubleAck(ctx) })
}
