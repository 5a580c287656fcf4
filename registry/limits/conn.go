package limits

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"
)

// conn is a connection within a listener's limits.
type conn struct {
	net.Conn
	listener *Listener
	from     netip.Prefix // the address or network that it is counted for

	left bool // guarded by the listener's mu
}

// Close closes the connection, and makes room for another.
func (c *conn) Close() error {
	defer c.listener.leave(c)
	return c.Conn.Close()
}

// Write fails when the other end has taken nothing for the time of a stall. The time starts again whenever it ends and
// something was taken, so that a long answer is not cut while it is read.
func (c *conn) Write(b []byte) (n int, err error) {
	if c.listener.o.Stall == 0 {
		return c.Conn.Write(b)
	}
	for taken := 1; taken > 0; {
		if err := c.SetWriteDeadline(time.Now().Add(c.listener.o.Stall)); err != nil {
			return n, err
		}
		taken, err = c.Conn.Write(b[n:])
		if n += taken; !errors.Is(err, os.ErrDeadlineExceeded) {
			break
		}
	}
	return n, err
}

// CloseWrite ends the output, so that the other end can still read it when the connection is closed.
func (c *conn) CloseWrite() error {
	if end, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return end.CloseWrite()
	}
	return nil
}
