// Package queue is a jobs.Crew on NATS JetStream: jobs go into a work queue, and any number of workers take them from there.
//
// # Layout
//
// Beside a log with the name ASSAY there are
//
//	stream ASSAY-jobs, in memory,             one message for several jobs, until a worker has answered it
//	    subjects ASSAY.job.<run>.<number>
//	its consumer workers                      where all workers take messages
//	subjects ASSAY.answer.<run>.<number>      the answers, which are not stored
//
// A run is one Queue, and it numbers its messages.
//
// # Nothing is lost, nothing counts twice
//
// The result of a job depends only on the job, so it may be done any number of times. A worker repeatedly tells the
// servers that it works on a message. When they hear nothing for redeliverAfter, they deliver the message to another
// worker. A worker acknowledges a message once it has sent the answer. When it is told to end, it returns the message
// to the asker and acknowledges it.
//
// The asker publishes a message again when no answer comes. While the message is in the queue, the servers refuse the
// second copy. If the message is not in the queue, the answer was lost, or the servers have lost the queue. The first
// answer counts, and later ones are dropped. A worker that has connected again does not acknowledge an older message,
// because the servers may have given its number to another one. It still sends the answer.
//
// # Workers are not trusted
//
// First the check of the kind looks at each result. Then some jobs are done again in this process, and their results
// must be the same bytes: the first results of each worker, one of every 64 after them, drawn where no worker sees it,
// and each result that no check can confirm. A worker that fails gets no more jobs from this run. This answer and its
// earlier ones are computed again here.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"

	"assay/events/natslog/link"
	"assay/events/plain"
	"assay/registry/jobs"
)

// Options say where the queue is, and as which user to connect.
type Options struct {
	link.Options
	Log string // the name of the log's stream; the queue's stream is named after it

	again, redeliverAfter time.Duration   // for tests; 0 means the constants
	random                func(n int) int // for tests; nil draws a random number below n
}

const (
	// again is how long to wait for an answer before the message is published again.
	again = 5 * time.Second
	// How long to wait before a message is published again after the queue was full: first, and at most.
	minPause = 100 * time.Millisecond
	maxPause = 2 * time.Second
	// redeliverAfter is how long the servers wait for a sign of life of a message's worker before they deliver it to
	// another.
	redeliverAfter = 5 * time.Second
	// tellAfter is after how many waits without an answer the log says that workers are waited for.
	tellAfter = 2
)

// room is how many messages may wait for answers at the same time: this many cores of workers have work.
const room = 64

// A message has as many jobs as take about aim, and maxSize at most. At first messages grow slowly, each to a part of
// what was submitted before it, so that little work is also spread over many workers.
const (
	aim     = 100 * time.Millisecond
	maxSize = 256
	growth  = 16
)

// maxBytes is the largest message with more than one job or result. Every server that can store a log accepts it.
const maxBytes = 200 << 10

// Queue is the crew of all workers. All methods may be called from any goroutine.
type Queue struct {
	names
	o    Options
	run  string
	last atomic.Uint64 // number of the last message

	gate    chan struct{} // guards the fields below; a context can end the wait for it
	servers *link.Link    // nil until there is work; after connect it may be read without gate
	closed  bool

	own *view // of who has the queue for itself

	mu     sync.Mutex // guards the fields below
	open   map[string]*pendingMessage
	liars  map[string]string // worker: why its results are not taken any more
	handed int               // jobs so far
	pace   time.Duration     // what a job takes, of late; 0 before the first
	heard  time.Time         // the time of the last answer, or of the beginning
	told   time.Time         // when the log last said that workers are waited for
}

var _ jobs.Crew = (*Queue)(nil)

// Open returns the queue of a log. When there is work for it, it connects to the servers, and creates the queue if
// there is none.
func Open(o Options) (*Queue, error) {
	if err := link.CheckName(o.Log); err != nil {
		return nil, err
	}
	o.again, o.redeliverAfter = or(o.again, again), or(o.redeliverAfter, redeliverAfter)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.random == nil {
		o.random = secretly
	}
	q := &Queue{names: namesOf(o.Log), o: o, run: nuid.Next(), gate: make(chan struct{}, 1), open: map[string]*pendingMessage{}, liars: map[string]string{}}
	q.own = newView(q, o.Logger)
	return q, nil
}

