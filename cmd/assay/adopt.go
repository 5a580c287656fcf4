package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/input"
)

func (a *app) adoptCommand() *cobra.Command {
	var req registry.AdoptRequest
	var with raterFlags
	cmd := &cobra.Command{
		Use:   "adopt POOL",
		Short: "Choose the rater whose levels decide the shelves of a pool",
		Long: `Record that from now on the levels of this rater decide on which shelf a puzzle of the pool is. The rater must have
rated every puzzle of the pool, on a shelf or not: run replay --all first. Published days keep their puzzles and labels.`,
		Args: cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			choice, err := with.choice(a)
			if err != nil {
				return err
			}
			if choice.Name == "" && choice.Profile == nil {
				return &input.Error{Reason: "name the rater with --rater, or its profile with --profile"}
			}
			req.Pool, req.Rater = args[0], choice
			return give(a, poolText)(r.AdoptRater(ctx, req))
		}),
	}
	with.add(cmd)
	recordFlags(cmd, &req.Actor, &req.Reason)
	return cmd
}
