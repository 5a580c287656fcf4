package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/events/natslog/identity"
	"assay/registry"
	"assay/registry/input"
)

func (a *app) keysCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Show, export or rotate the keys of the registry"}
	show := &cobra.Command{
		Use:   "show",
		Short: "Print the public key that verifies checkpoints and proofs",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(_ context.Context, r *registry.Registry, _ []string) error {
			key := r.Ledger.VerifierKey()
			return a.print(map[string]string{"schema": "public-key/1", "key": key}, func(p *printer) { p.linef("%s", key) })
		}),
	}
	export := &cobra.Command{
		Use:   "export FILE",
		Short: "Write the signing key and the secrets to a new file of mode 0600; a backup has neither",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(_ context.Context, _ *registry.Registry, args []string) error {
			keys, err := a.place().Keys()
			if err != nil {
				return err
			}
			data, err := json.Marshal(keys)
			if err != nil {
				return err
			}
			if err := a.newFile(args[0], func(f *os.File) error { _, err := f.Write(append(data, '\n')); return err }); err != nil {
				return err
			}
			return a.print(map[string]any{"schema": "keys-export/1", "file": args[0], "secrets": len(keys.Secrets)}, func(p *printer) {
				p.linef("%s holds the signing key and %s: keep it apart from the backups", args[0], plural(len(keys.Secrets), "secret"))
			})
		}),
	}
	rotate := &cobra.Command{
		Use:   "rotate",
		Short: "Create a new signing key and record the handover, signed by both keys",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(_ context.Context, r *registry.Registry, _ []string) error {
			if a.host != nil {
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
		Short: "Create the nkeys and certificates with which NATS servers on these hosts and their clients authenticate each other",
		Args:  cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, hosts := args[0], args[1:]
			if err := identity.CheckHosts(hosts); err != nil {
				return &input.Error{Reason: err.Error()}
			}
			until, err := identity.Make(a.path(dir), hosts, a.clock())
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
