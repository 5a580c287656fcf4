package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/public"
)

func (a *app) auditCommand() *cobra.Command {
	var series string
	cmd := &cobra.Command{
		Use:   "audit DATE|ID",
		Short: "Explain why a day got its label; each line names its event",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			report, err := r.AuditOf(ctx, series, args[0])
			return finding(report.Unpublished != "", give(a, a.auditText)(report, err))
		}),
	}
	seriesFlag(cmd, &series)
	return cmd
}

func (a *app) auditText(p *printer, report registry.Audit) {
	words := report.Words
	p.boldf("%s", words.Title)
	p.lines(words.Notices...)
	p.linef("")
	if puzzle := report.Puzzle; puzzle.ID != "" {
		a.boardText(p, puzzle.Genre, puzzle.Variant, puzzle.Text)
		p.linef("%s", strings.TrimRight("  "+puzzle.ID+"      "+words.Release, " "))
		p.linef("")
	}
	p.lines(words.Lines...)
}

// lines writes lines of an audit. A line that continues the one before it is indented.
func (p *printer) lines(all ...public.Line) {
	for _, l := range all {
		if l.Name == "" {
			l.Text = "  " + l.Text
		}
		p.evidence(l.Name, l.Text, l.Event)
	}
}
