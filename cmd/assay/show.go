package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/registry"
)

func (a *app) showCommand() *cobra.Command {
	var seed string
	var steps bool
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show all that is on record of a puzzle",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			ids := args
			if seed != "" {
				found, err := r.OfSeed(ctx, seed)
				if err != nil {
					return err
				}
				ids = found
			}
			if len(ids) == 0 {
				return &registry.InputError{Reason: "give a puzzle ID, or --seed genre/variant/g<version>/<seed>"}
			}
			show := r.Show
			if steps {
				show = r.ShowSteps
			}
			for _, id := range ids {
				rec, err := show(ctx, id)
				if err != nil {
					return err
				}
				if err := a.print(rec, func(p *printer) { a.recordText(p, rec) }); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&steps, "steps", false, "print the recorded solve of each rating, step by step")
	cmd.Flags().StringVar(&seed, "seed", "", "the puzzles of a seed instead, such as chain/daily/g1/42")
	return cmd
}

func (a *app) recordText(p *printer, rec registry.Record) {
	p.linef("%s", p.bold(rec.ID+"  "+rec.Genre+"/"+rec.Variant))
	a.boardText(p, rec.Genre, rec.Variant, rec.Text)
	p.evidence("Solution", rec.Solution, "")
	for _, g := range rec.Generations {
		p.evidence("Generated", fmt.Sprintf("generator %d, seed %s, asked for %s, %s", g.Generator, g.Seed, g.Requested, plural(len(g.Attempts), "attempt")), g.Event)
	}
	for _, i := range rec.Imports {
		p.evidence("Imported", byWhom(i.Time, i.Actor, i.Source), i.Event)
	}
	for _, v := range rec.Ratings {
		p.evidence("Rated", ratingLine(v), v.Event)
		for _, s := range v.Steps {
			p.linef("%s", stepLine(s))
		}
	}
	for _, pub := range rec.Publications {
		p.evidence("Published", fmt.Sprintf("%s %s as %s", pub.Series, pub.Date, pub.Label), pub.Event)
		if w := pub.Withdrawn; w != nil {
			p.evidence("Withdrawn", byWhom(w.Time, w.Actor, w.Reason), w.Event)
		}
	}
}
