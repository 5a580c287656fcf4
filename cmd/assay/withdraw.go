package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
)

const withdrawLong = `Withdraw the puzzle of a day and publish another in its place, with the same label and from the same source. Both
stay on record. A day that readers have seen gets no other puzzle unless --released says so. When no other puzzle is to
be had, the day is left without one, until there is one. A day that was released or left empty is filled by
assay publish --date alone.`

func (a *app) withdrawCommand() *cobra.Command {
	var req registry.WithdrawRequest
	cmd := &cobra.Command{
		Use:   "withdraw DATE",
		Short: "Withdraw a day's puzzle and publish another in its place",
		Long:  withdrawLong,
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			req := req
			var err error
			if req.Date, err = parseDate(args[0]); err != nil {
				return err
			}
			became, err := r.Withdraw(ctx, req)
			switch {
			case err != nil:
				return err
			case became.Day != nil:
				return give(a, dayLine)(*became.Day, nil)
			}
			return a.print(became.Vacant, func(p *printer) {
				p.linef("%s has no puzzle now: %s", became.Vacant.Date, became.Vacant.Reason)
			})
		}),
	}
	seriesFlag(cmd, &req.Series)
	recordFlags(cmd, &req.Actor, &req.Reason)
	cmd.Flags().BoolVar(&req.Empty, "empty", false, "publish nothing in its place; the date stays empty until publish --date")
	cmd.Flags().BoolVar(&req.Released, "released", false, "replace the puzzle even if readers have seen it")
	cmd.MarkFlagsMutuallyExclusive("empty", "released")
	return cmd
}
