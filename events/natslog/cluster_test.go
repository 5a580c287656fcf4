package natslog

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"assay/events/logtest"
)

// cluster is three servers in this process.
type cluster struct {
	t       testing.TB
	options []*server.Options
	servers []*server.Server
}

func startCluster(t testing.TB) *cluster {
	t.Helper()
	c := &cluster{t: t, servers: make([]*server.Server, 3)}
	dir, ports := logtest.DiskDir(t), freePorts(t, 6)
	var routes []string
	for _, port := range ports[3:] {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", port))
	}
	for i := range 3 {
		o := serverOptions(filepath.Join(dir, fmt.Sprint("store", i)))
		o.ServerName, o.Port = fmt.Sprint("n", i), ports[i]
		o.Cluster = server.ClusterOpts{Name: "assay", Host: "127.0.0.1", Port: ports[3+i]}
		o.Routes = server.RoutesFromStr(strings.Join(routes, ","))
		c.options = append(c.options, o)
	}
	for i := range 3 {
		c.start(i)
	}
	until(t, "a leader of the cluster", func() bool {
		for _, s := range c.servers {
			if s.JetStreamIsLeader() {
				return true
			}
		}
		return false
	})
	return c
}

func (c *cluster) start(i int) { c.servers[i] = startServer(c.t, c.options[i].Clone()) }

// url names all servers.
func (c *cluster) url() string {
	var list []string
	for _, o := range c.options {
		list = append(list, fmt.Sprintf("nats://127.0.0.1:%d", o.Port))
	}
	return strings.Join(list, ",")
}

// leader gives the number of the server that leads a stream, or −1.
func (c *cluster) leader(stream string) int {
	for i, s := range c.servers {
		if s != nil && s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
			return i
		}
	}
	return -1
}

func TestLogOnACluster(t *testing.T) {
	logtest.Run(t, fresh(startCluster(t).url()), ofServer...)
}
