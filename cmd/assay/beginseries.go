package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"assay/registry"
	"assay/registry/input"
	"assay/registry/schedule"
)

// beginSeries adopts the policy of --series. Without one, a registry that has no series gets the default one, in the
// zone of --zone.
func (a *app) beginSeries(ctx context.Context, r *registry.Registry, o serveOptions) error {
	if o.series != "" {
		text, err := os.ReadFile(a.path(o.series))
		if err != nil {
			return &input.Error{Reason: "read the policy: " + err.Error()}
		}
		if _, err := r.AdoptPolicy(ctx, registry.PolicyRequest{Text: text, Actor: registry.ActorSystem}); err != nil {
			return fmt.Errorf("%s: %w", o.series, err)
		}
		return nil
	}
	policies, err := r.CurrentPolicies(ctx)
	if err != nil {
		return err
	}
	if len(policies) > 0 {
		return checkZone(policies, o.zone)
	}
	zone := o.zone
	if zone == "" {
		zone = schedule.DailyZone
	}
	return r.AdoptDefault(ctx, zone, registry.ActorSystem)
}

// checkZone refuses a zone that differs from that of the series on record, because it would change nothing.
func checkZone(policies []registry.Policy, zone string) error {
	for _, p := range policies {
		if zone != "" && p.Zone != zone {
			return input.Errorf("%s is on record in the zone %s: adopt a policy with another zone (assay series adopt), since --zone %s is for an empty registry", p.Series, p.Zone, zone)
		}
	}
	return nil
}

// logPolicies logs the policy of each series, before any of its days is published.
func logPolicies(ctx context.Context, r *registry.Registry, log *slog.Logger) error {
	policies, err := r.CurrentPolicies(ctx)
	for _, p := range policies {
		log.Info("publishing", "series", p.Series, "policy", p.Revision, "release", p.Release, "zone", p.Zone)
	}
	return err
}

// tellServing prints the address of the pages, and the policy of each series.
func (a *app) tellServing(ctx context.Context, r *registry.Registry, at net.Addr) error {
	policies, err := r.CurrentPolicies(ctx)
	if err != nil {
		return err
	}
	texts := make([]string, len(policies))
	for i, p := range policies {
		texts[i] = fmt.Sprintf("%s: policy %d, released %s %s", p.Series, p.Revision, p.Release, p.Zone)
	}
	fmt.Fprintf(a.env.Stdout, "assay serves %s (%s) on http://%s\n", a.path(a.dir), strings.Join(texts, "; "), at)
	return nil
}

// runningClock returns the clock of a process that serves: it starts at the time of --now, if given, and runs.
func (a *app) runningClock() func() time.Time {
	if a.now == "" {
		return a.clock
	}
	began := time.Now()
	return func() time.Time { return a.clock().Add(time.Since(began)) }
}
