package limits_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"assay/registry/limits"
)

// pipes is a listener whose connections are pipes, from addresses that the test names.
type pipes struct {
	queue chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newPipes() *pipes { return &pipes{queue: make(chan net.Conn, 1000), done: make(chan struct{})} }

type pipe struct {
	net.Conn
	from net.Addr
}

func (p pipe) RemoteAddr() net.Addr { return p.from }

// dial returns the client's end of a connection.
func (p *pipes) dial(from string) net.Conn {
	server, client := net.Pipe()
	p.queue <- pipe{server, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from))}
	return client
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.queue:
		return conn, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.once.Do(func() { close(p.done) }); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// accepting accepts all connections of a listener, and gives them in turn.
func accepting(l net.Listener) <-chan net.Conn {
	accepted := make(chan net.Conn, 1000)
	go func() {
		defer close(accepted)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	return accepted
}

// What is over the total waits, until a connection is closed, once or twice.
func TestTheTotalHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		l := limits.Listen(p, limits.Options{Total: 2})
		defer l.Close()
		accepted := accepting(l)
		for i := range 4 {
			defer p.dial(fmt.Sprintf("192.0.2.%d:1", i)).Close()
		}
		synctest.Wait()
		if len(accepted) != 2 || len(p.queue) != 2 {
			t.Fatalf("%d accepted, %d wait", len(accepted), len(p.queue))
		}
		first := <-accepted
		for range 2 {
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if len(accepted) != 2 || len(p.queue) != 1 {
			t.Errorf("after one was closed: %d accepted, %d wait", len(accepted), len(p.queue))
		}
	})
}

// One address has this many connections; its next one is closed, and takes nothing of the total. A /64 is one address, a
// trusted proxy none.
func TestTheLimitOfAnAddressHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		l := limits.Listen(p, limits.Options{Total: 7, PerAddress: 2, Trusted: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
		defer l.Close()
		accepted := accepting(l)
		dial := func(from string) net.Conn {
			conn := p.dial(from)
			t.Cleanup(func() { conn.Close() })
			synctest.Wait()
			return conn
		}
		refused := func(from string) {
			t.Helper()
			if n, err := dial(from).Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
				t.Errorf("one more from %s: %d bytes, %v", from, n, err)
			}
		}
		dial("192.0.2.1:1")
		dial("[::ffff:192.0.2.1]:2")
		refused("192.0.2.1:3")
		dial("[2001:db8::1]:1")
		dial("[2001:db8::2]:1")
		refused("[2001:db8::3]:1")
		for i := range 3 {
			dial(fmt.Sprintf("10.0.0.1:%d", i+1))
		}
		if len(accepted) != 7 {
			t.Fatalf("%d accepted", len(accepted))
		}
		(<-accepted).Close()
		synctest.Wait()
		dial("192.0.2.1:4")
		if len(accepted) != 7 || len(p.queue) != 0 {
			t.Errorf("after one was closed: %d accepted, %d wait", len(accepted), len(p.queue))
		}
	})
}

// Closing a listener ends who waits for room.
func TestClosingEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipes()
		l := limits.Listen(p, limits.Options{Total: 1})
		accepted := accepting(l)
		defer p.dial("192.0.2.1:1").Close()
		synctest.Wait()
		l.Close()
		synctest.Wait()
		<-accepted
		if _, open := <-accepted; open {
			t.Error("accepted after the end")
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}

// serving serves pipes within limits until the test ends, in a bubble where an hour takes no time.
func serving(t *testing.T, o limits.Options, handler http.HandlerFunc) *pipes {
	p := newPipes()
	l := limits.Listen(p, o)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute, ConnState: l.State}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return p
}

// ask sends a request and reads the head of the answer.
func ask(t *testing.T, conn net.Conn) *http.Response {
	t.Helper()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: assay\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// A stream that says something every minute for a day is not cut, nor is one whose reader is slow but reads.
func TestAStreamThatGoesOnIsNotCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const minutes = 24 * 60
		p := serving(t, limits.Options{Total: 9, Stall: 30 * time.Second}, func(w http.ResponseWriter, req *http.Request) {
			for i := range minutes {
				time.Sleep(time.Minute)
				fmt.Fprintln(w, i)
				if err := http.NewResponseController(w).Flush(); err != nil || req.Context().Err() != nil {
					t.Errorf("minute %d: %v, %v", i, err, req.Context().Err())
					return
				}
			}
		})
		conn := p.dial("192.0.2.1:1")
		defer conn.Close()
		body, err := io.ReadAll(ask(t, conn).Body)
		if lines := bytes.Count(body, []byte("\n")); err != nil || lines != minutes {
			t.Errorf("%d lines, %v", lines, err)
		}
	})
}

func TestASlowReaderThatReadsIsNotCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 4 << 20
		p := serving(t, limits.Options{Total: 9, Stall: 30 * time.Second}, func(w http.ResponseWriter, _ *http.Request) {
			if n, err := w.Write(make([]byte, size)); err != nil {
				t.Errorf("%d bytes written: %v", n, err)
			}
		})
		conn := p.dial("192.0.2.1:1")
		defer conn.Close()
		answer := ask(t, slowly{conn, 20 * time.Second})
		if n, err := io.Copy(io.Discard, answer.Body); n != size || err != nil {
			t.Errorf("%d bytes read, %v", n, err)
		}
	})
}

// slowly is a connection whose every read takes its time.
type slowly struct {
	net.Conn
	each time.Duration
}

func (s slowly) Read(b []byte) (int, error) {
	time.Sleep(s.each)
	return s.Conn.Read(b)
}

// A reader that stops is cut after the time of a stall, or twice that when it took something of what is written then.
func TestAReaderThatStopsIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan error, 1)
		p := serving(t, limits.Options{Total: 9, Stall: 30 * time.Second}, func(w http.ResponseWriter, _ *http.Request) {
			_, err := w.Write(make([]byte, 1<<20))
			failed <- err
		})
		conn := p.dial("192.0.2.1:1")
		defer conn.Close()
		ask(t, conn)
		began := time.Now()
		err, took := <-failed, time.Since(began)
		if err == nil || took < 30*time.Second || took > time.Minute {
			t.Errorf("after %v: %v", took, err)
		}
	})
}

// A slow request is cut, but a slow answer is not, whatever the request's body was.
func TestASlowRequestIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := serving(t, limits.Options{Total: 9, Stall: 30 * time.Second}, func(w http.ResponseWriter, req *http.Request) {
			if _, err := io.Copy(io.Discard, req.Body); err != nil {
				return
			}
			time.Sleep(time.Hour)
			fmt.Fprint(w, req.Context().Err())
		})
		for head, want := range map[string]string{
			"":                                "", // nothing comes
			"GET / HTTP/1.1\r\nHost: assay\r": "", // the head is never whole
			"POST / HTTP/1.1\r\nHost: assay\r\nContent-Length: 9\r\n\r\nabc":       "",      // nor the body
			"POST / HTTP/1.1\r\nHost: assay\r\nContent-Length: 3\r\n\r\nabc":       "<nil>", // whole
			"GET / HTTP/1.1\r\nHost: assay\r\nConnection: close\r\n\r\n":           "<nil>",
			"POST / HTTP/1.1\r\nHost: assay\r\nTransfer-Encoding: chunked\r\n\r\n": "",
		} {
			conn := p.dial("192.0.2.1:1")
			began := time.Now()
			if _, err := io.WriteString(conn, head); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(io.LimitReader(conn, 1<<10))
			took := time.Since(began)
			if want == "" && took > 11*time.Second || want != "" && !strings.Contains(string(answer), want) {
				t.Errorf("%q: after %v: %q, %v", head, took, answer, err)
			}
			conn.Close()
		}
	})
}

// When there is no room, the connection that was idle for longest makes some; one that is at work does not.
func TestTheLongestIdleMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held sync.WaitGroup
		held.Add(1)
		first := true
		p := serving(t, limits.Options{Total: 3, Stall: 30 * time.Second}, func(w http.ResponseWriter, _ *http.Request) {
			if first {
				first = false
				fmt.Fprint(w, "at work")
				http.NewResponseController(w).Flush()
				held.Wait()
			}
		})
		working := p.dial("192.0.2.1:1")
		defer working.Close()
		ask(t, working)
		older, newer, next := p.dial("192.0.2.2:1"), p.dial("192.0.2.3:1"), p.dial("192.0.2.4:1")
		for _, conn := range []net.Conn{older, newer, next} { // the first two idle from then on
			defer conn.Close()
			ask(t, conn)
			synctest.Wait()
		}
		if _, err := older.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("the one that was idle for longest: %v", err)
		}
		held.Done()
		ask(t, next)
	})
}

// A server within limits leaves nothing behind, on a real network too.
func TestNothingIsLeftBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limits.Listen(inner, limits.Options{Total: 2, PerAddress: 1, Stall: time.Minute})
	server := &http.Server{Handler: http.NotFoundHandler(), ConnState: l.State}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	first, err := net.Dial("tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if answer := ask(t, first); answer.StatusCode != http.StatusNotFound {
		t.Error(answer.Status)
	}
	for range 50 {
		second, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if n, err := second.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("one more of the address: %d bytes, %v", n, err)
		}
		second.Close()
	}
	ask(t, first)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
}
