// Package natstest starts NATS servers for tests: in the process of the test or as processes of their own, alone or as a
// cluster, behind proxies that can be cut, and with the configuration files of docs/nats. Each server stores on a disk
// and syncs every write, and ends with its test.
package natstest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"assay/events/logtest"
)

// Version is the version of the servers.
const Version = server.VERSION

// Options are the options of a server with JetStream, at any free port of the loopback, that stores in a directory.
func Options(dir string) *server.Options {
	return &server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: dir, SyncAlways: true, JetStreamMaxMemory: 1 << 30, JetStreamMaxStore: 8 << 30,
	}
}

// OptionsOf returns options of servers with this many bytes of room for their streams.
func OptionsOf(room int64) func(dir string) *server.Options {
	return func(dir string) *server.Options {
		o := Options(dir)
		o.JetStreamMaxStore = room
		return o
	}
}

// GiveAccount limits the one account of servers in this process to this many bytes.
func GiveAccount(t testing.TB, room int64, servers ...*server.Server) {
	t.Helper()
	for _, s := range servers {
		err := s.GlobalAccount().UpdateJetStreamLimits(map[string]server.JetStreamAccountLimits{
			"": {MaxMemory: -1, MaxStore: room, MaxStreams: -1, MaxConsumers: -1, MemoryMaxStreamBytes: -1, StoreMaxStreamBytes: -1},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// StoreDir creates a directory on a disk for the store of a server.
func StoreDir(t testing.TB) string {
	t.Helper()
	return filepath.Join(logtest.DiskDir(t), "store")
}

// Start starts a server in this process, and waits until it accepts connections.
func Start(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { Stop(s) })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s
}

// Stop ends a server that Start has started, and waits until it has ended.
func Stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// One starts a single server in this process.
func One(t testing.TB) *server.Server {
	t.Helper()
	return Start(t, Options(StoreDir(t)))
}

// JetStream returns the streams of a server, for a user who may do everything there.
func JetStream(t testing.TB, url string) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// OfServer makes a search for leaks ignore goroutines that servers in this process start and end as they like.
var OfServer = []goleak.Option{
	goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.(*Server).startGoRoutine.func1"),
	goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.(*msgBlock).flushLoop"),
}

// FreePorts returns n ports of the loopback that nobody listens on. They are below 32768, because the system gives
// ports from there on to any process that asks for a free one.
func FreePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range 1000 {
		if len(ports) == n {
			return ports
		}
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 10_000+rand.IntN(22_000)))
		if err == nil {
			defer l.Close()
			ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		}
	}
	t.Fatal("no free ports")
	return nil
}
