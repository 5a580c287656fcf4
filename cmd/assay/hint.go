package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/engine"
)

func (a *app) hintCommand() *cobra.Command {
	var f puzzleFlags
	var ask engine.HintRequest
	cmd := &cobra.Command{
		Use:   "hint PUZZLE",
		Short: "Show the easiest technique that applies to a board",
		Long: "Show the easiest technique that applies to a board. Only the digits or marks on the board are used.\n\n" +
			"A technique may take candidates away and write nothing. A board does not hold that, so that the same question has\n" +
			"the same answer: ask on with --skip 1, --skip 2 and so on. The hint then says what the technique leads to.",
		Args: cobra.ExactArgs(1),
	}
	print := give(a, func(p *printer, h engine.Hint) { p.linef("%s", h.Text) })
	cmd.RunE = f.run(a, func(ctx context.Context, r *registry.Registry, args []string) error {
		return print(r.HintOnRecord(ctx, args[0], ask))
	}, func(cmd *cobra.Command, args []string) error {
		p, v, err := f.read(a.genres(), args[0])
		if err != nil {
			return err
		}
		return print(engine.HintFor(cmd.Context(), v, p, ask))
	})
	flags := cmd.Flags()
	f.addGenre(cmd, "the genre of a puzzle given as text; most forms need none")
	flags.StringVar(&ask.Board, "board", "", "the givens and what the player wrote (default: the givens alone)")
	flags.IntVar(&ask.Reveal, "reveal", engine.RevealMove, "how much to show: 1 the area, 2 also the technique, 3 also the move and what it leads to")
	flags.IntVar(&ask.Skip, "skip", 0, "skip this many steps from the board")
	return cmd
}
