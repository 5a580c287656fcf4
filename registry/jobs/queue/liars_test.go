package queue

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
	"pgregory.net/rapid"

	"assay/events/natslog/natstest"
	"assay/registry/jobs"
)

// lying is the work of a worker that gives another result where lie gives one.
func lying(lie func(job int, right []byte) []byte) jobs.Kinds {
	honest := kinds()["padded"]
	return jobs.Kinds{"padded": func(setting []byte) (func(context.Context, []byte) ([]byte, error), error) {
		do, err := honest(setting)
		return func(ctx context.Context, job []byte) ([]byte, error) {
			right, err := do(ctx, job)
			var i int
			if err == nil {
				err = cbor.Unmarshal(job, &i)
			}
			if wrong := lie(i, right); err == nil && wrong != nil {
				return wrong, nil
			}
			return right, err
		}, err
	}}
}

func written(t testing.TB, result string) []byte {
	t.Helper()
	data, err := cbor.Marshal([]byte(result))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whatever a worker gives, what is asked has its right results: the liar is told of and left out, and others go on.
func TestALiarIsToldOf(t *testing.T) {
	s := natstest.One(t)
	for name, c := range map[string]struct {
		lie  func(int, []byte) []byte
		want string
	}{
		"no CBOR":                 {func(int, []byte) []byte { return []byte{0x61} }, "the result cannot be read"},
		"a result that cannot be": {func(int, []byte) []byte { return written(t, "") }, "0 bytes"},
		"a result of another job": {func(i int, _ []byte) []byte { return written(t, fmt.Sprint(i+1, " \x00")) }, "done again here"},
		"the same, written otherwise": {func(_ int, right []byte) []byte {
			return bytes.Replace(right, right[:1], []byte{0x58, right[0] & 31}, 1)
		}, "done again here"},
		"a result that is only doubted": {func(i int, _ []byte) []byte { return map[bool][]byte{true: written(t, "doubted")}[i%100 == 99] }, "99: done again here"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(s.ClientURL(), "ASSAY")
			told := natstest.NewHeard()
			own := o
			own.Logger = told.Logger()
			q := open(t, own)
			end := work(t, o, lying(c.lie))
			mustAsk(t, q, 300, 1)
			liars := q.Liars(t.Context())
			if len(liars) != 1 || !strings.Contains(liars[0].Why, c.want) || !strings.HasPrefix(liars[0].Worker, "worker ") {
				t.Fatalf("%+v", liars)
			}
			if text := told.Text(); !strings.Contains(text, "a worker lies") || !strings.Contains(text, liars[0].Worker) {
				t.Errorf("told: %s", text)
			}
			work(t, o, kinds())
			mustAsk(t, q, 3000, 1)
			end()
			mustAsk(t, q, 300, 1)
			if again := q.Liars(t.Context()); len(again) != 1 {
				t.Errorf("%+v", again)
			}
		})
	}
}

