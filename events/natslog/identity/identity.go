// Package identity makes what NATS servers and those who connect to them know one another by: an nkey for each role of
// docs/nats/roles.conf, an authority, and the certificate that it gives the servers. Each folder is for one kind of
// machine and has all that it needs; what lies in them is secret, with mode 0600:
//
//	authority/  ca.key, ca.pem              signs certificates; needed only to make another
//	servers/    ca.pem, server.pem, server.key, and nats.env, the public keys of the roles as variables
//	registry/   ca.pem, registry.nk
//	worker/     ca.pem, worker.nk
//	reader/     ca.pem, reader.nk
package identity

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nkeys"
)

// Roles are those of docs/nats/roles.conf.
var Roles = []string{"registry", "worker", "reader"}

// maxHosts is how many names a certificate may have.
const maxHosts = 100

var hostname = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)

// Make makes in a directory what is not there yet, and keeps what is: so it can be run again after it was cut short, or
// when a file was removed to have another. The servers' certificate holds for all hosts, names or IP addresses; one that
// stands and does not, or no longer, is an error. It returns the end of that certificate.
func Make(dir string, hosts []string, now time.Time) (until time.Time, err error) {
	if err := CheckHosts(hosts); err != nil {
		return time.Time{}, err
	}
	var env strings.Builder
	for _, role := range Roles {
		public, err := nkey(filepath.Join(dir, role, role+".nk"))
		if err != nil {
			return time.Time{}, err
		}
		fmt.Fprintf(&env, "ASSAY_%s_NKEY=%s\n", strings.ToUpper(role), public)
	}
	if until, err = certify(dir, hosts, now); err != nil {
		return time.Time{}, err
	}
	return until, write(filepath.Join(dir, "servers", "nats.env"), []byte(env.String()))
}

// CheckHosts refuses what cannot be in a certificate.
func CheckHosts(hosts []string) error {
	if len(hosts) == 0 || len(hosts) > maxHosts {
		return fmt.Errorf("%d hosts: name 1 to %d", len(hosts), maxHosts)
	}
	for _, host := range hosts {
		if net.ParseIP(host) == nil && !hostname.MatchString(host) {
			return fmt.Errorf("%.60q is neither the name of a host nor an IP address", host)
		}
	}
	return nil
}

// nkey returns the public key of a user, whose seed it makes unless the file is there.
func nkey(file string) (public string, err error) {
	seed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		var made nkeys.KeyPair
		if made, err = nkeys.CreateUser(); err != nil {
			return "", err
		}
		if seed, err = made.Seed(); err == nil {
			err = write(file, seed)
		}
	}
	if err != nil {
		return "", err
	}
	pair, err := nkeys.ParseDecoratedUserNKey(seed)
	if err != nil {
		return "", fmt.Errorf("the nkey %s: %w", file, err)
	}
	return pair.PublicKey()
}

// write makes a file and its folder; the file is whole or not there.
func write(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	draft, err := os.OpenFile(file+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = draft.Write(data)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	return os.Rename(draft.Name(), file)
}
