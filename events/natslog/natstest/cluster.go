package natstest

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"assay/events/logtest"
)

// Cluster is three servers in this process, n0, n1 and n2.
type Cluster struct {
	Servers []*server.Server // the running ones, and those that Stop has ended

	t       testing.TB
	options []*server.Options
}

// StartCluster starts three servers, and waits until one of them leads.
func StartCluster(t testing.TB) *Cluster {
	t.Helper()
	return StartClusterWith(t, Options)
}

// StartClusterWith is StartCluster with other server options for a directory.
func StartClusterWith(t testing.TB, options func(dir string) *server.Options) *Cluster {
	t.Helper()
	c := newCluster(t, options)
	var routes []string
	for _, o := range c.options {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", o.Cluster.Port))
	}
	for _, o := range c.options {
		o.Routes = server.RoutesFromStr(strings.Join(routes, ","))
	}
	c.start()
	Until(t, "a leader of the cluster", func() bool {
		for _, s := range c.Servers {
			if s.JetStreamIsLeader() {
				return true
			}
		}
		return false
	})
	return c
}

// newCluster returns the options of three servers, without their routes to one another.
func newCluster(t testing.TB, options func(dir string) *server.Options) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	dir, ports := logtest.DiskDir(t), FreePorts(t, 6)
	for i := range 3 {
		o := options(filepath.Join(dir, fmt.Sprint("store", i)))
		o.ServerName, o.Port = fmt.Sprint("n", i), ports[i]
		o.Cluster = server.ClusterOpts{Name: "assay", Host: "127.0.0.1", Port: ports[3+i]}
		c.options = append(c.options, o)
	}
	return c
}

func (c *Cluster) start() {
	c.t.Helper()
	for _, o := range c.options {
		c.Servers = append(c.Servers, Start(c.t, o.Clone()))
	}
}

// URL returns the addresses of all servers.
func (c *Cluster) URL() string {
	var list []string
	for i := range c.options {
		list = append(list, c.URLOf(i))
	}
	return strings.Join(list, ",")
}

// URLOf returns the address of one server.
func (c *Cluster) URLOf(i int) string { return fmt.Sprintf("nats://127.0.0.1:%d", c.options[i].Port) }

// Leader returns the number of the server that leads a stream, or −1.
func (c *Cluster) Leader(stream string) int {
	for i, s := range c.Servers {
		if s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
			return i
		}
	}
	return -1
}

// Partition is a cluster whose servers reach one another through proxies, each pair through two of its own.
type Partition struct {
	*Cluster
	between [3][3]*Proxy
}

// StartPartition starts a cluster that is not partitioned yet. The servers advertise addresses that lead nowhere, so
// that they have no way around the proxies.
func StartPartition(t testing.TB) *Partition {
	t.Helper()
	p := &Partition{Cluster: newCluster(t, Options)}
	for i, o := range p.options {
		o.Cluster.Advertise, o.Cluster.PoolSize = "127.0.0.1:1", -1
		for j, to := range p.options {
			if i != j {
				p.between[i][j] = StartProxy(t, fmt.Sprintf("127.0.0.1:%d", to.Cluster.Port))
				o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: p.between[i][j].Address()})
			}
		}
	}
	p.start()
	return p
}

// Isolate cuts a server off from the others.
func (p *Partition) Isolate(i int) { p.around(i, (*Proxy).Cut) }

// Join ends what Isolate did.
func (p *Partition) Join(i int) { p.around(i, (*Proxy).Mend) }

// around calls do with all proxies between a server and the others.
func (p *Partition) around(i int, do func(*Proxy)) {
	for j := range 3 {
		if i != j {
			do(p.between[i][j])
			do(p.between[j][i])
		}
	}
}
