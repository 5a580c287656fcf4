// Package limits limits what clients of a server can use: all connections, connections of one address, and the time
// that one stands still.
package limits

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Options are the limits.
type Options struct {
	Total      int // connections at a time; the next ones wait to be accepted
	PerAddress int // connections from one address; a further one is closed. 0 sets no limit

	// Trusted are proxies with many clients behind them. PerAddress does not apply to them.
	Trusted []netip.Prefix

	// Stall is how long a client may take nothing of what is written; 0 sets no limit. A connection that makes progress
	// has no limit in total.
	Stall time.Duration
}

// Listener is a listener with limits. Set its State as the server's ConnState: then the connection that has been idle
// for longest is closed when there is no room for another one.
type Listener struct {
	net.Listener
	o Options

	mu      sync.Mutex // guards the fields below
	changed *sync.Cond // signalled when there may be room
	taken   int        // connections, with the one that is being accepted
	from    map[netip.Prefix]int
	idle    []*conn // the one that has been idle for longest is first
	closed  bool
}

// Listen returns a listener with limits.
func Listen(l net.Listener, o Options) *Listener {
	limited := &Listener{Listener: l, o: o, from: map[netip.Prefix]int{}}
	limited.changed = sync.NewCond(&limited.mu)
	return limited
}

// Accept is as in net.Listener. While all connections are taken it waits.
func (l *Listener) Accept() (net.Conn, error) {
	if err := l.waitForRoom(); err != nil {
		return nil, err
	}
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.free()
			return nil, err
		}
		if c := l.admit(accepted); c != nil {
			return c, nil
		}
		accepted.Close()
	}
}

// waitForRoom reserves a place for one connection.
func (l *Listener) waitForRoom() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.taken >= l.o.Total && !l.closed {
		if len(l.idle) == 0 {
			l.changed.Wait()
			continue
		}
		longest := l.idle[0]
		l.mu.Unlock()
		longest.Close()
		l.mu.Lock()
	}
	if l.closed {
		return net.ErrClosed
	}
	l.taken++
	return nil
}

// admit returns an accepted connection within the limits, or nil when its address has too many.
func (l *Listener) admit(accepted net.Conn) *conn {
	c := &conn{Conn: accepted, listener: l, from: l.counted(accepted.RemoteAddr())}
	if !c.from.IsValid() {
		return c
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.from[c.from] >= l.o.PerAddress {
		return nil
	}
	l.from[c.from]++
	return c
}

// counted returns the network for which connections from an address are counted; the zero prefix is not counted. A
// whole network of IPv6, /64, counts as one address, because its owner has all of it.
func (l *Listener) counted(address net.Addr) netip.Prefix {
	tcp, ok := address.(*net.TCPAddr)
	if !ok || l.o.PerAddress == 0 {
		return netip.Prefix{}
	}
	ip := tcp.AddrPort().Addr().Unmap().WithZone("")
	if slices.ContainsFunc(l.o.Trusted, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return netip.Prefix{}
	}
	bits := ip.BitLen()
	if ip.Is6() {
		bits = 64
	}
	network, _ := ip.Prefix(bits) // every address has this many bits
	return network
}

// leave frees the place of a connection, once.
func (l *Listener) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.left {
		return
	}
	c.left = true
	l.forget(c)
	if l.from[c.from]--; l.from[c.from] <= 0 {
		delete(l.from, c.from)
	}
	l.free()
}

// free frees one place. The caller holds mu.
func (l *Listener) free() {
	l.taken--
	l.changed.Signal()
}

// forget removes a connection from the idle ones. The caller holds mu.
func (l *Listener) forget(c *conn) {
	l.idle = slices.DeleteFunc(l.idle, func(other *conn) bool { return other == c })
}

// State notes the state of a connection, for http.Server.ConnState.
func (l *Listener) State(served net.Conn, state http.ConnState) {
	c, ok := served.(*conn)
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget(c)
	if state == http.StateIdle && !c.left {
		l.idle = append(l.idle, c)
		l.changed.Signal()
	}
}

// Close is as in net.Listener.
func (l *Listener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}
