package main

import (
	"context"

	"github.com/spf13/cobra"

	"assay/registry"
)

func (a *app) hintCommand() *cobra.Command {
	var f puzzleFlags
	var board string
	var reveal int
	cmd := &cobra.Command{
		Use:   "hint PUZZLE",
		Short: "Give the next step from a board, from its digits alone",
		Args:  cobra.ExactArgs(1),
	}
	print := func(h registry.Hint, err error) error {
		if err != nil {
			return err
		}
		return a.print(h, func(p *printer) { p.linef("%s", h.Text) })
	}
	onRecord := a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
		return print(r.HintOnRecord(ctx, args[0], board, reveal))
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if a.isID(args[0]) {
			return onRecord(cmd, args)
		}
		g, variant, err := f.find(a.genres())
		if err != nil {
			return err
		}
		p, err := g.Reader.Read(variant, args[0])
		if err != nil {
			return err
		}
		return print(registry.HintFor(cmd.Context(), g, p, board, reveal))
	}
	flags := cmd.Flags()
	flags.StringVar(&f.genre, "genre", "", "the genre of a puzzle given as text")
	flags.StringVar(&f.variant, "variant", "", "its variant, else the genre's first")
	flags.StringVar(&board, "board", "", "the givens and what the player wrote, else the givens alone")
	flags.IntVar(&reveal, "reveal", registry.RevealMove, "how much is shown: 1 the area, 2 the technique too, 3 the move too")
	return cmd
}
