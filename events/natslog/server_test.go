package natslog

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"assay/events/logtest"
)

// serverOptions are those of a server with JetStream on a disk, that syncs every write.
func serverOptions(dir string) *server.Options {
	return &server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: dir, SyncAlways: true, JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 8 << 30,
	}
}

// startServer starts a server and waits until it takes connections.
func startServer(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	t.Cleanup(func() { stop(s) })
	return s
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// startOne starts a server that is alone.
func startOne(t testing.TB) *server.Server {
	t.Helper()
	return startServer(t, serverOptions(filepath.Join(logtest.DiskDir(t), "store")))
}

func mustOpen(t testing.TB, o Options) *Log {
	t.Helper()
	l, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// freePorts gives ports that nobody listens on.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}
