package natstest

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/events/logtest"
	"assay/events/natslog/identity"
	"assay/events/natslog/link"
)

// Identities are the roles of docs/nats/roles.conf: the seed file of each, and one of a role that the servers do not
// know.
type Identities struct {
	Registry, Worker, Reader string
	Stranger                 string

	servers string   // the folder for the servers
	env     []string // the environment that tells the servers about the roles
}

// MakeIdentities makes an nkey for each role, and a certificate for the servers.
func MakeIdentities(t testing.TB) *Identities {
	t.Helper()
	dir, other := makeIdentities(t), makeIdentities(t)
	env, err := os.ReadFile(filepath.Join(dir, "servers", "nats.env"))
	if err != nil {
		t.Fatal(err)
	}
	seed := func(dir, role string) string { return filepath.Join(dir, role, role+".nk") }
	return &Identities{
		Registry: seed(dir, "registry"), Worker: seed(dir, "worker"), Reader: seed(dir, "reader"), Stranger: seed(other, "registry"),
		servers: filepath.Join(dir, "servers"), env: strings.Fields(string(env)),
	}
}

func makeIdentities(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if _, err := identity.Make(dir, []string{"127.0.0.1"}, time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Documented starts the three servers of docs/nats/server.conf as processes, and returns the options to connect. The
// caller adds the seed file of a role. Documented waits until the servers accept connections, not until they have a
// leader.
func Documented(t testing.TB, ids *Identities) link.Options {
	t.Helper()
	ports, dir := FreePorts(t, 6), logtest.DiskDir(t)
	ca := filepath.Join(ids.servers, "ca.pem")
	var urls, routes []string
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("tls://127.0.0.1:%d", ports[i]))
		routes = append(routes, fmt.Sprintf("tls://127.0.0.1:%d", ports[3+i]))
	}
	for i := range 3 {
		startServer(t, documented(t, "server.conf"), append([]string{
			fmt.Sprint("NATS_NAME=n", i), fmt.Sprint("NATS_LISTEN=127.0.0.1:", ports[i]), fmt.Sprint("NATS_CLUSTER=127.0.0.1:", ports[3+i]),
			"NATS_ROUTES=[" + strings.Join(routes, ",") + "]", "NATS_STORE=" + filepath.Join(dir, fmt.Sprint(i)),
			"NATS_CA=" + ca, "NATS_CERT=" + filepath.Join(ids.servers, "server.pem"), "NATS_KEY=" + filepath.Join(ids.servers, "server.key"),
		}, ids.env...)...)
	}
	for _, port := range ports {
		awaitListening(t, fmt.Sprint("127.0.0.1:", port))
	}
	return link.Options{URL: strings.Join(urls, ","), CA: ca}
}

func awaitListening(t testing.TB, address string) {
	t.Helper()
	Until(t, "a server at "+address, func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
}

// DocumentedOne is Documented for the single server of docs/nats/single.conf.
func DocumentedOne(t testing.TB, ids *Identities) link.Options {
	t.Helper()
	address := fmt.Sprint("127.0.0.1:", FreePorts(t, 1)[0])
	startServer(t, documented(t, "single.conf"), append([]string{"NATS_LISTEN=" + address, "NATS_STORE=" + StoreDir(t)}, ids.env...)...)
	awaitListening(t, address)
	return link.Options{URL: "nats://" + address}
}

// documented finds a configuration file of docs/nats from any package.
func documented(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			docs := filepath.Join(dir, "docs", "nats")
			if err := os.CopyFS(filepath.Join(t.TempDir(), "nats"), os.DirFS(docs)); err != nil { // because the test reads it here, a change makes the test run again
				t.Fatal(err)
			}
			return filepath.Join(docs, name)
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the tested package")
		}
	}
}
