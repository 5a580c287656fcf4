package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/registry"
	"assay/registry/integrity"
)

func (a *app) exportCommand() *cobra.Command {
	var after uint64
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print every event as JSON, one per line, in log order",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
			p := a.printer()
			err := r.Holdings().Export(ctx, events.Seq(after), func(e integrity.ExportedEvent) error { return p.json.Encode(e) })
			return errors.Join(err, p.Flush())
		}),
	}
	cmd.Flags().Uint64Var(&after, "after", 0, "print print only the events after this position")
	return cmd
}
