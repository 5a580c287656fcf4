package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/calendar"
	"assay/registry/input"
	"assay/registry/schedule"
)

func dayLine(p *printer, d registry.Day) {
	note := ""
	if d.Level != "" && d.Level != d.Label {
		note = "  level " + d.Level
	}
	if d.Revision > 0 {
		note += fmt.Sprintf("  revision %d", d.Revision)
	}
	if d.Like != nil {
		note += "  looks like " + d.Like.Date
	}
	date, _ := schedule.ParseDate(d.Date)
	p.linef("  %s %s  %-7s %s%s", d.Date, date.Weekday().String()[:3], d.Label, d.ID, note)
}

func (a *app) archiveCommand() *cobra.Command {
	var q calendar.Query
	var released bool
	cmd := &cobra.Command{
		Use:   "archive",
		Short: "List the published days",
		Args:  cobra.NoArgs,
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, _ []string) error {
			days, err := archived(ctx, r, q, released)
			if err == nil && len(days) == 0 {
				err = checkEmpty(ctx, r, q)
			}
			if err != nil {
				return err
			}
			return printAll(a, days, dayLine)
		}),
	}
	seriesFlag(cmd, &q.Series)
	cmd.Flags().StringVar(&q.From, "from", "", "first date")
	cmd.Flags().StringVar(&q.To, "to", "", "last date")
	cmd.Flags().StringVar(&q.Label, "label", "", "only days with this label")
	cmd.Flags().BoolVar(&released, "released", false, "only released days")
	cmd.Flags().IntVar(&q.Limit, "limit", 0, "list at most this many, 0 for all")
	return cmd
}

// archived returns the days that stand, or only the released ones.
func archived(ctx context.Context, r *registry.Registry, q calendar.Query, released bool) ([]registry.Day, error) {
	if !released {
		return r.Archive(ctx, q)
	}
	seen, err := r.Public(ctx)
	if err != nil {
		return nil, err
	}
	return seen.Days(ctx, q)
}

// checkEmpty refuses a series that is not on record, and a label that none of its policies gives, because neither is an
// empty list. Before the first day is published, the default series is accepted.
func checkEmpty(ctx context.Context, r *registry.Registry, q calendar.Query) error {
	if q.Series == registry.DefaultSeries && q.Label == "" {
		return nil
	}
	policies, err := r.Policies(ctx, q.Series)
	if err != nil || q.Label == "" {
		return err
	}
	var labels []string
	for _, p := range policies {
		for _, d := range p.Days {
			labels = append(labels, d.Label)
		}
	}
	slices.Sort(labels)
	if labels = slices.Compact(labels); !slices.Contains(labels, q.Label) {
		return input.Errorf("no policy of %s gives the label %q; there are %s", q.Series, q.Label, strings.Join(labels, ", "))
	}
	return nil
}
