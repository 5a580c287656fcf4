package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/schedule"
)

// defaultActor stands on record when nobody is named.
const defaultActor = "operator"

func seriesFlag(cmd *cobra.Command, series *string) {
	cmd.Flags().StringVar(series, "series", registry.DefaultSeries, "the series")
}

func recordFlags(cmd *cobra.Command, actor, reason *string) {
	cmd.Flags().StringVar(actor, "actor", defaultActor, "who does this, for the record")
	if reason != nil {
		cmd.Flags().StringVar(reason, "reason", "", "why, for the record")
	}
}

func (a *app) publishCommand() *cobra.Command {
	req := registry.PublishRequest{}
	var from, to string
	cmd := &cobra.Command{
		Use:   "publish",
		Short: "Give each day up to --ahead days from now its puzzle, missed days included",
		Args:  cobra.NoArgs,
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, _ []string) error {
			var err error
			if req.From, err = optionalDate(from); err != nil {
				return err
			}
			if req.To, err = optionalDate(to); err != nil {
				return err
			}
			p := a.printer()
			req.Each = func(day registry.Day, _ bool) error {
				if err := p.result(a.json, day, func() { dayLine(p, day) }); err != nil {
					return err
				}
				return p.Flush() // what is told stands, whatever happens next
			}
			days, added, err := r.Publish(ctx, req)
			var empty *registry.EmptyShelfError
			switch {
			case err != nil && !errors.As(err, &empty):
			case !a.json:
				p.linef("%s: %d of %s new", req.Series, added, plural(len(days), "day"))
			case empty != nil:
				for _, day := range empty.Days {
					err = errors.Join(err, p.json.Encode(day))
				}
			}
			return errors.Join(err, p.Flush())
		}),
	}
	seriesFlag(cmd, &req.Series)
	recordFlags(cmd, &req.Actor, &req.Reason)
	cmd.Flags().IntVar(&req.Ahead, "ahead", registry.DefaultAhead, "days after today")
	cmd.Flags().StringVar(&from, "from", "", "first date, with --to, instead of --ahead")
	cmd.Flags().StringVar(&to, "to", "", "last date")
	return cmd
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
		return d, &registry.InputError{Reason: err.Error()}
	}
	return d, nil
}
