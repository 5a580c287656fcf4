package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"assay/registry/home"
	"assay/registry/home/carry"
)

// A stranger is somebody who listens where a serving process did, or instead of it.

// stranger listens and keeps what it is told, until the test asks.
type stranger struct {
	net.Listener
	group sync.WaitGroup
	mu    sync.Mutex // guards heard
	heard bytes.Buffer
}

func newStranger(t *testing.T, network, address string) *stranger {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	s := &stranger{Listener: l}
	s.group.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.group.Go(func() { s.listenTo(conn) })
		}
	})
	return s
}

// listenTo answers what a client believes, and keeps what it says.
func (s *stranger) listenTo(conn net.Conn) {
	defer conn.Close()
	b := make([]byte, 1<<10)
	for {
		n, err := conn.Read(b)
		s.mu.Lock()
		s.heard.Write(b[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{\"out\":\"b2sK\"}\n{\"exit\":0}\n") // it may be gone
	}
}

// heardNothing ends the stranger, which must have been told nothing.
func (s *stranger) heardNothing(t *testing.T) {
	t.Helper()
	s.Close()
	s.group.Wait()
	if s.heard.Len() > 0 {
		t.Errorf("the stranger was told %q", s.heard.String())
	}
}

// serveApart serves the directory in a process of its own, which the test may kill.
func (r runner) serveApart(t *testing.T) *exec.Cmd {
	t.Helper()
	cmd := r.process(t, "serve", "--addr", "127.0.0.1:0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs lockedBuffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() }) // it may have ended
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "assay serves ") {
		t.Fatalf("%q, %v: %s", line, err, &errs)
	}
	return cmd
}

// A killed serving process leaves its socket behind. No command is sent to another process that listens there now.
func TestNothingStaleIsBelieved(t *testing.T) {
	r := newRunner(t)
	server := r.serveApart(t)
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	server.Wait() // tells that it was killed
	socket := filepath.Join(r.dir, socketName)
	if _, err := os.Stat(socket); err != nil {
		t.Fatalf("a killed server leaves its socket: %v", err)
	}
	r.done(t, "archive") // with nobody at it
	for range 2 {
		onSocket, onPort := newStranger(t, "unix", socket), newStranger(t, "tcp", "127.0.0.1:0")
		writeFile(t, filepath.Join(r.dir, "serve.json"), fmt.Sprintf(`{"address":%q,"token":"a secret"}`, onPort.Addr()))
		if out := r.done(t, "withdraw", "2026-12-04", "--reason", "a test"); !strings.Contains(out, "revision") {
			t.Error(out)
		}
		onSocket.heardNothing(t)
		onPort.heardNothing(t)
	}
	if out := r.done(t, "audit", "2026-12-04"); !strings.Contains(out, "withdrawn 2026-12-01") || !strings.Contains(out, "Revision 1") {
		t.Errorf("what was withdrawn is not on record:\n%s", out)
	}
	r.verified(t)
	for _, name := range []string{socketName, "serve.json"} {
		if _, err := os.Lstat(filepath.Join(r.dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}

// No command is sent to another process that listens on the socket of a live serving process.
func TestAListenerThatIsNotTheHolderIsNotAsked(t *testing.T) {
	r := newRunner(t)
	server := r.serveApart(t)
	r.done(t, "archive")
	socket := filepath.Join(r.dir, socketName)
	if err := os.Remove(socket); err != nil {
		t.Fatal(err)
	}
	_, errs, code := r.run(t, "", "verify")
	if code != exitCannot || !strings.Contains(errs, fmt.Sprintf("held by process %d (assay serve, since", server.Process.Pid)) {
		t.Errorf("no socket: exit %d, %s", code, errs)
	}
	s := newStranger(t, "unix", socket)
	for _, args := range [][]string{{"verify"}, {"withdraw", "2026-12-04", "--reason", "a test"}} {
		out, errs, code := r.run(t, "", args...)
		want := fmt.Sprintf("the command was not sent to it, since process %d listens on its socket", os.Getpid())
		if code != exitCannot || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%v: exit %d, %s%s", args, code, out, errs)
		}
	}
	s.heardNothing(t)
}

// While a serving process makes ready there is no socket yet, and the verb is told who holds the directory.
func TestAServerThatTakesNoVerbsYet(t *testing.T) {
	r := newRunner(t)
	r.done(t, "init")
	defer r.open(t, home.ServeVerb).Close()
	_, errs, code := r.run(t, "", "publish")
	if code != exitCannot || !strings.Contains(errs, fmt.Sprintf("is held by process %d (assay serve, since ", os.Getpid())) || strings.Contains(errs, "not sent") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// The path of a directory may be longer than the address of a socket.
func TestALongPathIsServed(t *testing.T) {
	r := newRunner(t)
	r.dir = filepath.Join(filepath.Dir(r.dir), strings.Repeat("d", 200), "data")
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := serve(t, r)
	info, err := os.Lstat(filepath.Join(r.dir, socketName))
	if err != nil || info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if out := r.done(t, "archive", "--json"); strings.Count(out, "\n") != 31 {
		t.Error(out)
	}
	s.end(t)
	if _, err := os.Lstat(filepath.Join(r.dir, socketName)); !os.IsNotExist(err) {
		t.Errorf("the socket of a server that has ended: %v", err)
	}
}

// More verbs at once than are run at a time are all done.
func TestManyVerbsAtOnce(t *testing.T) {
	s := serve(t, newRunner(t))
	want := s.done(t, "archive")
	var group sync.WaitGroup
	for range 3 * carry.Most {
		group.Go(func() {
			if out, errs, code := s.run(t, "", "archive"); code != exitDone || out != want {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
		})
	}
	group.Wait()
	s.end(t)
}
