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
		Short: "Let another rater file the puzzles of a pool from now on",
		Long: `Put on record that the ratings of a rater file the puzzles of a pool from now on. It has to have rated all of them,
on shelves or not: replay the pool first, with --all. Published days keep their puzzles and labels.`,
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
