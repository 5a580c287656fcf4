package queue

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"assay/registry/jobs"
)

// The first firstAgain results of each worker are computed again, and one of every sampleOf after them.
const (
	firstAgain = 4
	sampleOf   = 64
)

// maxKept is how many bytes of jobs are remembered, to be done again when their worker turns out to lie.
const maxKept = 64 << 20

// firstNamed is how many jobs of a liar are named.
const firstNamed = 5

// view is the queue for one command: the results of workers, and the workers that lied. It implements jobs.Crew.
type view struct {
	*Queue
	who *slog.Logger

	busy  sync.Mutex // locked while a liar's earlier results are computed again; guards the fields below
	found []jobs.Liar

	mu    sync.Mutex // guards the fields below
	given map[string]*workerRecord
	kept  []keptMessage // oldest first
	bytes int           // of the remembered messages
}

// workerRecord is what is known about a worker's results.
type workerRecord struct {
	sample
	results int
	first   []string // names of the first jobs
	unknown int      // results whose jobs are no longer remembered
}

// keptMessage is a message whose results were taken.
type keptMessage struct {
	worker  string
	message jobs.Message
	again   jobs.Again
	sums    []sum // of the results
	bytes   int
}

type sum [8]byte

func sumOf(result []byte) sum {
	all := sha256.Sum256(result)
	return sum(all[:8])
}

func newView(q *Queue, who *slog.Logger) *view {
	return &view{Queue: q, who: who, given: map[string]*workerRecord{}}
}

// Do is as in jobs.Crew.
func (v *view) Do(ctx context.Context, c jobs.Chunk) error {
	if err := v.connect(ctx); err != nil {
		return fmt.Errorf("queue on %s: %w", v.o.Redacted(), err)
	}
	o, err := c.Message()
	if err != nil {
		return err
	}
	all := o.Jobs
	for from := 0; from < len(all); from += len(o.Jobs) {
		o.Jobs = all[from : from+fitting(all[from:])]
		if err := v.part(ctx, c, o, from); err != nil {
			return err
		}
	}
	return nil
}

// part lets a worker do a message, which is a part of a chunk. If the worker lied, its jobs are done here.
func (v *view) part(ctx context.Context, c jobs.Chunk, o jobs.Message, from int) error {
	got, err := v.ask(ctx, o, v.who)
	if err != nil {
		return err
	}
	again := c.Again()
	lie := got.lie
	if lie == "" {
		lie = v.prove(ctx, c, o, from, got)
	}
	if lie == "" && ctx.Err() == nil && v.keep(got, o, again) {
		return nil
	}
	if lie != "" {
		v.caught(ctx, got.worker, lie)
	}
	c.Here(ctx, from, from+len(o.Jobs))
	return ctx.Err()
}

// prove says what is wrong with one of the results; "" when nothing is found.
func (v *view) prove(ctx context.Context, c jobs.Chunk, o jobs.Message, from int, got messageResult) (lie string) {
	again := c.Again()
	doubtful, err := c.Take(ctx, from, got.results)
	var wrong *jobs.ResultError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s: %v", again.Name(o.Jobs[wrong.Job-from]), wrong)
	}
	for i, job := range o.Jobs {
		if picked := v.pick(got.worker); !picked && !slices.Contains(doubtful, from+i) {
			continue
		}
		own, err := again.Do(ctx, job)
		if ctx.Err() != nil {
			return ""
		}
		if err != nil || !bytes.Equal(own, got.results[i]) {
			return fmt.Sprintf("%s: done again here, it has another result", again.Name(job))
		}
	}
	return ""
}

// sample chooses the results of a worker to compute again.
type sample struct {
	seen int
	next int // the index in this run of sampleOf to compute again
}

// pick reports whether a worker's next result is to be computed again.
func (v *view) pick(worker string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.of(worker).pick(v.o.random)
}

func (s *sample) pick(random func(int) int) bool {
	if s.seen%sampleOf == 0 {
		s.next = s.seen + random(sampleOf)
	}
	s.seen++
	return s.seen <= firstAgain || s.seen-1 == s.next
}

// secretly draws a number below n that nobody can predict.
func secretly(n int) int {
	var drawn [8]byte
	rand.Read(drawn[:])
	return int(binary.LittleEndian.Uint64(drawn[:]) % uint64(n)) // n is small
}

// of returns the record of a worker. The lock is held.
func (v *view) of(worker string) *workerRecord {
	g, known := v.given[worker]
	if !known {
		g = new(workerRecord)
		v.given[worker] = g
	}
	return g
}

