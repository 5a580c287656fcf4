package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/api"
	"assay/registry/home"
	"assay/registry/home/carry"
	"assay/registry/input"
	"assay/registry/jobs"
	"assay/registry/limits"
	"assay/registry/public"
	"assay/registry/schedule"
	"assay/registry/web"
)

func (a *app) serveCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   home.ServeVerb,
		Short: "Publish every day, and serve the released days as pages and JSON",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.host != nil {
				return &input.Error{Reason: "this directory is being served already"}
			}
			if a.shared.workers && a.shared.URL == "" {
				return &input.Error{Reason: notShared}
			}
			if err := o.check(); err != nil {
				return err
			}
			return a.withCrew(cmd.Context(), func(crew jobs.Crew) error { return a.serve(cmd.Context(), o, crew) })
		},
	}
	o.flags(cmd)
	return cmd
}

// serveOptions say where a serving process listens, which connections it accepts, and which series it begins with.
type serveOptions struct {
	addr              string
	zone, series      string
	total, perAddress int
	proxies           []string
	trusted           []netip.Prefix // of proxies
}

func (o *serveOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.addr, "addr", "127.0.0.1:8080", "the address to listen on")
	cmd.Flags().StringVar(&o.zone, "zone", "", "for an empty registry: the time zone of its series (default "+schedule.DailyZone+")")
	cmd.Flags().StringVar(&o.series, "series", "", "for an empty registry: a policy file to adopt instead of the built-in series")
	cmd.MarkFlagsMutuallyExclusive("zone", "series")
	cmd.Flags().IntVar(&o.total, "max-connections", 256, "how many connections are served at a time; others wait")
	cmd.Flags().IntVar(&o.perAddress, "max-connections-per-address", 64, "how many of them from one address (IPv6: one /64); others are closed")
	cmd.Flags().StringArrayVar(&o.proxies, "trusted-proxy", nil, "the address or CIDR network of a proxy, exempt from the limit per address; may be repeated")
}

// serve runs until the context ends, and then unlocks the directory. Forwarded commands use the crew to rate and generate.
func (a *app) serve(ctx context.Context, o serveOptions, crew jobs.Crew) (err error) {
	h, err := a.place().Open(ctx, home.ServeVerb)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	r, log := a.registryIn(ctx, h, a.runningClock()), slog.New(slog.NewTextHandler(a.env.Stderr, nil))
	r.Crew = crew
	defer r.Follow(ctx)()
	daily := registry.NewDailyPublisher(r, log)
	seen, err := a.prepare(ctx, r, o, daily, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	verbs, err := h.Listen(ctx)
	if err != nil {
		return errors.Join(fmt.Errorf("listen for forwarded commands: %w", err), listener.Close())
	}
	host := carry.Serve(ctx, verbs, runCarried(h, r))
	defer func() { err = errors.Join(err, host.Close()) }()
	limited := limits.Listen(listener, a.limits(o))
	server := a.server(ctx, seen, log)
	server.ConnState = limited.State
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(limited) }()
	if err := a.tellServing(ctx, r, listener.Addr()); err != nil {
		return errors.Join(err, shutdown(server))
	}
	keeping, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { daily.Run(keeping) })
	defer func() { stop(); group.Wait() }()
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	return errors.Join(err, shutdown(server))
}

// prepare ensures that there are series, publishes them before any request, and returns what anybody may see.
func (a *app) prepare(ctx context.Context, r *registry.Registry, o serveOptions, daily *registry.DailyPublisher, log *slog.Logger) (*public.Reader, error) {
	if err := a.beginSeries(ctx, r, o); err != nil {
		return nil, err
	}
	if err := logPolicies(ctx, r, log); err != nil {
		return nil, err
	}
	daily.Round(ctx)
	return r.Public(ctx)
}

func (a *app) server(ctx context.Context, seen *public.Reader, log *slog.Logger) *http.Server {
	mux := http.NewServeMux()
	api.Register(mux, seen, log)
	web.Register(mux, seen, log)
	return &http.Server{
		Handler: secure(mux),
		// ReadTimeout is for a request with its body. It does not limit the answer while the client reads: see
		// limits.Options.Stall.
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		BaseContext:    func(net.Listener) context.Context { return ctx },
	}
}

// maxBody is the largest request body that is read, in bytes.
const maxBody = 64 << 10

// policy lets a browser load only the style sheet, and forbids other pages to show this one in a frame.
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secure limits each request and sets what a browser may do with the answer.
func secure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		req.Body = http.MaxBytesReader(w, req.Body, maxBody)
		next.ServeHTTP(w, req)
	})
}

// shutdown returns running requests some seconds to end.
func shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}
