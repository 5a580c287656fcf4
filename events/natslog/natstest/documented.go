package natstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"assay/events/logtest"
	"assay/events/natslog/link"
)

// Identities are the roles of docs/nats/roles.conf: the file with the seed of each, and one that the servers do not
// know.
type Identities struct {
	Registry, Worker, Reader string
	Stranger                 string

	env []string // what the servers need to know
}

// MakeIdentities makes an nkey for each role.
func MakeIdentities(t testing.TB) *Identities {
	t.Helper()
	ids, dir := &Identities{}, t.TempDir()
	for name, to := range map[string]*string{"registry": &ids.Registry, "worker": &ids.Worker, "reader": &ids.Reader, "stranger": &ids.Stranger} {
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
		*to = filepath.Join(dir, name+".nk")
		write(t, *to, seed)
		ids.env = append(ids.env, fmt.Sprintf("ASSAY_%s_NKEY=%s", strings.ToUpper(name), public))
	}
	return ids
}

func write(t testing.TB, file string, data []byte) {
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
		write(t, file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
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
	write(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	return ca, cert, key
}

// Documented starts the three servers of docs/nats/server.conf as processes, and gives how to reach them: who connects
// adds the seed file of a role. It waits until they take connections, not until they have a leader.
func Documented(t testing.TB, ids *Identities) link.Options {
	t.Helper()
	ports, dir := FreePorts(t, 6), logtest.DiskDir(t)
	ca, cert, key := certificates(t)
	var urls, routes []string
	for i := range 3 {
		urls = append(urls, fmt.Sprintf("tls://127.0.0.1:%d", ports[i]))
		routes = append(routes, fmt.Sprintf("tls://127.0.0.1:%d", ports[3+i]))
	}
	for i := range 3 {
		StartProcess(t, documented(t, "server.conf"), append([]string{
			fmt.Sprint("NATS_NAME=n", i), fmt.Sprint("NATS_LISTEN=127.0.0.1:", ports[i]), fmt.Sprint("NATS_CLUSTER=127.0.0.1:", ports[3+i]),
			"NATS_ROUTES=[" + strings.Join(routes, ",") + "]", "NATS_STORE=" + filepath.Join(dir, fmt.Sprint(i)),
			"NATS_CA=" + ca, "NATS_CERT=" + cert, "NATS_KEY=" + key,
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
	StartProcess(t, documented(t, "single.conf"), append([]string{"NATS_LISTEN=" + address, "NATS_STORE=" + StoreDir(t)}, ids.env...)...)
	awaitListening(t, address)
	return link.Options{URL: "nats://" + address}
}

// documented finds a configuration file of docs/nats from whatever package is tested.
func documented(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "docs", "nats", name)
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the tested package")
		}
	}
}
