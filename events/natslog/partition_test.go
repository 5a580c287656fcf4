package natslog

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
)

// partition is a cluster whose servers reach one another through proxies, each pair through two of its own.
type partition struct {
	*cluster
	between [3][3]*proxy
}

// startPartition starts a cluster. What its servers tell one another of their addresses leads nowhere, so that
// they have no way past the proxies.
func startPartition(t testing.TB) *partition {
	t.Helper()
	p := &partition{cluster: &cluster{t: t, servers: make([]*server.Server, 3)}}
	dir, ports := logtest.DiskDir(t), freePorts(t, 6)
	for i := range 3 {
		o := serverOptions(filepath.Join(dir, fmt.Sprint("store", i)))
		o.ServerName, o.Port = fmt.Sprint("n", i), ports[i]
		o.Cluster = server.ClusterOpts{Name: "assay", Host: "127.0.0.1", Port: ports[3+i], Advertise: "127.0.0.1:1", PoolSize: -1}
		for j := range 3 {
			if i != j {
				p.between[i][j] = startProxy(t, fmt.Sprintf("127.0.0.1:%d", ports[3+j]))
				o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: p.between[i][j].address()})
			}
		}
		p.options = append(p.options, o)
	}
	for i := range 3 {
		p.start(i)
	}
	return p
}

// isolate cuts a server off from the others, or ends that.
func (p *partition) isolate(i int, cut bool) {
	for j := range 3 {
		if i != j {
			p.between[i][j].set(cut, false)
			p.between[j][i].set(cut, false)
		}
	}
}

// one opens the log at one server.
func (c *cluster) one(i int, patience time.Duration) *Log {
	return openWhenReady(c.t, Options{Options: link.Options{URL: fmt.Sprintf("nats://127.0.0.1:%d", c.options[i].Port), Patience: patience}})
}

// The server that leads is cut off from the others. They go on; who asks it gets no acknowledgement of anything
// that does not stand, and reads a beginning of the one history. When it is back all three have the same.
func TestPartition(t *testing.T) {
	t.Parallel()
	p := startPartition(t)
	l := openWhenReady(t, Options{Options: link.Options{URL: p.url()}})
	mustAppend := func(l *Log, name, text string) events.Seq {
		t.Helper()
		receipt, err := l.Append(t.Context(), logtest.Fact(name, text, 1))
		if err != nil {
			t.Fatal(err)
		}
		return receipt[0].Seq
	}
	mustAppend(l, "before", "text")
	cut := p.leader(l.o.Stream)
	inside, outside := p.one(cut, time.Duration(fullOr(20, 8))*time.Second), p.one((cut+1)%3, time.Minute)
	p.isolate(cut, true)
	lonely := appendLater(t.Context(), inside, logtest.Fact("contested", "of the lonely side", 1))
	if at := mustAppend(outside, "contested", "of the majority"); at != 2 {
		t.Errorf("the majority records event %d", at)
	}
	mustAppend(outside, "after", "text")
	if a := <-lonely; !errors.Is(a.err, link.ErrNoAnswer) || !strings.Contains(a.err.Error(), "majority") {
		t.Errorf("the lonely side: %+v", a)
	}
	if n, err := readAll(t.Context(), inside); n != 1 || err != nil {
		t.Errorf("the lonely side reads %d events, %v", n, err)
	}
	p.isolate(cut, false)
	var conflict *events.ConflictError
	if _, err := openWhenReady(t, Options{Options: link.Options{URL: inside.o.URL}}).Append(t.Context(), logtest.Fact("contested", "of the lonely side", 1)); !errors.As(err, &conflict) || conflict.At != 2 {
		t.Errorf("the lonely side later: %v", err)
	}
	want := history(t, outside, 3)
	for i := range 3 {
		if got := history(t, p.one(i, time.Minute), 3); got != want {
			t.Errorf("server %d has %s\nanother %s", i, got, want)
		}
	}
}

// history follows a log for n events, and gives their keys and texts.
func history(t testing.TB, l *Log, n events.Seq) (all string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for e, err := range l.Follow(ctx, 0) {
		if err != nil {
			t.Fatal(err)
		}
		all += fmt.Sprintf("%d %s %+v\n", e.Seq, e.Key, e.Body)
		if e.Seq == n {
			break
		}
	}
	return all
}

// With one of three servers alive nothing is recorded, the error says why, and all can be read.
func TestOneOfThreeAlive(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	l := openWhenReady(t, Options{Options: link.Options{URL: c.url(), Patience: 8 * time.Second}})
	for i := range 3 {
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", 1)); err != nil {
			t.Fatal(err)
		}
	}
	alive := (c.leader(l.o.Stream) + 1) % 3
	history(t, c.one(alive, time.Minute), 3)
	for i := range 3 {
		if i != alive {
			stop(c.servers[i])
		}
	}
	if _, err := l.Append(t.Context(), logtest.Fact("b", "text", 1)); !errors.Is(err, link.ErrNoAnswer) || !strings.Contains(err.Error(), "from a majority of the servers") {
		t.Errorf("append: %v", err)
	}
	if n, err := readAll(t.Context(), l); n != 3 || err != nil {
		t.Errorf("%d events, %v", n, err)
	}
	if e, err := l.Get(t.Context(), events.ImportedKey("a-1")); e.Seq != 2 || err != nil {
		t.Errorf("event %d, %v", e.Seq, err)
	}
	if _, err := l.Get(t.Context(), events.ImportedKey("b")); !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("whether b stands cannot be known: %v", err)
	}
	late := c.one(alive, 8*time.Second)
	if n, err := readAll(t.Context(), late); n != 3 || err != nil {
		t.Errorf("opened now: %d events, %v", n, err)
	}
	late.Certain(4)
	if n, err := readAll(t.Context(), late); n != 3 || !errors.Is(err, link.ErrNoAnswer) {
		t.Errorf("of a server that lags: %d events, %v", n, err)
	}
}