func or(given, otherwise time.Duration) time.Duration {
	if given > 0 {
		return given
	}
	return otherwise
}

// connect connects to the servers if there is no connection yet.
func (q *Queue) connect(ctx context.Context) error {
	select {
	case q.gate <- struct{}{}:
		defer func() { <-q.gate }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	switch {
	case q.closed:
		return link.ErrClosed
	case q.servers != nil:
		return nil
	}
	servers, err := link.Open(ctx, q.o.Options)
	if err != nil {
		return err
	}
	if _, err = q.setUp(ctx, servers, q.o.redeliverAfter); err == nil {
		_, err = servers.NC.Subscribe(q.answers+q.run+".*", q.hear)
	}
	if err != nil {
		servers.Close()
		return err
	}
	q.servers = servers
	return nil
}

// Close ends the connection. Requests that wait for an answer get an error.
func (q *Queue) Close() {
	q.gate <- struct{}{}
	defer func() { <-q.gate }()
	if q.closed = true; q.servers != nil {
		q.servers.Close()
	}
}

// Room is as in jobs.Crew.
func (q *Queue) Room() int { return room }

// Size is as in jobs.Crew. It is one until it is known how long a job takes.
func (q *Queue) Size() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.pace == 0 {
		return 1
	}
	return max(min(int(aim/q.pace), q.handed/growth, maxSize), 1)
}

// Do is as in jobs.Crew. It waits for workers until the context ends, and logs this.
func (q *Queue) Do(ctx context.Context, c jobs.Chunk) error { return q.own.Do(ctx, c) }

// Liars is as in jobs.Crew.
func (q *Queue) Liars(ctx context.Context) []jobs.Liar { return q.own.Liars(ctx) }

// Telling returns the same queue with another logger. The logger gets a line when workers are waited for, and when one
// lies.
func (q *Queue) Telling(who *slog.Logger) jobs.Crew { return newView(q, who) }

// fitting returns how many of the texts fit into one message, at least one.
func fitting(list [][]byte) int {
	size := 0
	for i, data := range list {
		if size += len(data) + 4; size > maxBytes && i > 0 {
			return i
		}
	}
	return len(list)
}

// pendingMessage is a message that waits for its answer.
type pendingMessage struct {
	jobs  int
	parts map[string]*parts // by worker: an answer comes whole from one worker
	got   messageResult
	done  chan struct{} // closed when it is answered
	back  chan struct{} // signalled when a worker returned the message
}

// parts are the results of a message from one worker.
type parts struct {
	results [][]byte
	missing int
}

// messageResult is the result of a message.
type messageResult struct {
	worker  string
	results [][]byte // one for each job, unless there is a lie
	lie     string   // what is wrong with the answer, or with the worker
	failed  string   // why the worker cannot do it
}

// ask lets a worker do a message.
func (q *Queue) ask(ctx context.Context, o jobs.Message, who *slog.Logger) (got messageResult, err error) {
	data, err := cbor.Marshal(o)
	if err != nil {
		return got, err
	}
	number := strconv.FormatUint(q.last.Add(1), 10)
	a := q.begin(number, len(o.Jobs))
	defer q.end(number)
	ctx, release := q.servers.Guard(ctx, q.jobs, q.answers)
	defer release()
	for fullPause := minPause; ; {
		full, err := q.put(ctx, q.jobs+q.run+"."+number, data)
		if err != nil {
			return got, err
		}
		pause := q.o.again
		if full {
			pause = min(pause, fullPause)
			fullPause = min(2*fullPause, maxPause)
		}
		select {
		case <-a.done:
			if a.got.failed != "" {
				return got, errors.New(a.got.failed)
			}
			return a.got, nil
		case <-a.back:
		case <-time.After(pause):
			q.tell(ctx, who)
		case <-ctx.Done():
			return got, context.Cause(ctx)
		}
	}
}

