package queue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay/events/natslog/link"
	"assay/events/natslog/natstest"
	"assay/registry/jobs"
)

func TestMain(m *testing.M) {
	natstest.Main()
	goleak.VerifyTestMain(m)
}

// padded writes a number, and after it as many bytes as the setting says.
var padded = jobs.Kind[int, int, []byte]{Name: "padded", Title: func(i int) string { return fmt.Sprint(i) }, Check: noNil, Open: func(n int) (func(context.Context, int) []byte, error) {
	if n < 0 {
		return nil, errors.New("less than nothing")
	}
	return func(_ context.Context, i int) []byte { return append([]byte(fmt.Sprint(i, " ")), make([]byte, n)...) }, nil
}}

// noNil refuses results that are too short, and doubts those of every hundredth job.
func noNil(padding int) (func(context.Context, int, *[]byte) (bool, error), error) {
	return func(_ context.Context, i int, r *[]byte) (bool, error) {
		if len(*r) < padding+2 {
			return false, fmt.Errorf("%d bytes", len(*r))
		}
		return i%100 == 99, nil
	}, nil
}

func kinds() jobs.Kinds {
	k := jobs.Kinds{}
	jobs.Add(k, padded)
	return k
}

// options are for a queue whose waiting is short.
func options(url, log string) Options {
	return Options{Options: link.Options{URL: url}, Log: log, again: 100 * time.Millisecond, redeliverAfter: 500 * time.Millisecond}
}

func open(t testing.TB, o Options) *Queue {
	t.Helper()
	q, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	natstest.Until(t, "servers that make the queue", func() bool { return q.connect(t.Context()) == nil })
	return q
}

// work runs a worker, and gives what ends it.
func work(t testing.TB, o Options, k jobs.Kinds) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- Work(ctx, o, k, func() { close(ready) }) }()
	select {
	case <-ready:
	case err := <-done:
		t.Fatal(err)
	}
	end = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

// ask has the numbers below n padded in the queue, and checks the results.
func ask(ctx context.Context, q *Queue, n, padding int, told func(i int)) error {
	w, err := padded.Under(padding)
	if err != nil {
		return err
	}
	items := func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
	var failed error
	all := jobs.Spread(ctx, q, items, func(ctx context.Context, part []int) []error {
		results, err := jobs.Do(ctx, q, w, part...)
		if err != nil {
			return []error{err}
		}
		out := make([]error, len(part))
		for i, r := range results {
			if want := append([]byte(fmt.Sprint(part[i], " ")), make([]byte, padding)...); !bytes.Equal(r, want) {
				out[i] = fmt.Errorf("the result of %d is %.20q, of %d bytes", part[i], r, len(r))
			}
		}
		return out
	})
	got := 0
	for err := range all {
		failed = errors.Join(failed, err)
		if told != nil {
			told(got)
		}
		got++
	}
	if failed == nil && got != n {
		failed = fmt.Errorf("%d results of %d", got, n)
	}
	return failed
}

func mustAsk(t testing.TB, q *Queue, n, padding int) {
	t.Helper()
	if err := ask(t.Context(), q, n, padding, nil); err != nil {
		t.Fatal(err)
	}
}

// Work that workers do has the same results in the same order, while some of them end and others begin.
func TestWorkersComeAndGo(t *testing.T) {
	for name, url := range map[string]string{"one server": natstest.One(t).ClientURL(), "cluster": natstest.StartCluster(t).URL()} {
		o := options(url, "ASSAY")
		q := open(t, o)
		end := work(t, o, kinds())
		beside := open(t, o)
		other := make(chan error, 1)
		go func() { other <- ask(t.Context(), beside, 3000, 1, nil) }()
		err := ask(t.Context(), q, 20_000, 10, func(i int) {
			if i%4000 == 3999 {
				end()
				end = work(t, o, kinds())
			}
		})
		if err := errors.Join(err, <-other); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if q.Size() < 2 {
			t.Errorf("%s: the messages did not grow", name)
		}
		natstest.Until(t, "an empty queue", func() bool {
			info, err := q.look(t.Context(), q.servers)
			return err == nil && info.NumPending == 0 && info.NumAckPending == 0
		})
	}
}