// What a liar gave before is done again: what was right is known to be, and what was wrong is named.
func TestWhatALiarGaveBefore(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	own := o
	own.random = func(n int) int { return 0 } // after the first four, job 64 is done again, and not 10 to 12
	q := open(t, own)
	work(t, o, lying(func(i int, _ []byte) []byte {
		if i >= 10 && i < 13 || i == 5000 {
			return written(t, "wrong")
		}
		return nil
	}))
	w, err := padded.Under(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range append(count(40), 5000, 5000+99) { // in this order, one a message
		if _, err := jobs.Do(t.Context(), q, w, i); err != nil {
			t.Fatal(err)
		}
	}
	if liars := q.Liars(t.Context()); len(liars) != 0 {
		t.Fatalf("%+v", liars)
	}
	work(t, o, lying(func(int, []byte) []byte { return nil }))
	again := func(i int) []byte { // until the liar is given one that shows it
		var got [][]byte
		natstest.Until(t, "a lie", func() bool {
			got, err = jobs.Do(t.Context(), q, w, i)
			return err != nil || len(q.Liars(t.Context())) > 0
		})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	q.own.mu.Lock()
	for _, g := range q.own.given {
		g.seen = 0 // from here on it is looked at again
	}
	q.own.mu.Unlock()
	if got := again(5000); string(got) != "5000 \x00" {
		t.Errorf("%q", got)
	}
	liars := q.Liars(t.Context())
	if len(liars) != 1 || liars[0].Earlier < 42 || liars[0].Unknown != 0 || !slices.Equal(liars[0].First, []string{"0", "1", "2", "3", "4"}) {
		t.Fatalf("%+v", liars)
	}
	var names []string
	for _, wrong := range liars[0].Wrong {
		if names = append(names, wrong.Name); wrong.Kind != "padded" {
			t.Errorf("%+v", wrong)
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); !slices.Equal(names, []string{"10", "11", "12", "5000"}) {
		t.Errorf("wrong are %v", names)
	}
}

func count(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// A worker that lies to one verb is left out by every verb of the process, and what it gave them is done again.
func TestALiarIsLeftOutByAll(t *testing.T) {
	o := options(natstest.One(t).ClientURL(), "ASSAY")
	q := open(t, o)
	beside := q.Telling(natstest.NewHeard().Logger())
	end := work(t, o, lying(func(i int, _ []byte) []byte {
		if i == 99 {
			return written(t, "doubted")
		}
		return nil
	}))
	w, err := padded.Under(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.Do(t.Context(), beside, w, count(40)...); err != nil {
		t.Fatal(err)
	}
	mustAsk(t, q, 100, 1)
	liars := beside.Liars(t.Context())
	if len(liars) != 1 || liars[0].Earlier != 40 || len(liars[0].Wrong) != 0 {
		t.Fatalf("%+v", liars)
	}
	if got, err := jobs.Do(t.Context(), beside, w, 99); err != nil || string(got[0]) != "99 \x00" {
		t.Errorf("%q, %v", got, err)
	}
	end()
}

// More jobs than are kept are known to be unknown.
func TestMoreThanIsKept(t *testing.T) {
	q, err := Open(options("nats://127.0.0.1:1", "ASSAY"))
	if err != nil {
		t.Fatal(err)
	}
	again := jobs.Again{Name: func(job []byte) string { return fmt.Sprint(len(job)) }, Do: func(_ context.Context, job []byte) ([]byte, error) { return job[:1], nil }}
	job := bytes.Repeat([]byte{7}, 1<<20)
	for range 70 {
		if !q.own.keep(messageResult{worker: "w", results: [][]byte{job[:1]}}, jobs.Message{Jobs: [][]byte{job}}, again) {
			t.Fatal("not kept")
		}
	}
	q.own.caught(t.Context(), "w", "a lie")
	if l := q.Liars(t.Context())[0]; l.Earlier != 70 || l.Unknown != 7 || len(l.Wrong) != 0 {
		t.Errorf("%+v", l)
	}
	if q.own.bytes != 0 || len(q.own.kept) != 0 {
		t.Errorf("%d bytes of %d messages are left", q.own.bytes, len(q.own.kept))
	}
	if q.own.keep(messageResult{worker: "w"}, jobs.Message{}, again) {
		t.Error("something of a liar is taken")
	}
}

// The first results of a worker are done again, and of each run of 64 one, wherever chance has it.
func TestWhatIsDoneAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s sample
		runs := rapid.IntRange(1, 20).Draw(t, "runs")
		for run := range runs {
			at := rapid.IntRange(0, sampleOf-1).Draw(t, "at")
			for i := range sampleOf {
				want := i == at || run == 0 && i < firstAgain
				if got := s.pick(func(int) int { return at }); got != want {
					t.Fatalf("result %d of run %d is done again: %v", i, run, got)
				}
			}
		}
	})
	seen := map[int]bool{}
	for range 2000 {
		n := secretly(sampleOf)
		if n < 0 || n >= sampleOf {
			t.Fatal(n)
		}
		seen[n] = true
	}
	if len(seen) < sampleOf*3/4 {
		t.Errorf("%d of %d are ever drawn", len(seen), sampleOf)
	}
}

func FuzzReadAnswer(f *testing.F) {
	for _, a := range []answer{{Worker: "worker 1 on host"}, {First: -1, Results: [][]byte{nil, {1}}}, {Failed: strings.Repeat("x", 3000)}, {Back: true, Took: time.Second}} {
		data, err := cbor.Marshal(a)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, lie := readAnswer(data)
		if len(got.Worker) > maxName || len(got.Failed) > maxFailed || strings.ContainsRune(got.Worker, 0x1b) {
			t.Fatalf("%+v, %q", got, lie)
		}
		if lie != "" {
			return
		}
		a := pendingMessage{jobs: 2, parts: map[string]*parts{}, done: make(chan struct{})}
		a.take(got)
		if a.isDone() && a.got.lie == "" && len(a.got.results) != 2 {
			t.Fatalf("%+v", a.got)
		}
	})
}
