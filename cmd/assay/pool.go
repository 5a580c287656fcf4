package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/input"
)

func (a *app) poolCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "pool", Short: "Fill, list and verify the shelves of a pool such as sudoku/classic; drop puzzles from them"}
	cmd.AddCommand(a.poolFillCommand(), a.poolListCommand(), a.poolVerifyCommand(), a.poolDropCommand(), a.poolRestoreCommand())
	return cmd
}

func (a *app) poolFillCommand() *cobra.Command {
	req := registry.FillRequest{}
	var seed string
	cmd := &cobra.Command{
		Use:   "fill POOL",
		Short: "Generate puzzles until each shelf has enough; an interrupted fill continues",
		Long: `Generate puzzles until each shelf of a pool has --per-level unpublished ones. The fill can be interrupted at any time; the
next one continues. Without --seed it continues the stream of candidates of the last fill. The first stream is derived
from a secret of the registry, because the oldest puzzle of a shelf is the next to be published.`,
		Args: cobra.ExactArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			req.Pool = args[0]
			var err error
			if req.Seed, err = optionalSeed(seed); err != nil {
				return err
			}
			bar := a.progress(ctx, "puzzles")
			req.Progress = func(f registry.Filling) { bar.show(f.Held, f.Wanted) }
			fill, err := r.FillPool(ctx, req)
			bar.end()
			return finding(fill.Stalled, give(a, fillText)(fill, err))
		}),
	}
	flags := cmd.Flags()
	flags.IntVar(&req.PerShelf, "per-level", registry.DefaultPerShelf, "unpublished puzzles that each shelf shall have")
	flags.StringVar(&seed, "seed", "", "the seed of the stream of candidates")
	flags.Uint64Var(&req.Candidates, "candidates", 0, "generate at most this many candidates, 0 for no limit")
	recordFlags(cmd, &req.Actor, nil)
	return cmd
}

func optionalSeed(text string) (*uint64, error) {
	if text == "" {
		return nil, nil
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return nil, input.Errorf("seed %q is not a number from 0 to 18446744073709551615", text)
	}
	return &seed, nil
}

func fillText(p *printer, f registry.Fill) {
	p.boldf("%s · %s %s · %s of seed %s", f.Pool, f.Rater, f.Version, plural(int(f.Candidates), "candidate"), f.Seed)
	for _, outcome := range []string{"kept", "full", "duplicate", "outside", "budget"} {
		if n := f.Outcomes[outcome]; n > 0 {
			p.linef("  %-12s %9s  %s", outcome, number(n), outcomeText[outcome])
		}
	}
	for _, s := range f.Shelves {
		p.linef("  %-12s %9s  unpublished", s.Level, number(s.Unpublished))
	}
	if f.Stalled {
		p.linef("of the last 100,000 candidates none found room on a shelf: there may be no more puzzles for those that lack some")
	} else if !f.Full {
		p.linef("not every shelf holds %s yet: run it again to go on", number(f.PerShelf))
	}
}

var outcomeText = map[string]string{
	"kept":      "on record now",
	"full":      "dropped: their shelf was full",
	"duplicate": "dropped: on record already, as they are or up to symmetry",
	"outside":   "dropped: of a level that has no shelf, or not finished by the rater",
	"budget":    "dropped: the work budget ran out",
}

func (a *app) poolListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list [POOL]",
		Short: "Count the puzzles of each shelf and the days that they will last",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			list, err := r.Pools(ctx, strings.Join(args, ""))
			if err != nil {
				return err
			}
			if len(list) == 0 && !a.json {
				return a.print(nil, func(p *printer) { p.linef("no pool was used yet; to begin: assay pool fill sudoku/classic") })
			}
			return printAll(a, list, poolText)
		}),
	}
}

func poolText(p *printer, pool registry.Pool) {
	p.evidence(pool.Pool, fmt.Sprintf("filed by %s %s", pool.Rater, pool.Version), pool.Adopted)
	p.linef("    %-12s %12s %10s   %s", "level", "unpublished", "published", "lasts")
	for _, s := range pool.Shelves {
		p.linef("    %-12s %12s %10s   %s", s.Level, number(s.Unpublished), number(s.Published), runwayText(s))
	}
	for _, s := range pool.Stuck {
		p.linef("    %-12s %12s %10s   %s", s.Level+", stuck", number(s.Unpublished), number(s.Published), runwayText(s))
	}
}

