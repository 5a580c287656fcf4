package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/events/durable"
	"assay/events/natslog/identity"
	"assay/registry"
)

// keyRing is what a registry needs to go on besides its log: the object keys/1, in a file of its own. It is
// secret.
type keyRing struct {
	Schema  string            `json:"schema"`
	Signing string            `json:"signing"` // the signing key of the log
	Secrets map[string][]byte `json:"secrets"` // of each series, in base64

	lost string // the public key of a log whose keys are lost
}

func (a *app) keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Show, export or rotate the keys of the registry"}
	show := &cobra.Command{
		Use:   "show",
		Short: "Print the public key that checkpoints and proofs are checked with",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(_ context.Context, r *registry.Registry, _ []string) error {
			key := r.Ledger.VerifierKey()
			return a.print(map[string]string{"schema": "public-key/1", "key": key}, func(p *printer) { p.linef("%s", key) })
		}),
	}
	export := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the signing key and the secrets to a new file of mode 0600: a backup holds neither",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(_ context.Context, _ *registry.Registry, args []string) error {
			ring, err := readKeys(filepath.Join(a.path(a.dir), "keys"))
			if err != nil {
				return err
			}
			data, err := json.Marshal(ring)
			if err != nil {
				return err
			}
			if err := a.newFile(args[0], func(f *os.File) error { _, err := f.Write(append(data, '\n')); return err }); err != nil {
				return err
			}
			return a.print(map[string]any{"schema": "keys-export/1", "file": args[0], "secrets": len(ring.Secrets)}, func(p *printer) {
				p.linef("%s holds the signing key and %s: keep it apart from the backups", args[0], plural(len(ring.Secrets), "secret"))
			})
		}),
	}
	rotate := &cobra.Command{
		Use:   "rotate",
		Short: "Make a new signing key, which the old one signs over on record",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(_ context.Context, r *registry.Registry, _ []string) error {
			if a.hosted != nil {
				return errors.New("keys rotate needs the directory to itself: end the serving process first")
			}
			if err := r.Ledger.Rotate(); err != nil {
				return err
			}
			key := r.Ledger.VerifierKey()
			return a.print(map[string]string{"schema": "public-key/1", "key": key}, func(p *printer) { p.linef("%s", key) })
		}),
	}
	cmd.AddCommand(show, export, rotate, a.keysNATSCommand())
	return cmd
}

func (a *app) keysNATSCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "nats DIR HOST...",
		Short: "Make what NATS servers on these hosts and their clients know one another by: nkeys and certificates",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			now, err := a.clock()
			if err != nil {
				return err
			}
			dir, hosts := args[0], args[1:]
			if err := identity.CheckHosts(hosts); err != nil {
				return &registry.InputError{Reason: err.Error()}
			}
			until, err := identity.Make(a.path(dir), hosts, now())
			if err != nil {
				return err
			}
			made := map[string]any{"schema": "nats-keys/1", "dir": dir, "hosts": hosts, "until": until.Format(time.DateOnly)}
			return a.print(made, func(p *printer) {
				p.linef("%s holds an nkey for each role, and a certificate for %s until %s", dir, strings.Join(hosts, ", "), until.Format(time.DateOnly))
			})
		},
	}
}

// readKeys reads the keys of a directory.
func readKeys(dir string) (keyRing, error) {
	ring := keyRing{Schema: "keys/1", Secrets: map[string][]byte{}}
	signing, err := os.ReadFile(filepath.Join(dir, "log.key"))
	if err != nil {
		return ring, err
	}
	ring.Signing = strings.TrimSpace(string(signing))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ring, err
	}
	for _, e := range entries {
		series, is := strings.CutSuffix(e.Name(), ".secret")
		if !is {
			continue
		}
		if ring.Secrets[series], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			return ring, err
		}
	}
	return ring, nil
}

// writeKeys writes keys into a directory that has none.
func writeKeys(dir string, ring keyRing) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	err := durable.WriteFile(filepath.Join(dir, "log.key"), []byte(ring.Signing+"\n"))
	for series, secret := range ring.Secrets {
		if series != filepath.Base(series) {
			return &registry.InputError{Reason: fmt.Sprintf("%q is not the name of a series", series)}
		}
		err = errors.Join(err, durable.WriteFile(filepath.Join(dir, series+".secret"), secret))
	}
	return err
}

// maxKeys is the largest file of keys that is read, in bytes.
const maxKeys = 1 << 20

func (a *app) readFile(name string) ([]byte, error) {
	f, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, name, maxKeys)
}

// newFile writes a file that must not exist, with mode 0600; it is whole or not there.
func (a *app) newFile(name string, write func(*os.File) error) error {
	path := a.path(name)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(&registry.InputError{Reason: name + " is there already: name a new file"}, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return badFlag("there is no folder %s to write %s into: make it first", filepath.Dir(path), filepath.Base(path))
	}
	draft, err := durable.Draft(path)
	if err != nil {
		return err
	}
	err = errors.Join(write(draft), draft.Sync(), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return nil
}
