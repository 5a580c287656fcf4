package queue

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"assay/events/natslog/link"
	"assay/registry/jobs"
)

// maxDeliveries is how many workers may take a message. After that, no worker is assumed to survive it.
const maxDeliveries = 8

// answer is a worker's answer to a message, or a part of it.
type answer struct {
	First   int           `cbor:"1,keyasint"`           // index of the first job
	Results [][]byte      `cbor:"2,keyasint"`           // of this job and those after it
	Took    time.Duration `cbor:"3,keyasint,omitempty"` // for all jobs; in one part only
	Failed  string        `cbor:"4,keyasint,omitempty"` // why there are no results
	Back    bool          `cbor:"5,keyasint,omitempty"` // the worker ends, and has removed the message from the queue
	Worker  string        `cbor:"6,keyasint,omitempty"` // the worker's name for itself, which no other worker has
}

// worker takes messages and does them.
type worker struct {
	names
	redeliverAfter time.Duration
	servers        *link.Link
	kinds          jobs.Kinds
	name           string // for messages

	mu     sync.Mutex // guards the fields below
	opened map[string]doer
}

// doer does a job of a kind under a setting.
type doer = func(ctx context.Context, job []byte) ([]byte, error)

// Work takes messages from the queue and does them on all cores, until the context ends. Then it returns the messages
// that it has not done, and nil. Ready is called unless the servers refuse this worker. Work survives servers that do
// not answer.
func Work(ctx context.Context, o Options, kinds jobs.Kinds, ready func()) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	if err := link.CheckName(o.Log); err != nil {
		return err
	}
	w := &worker{
		names: namesOf(o.Log), redeliverAfter: or(o.redeliverAfter, redeliverAfter), kinds: kinds, opened: map[string]doer{},
		name: fmt.Sprintf("worker %d on %s, %s", os.Getpid(), host, nuid.Next()),
	}
	if w.servers, err = link.Open(ctx, o.Options); err != nil {
		return fmt.Errorf("worker of %s: %w", o.Redacted(), err)
	}
	defer w.servers.Close()
	if err := w.run(ctx, ready); err != nil {
		return fmt.Errorf("worker of %s: %w", o.Redacted(), err)
	}
	return nil
}

func (w *worker) run(ctx context.Context, ready func()) error {
	guarded, end := w.servers.Guard(ctx, w.next(), w.done(), w.answers)
	defer end()
	err := w.takeAll(guarded, sync.OnceFunc(ready))
	if ctx.Err() == nil {
		return err
	}
	w.servers.NC.FlushTimeout(time.Second) // servers that do not receive this redeliver after redeliverAfter
	return nil
}

// takeAll takes messages until the context ends, each when it can be done at once. There are two places for each core,
// so that a core does not wait for its next message.
func (w *worker) takeAll(ctx context.Context, ready func()) error {
	consumer, err := w.setUp(ctx, w.servers, w.redeliverAfter)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	defer all.Wait()
	asking := make(chan struct{})
	defer close(asking) // before the running messages end
	places := make(chan struct{}, 2*runtime.GOMAXPROCS(0))
	take := w.atOnce
	for {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		message, err := take(ctx, consumer)
		if err == nil && ctx.Err() == nil {
			ready()
			take = w.take
		}
		if message != nil {
			all.Go(func() {
				w.handle(ctx, message, asking)
				<-places
			})
			continue
		}
		<-places
		if err != nil && ctx.Err() == nil {
			w.servers.Logger().Warn("waiting for the queue", "error", err)
			if consumer, err = w.findAgain(ctx); err == nil {
				w.servers.Logger().Info("the queue is there again")
			} else if ctx.Err() == nil {
				return err
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// How long the servers may keep a request for a message waiting, and how often they confirm that they know of it.
const (
	askFor    = 30 * time.Second
	heartbeat = time.Second
)

// take requests the next message and waits for it; nil when there is none yet. Each request stands alone, because the
// iterator of jetstream may request nothing when a message comes very soon. Restarted servers forget requests, and a
// cluster loses them while not all of its servers know the consumer. Missing heartbeats show this, and are an error.
func (w *worker) take(ctx context.Context, consumer jetstream.Consumer) (*heldMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, askFor)
	defer cancel()
	since := w.servers.NC.Stats().Reconnects
	message, err := consumer.Next(jetstream.FetchContext(ctx), jetstream.FetchHeartbeat(heartbeat))
	switch {
	case err == nil:
		return &heldMessage{message, w.servers, since}, nil
	case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return nil, nil
	}
	return nil, err
}

// atOnce is take for a message that waits already. If the servers refuse this worker's requests, they have said so by
// then.
func (w *worker) atOnce(ctx context.Context, consumer jetstream.Consumer) (message *heldMessage, err error) {
	since := w.servers.NC.Stats().Reconnects
	err = w.servers.Attempt(ctx, w.next(), func(context.Context) error {
		batch, err := consumer.FetchNoWait(1)
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			message = &heldMessage{m, w.servers, since}
		}
		return batch.Error()
	})
	return message, err
}

// findAgain creates what the servers may have lost of the queue, however long they do not answer.
func (w *worker) findAgain(ctx context.Context) (jetstream.Consumer, error) {
	for p := w.servers.Patience("find the queue again"); ; {
		consumer, err := w.setUp(ctx, w.servers, w.redeliverAfter)
		if err == nil || !link.Passing(err) && !errors.Is(err, link.ErrNoAnswer) {
			return consumer, err
		}
		p.Extend()
		if err := p.Wait(ctx, err); err != nil {
			return nil, err
		}
	}
}

// handle does a message, answers it, and removes it from the queue. When the context ends, the message is returned, but
// only after the worker's last request. Otherwise the servers might deliver it to this worker again, which would not
// receive it.
func (w *worker) handle(ctx context.Context, message *heldMessage, asking <-chan struct{}) {
	quiet := message.workedOn(w.redeliverAfter / 3)
	parts := w.answerOf(ctx, message)
	quiet()
	if ctx.Err() != nil {
		<-asking
		if message.takeOut() == nil { // the waiting process submits it again
			w.send(message, answer{Back: true})
		}
		return
	}
	for _, part := range parts {
		if err := w.send(message, part); err != nil {
			w.servers.Logger().Warn("an answer cannot be sent", "error", err)
			return
		}
	}
	message.say(message.Ack) // if this is lost, the message is redelivered
}

// send sends a part of the answer to a message.
func (w *worker) send(message *heldMessage, part answer) error {
	part.Worker = w.name
	data, err := cbor.Marshal(part)
	if err != nil {
		return err
	}
	return w.servers.NC.Publish(w.answers+strings.TrimPrefix(message.Subject(), w.jobs), data)
}

// answerOf does the jobs of a message.
func (w *worker) answerOf(ctx context.Context, message *heldMessage) []answer {
	start := time.Now()
	results, err := w.do(ctx, message)
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

func (w *worker) do(ctx context.Context, message *heldMessage) ([][]byte, error) {
	meta, err := message.Metadata()
	if err != nil {
		return nil, err
	}
	if meta.NumDelivered > maxDeliveries {
		return nil, fmt.Errorf("a message was taken %d times, and no worker lived to answer it", maxDeliveries)
	}
	var o jobs.Message
	if err := cbor.Unmarshal(message.Data(), &o); err != nil {
		return nil, fmt.Errorf("read a message: %w", err)
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

// doer returns the function that does the jobs of a message, from its cache if possible.
func (w *worker) doer(o jobs.Message) (doer, error) {
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
