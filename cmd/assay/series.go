package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/input"
)

func (a *app) seriesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "series", Short: "Adopt or show the policies of a series"}
	cmd.AddCommand(a.seriesShowCommand(), a.seriesAdoptCommand())
	return cmd
}

func (a *app) seriesShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show [SERIES]",
		Short: "Show the policies of a series",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			series := registry.DefaultSeries
			if len(args) > 0 {
				series = args[0]
			}
			return giveAll(a, policyLines)(r.Policies(ctx, series))
		}),
	}
}

func (a *app) seriesAdoptCommand() *cobra.Command {
	var req registry.PolicyRequest
	cmd := &cobra.Command{
		Use:   "adopt FILE",
		Short: "Record the policy of a TOML file; it is in force from its effective date",
		Long:  "Record the policy of a TOML file. Published days keep their puzzle and label.\n\n" + registry.PolicyExample,
		Args:  cobra.ExactArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			text, err := os.ReadFile(a.path(args[0]))
			if err != nil {
				return &input.Error{Reason: "read the policy: " + err.Error()}
			}
			req := req
			req.Text = text
			policy, err := r.AdoptPolicy(ctx, req)
			if err != nil {
				err = fmt.Errorf("%s: %w", args[0], err)
			}
			return give(a, policyLines)(policy, err)
		}),
	}
	recordFlags(cmd, &req.Actor, &req.Reason)
	cmd.Flags().BoolVar(&req.Backdate, "backdate", false, "allow an effective date before today in the policy's zone")
	return cmd
}

func policyLines(p *printer, rule registry.Policy) {
	p.evidence(rule.Series, fmt.Sprintf("policy %d, in force from %s, released %s %s", rule.Revision, rule.Effective, rule.Release, rule.Zone), rule.Event)
	for _, d := range rule.Days {
		text := fmt.Sprintf("    %-10s %-8s %s %s/%s %s", d.Weekday, d.Label, d.Source, d.Genre, d.Variant, d.Level)
		if d.Stuck {
			text += " stuck"
		}
		if d.LabelName != d.Label {
			text += " (" + d.LabelName + ")"
		}
		p.linef("%s", text)
	}
	if rule.Stood {
		p.linef("it stands already since event #%d: nothing new is on record, and no other reason", rule.Event)
	}
	if n := len(rule.Untouched); n > 0 {
		p.linef("%s from %s to %s, published under an older policy, stay as they are;", plural(n, "day"), rule.Untouched[0], rule.Untouched[n-1])
		p.linef("assay publish --series %s --again --from %s publishes those again that are not released", rule.Series, rule.Untouched[0])
	}
}
