package identity

import (
	"crypto/tls"
	"crypto/x509"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"
)

var now = time.Now()

// files returns what a directory holds, by path.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func mustMake(t *testing.T, dir string, hosts ...string) {
	t.Helper()
	until, err := Make(dir, hosts, now)
	if err != nil {
		t.Fatal(err)
	}
	if want := now.Add(serverTime); until.Sub(want).Abs() > time.Second {
		t.Errorf("it holds until %v, want %v", until, want)
	}
}

// Each folder has what its machines need, and the servers know the public key of each role's seed.
func TestMake(t *testing.T) {
	dir := t.TempDir()
	mustMake(t, dir, "n1", "10.0.0.1")
	made := files(t, dir)
	want := []string{
		"authority/ca.key", "authority/ca.pem", "reader/ca.pem", "reader/reader.nk", "registry/ca.pem", "registry/registry.nk",
		"servers/ca.pem", "servers/nats.env", "servers/server.key", "servers/server.pem", "worker/ca.pem", "worker/worker.nk",
	}
	if got := slices.Sorted(maps.Keys(made)); !slices.Equal(got, want) {
		t.Fatalf("made %v\nwant %v", got, want)
	}
	publics := map[string]bool{}
	for _, role := range Roles {
		pair, err := nkeys.FromSeed([]byte(made[role+"/"+role+".nk"]))
		if err != nil {
			t.Fatal(err)
		}
		public, err := pair.PublicKey()
		if err != nil || !nkeys.IsValidPublicUserKey(public) {
			t.Fatal(public, err)
		}
		if line := "ASSAY_" + strings.ToUpper(role) + "_NKEY=" + public + "\n"; !strings.Contains(made["servers/nats.env"], line) {
			t.Errorf("nats.env lacks %s", line)
		}
		if made[role+"/ca.pem"] != made["authority/ca.pem"] {
			t.Errorf("%s trusts another authority", role)
		}
		publics[public] = true
	}
	if len(publics) != len(Roles) {
		t.Error("two roles have one key")
	}
}

// A server with the certificate is trusted by who has the authority's, under its own names only, and trusts its like.
func TestTheCertificateServes(t *testing.T) {
	dir := t.TempDir()
	mustMake(t, dir, "n1", "n2.example", "127.0.0.1", "::1")
	cert, err := tls.LoadX509KeyPair(filepath.Join(dir, "servers", "server.pem"), filepath.Join(dir, "servers", "server.key"))
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if ca, err := os.ReadFile(filepath.Join(dir, "worker", "ca.pem")); err != nil || !trusted.AppendCertsFromPEM(ca) {
		t.Fatal("no authority", err)
	}
	shake := func(name string, own ...tls.Certificate) error {
		here, there := net.Pipe()
		defer here.Close()
		defer there.Close()
		served := make(chan error, 1)
		go func() {
			served <- tls.Server(there, &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: trusted, MaxVersion: tls.VersionTLS12}).Handshake()
			there.Close()
		}()
		err := tls.Client(here, &tls.Config{ServerName: name, RootCAs: trusted, Certificates: own}).Handshake()
		here.Close()
		if err == nil {
			return <-served
		}
		<-served
		return err
	}
	for _, name := range []string{"n1", "n2.example", "127.0.0.1", "::1"} {
		if err := shake(name, cert); err != nil {
			t.Errorf("as %s: %v", name, err)
		}
	}
	if err := shake("n3", cert); err == nil {
		t.Error("it passes for n3")
	}
	if err := shake("n1"); err == nil {
		t.Error("a server without a certificate is let in")
	}
}

// What is there stays; what was removed, or never came to be, is made.
func TestMakeAgain(t *testing.T) {
	dir := t.TempDir()
	mustMake(t, dir, "n1")
	first := files(t, dir)
	mustMake(t, dir, "n1")
	if again := files(t, dir); !maps.Equal(first, again) {
		t.Error("what was there has changed")
	}
	if _, err := Make(dir, []string{"n1", "n2"}, now); err == nil || !strings.Contains(err.Error(), "n2") || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("for another host: %v", err)
	}
	if _, err := Make(dir, []string{"n1"}, now.Add(serverTime+time.Hour)); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Errorf("after its end: %v", err)
	}
	for name := range first {
		if strings.HasPrefix(name, "authority/") {
			continue
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash("servers/server.pem"))); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		mustMake(t, dir, "n1", "n2")
		if again := files(t, dir); len(again) != len(first) || strings.HasSuffix(name, ".nk") == (again["servers/nats.env"] == first["servers/nats.env"]) {
			t.Errorf("without %s: %v", name, slices.Sorted(maps.Keys(again)))
		}
		first = files(t, dir)
	}
}

// If the authority is missing, no new one is created, because nobody would trust it.
func TestTheAuthorityIsKeptElsewhere(t *testing.T) {
	dir := t.TempDir()
	mustMake(t, dir, "n1")
	if err := os.RemoveAll(filepath.Join(dir, "authority")); err != nil {
		t.Fatal(err)
	}
	mustMake(t, dir, "n1")
	if err := os.Remove(filepath.Join(dir, "servers", "server.pem")); err != nil {
		t.Fatal(err)
	}
	first := files(t, dir)
	if _, err := Make(dir, []string{"n1", "n2"}, now); err == nil || !strings.Contains(err.Error(), "authority is kept elsewhere") {
		t.Error(err)
	}
	if again := files(t, dir); !maps.Equal(first, again) {
		t.Error("something was made")
	}
}

// What cannot be used is told of by name, and nothing is made.
func TestWhatCannotBeUsed(t *testing.T) {
	for _, hosts := range [][]string{nil, {""}, {"n1:4222"}, {"tls://n1"}, {"n1 "}, {"-n"}, {"ü"}, make([]string, maxHosts+1)} {
		dir := filepath.Join(t.TempDir(), "new")
		if _, err := Make(dir, hosts, now); err == nil || len(hosts) == 1 && !strings.Contains(err.Error(), "host") {
			t.Errorf("%q: %v", hosts, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%q: made", hosts)
		}
	}
	for name, gone := range map[string]bool{"registry/registry.nk": false, "authority/ca.key": true, "servers/server.pem": false, "authority/ca.pem": true, "servers/ca.pem": false} {
		dir := t.TempDir()
		mustMake(t, dir, "n1")
		if gone { // the authority is looked at only when it has to sign
			if err := os.Remove(filepath.Join(dir, "servers", "server.pem")); err != nil {
				t.Fatal(err)
			}
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(file, []byte("spoiled"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Make(dir, []string{"n1"}, now); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s spoiled: %v", name, err)
		}
	}
}
