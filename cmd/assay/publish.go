package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/input"
	"assay/registry/schedule"
)

// defaultActor is recorded when no actor is named.
const defaultActor = "operator"

func seriesFlag(cmd *cobra.Command, series *string) {
	cmd.Flags().StringVar(series, "series", registry.DefaultSeries, "the series")
}

func recordFlags(cmd *cobra.Command, actor, reason *string) {
	cmd.Flags().StringVar(actor, "actor", defaultActor, "who does this, recorded with the event")
	if reason != nil {
		cmd.Flags().StringVar(reason, "reason", "", "the reason, recorded with the event")
	}
}

const publishLong = `Publish a puzzle for each date up to --ahead days from today, missed dates included.

--date D     publishes one date, also one whose puzzle was withdrawn. With --puzzle ID it gets that puzzle, of the
             genre and variant of its policy, which no series has published; another level needs a --reason.
             --released, with a --reason, replaces what readers saw and what was withdrawn after its release.
--again      withdraws and publishes again the days from --from on that are not released and stand under another
             policy than the one in force. It says of each date that it leaves as it is what the date keeps, and why.`

// publishOptions say which days to publish.
type publishOptions struct {
	series, actor, reason string
	from, to              string
	ahead                 int
	date, puzzle          string
	released, again       bool
}

func (a *app) publishCommand() *cobra.Command {
	var o publishOptions
	cmd := &cobra.Command{
		Use:   "publish",
		Short: "Publish a puzzle for today and the next --ahead days",
		Long:  publishLong,
		Args:  cobra.NoArgs,
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, _ []string) error {
			return a.publish(ctx, r, o)
		}),
	}
	seriesFlag(cmd, &o.series)
	recordFlags(cmd, &o.actor, &o.reason)
	f := cmd.Flags()
	f.IntVar(&o.ahead, "ahead", registry.DefaultAhead, "days after today")
	f.StringVar(&o.from, "from", "", "first date, with --to or --again")
	f.StringVar(&o.to, "to", "", "last date, with --from")
	f.StringVar(&o.date, "date", "", "publish publish this date alone")
	f.StringVar(&o.puzzle, "puzzle", "", "the ID of the puzzle that --date gets")
	f.BoolVar(&o.released, "released", false, "with --date: also when readers saw a puzzle that was withdrawn")
	f.BoolVar(&o.again, "again", false, "publish again the days from --from on that are under another policy")
	cmd.MarkFlagsMutuallyExclusive("ahead", "from", "date")
	cmd.MarkFlagsMutuallyExclusive("ahead", "to", "date")
	cmd.MarkFlagsMutuallyExclusive("again", "to")
	cmd.MarkFlagsMutuallyExclusive("again", "ahead")
	cmd.MarkFlagsMutuallyExclusive("again", "date")
	goesWith(cmd, "from", "to", "again")
	goesWith(cmd, "to", "from")
	goesWith(cmd, "again", "from")
	goesWith(cmd, "puzzle", "date")
	goesWith(cmd, "released", "date")
	return cmd
}

// publish publishes the days of the options, and prints them.
func (a *app) publish(ctx context.Context, r *registry.Registry, o publishOptions) error {
	from, err := optionalDate(o.from)
	if err != nil {
		return err
	}
	to, err := optionalDate(o.to)
	if err != nil {
		return err
	}
	p := a.printer()
	each := func(day registry.Day, _ bool) error {
		if err := p.result(a.json, day, func() { dayLine(p, day) }); err != nil {
			return err
		}
		return p.Flush() // every printed day is recorded, whatever happens next
	}
	var days, added int
	var passed []registry.Unpublished
	switch {
	case o.date != "":
		return a.publishDate(ctx, r, o)
	case o.again:
		var done registry.Renewal
		done, err = r.PublishAgain(ctx, registry.AgainRequest{Series: o.series, From: *from, Actor: o.actor, Reason: o.reason, Each: each})
		days, added, passed = done.Due, len(done.Days), done.Passed
	default:
		var list []registry.Day
		list, added, err = r.Publish(ctx, registry.PublishRequest{
			Series: o.series, From: from, To: to, Ahead: o.ahead, Actor: o.actor, Reason: o.reason, Each: each,
		})
		days = len(list)
	}
	var empty *registry.EmptyShelfError
	if err != nil && !errors.As(err, &empty) {
		return err
	}
	for _, u := range passed {
		err = errors.Join(err, p.result(a.json, u, func() { p.linef("  %s", u.Outcome()) }))
	}
	switch {
	case !a.json:
		p.linef("%s: %d of %s new", o.series, added, plural(days, "day"))
	case empty != nil:
		for _, day := range empty.Days {
			err = errors.Join(err, p.json.Encode(day))
		}
	}
	return errors.Join(err, p.Flush())
}

func (a *app) publishDate(ctx context.Context, r *registry.Registry, o publishOptions) error {
	date, err := parseDate(o.date)
	if err != nil {
		return err
	}
	day, _, err := r.PublishDate(ctx, registry.DateRequest{
		Series: o.series, Date: date, Puzzle: o.puzzle, Released: o.released, Actor: o.actor, Reason: o.reason,
	})
	return give(a, dayLine)(day, err)
}

func optionalDate(text string) (*schedule.Date, error) {
	if text == "" {
		return nil, nil
	}
	d, err := parseDate(text)
	return &d, err
}

func parseDate(text string) (schedule.Date, error) {
	d, err := schedule.ParseDate(text)
	if err != nil {
		return d, &input.Error{Reason: err.Error()}
	}
	return d, nil
}
