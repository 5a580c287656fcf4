package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/integrity"
)

func (a *app) compactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compact",
		Short: "Merge the files of the log and of the tables; every record is checked against the ledger",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
			return giveAll(a, func(p *printer, c integrity.Compaction) {
				p.linef("%-6s  %s, %s → %s, %s", c.Store, plural(c.FilesBefore, "file"), mebibytes(c.BytesBefore), plural(c.Files, "file"), mebibytes(c.Bytes))
			})(r.Holdings().Compact(ctx))
		}),
	}
}

// mebibytes shows a size.
func mebibytes(bytes int64) string { return number(int((bytes+1<<19)>>20)) + " MiB" }
