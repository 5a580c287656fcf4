package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
)

func (a *app) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "history ID",
		Short: "Show every rating and every label of a puzzle",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			return give(a, historyText)(r.History(ctx, args[0]))
		}),
	}
}

func historyText(p *printer, h registry.History) {
	p.boldf("%s", h.ID+"  "+h.Genre+"/"+h.Variant)
	for _, i := range h.Imports {
		p.lines(i.Line())
	}
	for _, v := range h.Ratings {
		p.evidence("Rated", fmt.Sprintf("%s, %s %s, %s", verdictText(v), v.Rater, v.Version, byWhom(v.Time, v.Actor, "")), v.Event)
		if len(v.Parameters) > 0 {
			p.linef("                   its profile: %s", strings.Join(v.Parameters, "; "))
		}
		if v.Files {
			p.linef("                   files the puzzle now")
		}
	}
	for _, l := range h.Labels {
		text := fmt.Sprintf("%s %s as %s, by %s", l.Series, l.Date, l.Label, l.Rating)
		if l.Withdrawn {
			text += "; withdrawn"
		}
		p.evidence("Label", text, l.Event)
	}
	for _, d := range h.Drops {
		dropText(p, d)
	}
}

// verdictText describes a rating's outcome in a few words.
func verdictText(v registry.HistoryRating) string {
	text := strings.ReplaceAll(v.Outcome, "_", " ")
	switch {
	case v.Level != "":
		text = v.Level
	case v.Score != nil && v.Outcome == string(raters.Rated):
		return fmt.Sprintf("score %d", *v.Score)
	}
	if v.Outcome == "stuck" {
		text += " (stuck)"
	}
	if v.Hardest != "" {
		text += ", hardest " + v.Hardest
	}
	return text
}
