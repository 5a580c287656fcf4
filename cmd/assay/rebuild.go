package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/integrity"
)

func (a *app) rebuildCommand() *cobra.Command {
	var discard, hashes bool
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Rebuild every table from the log; with --ledger the tree hashes first",
		Args:  cobra.NoArgs,
	}
	rebuild := a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
		return giveAll(a, func(p *printer, s integrity.TableState) {
			p.linef("%-10s %s events, digest %s", s.Table, number(s.Seq), s.Digest)
		})(r.Holdings().Rebuild(ctx))
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if discard && a.host == nil {
			if err := a.place().DiscardTables(); err != nil {
				return err
			}
		}
		if hashes && a.host == nil {
			if err := a.place().RebuildLedger(cmd.Context()); err != nil {
				return err
			}
		}
		return rebuild(cmd, args)
	}
	cmd.Flags().BoolVar(&hashes, "ledger", false, "first compute the tree hashes from the log, if it is the log that was signed")
	cmd.Flags().BoolVar(&discard, "discard", false, "delete the tables first; for tables that cannot be opened")
	return cmd
}
