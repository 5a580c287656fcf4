package natslog

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"assay/events"
	"assay/events/logtest"
	"assay/events/natslog/link"
)

// identities are the roles of docs/nats/roles.conf: the seed file of each, and what the servers need to know.
type identities struct {
	dir                      string
	registry, worker, reader string
	stranger                 string
	env                      []string
}

func makeIdentities(t testing.TB) *identities {
	t.Helper()
	ids := &identities{dir: t.TempDir()}
	for name, to := range map[string]*string{"registry": &ids.registry, "worker": &ids.worker, "reader": &ids.reader, "stranger": &ids.stranger} {
		pair, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			t.Fatal(err)
		}
		public, err := pair.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		*to = filepath.Join(ids.dir, name+".nk")
		write600(t, *to, seed)
		ids.env = append(ids.env, fmt.Sprintf("ASSAY_%s_NKEY=%s", strings.ToUpper(name), public))
	}
	return ids
}

func write600(t testing.TB, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// certificates makes an authority and a certificate for this machine, and gives their files.
func certificates(t testing.TB) (ca, cert, key string) {
	t.Helper()
	dir := t.TempDir()
	sign := func(name string, template, parent *x509.Certificate, by *ecdsa.PrivateKey) (*ecdsa.PrivateKey, string) {
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		if by == nil {
			by = private
		}
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, &private.PublicKey, by)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		write600(t, file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
		return private, file
	}
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	caKey, ca := sign("ca.pem", authority, authority, nil)
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "server"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	private, cert := sign("server.pem", server, authority, caKey)
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key = filepath.Join(dir, "server.key")
	write600(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	return ca, cert, key
}

// startDocumented starts three servers with the configuration files of docs/nats, and gives how to reach them.
func startDocumented(t testing.TB, ids *identities) Options {
	t.Helper()
	ports, dir := freePorts(t, 6), logtest.DiskDir(t)
	ca, cert, key := certificates(t)
	var urls, routes []string
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("tls://127.0.0.1:%d", ports[i]))
		routes = append(routes, fmt.Sprintf("tls://127.0.0.1:%d", ports[3+i]))
	}
	for i := range 3 {
		runDocumented(t, "server.conf", append([]string{
			fmt.Sprint("NATS_NAME=n", i), fmt.Sprint("NATS_LISTEN=127.0.0.1:", ports[i]), fmt.Sprint("NATS_CLUSTER=127.0.0.1:", ports[3+i]),
			"NATS_ROUTES=[" + strings.Join(routes, ",") + "]", "NATS_STORE=" + filepath.Join(dir, fmt.Sprint(i)),
			"NATS_CA=" + ca, "NATS_CERT=" + cert, "NATS_KEY=" + key,
		}, ids.env...))
	}
	return Options{Options: link.Options{URL: strings.Join(urls, ","), CA: ca}}
}

func runDocumented(t testing.TB, name string, env []string) {
	t.Helper()
	errs := &bytes.Buffer{}
	cmd := startProcess(t, filepath.Join("..", "..", "docs", "nats", name), errs, env...)
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait() // says that it was killed
		if t.Failed() {
			t.Logf("%s: %.3000s", name, errs)
		}
	})
}

func (o Options) as(seed string) Options {
	o.NKey = seed
	return o
}

// The three roles on servers with the documented configuration: what each may do, and that it says so when it may
// not.
func TestRoles(t *testing.T) {
	t.Parallel()
	ids := makeIdentities(t)
	single := Options{Options: link.Options{URL: fmt.Sprintf("nats://127.0.0.1:%d", freePorts(t, 1)[0])}}
	runDocumented(t, "single.conf", append([]string{"NATS_LISTEN=" + strings.TrimPrefix(single.URL, "nats://"), "NATS_STORE=" + logtest.DiskDir(t)}, ids.env...))
	for name, o := range map[string]Options{"cluster": startDocumented(t, ids), "single": single} {
		t.Run(name, func(t *testing.T) { testRoles(t, ids, o) })
	}
}

func testRoles(t *testing.T, ids *identities, o Options) {
	until(t, "servers that answer", func() bool {
		_, err := Open(t.Context(), o.as(ids.reader))
		return errors.Is(err, link.ErrNotPermitted) && strings.Contains(err.Error(), "there is no stream")
	})
	registry := openWhenReady(t, o.as(ids.registry))
	worker, reader := mustOpen(t, o.as(ids.worker)), mustOpen(t, o.as(ids.reader))
	if _, err := Open(t.Context(), o.as(ids.stranger)); !errors.Is(err, link.ErrNotPermitted) {
		t.Errorf("a stranger: %v", err)
	}
	for i, l := range []*Log{registry, worker} {
		if _, err := l.Append(t.Context(), logtest.Fact(fmt.Sprint("a-", i), "text", 1), logtest.Fact(fmt.Sprint("b-", i), "text", 1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := reader.Append(t.Context(), logtest.Fact("a", "text", 1)); !errors.Is(err, link.ErrNotPermitted) || !strings.Contains(err.Error(), "not permitted") {
		t.Errorf("a reader appends: %v", err)
	}
	if err := registry.Board().Post(t.Context(), []byte("checkpoint")); err != nil {
		t.Error(err)
	}
	for name, l := range map[string]*Log{"registry": registry, "worker": worker, "reader": reader} {
		if n, err := readAll(t.Context(), l); n != 4 || err != nil {
			t.Errorf("%s: %d events, %v", name, n, err)
		}
		if _, err := l.Get(t.Context(), events.ImportedKey("none")); !errors.Is(err, events.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
		if notes, err := l.Board().Posted(t.Context()); string(notes) != "checkpoint" || err != nil {
			t.Errorf("%s: %q, %v", name, notes, err)
		}
		await(t, l, 4)
	}
	for name, l := range map[string]*Log{"worker": worker, "reader": reader} {
		b := l.Board()
		if _, err := b.Posted(t.Context()); err != nil {
			t.Error(err)
		}
		if err := b.Post(t.Context(), []byte("forged")); !errors.Is(err, link.ErrNotPermitted) {
			t.Errorf("%s posts a checkpoint: %v", name, err)
		}
		wantDenied(t, l, "STREAM.CREATE.ASSAY", "STREAM.CREATE.OTHER")
	}
	for _, l := range []*Log{registry, worker, reader} {
		wantDenied(t, l, "STREAM.UPDATE.ASSAY", "STREAM.DELETE.ASSAY", "STREAM.PURGE.ASSAY", "STREAM.MSG.DELETE.ASSAY", "STREAM.RESTORE.ASSAY",
			"STREAM.SNAPSHOT.ASSAY", "STREAM.PEER.REMOVE.ASSAY", "STREAM.LEADER.STEPDOWN.ASSAY", "STREAM.UPDATE.ASSAY-checkpoints",
			"STREAM.DELETE.ASSAY-checkpoints", "STREAM.CREATE.OTHER", "CONSUMER.CREATE.ASSAY")
	}
}

// wantDenied checks that a user may not even ask the servers for something.
func wantDenied(t *testing.T, l *Log, api ...string) {
	t.Helper()
	for _, name := range api {
		if err := l.servers.NC.PublishRequest("$JS.API."+name, nats.NewInbox(), nil); err != nil {
			t.Fatal(err)
		}
		if err := l.servers.NC.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := l.servers.NC.LastError(); !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not denied: %v", name, err)
		}
	}
}
