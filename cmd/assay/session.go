package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/home"
	"assay/registry/home/apart"
	"assay/registry/home/carry"
	"assay/registry/input"
	"assay/registry/integrity"
	"assay/registry/jobs"
)

// work is what a command does with a registry.
type work func(ctx context.Context, r *registry.Registry) error

// session decides where a command does its work: in a directory that this process opens, with the log in it or on NATS;
// in the process that serves the directory, which received the forwarded command; or elsewhere, in that process or in
// one that is started for it.
type session interface {
	// do does a command's work, or lets another process run the whole command, and ends the session. If another process
	// ran the command, that process has printed; an exit status other than 0 is an *exitError.
	do(ctx context.Context, w work) error
}

// runsApart is the annotation of a command that runs in a process of its own.
const runsApart = "assay_apart"

// session begins the session of a command. With existing, a missing registry is an error and is not created.
func (a *app) session(cmd *cobra.Command, existing bool) (session, error) {
	if a.host != nil {
		return hostedSession{a}, nil
	}
	if _, is := cmd.Annotations[runsApart]; is && a.env.Again != nil && a.env.Getenv(apart.Variable) == "" {
		return processSession{a}, nil
	}
	if existing && !a.exists() {
		return nil, input.Errorf("there is no registry in %s: name its directory with --dir, or make one with assay init", a.path(a.dir))
	}
	h, err := a.place().Open(cmd.Context(), cmd.Name())
	var held *home.HeldError
	if errors.As(err, &held) && held.Serving() {
		return forwardedSession{a, held}, nil
	}
	return openedSession{a, h}, err
}

// verb does a command's work on a registry, with the command's arguments.
type verb func(ctx context.Context, r *registry.Registry, args []string) error

// onRegistry turns a verb into a command that works on the registry of the run.
func (a *app) onRegistry(do verb) func(*cobra.Command, []string) error { return a.on(false, do) }

// onExisting is onRegistry for commands that have nothing to do without a registry: none is created.
func (a *app) onExisting(do verb) func(*cobra.Command, []string) error { return a.on(true, do) }

func (a *app) on(existing bool, do verb) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s, err := a.session(cmd, existing)
		if err != nil {
			return err
		}
		return s.do(cmd.Context(), func(ctx context.Context, r *registry.Registry) error { return do(ctx, r, args) })
	}
}

// exists reports whether there is a registry for a session.
func (a *app) exists() bool { return a.host != nil || a.place().Exists() }

// openedSession is a session in a directory that this process has opened.
type openedSession struct {
	*app
	home *home.Home
}

func (s openedSession) do(ctx context.Context, w work) error {
	r := s.registryIn(ctx, s.home, s.clock)
	err := s.withCrew(ctx, func(crew jobs.Crew) error {
		r.Crew = crew
		return s.tellLiars(ctx, crew, r, w(ctx, r))
	})
	return errors.Join(err, s.home.Close())
}

// registryIn returns the registry of a directory that this process has opened. It reports events that had not been
// signed, and records that. If this cannot be recorded, a command that only reads goes on.
func (a *app) registryIn(ctx context.Context, h *home.Home, now func() time.Time) *registry.Registry {
	r := h.Registry(now)
	r.CatchUp = a.catchUp
	err := r.RecordRecovery(ctx)
	for _, e := range r.Recovered {
		a.complain(fmt.Sprintf("event %d, %s of %s, had not been signed, since its append was interrupted: it was checked, and is signed now", e.Seq, e.Key, e.Time))
	}
	if err != nil {
		a.complain(fmt.Sprintf("this is to be put on record when the directory is opened next: %v", err))
	}
	return r
}

// hostedSession is a session in the process that serves the directory.
type hostedSession struct{ *app }

func (s hostedSession) do(ctx context.Context, w work) error {
	r := *s.host
	r.Crew, r.CatchUp = s.forwardedCrew(r.Crew), s.catchUp
	if s.now != "" {
		r.Now = s.clock
	}
	return s.tellLiars(ctx, r.Crew, &r, w(ctx, &r))
}

// runCarried runs commands that are forwarded to the process that serves a directory.
func runCarried(h *home.Home, r *registry.Registry) carry.Run {
	return func(ctx context.Context, v carry.Verb, s carry.Streams) int {
		host := *r
		host.Secrets = h.Secrets(v.SecretFile)
		vars := map[string]string{"ASSAY_DIR": v.Registry, "ASSAY_NOW": v.Now, "ASSAY_SECRET_FILE": v.SecretFile, "NO_COLOR": v.NoColor}
		env := Env{Stdin: s.In, Stdout: s.Out, Stderr: s.Err, Getenv: func(name string) string { return vars[name] }, Dir: v.Dir, Terminal: v.Terminal}
		return (&app{env: env, args: v.Args, host: &host}).run(ctx)
	}
}

// forwardedSession is a session whose command is forwarded to another process, which serves the directory.
type forwardedSession struct {
	*app
	held *home.HeldError
}

func (s forwardedSession) do(ctx context.Context, _ work) error {
	conn, err := s.held.Dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	v := carry.Verb{
		Args: s.args, Dir: s.env.Dir, Registry: s.path(s.dir), Now: s.now, SecretFile: s.path(s.secretFile),
		NoColor: s.env.Getenv("NO_COLOR"), Terminal: s.env.Terminal,
	}
	if s.shared.workers { // the environment may have set it
		v.Args = append([]string{"--workers"}, v.Args...)
	}
	streams := carry.Streams{Out: s.env.Stdout, Err: s.env.Stderr}
	if slices.ContainsFunc(s.args, func(arg string) bool { return arg == "-" || arg == "--in=-" }) {
		streams.In = s.env.Stdin
	}
	return ended(carry.Send(ctx, conn, v, streams))
}

// processSession is a session in a process of its own, because reading damaged data may end that process.
type processSession struct{ *app }

func (s processSession) do(ctx context.Context, _ work) error {
	cmd, err := s.env.Again(ctx, s.args)
	if err != nil {
		return fmt.Errorf("start a process to verify in: %w", err)
	}
	exit, crash, err := apart.Run(ctx, cmd, s.env.Stdout, s.env.Stderr)
	if crash != "" {
		return s.printVerification(integrity.NotVerified(fmt.Errorf("reading it ends the process: %s", crash)), nil)
	}
	return ended(exit, err)
}

// ended returns the error of a command that another process ran.
func ended(exit int, err error) error {
	if err == nil && exit != exitDone {
		err = &exitError{exit}
	}
	return err
}