func (q *Queue) begin(number string, n int) *pendingMessage {
	a := &pendingMessage{jobs: n, parts: map[string]*parts{}, done: make(chan struct{}), back: make(chan struct{}, 1)}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.open) == 0 {
		q.heard = time.Now()
	}
	q.open[number], q.handed = a, q.handed+n
	return a
}

func (q *Queue) end(number string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.open, number)
}

// hear receives an answer, or a part of one.
func (q *Queue) hear(m *nats.Msg) {
	got, lie := readAnswer(m.Data)
	number := m.Subject[strings.LastIndexByte(m.Subject, '.')+1:]
	q.mu.Lock()
	defer q.mu.Unlock()
	a, waiting := q.open[number]
	if !waiting || a.isDone() {
		return
	}
	q.heard = time.Now()
	if got.Back {
		select {
		case a.back <- struct{}{}:
		default: // a signal is waiting already
		}
		return
	}
	if why, known := q.liars[got.Worker]; known && lie == "" {
		lie = why
	}
	switch {
	case lie != "":
		a.end(messageResult{worker: got.Worker, lie: lie})
	case got.Failed != "":
		a.end(messageResult{worker: got.Worker, failed: got.Failed})
	default:
		if got.Took > 0 {
			q.paced(got.Took / time.Duration(a.jobs))
		}
		a.take(got)
	}
}

// The largest sizes, in bytes, of a worker's name and of its reason for not doing a message.
const (
	maxName   = 200
	maxFailed = 2000
)

// readAnswer reads an answer, or says what is wrong with it.
func readAnswer(data []byte) (got answer, lie string) {
	err := cbor.Unmarshal(data, &got)
	switch {
	case err != nil:
		return answer{}, fmt.Sprintf("its answer cannot be read: %v", err)
	case len(got.Worker) > maxName || plain.Check(got.Worker) != nil:
		return answer{}, fmt.Sprintf("it calls itself %.40q", got.Worker)
	case len(got.Failed) > maxFailed:
		got.Failed = got.Failed[:maxFailed]
	}
	return got, ""
}

func (a *pendingMessage) isDone() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

func (a *pendingMessage) end(with messageResult) {
	a.got = with
	close(a.done)
}

// maxWorkers is how many workers may be answering a message at the same time: as many as may take it.
const maxWorkers = maxDeliveries

// take adds a part of an answer.
func (a *pendingMessage) take(got answer) {
	p, begun := a.parts[got.Worker]
	if !begun {
		if len(a.parts) == maxWorkers {
			return
		}
		p = &parts{results: make([][]byte, a.jobs), missing: a.jobs}
		a.parts[got.Worker] = p
	}
	if got.First < 0 || got.First > a.jobs || len(got.Results) > a.jobs-got.First {
		a.end(messageResult{worker: got.Worker, lie: fmt.Sprintf("it gives results %d to %d of %d jobs", got.First+1, got.First+len(got.Results), a.jobs)})
		return
	}
	for i, r := range got.Results {
		if r == nil {
			a.end(messageResult{worker: got.Worker, lie: "it gives no result for a job"})
			return
		}
		if p.results[got.First+i] == nil {
			p.missing--
		}
		p.results[got.First+i] = r
	}
	if p.missing == 0 {
		a.end(messageResult{worker: got.Worker, results: p.results})
	}
}

// paced includes the time of a job in the pace, which follows the last few messages.
func (q *Queue) paced(took time.Duration) {
	if q.pace == 0 {
		q.pace = took
	}
	q.pace = max((3*q.pace+took)/4, 1)
}

// tell logs that workers are waited for, when no answer has come for long.
func (q *Queue) tell(ctx context.Context, who *slog.Logger) {
	q.mu.Lock()
	now := time.Now()
	quiet := now.Sub(q.heard) < tellAfter*q.o.again || now.Sub(q.told) < tellAfter*q.o.again
	if !quiet {
		q.told = now
	}
	q.mu.Unlock()
	if quiet {
		return
	}
	info, err := q.look(ctx, q.servers)
	if err != nil {
		return // the servers do not answer; the publisher of the message logs that
	}
	who.Warn("waiting for workers (assay worker)", "waiting", info.NumPending, "worked_on", info.NumAckPending)
}
