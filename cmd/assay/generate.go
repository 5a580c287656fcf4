package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
	"assay/registry/jobs"
)

func (a *app) generateCommand() *cobra.Command {
	var req raters.Request
	var actor string
	var count int
	var noRecord bool
	cmd := &cobra.Command{
		Use:   "generate GENRE",
		Short: "Make puzzles of seeds, and put them on record with their ratings",
		Args:  cobra.ExactArgs(1),
	}
	run := func(ctx context.Context, pool jobs.Pool, genre string, puzzle func(registry.Made) (registry.Puzzle, error)) error {
		v, err := a.requested(genre, &req)
		if err != nil {
			return err
		}
		if count < 1 {
			return &registry.InputError{Reason: fmt.Sprintf("--count %d is less than 1", count)}
		}
		if uint64(count)-1 > math.MaxUint64-req.Seed {
			return &registry.InputError{Reason: fmt.Sprintf("there are no %d seeds from %d on", count, req.Seed)}
		}
		all, err := registry.GenerateEach(ctx, pool, a.genres(), v, req, count)
		if err != nil {
			return err
		}
		return a.printMade(ctx, all, puzzle)
	}
	recorded := a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
		return run(ctx, r.Pool, args[0], func(m registry.Made) (registry.Puzzle, error) { return r.RecordMade(ctx, m, actor) })
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !noRecord {
			return recorded(cmd, args)
		}
		return a.withPool(cmd.Context(), func(pool jobs.Pool) error {
			err := run(cmd.Context(), pool, args[0], func(m registry.Made) (registry.Puzzle, error) { return m.Puzzle(), m.Err })
			return a.tellLiars(cmd.Context(), pool, nil, err)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Variant, "variant", "", "the variant, else the genre's first")
	flags.StringVar(&req.Level, "level", "", "the level wanted, else any")
	flags.StringVar(&req.Rater, "rater", "", "whose level, else the genre's first rater")
	flags.Uint64Var(&req.Seed, "seed", 1, "the first seed")
	flags.IntVar(&count, "count", 1, "how many puzzles, of seeds that follow one another")
	flags.BoolVar(&noRecord, "no-record", false, "record nothing; needs no directory")
	recordFlags(cmd, &actor, nil)
	cmd.MarkFlagsMutuallyExclusive("no-record", "actor")
	return cmd
}

// requested finds the genre of a request, its variant, and the name of its rater, which may be given as name@version.
func (a *app) requested(genre string, req *raters.Request) (raters.Variant, error) {
	v, err := registry.Find(a.genres(), genre, req.Variant)
	if req.Variant = v.Name; err != nil || req.Rater == "" {
		return v, err
	}
	name, _, versioned := strings.Cut(req.Rater, "@")
	rater, err := registry.Rater(v, name)
	if err != nil {
		return v, err
	}
	if built := rater.Name() + "@" + rater.Version(); versioned && req.Rater != built {
		return v, &registry.InputError{Reason: fmt.Sprintf("a generator makes puzzles by the levels of a rater that is built in, such as %s; what %s says of them, assay rate or assay replay tells", built, req.Rater)}
	}
	req.Rater = rater.Name()
	return v, nil
}

// printMade prints puzzles as they come, each by what is to be known of it.
func (a *app) printMade(ctx context.Context, all iter.Seq[registry.Made], puzzle func(registry.Made) (registry.Puzzle, error)) error {
	for m := range all {
		made, err := puzzle(m)
		if err != nil {
			return err
		}
		err = a.print(made, func(p *printer) {
			p.linef("%s  %s  seed %s, %s\n  %s\n  %s", made.ID, made.Requested, made.Generator.Seed, plural(made.Attempts, "attempt"), lines(made.Text), lines(made.Solution))
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
