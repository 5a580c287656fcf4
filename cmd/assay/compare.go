package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/input"
)

func (a *app) compareCommand() *cobra.Command {
	var req registry.CompareRequest
	var list int
	cmd := &cobra.Command{
		Use:   "compare RATER RATER",
		Short: "List the puzzles to which two raters, or two versions of one rater, give different levels",
		Long: `Compare the levels that two raters give to puzzles on record. A rater is a name, or a name and a version, such as
sudoku.tiers@1. A rating on record is used as it is. A puzzle without one is rated now, and that rating is not
recorded. The exit status is 1 when levels differ.`,
		Args: cobra.ExactArgs(2),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			req.A, req.B = args[0], args[1]
			if list < 0 {
				return input.Errorf("--list %d is less than 0", list)
			}
			return a.compared(ctx, r, req, list)
		}),
	}
	selectionFlags(cmd, &req.Selection)
	cmd.Flags().StringSliceVar(&req.IDs, "ids", nil, "the puzzles with these IDs")
	cmd.Flags().IntVar(&list, "list", 20, "how many differences to list; --json lists all")
	cmd.MarkFlagsMutuallyExclusive("ids", "pool")
	cmd.MarkFlagsMutuallyExclusive("ids", "series")
	return cmd
}

func (a *app) compared(ctx context.Context, r *registry.Registry, req registry.CompareRequest, list int) error {
	differences := toldOf[registry.CompareDifference]{printer: a.printer(), json: a.json, list: list}
	req.Difference = differences.take
	bar := a.progress(ctx, "puzzles")
	req.Progress = bar.teller()
	result, err := r.Compare(ctx, req)
	bar.end()
	if err != nil {
		return err
	}
	return differences.end(result, result.Differ > 0, func(p *printer) { comparisonText(p, result, differences.first) })
}

func comparisonText(p *printer, v registry.RaterComparison, differences []registry.CompareDifference) {
	p.boldf("%s · %s · %s against %s", v.Of, plural(v.Puzzles, "puzzle"), v.A, v.B)
	matrixText(p, v.Matrix, v.B.Rater)
	p.linef("\n%s of the same level, %s of another, %s without a level of one of the two", number(v.Same), number(v.Differ), number(v.Without))
	for _, d := range differences {
		p.linef("  %s  %s, %s", d.ID, d.A, d.B)
	}
	if more := v.Differ - len(differences); more > 0 && len(differences) > 0 {
		p.linef("  and %s more", number(more))
	}
}
