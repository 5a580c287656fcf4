package queue

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/nats-io/nats.go/jetstream"

	"assay/events/natslog/link"
	"assay/registry/jobs"
)

// maxDeliveries is how many workers may take an order before it is taken to be one that no worker survives.
const maxDeliveries = 8

// answer is what a worker gives for an order, or a part of it.
type answer struct {
	First   int           `cbor:"1,keyasint"`           // job
	Results [][]byte      `cbor:"2,keyasint"`           // of it and those after it
	Took    time.Duration `cbor:"3,keyasint,omitempty"` // for all jobs; in one part only
	Failed  string        `cbor:"4,keyasint,omitempty"` // why there are no results
}

// worker takes orders and does them.
type worker struct {
	names
	silence time.Duration
	servers *link.Link
	kinds   jobs.Kinds
	name    string // for messages

	mu     sync.Mutex // guards what follows
	opened map[string]doer
}

// doer does a job of a kind under a setting.
type doer = func(ctx context.Context, job []byte) ([]byte, error)

// Work takes orders from the queue and does them on all cores, until the context ends: then it gives back what it has
// not done, and nil. Ready is called when it begins. It outlasts servers that do not answer.
func Work(ctx context.Context, o Options, kinds jobs.Kinds, ready func()) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w := &worker{
		names: namesOf(o.Log), silence: or(o.silence, silence), kinds: kinds, opened: map[string]doer{},
		name: fmt.Sprintf("worker %d on %s", os.Getpid(), host),
	}
	if w.servers, err = link.Open(ctx, o.Options); err != nil {
		return fmt.Errorf("worker of %s: %w", o.URL, err)
	}
	defer w.servers.Close()
	if err := w.run(ctx, ready); err != nil {
		return fmt.Errorf("worker of %s: %w", o.URL, err)
	}
	return nil
}

func (w *worker) run(ctx context.Context, ready func()) error {
	guarded, end := w.servers.Guard(ctx, w.next(), w.done(), w.answers)
	defer end()
	consumer, err := w.setUp(guarded, w.servers, w.silence)
	if err != nil {
		return err
	}
	ready()
	for {
		err := w.take(guarded, consumer)
		if guarded.Err() == nil {
			w.servers.Logger().Warn("waiting for the queue", "error", err)
			consumer = w.findAgain(guarded)
		}
		switch {
		case ctx.Err() != nil:
			w.servers.NC.FlushTimeout(time.Second) // what servers that are away do not hear, silence says
			return nil
		case guarded.Err() != nil:
			return context.Cause(guarded)
		}
	}
}

// findAgain makes what the servers may have lost of the queue, however long they do not answer.
func (w *worker) findAgain(ctx context.Context) jetstream.Consumer {
	for p := w.servers.Patience("find the queue again"); ; p.Extend() {
		consumer, err := w.setUp(ctx, w.servers, w.silence)
		if err == nil || p.Wait(ctx, err) != nil {
			return consumer
		}
	}
}

// heartbeat is how often the servers say that they know of a worker that asks for orders. A cluster may lose what it is
// asked as long as not all of its servers know of the consumer; without two heartbeats the worker asks again.
const heartbeat = 2 * time.Second

// take takes orders, each when there is a place where it is done at once, until that fails or the context ends. There
// are two places a core, so that a core does not wait for its next order.
func (w *worker) take(ctx context.Context, consumer jetstream.Consumer) error {
	orders, err := consumer.Messages(jetstream.PullMaxMessages(1), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return err
	}
	defer orders.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	places := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	for {
		places <- struct{}{}
		order, err := orders.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		all.Go(func() {
			w.handle(ctx, order)
			<-places
		})
	}
}

// handle does an order, answers it, and takes it out of the queue. When the context ends it is given back.
func (w *worker) handle(ctx context.Context, order jetstream.Msg) {
	since := w.connection()
	quiet := w.sayThatItIsWorkedOn(order, since)
	parts := w.answerOf(ctx, order)
	quiet()
	if ctx.Err() != nil {
		if w.connection() == since {
			order.Nak() // when this is lost, silence says the same
		}
		return
	}
	where := w.answers + strings.TrimPrefix(order.Subject(), w.jobs)
	for _, part := range parts {
		data, err := cbor.Marshal(part)
		if err == nil {
			err = w.servers.NC.Publish(where, data)
		}
		if err != nil {
			w.servers.Logger().Warn("an answer cannot be sent", "error", err)
			return
		}
	}
	if w.connection() == since {
		order.Ack() // when this is lost, the order is done again
	}
}

// connection numbers the connections to the servers. What is said of an order over a later one than it came by may be
// taken to be of another order: servers that were started anew have lost the queue, and number the orders anew.
func (w *worker) connection() uint64 { return w.servers.NC.Stats().Reconnects }

// sayThatItIsWorkedOn tells the servers again and again, until it is told to be quiet or the connection is another.
func (w *worker) sayThatItIsWorkedOn(order jetstream.Msg, since uint64) (quiet func()) {
	tick, end, ended := time.NewTicker(w.silence/3), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if w.connection() == since {
					order.InProgress() // the next one says it as well
				}
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

// answerOf does the jobs of an order.
func (w *worker) answerOf(ctx context.Context, order jetstream.Msg) []answer {
	start := time.Now()
	results, err := w.do(ctx, order)
	if err != nil {
		return []answer{{Failed: fmt.Sprintf("%s: %v", w.name, err)}}
	}
	var parts []answer
	for first := 0; first < len(results); {
		n := fitting(results[first:])
		parts = append(parts, answer{First: first, Results: results[first : first+n]})
		first += n
	}
	if len(parts) > 0 {
		parts[0].Took = time.Since(start)
	}
	return parts
}

func (w *worker) do(ctx context.Context, order jetstream.Msg) ([][]byte, error) {
	if meta, err := order.Metadata(); err != nil || meta.NumDelivered > maxDeliveries {
		return nil, fmt.Errorf("an order was taken %d times, and no worker lived to answer it", maxDeliveries)
	}
	var o jobs.Order
	if err := cbor.Unmarshal(order.Data(), &o); err != nil {
		return nil, fmt.Errorf("read an order: %w", err)
	}
	do, err := w.doer(o)
	if err != nil {
		return nil, err
	}
	results := make([][]byte, len(o.Jobs))
	for i, job := range o.Jobs {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if results[i], err = do(ctx, job); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// maxOpened is how many settings are kept open.
const maxOpened = 16

// doer opens what does the jobs of an order, or finds it open.
func (w *worker) doer(o jobs.Order) (doer, error) {
	key := o.Kind + "\x00" + string(o.Setting)
	w.mu.Lock()
	defer w.mu.Unlock()
	if do, ok := w.opened[key]; ok {
		return do, nil
	}
	do, err := w.kinds.Open(o.Kind, o.Setting)
	if err != nil {
		return nil, err
	}
	if len(w.opened) == maxOpened {
		clear(w.opened)
	}
	w.opened[key] = do
	return do, nil
}
