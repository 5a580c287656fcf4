package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/drawing"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/interchange"
)

func (a *app) showCommand() *cobra.Command {
	var seed string
	var solve bool
	cmd := &cobra.Command{
		Use:   "show [PUZZLE]",
		Short: "Show everything on record about a puzzle",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			ids := args
			if seed != "" && len(args) > 0 {
				return input.Errorf("an ID and --seed exclude each other: say one of them")
			}
			if seed != "" {
				found, err := r.OfSeed(ctx, seed)
				if err != nil {
					return err
				}
				ids = found
			}
			if len(ids) == 0 {
				return &input.Error{Reason: "give a puzzle ID, or --seed genre/variant/g<version>/<seed>"}
			}
			show := r.Show
			if solve {
				show = r.ShowSteps
			}
			for _, id := range ids {
				id, err := a.idOf(id)
				if err != nil {
					return err
				}
				if err := give(a, a.recordText)(show(ctx, id)); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&solve, "solve", false, "print the recorded solve of each rating: every step with its reasons, and the final grid")
	cmd.Flags().StringVar(&seed, "seed", "", "show the puzzles of a seed, such as chain/daily/g1/42")
	return cmd
}

// idOf returns the ID of a puzzle of the command line, which may be given in any form that says its genre.
func (a *app) idOf(puzzle string) (string, error) {
	if any := interchange.Any(a.genres()); !a.isID(puzzle) && any.Recognises(puzzle) {
		p, err := any.Read(puzzle)
		return p.ID(), err
	}
	return puzzle, nil
}

// solveText prints a solve: every step with what it rests on, and the grid as it is at the end.
func (a *app) solveText(p *printer, rec registry.Record, v engine.Rating) {
	board, err := a.draw(rec.Genre, rec.Variant, rec.Text)
	placed := map[string]bool{}
	written := func(l string) bool { return placed[l] || board.Has(l) }
	for _, s := range v.Steps {
		p.linef("%s", stepLine(s))
		reasonsText(p, "        ", s, written)
		for _, c := range s.Chain {
			p.linef("        %3d  %s", c.N, c.Text)
			reasonsText(p, "             ", c, written)
		}
		for _, l := range s.Placed {
			placed[l] = true
			board.Write(l)
		}
	}
	if len(v.Steps) > 0 && err == nil {
		boardLines(p, "    ", drawing.Of(board).Text())
	}
}

// reasonsText prints the reasons of a step, in lines of at most 100 columns: values that are written, and candidates
// that are removed.
func reasonsText(p *printer, indent string, s engine.Step, written func(literal string) bool) {
	if len(s.Because) == 0 {
		return
	}
	line := indent + "because"
	for i, l := range s.Because {
		word := " not " + l
		if written(l) {
			word = " " + l
		}
		if i < len(s.Because)-1 {
			word += ","
		}
		if len(line)+len(word) > 100 {
			p.linef("%s", line)
			line = indent + "       "
		}
		line += word
	}
	p.linef("%s", line)
}

func (a *app) recordText(p *printer, rec registry.Record) {
	p.boldf("%s", rec.ID+"  "+rec.Genre+"/"+rec.Variant)
	a.boardText(p, rec.Genre, rec.Variant, rec.Text)
	name := "Solution"
	for row := range strings.Lines(rec.Solution) {
		p.evidence(name, strings.TrimSuffix(row, "\n"), "")
		name = ""
	}
	for _, g := range rec.Generations {
		p.evidence("Generated", fmt.Sprintf("generator %d, seed %s, asked for %s, %s", g.Generator, g.Seed, g.Requested, plural(len(g.Attempts), "attempt")), g.Event)
	}
	for _, i := range rec.Imports {
		p.lines(i.Line())
	}
	for _, c := range rec.Provenance {
		p.lines(c.Line())
	}
	for _, v := range rec.Ratings {
		p.evidence("Rated", ratingLine(v), v.Event)
		a.solveText(p, rec, v)
	}
	for _, pub := range rec.Publications {
		p.evidence("Published", fmt.Sprintf("%s %s as %s", pub.Series, pub.Date, pub.Label), pub.Event)
		if w := pub.Withdrawn; w != nil {
			p.evidence("Withdrawn", byWhom(w.Time, w.Actor, w.Reason), w.Event)
		}
	}
	for _, d := range rec.Drops {
		dropText(p, d)
	}
}