// runwayText describes how long a shelf lasts. An empty shelf lasts 0 days, even if the next puzzle is needed later.
func runwayText(s registry.PoolShelf) string {
	days := s.Runway
	switch {
	case days == nil:
		return "no series takes from it"
	case s.Unpublished == 0 && *days == 0:
		return "0 days: empty, and the next is needed today"
	case s.Unpublished == 0:
		return "0 days: empty, and the next is needed in " + plural(*days, "day")
	case *days == registry.MaxRunway:
		return "over " + plural(*days, "day")
	}
	return plural(*days, "day")
}

func (a *app) poolVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [POOL]",
		Short: "Solve and rate every puzzle of a pool again, and name those that differ from the record",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			if len(args) == 0 {
				list, err := r.Pools(ctx, "")
				if err != nil {
					return err
				}
				for _, pool := range list {
					args = append(args, pool.Pool)
				}
			}
			return a.verifyPools(ctx, r, args)
		}),
	}
}

// verifyPools checks pools one after the other. A puzzle that differs from its record is a finding.
func (a *app) verifyPools(ctx context.Context, r *registry.Registry, pools []string) error {
	var checks []registry.PoolCheck
	for _, pool := range pools {
		bar := a.progress(ctx, "puzzles")
		check, err := r.VerifyPool(ctx, pool, bar.show)
		bar.end()
		if err != nil {
			return err
		}
		checks = append(checks, check)
	}
	wrong := slices.ContainsFunc(checks, func(c registry.PoolCheck) bool { return !c.OK })
	return finding(wrong, printAll(a, checks, poolCheckText))
}

func poolCheckText(p *printer, c registry.PoolCheck) {
	verdict := "every one has one solution and the level on record"
	if !c.OK {
		verdict = plural(len(c.Problems), "problem")
	}
	p.boldf("%s · %s · %s %s · %s", c.Pool, plural(c.Puzzles, "puzzle"), c.Rater, c.Version, verdict)
	if c.Shelved < c.Puzzles {
		p.linef("  %s on shelves, %s stuck, %s outside the shelves, %s without a level", number(c.Shelved), number(c.Stuck), number(c.Outside), number(c.Unrated))
	}
	for _, problem := range c.Problems {
		p.linef("  %s  %s", problem.ID, problem.Problem)
	}
}

func (a *app) poolDropCommand() *cobra.Command {
	return a.dropCommand("drop", (*registry.Registry).DropPuzzle, &cobra.Command{
		Short: "Remove a puzzle from its shelf before any series publishes it",
		Long: `Remove a puzzle from its shelf. No series will publish it, and fill and import will not add it again. A puzzle that a
series has published cannot be dropped: withdraw the day instead.`,
	})
}

func (a *app) poolRestoreCommand() *cobra.Command {
	return a.dropCommand("restore", (*registry.Registry).RestorePuzzle, &cobra.Command{Short: "Put a dropped puzzle back on its shelf"})
}

// dropCommand makes a command that drops or restores one puzzle of the stock.
func (a *app) dropCommand(name string, do func(r *registry.Registry, ctx context.Context, id, actor, reason string) (registry.DroppedPuzzle, error), cmd *cobra.Command) *cobra.Command {
	var actor, reason string
	cmd.Use, cmd.Args = name+" ID", cobra.ExactArgs(1)
	cmd.RunE = a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
		return give(a, func(p *printer, d registry.DroppedPuzzle) {
			p.boldf("%s  %s", d.ID, d.Pool)
			dropText(p, d.Drop)
		})(do(r, ctx, args[0], actor, reason))
	})
	recordFlags(cmd, &actor, &reason)
	return cmd
}

// dropText describes a drop, and its end.
func dropText(p *printer, d registry.Drop) {
	p.evidence("Dropped", byWhom(d.Time, d.Actor, d.Reason), d.Event)
	if back := d.Restored; back != nil {
		p.evidence("Restored", byWhom(back.Time, back.Actor, back.Reason), back.Event)
	}
}
