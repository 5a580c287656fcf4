package main

import (
	"context"
	"iter"
	"math"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/jobs"
)

func (a *app) generateCommand() *cobra.Command {
	var req raters.Request
	var actor string
	var count int
	var noRecord bool
	cmd := &cobra.Command{
		Use:   "generate GENRE",
		Short: "Generate puzzles from seeds and record them with their ratings",
		Args:  cobra.ExactArgs(1),
	}
	onRegistry := func(ctx context.Context, r *registry.Registry, args []string) error {
		choose := func(v raters.Variant) (raters.Rater, error) {
			return r.ChooseRater(ctx, v, engine.RaterChoice{Name: req.Rater})
		}
		return a.makeAll(ctx, r.Crew, args[0], req, count, choose, func(m engine.Made) (engine.Puzzle, error) {
			if noRecord {
				return m.Puzzle(), m.Err
			}
			return r.RecordMade(ctx, m, actor)
		})
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		choice := engine.RaterChoice{Name: req.Rater}
		switch {
		case !noRecord:
			return a.onRegistry(onRegistry)(cmd, args)
		case choice.OnRecord():
			return a.onExisting(onRegistry)(cmd, args)
		}
		return a.withCrew(cmd.Context(), func(crew jobs.Crew) error {
			err := a.makeAll(cmd.Context(), crew, args[0], req, count, choice.Choose, func(m engine.Made) (engine.Puzzle, error) { return m.Puzzle(), m.Err })
			return a.tellLiars(cmd.Context(), crew, nil, err)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Variant, "variant", "", "the variant (default: the genre's first)")
	flags.StringVar(&req.Level, "level", "", "the level (default: any)")
	flags.StringVar(&req.Rater, "rater", "", "the rater whose level is meant, as name or name@version (default: the variant's first)")
	flags.Uint64Var(&req.Seed, "seed", 1, "the first seed")
	flags.IntVar(&count, "count", 1, "how many puzzles, from consecutive seeds")
	flags.BoolVar(&noRecord, "no-record", false, "record nothing; needs no directory unless the rater's version is on record there")
	recordFlags(cmd, &actor, nil)
	cmd.MarkFlagsMutuallyExclusive("no-record", "actor")
	return cmd
}

// makeAll lets a crew generate count puzzles of a genre, by the levels of the chosen rater of the variant, and prints
// them as they come.
func (a *app) makeAll(ctx context.Context, crew jobs.Crew, genre string, req raters.Request, count int, choose chooser, puzzle func(engine.Made) (engine.Puzzle, error)) error {
	v, err := engine.Find(a.genres(), genre, req.Variant)
	if err != nil {
		return err
	}
	rater, err := choose(v)
	if err != nil {
		return err
	}
	req.Variant = v.Name
	if req.Rater != "" {
		req.Rater = rater.Name()
	}
	if count < 1 {
		return input.Errorf("--count %d is less than 1", count)
	}
	if uint64(count)-1 > math.MaxUint64-req.Seed {
		return input.Errorf("there are no %d seeds from %d on", count, req.Seed)
	}
	all, err := engine.GenerateEach(ctx, crew, a.genres(), v, rater, req, count)
	if err != nil {
		return err
	}
	return a.printMade(ctx, all, puzzle)
}

// printMade prints puzzles as they come. The function puzzle returns what to print for each.
func (a *app) printMade(ctx context.Context, all iter.Seq[engine.Made], puzzle func(engine.Made) (engine.Puzzle, error)) error {
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
