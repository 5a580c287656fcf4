package natstest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// Proxy stands before a server. It can be cut, so that nobody gets through, and muted, so that it delays the server's
// messages.
type Proxy struct {
	to       string
	listener net.Listener

	mu    sync.Mutex // guards the fields below
	cut   bool
	muted bool
	heard *sync.Cond // when muted or cut changes
	open  map[net.Conn]struct{}
}

// StartProxy starts a proxy before the server at an address.
func StartProxy(t testing.TB, to string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{to: to, listener: listener, open: map[net.Conn]struct{}{}}
	p.heard = sync.NewCond(&p.mu)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { p.serve(in) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		p.Cut()
		all.Wait()
	})
	return p
}

// Address returns the address at which the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut ends all connections and accepts no more. Delayed messages are lost.
func (p *Proxy) Cut() { p.set(true, false) }

// Mute delays the server's messages.
func (p *Proxy) Mute() { p.set(false, true) }

// Mend lets everything through again, also the delayed messages.
func (p *Proxy) Mend() { p.set(false, false) }

func (p *Proxy) serve(in net.Conn) {
	defer in.Close()
	out, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer out.Close()
	if !p.add(in, out) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { io.Copy(out, in); out.Close() })
	both.Go(func() { p.back(in, out); in.Close() })
	both.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, in)
	delete(p.open, out)
}

func (p *Proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = struct{}{}
	}
	return !p.cut
}

// back passes on the server's messages, unless the proxy is muted.
func (p *Proxy) back(in, out net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := out.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		for p.muted && !p.cut {
			p.heard.Wait()
		}
		cut := p.cut
		p.mu.Unlock()
		if cut {
			return
		}
		if _, err := in.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (p *Proxy) set(cut, muted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.muted = cut, muted
	if cut {
		for c := range p.open {
			c.Close()
		}
	}
	p.heard.Broadcast()
}