// Jobs and results that are too many bytes for one message go in several.
func TestMuchWork(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	work(t, o, kinds())
	mustAsk(t, open(t, o), 100, 100_000)
	if got := fitting([][]byte{make([]byte, maxBytes+1), nil}); got != 1 {
		t.Error(got)
	}
	if got := fitting(slices.Repeat([][]byte{make([]byte, maxBytes/4)}, 9)); got != 3 {
		t.Error(got)
	}
}

// taken takes messages as a worker does, and is silent from then on.
func taken(t testing.TB, o Options, n int) {
	t.Helper()
	l, err := link.Open(t.Context(), o.Options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	consumer, err := namesOf(o.Log).setUp(t.Context(), l, o.redeliverAfter)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := consumer.Fetch(n, jetstream.FetchMaxWait(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	for range batch.Messages() {
		n--
	}
	if n != 0 || batch.Error() != nil {
		t.Fatal(n, batch.Error())
	}
}

// later asks in a goroutine of its own.
func later(t testing.TB, q *Queue, n int) <-chan error {
	done := make(chan error, 1)
	go func() { done <- ask(t.Context(), q, n, 1, nil) }()
	return done
}

func TestAnOrderOfAWorkerThatFallsSilentIsDone(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	done := later(t, open(t, o), 50)
	taken(t, o, 7)
	work(t, o, kinds())
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A job that takes longer than a worker may be silent is done by one worker, once.
func TestALongJobIsDoneOnce(t *testing.T) {
	t.Parallel()
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	o.redeliverAfter, o.again = 4*time.Second, time.Minute // submitted again just when the answer is on its way it would be done again
	var times atomic.Int32
	slow := jobs.Kind[int, int, []byte]{Name: "padded", Open: func(int) (func(context.Context, int) []byte, error) {
		return func(ctx context.Context, i int) []byte {
			times.Add(1)
			timer := time.NewTimer(o.redeliverAfter * 3 / 2)
			defer timer.Stop()
			<-timer.C
			return []byte(fmt.Sprint(i, " \x00"))
		}, nil
	}}
	k := jobs.Kinds{}
	jobs.Add(k, slow)
	work(t, o, k)
	work(t, o, k)
	mustAsk(t, open(t, o), 1, 1)
	if n := times.Load(); n != 1 {
		t.Errorf("it was done %d times", n)
	}
}

// A message that no worker survives ends with an error, not with all workers.
func TestAnOrderThatNoWorkerSurvives(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	o.redeliverAfter = 50 * time.Millisecond
	done := later(t, open(t, o), 1)
	for range maxDeliveries {
		taken(t, o, 1)
	}
	work(t, o, kinds())
	if err := <-done; err == nil || !strings.Contains(err.Error(), "no worker lived to answer it") {
		t.Error(err)
	}
}

// Answers that are lost with the connection of who waits for them are given again.
func TestAnswersThatAreLost(t *testing.T) {
	s := natstest.One(t)
	proxy := natstest.StartProxy(t, strings.TrimPrefix(s.ClientURL(), "nats://"))
	o := options(s.ClientURL(), "ASSAY")
	own := o
	told := natstest.NewHeard()
	own.URL, own.Logger = "nats://"+proxy.Address(), told.Logger()
	q := open(t, own)
	done := later(t, q, 100)
	told.Await(t, "waiting for workers (assay worker)")
	proxy.Cut()
	told.Await(t, "connection lost")
	work(t, o, kinds())
	beside := open(t, o)
	natstest.Until(t, "an empty queue", func() bool {
		info, err := beside.look(t.Context(), beside.servers)
		return err == nil && info.NumPending == 0 && info.NumAckPending == 0
	})
	told.Await(t, "waiting for NATS servers")
	proxy.Mend()
	if err := <-done; err != nil {
		t.Error(err)
	}
	told.Await(t, "connected again")
}

// Restarted servers have lost the queue: waiting processes and workers create it again.
func TestServersThatAreStartedAnew(t *testing.T) {
	so := natstest.Options(natstest.StoreDir(t))
	so.Port = natstest.FreePorts(t, 1)[0]
	s := natstest.Start(t, so.Clone())
	o := options(s.ClientURL(), "ASSAY")
	told := natstest.NewHeard()
	worker := o
	worker.Logger = told.Logger()
	end := work(t, worker, kinds())
	q := open(t, o)
	mustAsk(t, q, 10, 1)
	end()
	done := later(t, q, 100)
	natstest.Until(t, "messages", func() bool {
		info, err := q.look(t.Context(), q.servers)
		return err == nil && info.NumPending > 0
	})
	work(t, worker, endless)
	natstest.Until(t, "as many messages that are worked on as it has places", func() bool {
		info, err := q.look(t.Context(), q.servers)
		return err == nil && info.NumAckPending == 2*runtime.GOMAXPROCS(0)
	})
	natstest.Stop(s)
	natstest.Start(t, so)
	work(t, o, kinds())
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A worker outlasts servers that are away for longer than it has patience with an answer.
func TestAWorkerOutlastsItsServers(t *testing.T) {
	so := natstest.Options(natstest.StoreDir(t))
	so.Port = natstest.FreePorts(t, 1)[0]
	s := natstest.Start(t, so.Clone())
	o := options(s.ClientURL(), "ASSAY")
	told := natstest.NewHeard()
	worker := o
	worker.Logger, worker.Patience = told.Logger(), 300*time.Millisecond
	work(t, worker, kinds())
	natstest.Stop(s)
	told.Await(t, "waiting for the queue")
	<-time.After(5 * worker.Patience)
	natstest.Start(t, so)
	told.Await(t, "the queue is there again")
	mustAsk(t, open(t, o), 100, 1)
}

// A queue that is set up otherwise is refused, by who submits work and who does it.
func TestAQueueSetOtherwiseIsRefused(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	js := natstest.JetStream(t, o.URL)
	otherwise := jetstream.StreamConfig{Name: "ASSAY-jobs", Subjects: []string{"ASSAY.job.>"}, Retention: jetstream.WorkQueuePolicy, MaxMsgsPerSubject: 1}
	if _, err := js.CreateStream(t.Context(), otherwise); err != nil {
		t.Fatal(err)
	}
	q, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for who, err := range map[string]error{"hands in": ask(t.Context(), q, 100, 1, nil), "works": Work(t.Context(), o, kinds(), func() {})} {
		if !errors.Is(err, link.ErrSetOtherwise) || !strings.Contains(err.Error(), "discard per subject: false, not true") || !strings.Contains(err.Error(), "storage: File, not Memory") {
			t.Errorf("who %s: %v", who, err)
		}
	}
}

// endless is work that ends only with its worker.
var endless = jobs.Kinds{"padded": func([]byte) (doer, error) {
	return func(ctx context.Context, _ []byte) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }, nil
}}

// A worker that is told to end gives back what it has, however often that happens to a message; none has to fall silent
// for that.
func TestAWorkerThatEndsGivesBack(t *testing.T) {
	t.Parallel()
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	o.redeliverAfter, o.again = time.Hour, time.Hour
	q := open(t, o)
	done := later(t, q, 1)
	for range maxDeliveries + 2 {
		end := work(t, o, endless)
		natstest.Until(t, "a message that is worked on", func() bool {
			info, err := q.look(t.Context(), q.servers)
			return err == nil && info.NumAckPending == 1
		})
		end()
	}
	work(t, o, kinds())
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// While nothing fails a worker always asks for its next message: it never has to find the queue again.
func TestAWorkerKeepsAsking(t *testing.T) {
	t.Parallel()
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	told := natstest.NewHeard()
	worker := o
	worker.Logger = told.Logger()
	work(t, worker, kinds())
	work(t, worker, kinds())
	q := open(t, o)
	w, err := padded.Under(1)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range natstest.FullOr(20_000, 1500) {
				if _, err := jobs.Do(t.Context(), q, w, i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if text := told.Text(); text != "" {
		t.Errorf("the workers say\n%s", text)
	}
}

// A process that finds the queue full waits.
func TestAFullQueue(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	js := natstest.JetStream(t, o.URL)
	told := natstest.NewHeard()
	o.Logger = told.Logger()
	q := open(t, o)
	put := func(n int) error {
		_, err := js.Publish(t.Context(), fmt.Sprint("ASSAY.job.x.", n), nil)
		return err
	}
	for n := range maxOrders {
		if err := put(n); err != nil {
			t.Fatal(n, err)
		}
	}
	if err := put(0); !isQueued(err) {
		t.Errorf("put again: %v", err)
	}
	if err := put(maxOrders); !isFull(err) || isQueued(err) {
		t.Errorf("put into a full queue: %v", err)
	}
	done := later(t, q, 300)
	natstest.Until(t, "a full queue", func() bool {
		info, err := q.look(t.Context(), q.servers)
		return err == nil && info.NumPending == maxOrders
	})
	told.Await(t, `msg="waiting for workers (assay worker)" waiting=4096`)
	if text := told.Text(); strings.Contains(text, "NATS servers") {
		t.Errorf("servers that answer are waited for:\n%s", text)
	}
	work(t, o, kinds())
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What a worker cannot do says so, and which worker.
func TestWorkThatAWorkerCannotDo(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	work(t, o, jobs.Kinds{})
	want := fmt.Sprintf("worker %d on ", os.Getpid())
	if err := ask(t.Context(), open(t, o), 3, 1, nil); err == nil || !strings.Contains(err.Error(), `work of kind "padded" is not known here`) || !strings.Contains(err.Error(), want) {
		t.Error(err)
	}
}

// Answers that are none are lies: what was asked is done here, and the verb goes on.
func TestAnswersThatAreNone(t *testing.T) {
	s := natstest.One(t)
	for name, data := range map[string][]byte{
		"its answer cannot be read": []byte("no answer"), "it gives results 3 to 5 of 1 jobs": {0xa2, 1, 2, 2, 0x83, 0x40, 0x40, 0x40},
		"it gives no result for a job": {0xa2, 1, 0, 2, 0x81, 0xf6}, `it calls itself "\x1b"`: {0xa1, 6, 0x61, 0x1b},
		"0: the result cannot be read": {0xa2, 1, 0, 2, 0x81, 0x41, 0x61},
	} {
		q := open(t, options(s.ClientURL(), "ASSAY"))
		done := later(t, q, 1)
		natstest.Until(t, "what is done here", func() bool {
			if err := q.servers.NC.Publish(q.answers+q.run+".1", data); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				return true
			default:
				return false
			}
		})
		if liars := q.Liars(t.Context()); len(liars) != 1 || !strings.Contains(liars[0].Why, name) || liars[0].Worker != "a worker that does not say its name" {
			t.Errorf("%s: %+v", name, liars)
		}
	}
}

// A context or Close ends the wait for an answer.
func TestWaitingEnds(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	q := open(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- ask(ctx, q, 100, 1, nil) }()
	taken(t, o, 1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	closed := later(t, q, 100)
	taken(t, o, 1)
	q.Close()
	if err := <-closed; !errors.Is(err, link.ErrClosed) {
		t.Error(err)
	}
}

// What cannot be the name of a stream is refused before anything is asked.
func TestNamesThatAreNone(t *testing.T) {
	for _, name := range []string{"", "a.b", "a b", ">", "*", "a/b", strings.Repeat("a", 201)} {
		o := options("nats://127.0.0.1:1", name)
		if _, err := Open(o); !errors.Is(err, link.ErrOptions) || !strings.Contains(err.Error(), "is no name for a stream") {
			t.Errorf("%.20q: %v", name, err)
		}
		if err := Work(t.Context(), o, kinds(), func() {}); !errors.Is(err, link.ErrOptions) {
			t.Errorf("a worker of %.20q: %v", name, err)
		}
	}
}
