package main

import (
	"context"
	"encoding/csv"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/raters"
	"assay/registry"
	"assay/registry/input"
	"assay/registry/integrity"
	"assay/registry/interchange"
)

func (a *app) exportCommand() *cobra.Command {
	var after uint64
	var pool, format string
	var unreleased bool
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print every event as JSON, or the puzzles of a pool",
		Long: "Print every event as JSON, one per line, in log order. With --pool print the puzzles of a pool or a shelf in the place of that,\n" +
			"as csv, jsonl or sdm: those that were released, unless --unreleased is said.",
		Args: cobra.NoArgs,
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
			p := a.printer()
			if pool != "" {
				give, err := p.poolPuzzles(format)
				if err == nil {
					err = r.ExportPool(ctx, pool, unreleased, give)
				}
				return errors.Join(err, p.Flush())
			}
			err := r.Holdings().Export(ctx, events.Seq(after), func(e integrity.ExportedEvent) error { return p.json.Encode(e) })
			return errors.Join(err, p.Flush())
		}),
	}
	flags := cmd.Flags()
	flags.Uint64Var(&after, "after", 0, "print only the events after this position")
	flags.StringVar(&pool, "pool", "", "print the puzzles of this pool or shelf, such as sudoku/classic or sudoku/classic/hard")
	flags.StringVar(&format, "format", "jsonl", "csv, jsonl or sdm")
	flags.BoolVar(&unreleased, "unreleased", false, "also the puzzles that no reader saw")
	goesWith(cmd, "format", "pool")
	goesWith(cmd, "unreleased", "pool")
	cmd.MarkFlagsMutuallyExclusive("pool", "after")
	return cmd
}

// poolPuzzles returns what prints the puzzles of a pool in a form.
func (p *printer) poolPuzzles(format string) (func(registry.PoolPuzzle) error, error) {
	switch format {
	case "jsonl":
		return func(m registry.PoolPuzzle) error { return p.json.Encode(m) }, nil
	case "csv":
		table := csv.NewWriter(p)
		write := func(fields ...string) error {
			err := table.Write(fields)
			table.Flush()
			return errors.Join(err, table.Error())
		}
		return func(m registry.PoolPuzzle) error {
			return write(m.ID, m.Genre, m.Variant, m.OneLine(), strings.ReplaceAll(m.Solution, "\n", " "), m.Level, strings.Join(m.Techniques, " "))
		}, write("id", "genre", "variant", "puzzle", "solution", "level", "techniques")
	case "sdm":
		return func(m registry.PoolPuzzle) error {
			f, err := interchange.Find(m.Genre, format)
			if err != nil {
				return input.Errorf("%v", err)
			}
			text, err := f.Write(raters.Puzzle{Genre: m.Genre, Variant: m.Variant, Text: m.Text})
			if err != nil {
				return input.Errorf("%v", err)
			}
			_, err = p.WriteString(text + "\n")
			return err
		}, nil
	}
	return nil, input.Errorf("no form %q of a pool: there are csv, jsonl and sdm", format)
}