// keep remembers a message whose results are taken, unless its worker was found to lie meanwhile.
func (v *view) keep(got messageResult, o jobs.Message, again jobs.Again) bool {
	k := keptMessage{worker: got.worker, message: o, again: again}
	for i, r := range got.results {
		k.sums = append(k.sums, sumOf(r))
		k.bytes += len(o.Jobs[i]) + len(sum{}) + 24
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, lied := v.lied(got.worker); lied {
		return false
	}
	g := v.of(got.worker)
	g.results += len(o.Jobs)
	for _, job := range o.Jobs[:min(len(o.Jobs), firstNamed-len(g.first))] {
		g.first = append(g.first, again.Name(job))
	}
	v.kept, v.bytes = append(v.kept, k), v.bytes+k.bytes
	for v.bytes > maxKept {
		old := v.kept[0]
		v.of(old.worker).unknown += len(old.message.Jobs)
		v.kept, v.bytes = v.kept[1:], v.bytes-old.bytes
	}
	return true
}

// lied reports whether a worker lied, and how.
func (q *Queue) lied(worker string) (why string, is bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	why, is = q.liars[worker]
	return why, is
}

// Liars is as in jobs.Crew.
func (v *view) Liars(ctx context.Context) []jobs.Liar {
	for _, worker := range v.workers() {
		if why, lied := v.lied(worker); lied { // perhaps to another command
			v.caught(ctx, worker, why)
		}
	}
	v.busy.Lock()
	defer v.busy.Unlock()
	return slices.Clone(v.found)
}

// workers lists the workers that gave any results, by name.
func (v *view) workers() (all []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for worker := range v.given {
		all = append(all, worker)
	}
	slices.Sort(all)
	return all
}

// caught excludes a worker from now on, and computes its earlier results again.
func (v *view) caught(ctx context.Context, worker, why string) {
	v.busy.Lock()
	defer v.busy.Unlock()
	if slices.ContainsFunc(v.found, func(l jobs.Liar) bool { return l.Worker == nameOf(worker) }) {
		return
	}
	v.Queue.mu.Lock()
	if _, known := v.liars[worker]; !known {
		v.liars[worker] = why
	}
	v.Queue.mu.Unlock()
	g, before := v.takenFrom(worker)
	liar := jobs.Liar{Worker: nameOf(worker), Why: why, Earlier: g.results, First: g.first, Unknown: g.unknown}
	v.who.Warn("a worker lies, and is left out from now on: what it had is done here", "worker", liar.Worker, "why", why, "earlier", liar.Earlier, "first", liar.First)
	v.doAgain(ctx, before, &liar)
	v.found = append(v.found, liar)
	if n := len(liar.Wrong) + liar.Unknown; n > 0 {
		v.who.Warn("of what that worker gave before, some is wrong", "worker", liar.Worker, "wrong", len(liar.Wrong), "unknown", liar.Unknown, "first", firstOf(liar.Wrong))
	} else if liar.Earlier > 0 {
		v.who.Warn("all that the worker gave before is right", "worker", liar.Worker, "earlier", liar.Earlier)
	}
}

// nameOf names a worker for people.
func nameOf(worker string) string {
	if worker == "" {
		return "a worker that does not say its name"
	}
	return worker
}

func firstOf(wrong []jobs.Wrong) (names []string) {
	for _, w := range wrong[:min(len(wrong), firstNamed)] {
		names = append(names, w.Name)
	}
	return names
}

// takenFrom returns the remembered messages of a worker, and removes them.
func (v *view) takenFrom(worker string) (g workerRecord, before []keptMessage) {
	v.mu.Lock()
	defer v.mu.Unlock()
	g = *v.of(worker)
	delete(v.given, worker)
	v.kept = slices.DeleteFunc(v.kept, func(k keptMessage) bool {
		if k.worker != worker {
			return false
		}
		before, v.bytes = append(before, k), v.bytes-k.bytes
		return true
	})
	return g, before
}

// doAgain does messages again, on all cores, and notes wrong results.
func (v *view) doAgain(ctx context.Context, before []keptMessage, liar *jobs.Liar) {
	type one struct{ kept, job int }
	each := func(yield func(one) bool) {
		for i, k := range before {
			for j := range k.message.Jobs {
				if !yield(one{i, j}) {
					return
				}
			}
		}
	}
	right := func(ctx context.Context, x one) (verdict struct {
		one
		err   error
		right bool
	}) {
		k := before[x.kept]
		var own []byte
		verdict.one = x
		own, verdict.err = k.again.Do(ctx, k.message.Jobs[x.job])
		verdict.right = sumOf(own) == k.sums[x.job]
		return verdict
	}
	left := liar.Earlier - liar.Unknown
	for got := range jobs.Map(ctx, each, right) {
		if ctx.Err() != nil {
			break
		}
		left--
		k := before[got.kept]
		if job := k.message.Jobs[got.job]; got.err != nil || !got.right {
			liar.Wrong = append(liar.Wrong, jobs.Wrong{Name: k.again.Name(job), Kind: k.message.Kind, Setting: k.message.Setting, Job: job})
		}
	}
	liar.Unknown += left // the command was stopped
}
