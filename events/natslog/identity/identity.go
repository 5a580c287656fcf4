// Package identity creates the nkeys and certificates with which NATS servers and their clients authenticate each
// other: an nkey for each role of docs/nats/roles.conf, an authority, and the servers' certificate, which the authority
// signs. Each folder is for one kind of machine and has all that it needs. The files are secret, with mode 0600:
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

// Roles are the roles of docs/nats/roles.conf.
var Roles = []string{"registry", "worker", "reader"}

// maxHosts is how many names a certificate may have.
const maxHosts = 100

var hostname = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)

// Make creates the missing files in a directory and leaves existing ones. So it can be run again after an interruption,
// or when a file was removed to replace it. The servers' certificate is valid for all hosts, names or IP addresses. If
// an existing one is not, or no longer, Make returns an error. It returns when the certificate expires.
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

// CheckHosts returns an error if a host cannot be in a certificate.
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

// nkey returns the public key of a user. It creates the file with the seed if there is none.
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

// write creates a file and its folder. The file is whole or does not exist.
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
