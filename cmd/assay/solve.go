package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/interchange"
	"assay/registry/jobs"
)

func (a *app) solveCommand() *cobra.Command {
	var f puzzleFlags
	cmd := &cobra.Command{
		Use:   "solve [PUZZLE]",
		Short: "Prove how many solutions a puzzle has",
		Args:  cobra.MaximumNArgs(1),
	}
	cmd.RunE = f.run(a, func(ctx context.Context, r *registry.Registry, args []string) error {
		return a.printSolution(r.SolveOnRecord(ctx, args[0]))
	}, func(cmd *cobra.Command, args []string) error { return a.solveTexts(cmd.Context(), f, args) })
	f.add(cmd)
	return cmd
}

func (a *app) solveTexts(ctx context.Context, f puzzleFlags, args []string) error {
	if f.in == "" {
		p, v, err := f.read(a.genres(), args[0])
		if err != nil {
			return err
		}
		return a.printSolution(engine.Solve(ctx, v, p))
	}
	reader, err := f.reader(a.genres())
	if err != nil {
		return err
	}
	solve := func(ctx context.Context, text interchange.Text) (engine.Solution, error) {
		rec, err := reader.Record(text)
		if err != nil {
			return engine.Solution{}, err
		}
		v, err := engine.Find(a.genres(), rec.Puzzle.Genre, rec.Puzzle.Variant)
		if err != nil {
			return engine.Solution{}, err
		}
		return engine.Solve(ctx, v, rec.Puzzle)
	}
	return each(ctx, a, jobs.Local{}, f.in, question[engine.Solution]{
		reader: reader, do: oneByOne(solve), text: solutionLine, ok: isUnique,
	})
}

func isUnique(s engine.Solution) bool { return s.Verdict == string(raters.Unique) }

// printSolution prints a solver's verdict; any but one solution is a finding.
func (a *app) printSolution(s engine.Solution, err error) error {
	return finding(!isUnique(s), give(a, func(p *printer, s engine.Solution) { p.linef("%s", lines(solutionLine(s))) })(s, err))
}

func solutionLine(s engine.Solution) string {
	line := fmt.Sprintf("%s  %s, %s", s.ID, s.Verdict, plural(int(s.Nodes), "node"))
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	for _, text := range s.Solutions {
		line += "\n  " + text
	}
	return line
}
