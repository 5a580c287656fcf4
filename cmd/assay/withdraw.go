package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
)

func (a *app) withdrawCommand() *cobra.Command {
	var series, actor, reason string
	cmd := &cobra.Command{
		Use:   "withdraw DATE",
		Short: "Withdraw a day's puzzle and publish another in its place, both on record",
		Args:  cobra.ExactArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			date, err := parseDate(args[0])
			if err != nil {
				return err
			}
			day, err := r.Withdraw(ctx, series, date, actor, reason)
			if err != nil {
				return err
			}
			return a.print(day, func(p *printer) { dayLine(p, day) })
		}),
	}
	seriesFlag(cmd, &series)
	recordFlags(cmd, &actor, &reason)
	return cmd
}
