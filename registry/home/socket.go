package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// socketName is the socket in a registry's directory where a serving process accepts forwarded commands. Only the
// directory's owner can reach it. Yet both ends ask the kernel which process is at the other end, because the socket
// may be left over or belong to another process.
const socketName = "serve.sock"

// ServeVerb is the command whose process accepts forwarded commands.
const ServeVerb = "serve"

// Serving reports whether the process that locked the directory accepts forwarded commands, or will.
func (e *HeldError) Serving() bool { return e.by.Verb == ServeVerb }

// forgetServing removes what a killed serving process left behind. The caller has locked the directory.
func forgetServing(dir string) error {
	for _, name := range []string{socketName, "serve.json"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Listen listens for forwarded commands. It accepts connections of this process's user and of root. Closing it removes
// the socket.
func (h *Home) Listen(ctx context.Context) (net.Listener, error) {
	var listener net.Listener
	err := withAddress(h.place.Dir, func(address string) (err error) {
		listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", address)
		return err
	})
	if err != nil {
		return nil, err
	}
	own := ownListener{listener.(*net.UnixListener), h.place.Dir}
	own.SetUnlinkOnClose(false) // the name may be that of a descriptor; see forgetServing
	if err := os.Chmod(h.file(socketName), 0o600); err != nil {
		return nil, errors.Join(err, own.Close())
	}
	return own, nil
}

// ownListener is the listener that Listen returns.
type ownListener struct {
	*net.UnixListener
	dir string
}

// Close takes no more connections, and removes the socket.
func (l ownListener) Close() error { return errors.Join(forgetServing(l.dir), l.UnixListener.Close()) }

// Accept is as in net.Listener.
func (l ownListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if from, err := peerOf(conn); err == nil && mayAsk(from.Uid, userID()) {
			return conn, nil
		}
		conn.Close()
	}
}

// mayAsk reports whether a user may let a process of another user run commands.
func mayAsk(user, server uint32) bool { return user == server || user == 0 }

// Dial connects to the process that serves the directory, and to no other: the directory is locked, the lock names the
// process, and the kernel says that this process listens, as the directory's owner or as this user.
func (e *HeldError) Dial(ctx context.Context) (net.Conn, error) {
	info, err := os.Stat(e.dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", e, err)
	}
	var conn net.Conn
	err = withAddress(e.dir, func(address string) (err error) {
		conn, err = (&net.Dialer{}).DialContext(ctx, "unix", address)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, e // it does not take verbs yet, or any more
	}
	if err != nil {
		return nil, fmt.Errorf("%w; the command cannot be sent to it: %w", e, err)
	}
	listener, err := peerOf(conn.(*net.UnixConn))
	if err == nil {
		err = e.by.isAt(listener, info.Sys().(*syscall.Stat_t).Uid, userID())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w; the command was not sent to it, since %w", e, err), conn.Close())
	}
	return conn, nil
}

// isAt returns an error if a listener is not the process that locked a directory of some owner, as seen by a user.
func (h holder) isAt(listener syscall.Ucred, owner, user uint32) error {
	switch {
	case int(listener.Pid) != h.PID:
		return fmt.Errorf("process %d listens on its socket %s", listener.Pid, socketName)
	case listener.Uid != owner && listener.Uid != user:
		return fmt.Errorf("it is of user %d, and the directory of user %d", listener.Uid, owner)
	}
	return nil
}

// userID is the user that the kernel tells the other end of a socket.
func userID() uint32 { return uint32(os.Geteuid()) }

// peerOf returns the process at the other end, from the kernel: the one that connected, or the one that listens.
func peerOf(conn *net.UnixConn) (syscall.Ucred, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return syscall.Ucred{}, err
	}
	var peer *syscall.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		peer, asked = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err = errors.Join(err, asked); err != nil {
		return syscall.Ucred{}, fmt.Errorf("ask who is at the other end: %w", err)
	}
	return *peer, nil
}

// withAddress calls do with the address of the socket in a directory. A path that is too long for an address is reached
// through a descriptor of the directory.
func withAddress(dir string, use func(address string) error) error {
	address := filepath.Join(dir, socketName)
	if len(address) < len(syscall.RawSockaddrUnix{}.Path) {
		return use(address)
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return use(fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), socketName))
}
