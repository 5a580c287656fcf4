package main

import (
	"context"

	"assay/events"
	"assay/projections/archive"
	"assay/registry"
	"assay/registry/calendar"
)

// overview prints what the directory has and what to do next. It is the output of assay without a command.
func (a *app) overview(ctx context.Context, r *registry.Registry, _ []string) error {
	days, err := r.Archive(ctx, calendar.Query{Series: registry.DefaultSeries})
	if err != nil {
		return err
	}
	n, err := r.Store.Cursor(archive.Table.Name())
	if err != nil {
		return err
	}
	return a.printOverview(n, days)
}

// printOverview prints what a directory has. It is empty without a registry.
func (a *app) printOverview(n events.Seq, days []registry.Day) error {
	state := map[string]any{"schema": "overview/1", "dir": a.path(a.dir), "events": n, "days": len(days)}
	return a.print(state, func(p *printer) {
		p.boldf("%s", "assay, a puzzle registry")
		p.linef("  %s: %s events, %s published days", a.path(a.dir), number(n), number(len(days)))
		if len(days) == 0 {
			p.linef("\nto begin")
			p.linef("  assay serve               publish the daily chain, and serve it on 127.0.0.1:8080")
			p.linef("  assay publish             publish it and end")
		} else {
			last := days[len(days)-1].Date
			p.linef("  published up to %s", last)
			p.linef("\nnext")
			p.linef("  assay audit %s    why that day has its label", last)
			p.linef("  assay serve               pages and JSON on 127.0.0.1:8080")
		}
		p.linef("  assay help                all commands")
	})
}
