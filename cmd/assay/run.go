package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"assay/events"
	"assay/events/natslog/link"
	"assay/events/plain"
	"assay/raters"
	"assay/registry"
	"assay/registry/jobs"
)

// Env is what a run takes from its surroundings, so that tests and a serving process can stand in for them.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // paths are relative to it
	Terminal       bool   // stdout is one: colour is welcome
	Progress       bool   // stderr is one: progress is welcome

	// Again gives the program as a process of its own; nil where a verb has to do with this one.
	Again func(ctx context.Context, args []string) (*exec.Cmd, error)
}

func systemEnv() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Dir: dir,
		Terminal: isTerminal(os.Stdout), Progress: isTerminal(os.Stderr),
		Again: again,
	}
}

// isTerminal reports whether a file is a terminal; the null device is none.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// The exit statuses that scripts rely on.
const (
	exitDone    = 0
	exitFinding = 1 // not unique, mismatch, labels moved, verify failed
	exitInput   = 2 // bad usage or bad input
	exitCannot  = 3 // locked, disk full, no connection
)

// exitError ends a run with a status; its message, if any, has been printed.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// app is one run of the program.
type app struct {
	env     Env
	args    []string           // as typed, to carry them to a serving process
	hosted  *registry.Registry // set when a serving process runs a carried verb
	started bool               // arguments and flags were accepted

	dir, secretFile, now string
	catchUp              bool
	shared               logFlags
	json                 bool
}

// Run runs one command and gives the exit status.
func Run(ctx context.Context, args []string, env Env) int {
	return (&app{env: env, args: args}).run(ctx)
}

func (a *app) run(ctx context.Context) int {
	root := a.root()
	root.SetArgs(belowZero(root, a.args))
	err := root.ExecuteContext(ctx)
	var exit *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	}
	a.complain(saying(ctx, err))
	return a.status(err)
}

// complain says what is wrong, on stderr.
func (a *app) complain(what string) { fmt.Fprintln(a.env.Stderr, "assay:", plain.EscapeLines(what)) }

// saying gives an error as it is printed: of a run that was ended from outside, with what ended it.
func saying(ctx context.Context, err error) string {
	if events.Shortage(err) && !errors.Is(err, events.ErrDescriptors) { // which says by itself what to do
		return fmt.Sprintf("%v: let the process open more files (ulimit -n) and have more memory, or end others that take them, and do this again", err)
	}
	if !errors.Is(err, context.Canceled) || ctx.Err() == nil {
		return err.Error()
	}
	return strings.ReplaceAll(err.Error(), context.Canceled.Error(), context.Cause(ctx).Error())
}

// status gives the exit status that an error stands for.
func (a *app) status(err error) int {
	var input *registry.InputError
	var syntax *raters.SyntaxError
	var request *raters.RequestError
	var multiple *raters.NotUniqueError
	var none *raters.NoSolutionError
	var empty *registry.EmptyShelfError
	var unfit *plain.Error
	switch {
	case events.Shortage(err):
		return exitCannot
	case !a.started, errors.As(err, &unfit), errors.Is(err, registry.ErrNoSecret), errors.Is(err, link.ErrOptions), errors.As(err, &input), errors.As(err, &syntax), errors.As(err, &request), errors.Is(err, syscall.EISDIR):
		return exitInput
	case errors.Is(err, events.ErrDamaged), errors.Is(err, registry.ErrNotGrown), errors.As(err, &multiple), errors.As(err, &none), errors.As(err, &empty):
		return exitFinding
	}
	return exitCannot
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "assay",
		Short:         "An event-sourced puzzle registry with versioned rater history",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.started = true
			if a.dir == "" {
				return &registry.InputError{Reason: "--dir is empty: name a directory"}
			}
			if err := a.checkFlags(cmd); err != nil {
				return err
			}
			if _, err := a.clock(); err != nil {
				return err
			}
			if cmd.Flags().Changed("workers") {
				return nil
			}
			return a.checkWorkers()
		},
		Args: cobra.NoArgs,
	}
	root.SetIn(a.env.Stdin)
	root.SetOut(a.env.Stdout)
	root.SetErr(a.env.Stderr)
	root.SetFlagErrorFunc(plainFlagError)
	flags := root.PersistentFlags()
	flags.StringVar(&a.dir, "dir", a.getenv("ASSAY_DIR", "assay-data"), "the registry's directory, made at first use (env ASSAY_DIR)")
	flags.BoolVar(&a.json, "json", false, "print JSON, one object a line")
	flags.StringVar(&a.now, "now", a.env.Getenv("ASSAY_NOW"), "set the clock, RFC 3339 (env ASSAY_NOW)")
	flags.BoolVar(&a.catchUp, "catch-up", false, "record also when the clock is more than 400 days from the newest event on record")
	flags.StringVar(&a.secretFile, "secret-file", a.env.Getenv("ASSAY_SECRET_FILE"), "the series secret, else made at first use (env ASSAY_SECRET_FILE)")
	a.logFlags(root)
	overview := a.onRegistry(a.overview)
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if !a.exists() {
			return a.printOverview(0, nil)
		}
		return overview(cmd, args)
	}
	root.AddCommand(
		a.initCommand(), a.generateCommand(), a.importCommand(), a.rateCommand(), a.solveCommand(), a.hintCommand(), a.calibrateCommand(),
		a.poolCommand(), a.freqCommand(), a.funnelCommand(),
		a.seriesCommand(), a.profileCommand(), a.replayCommand(), a.compareCommand(), a.adoptCommand(), a.historyCommand(), a.publishCommand(), a.withdrawCommand(), a.archiveCommand(), a.showCommand(), a.auditCommand(),
		a.rebuildCommand(), a.compactCommand(), a.verifyCommand(), a.proofCommand(), a.checkpointCommand(), a.backupCommand(), a.restoreCommand(),
		a.exportCommand(), a.copyCommand(), a.keysCommand(), a.serveCommand(), a.workerCommand(), a.versionCommand(),
	)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(a.args...)
	for _, cmd := range root.Commands() {
		needsCommand(cmd)
	}
	sayUsage(root)
	setExamples(root)
	refuseNoCommand(root)
	return root
}

// refuseNoCommand makes help refuse words that are no command.
func refuseNoCommand(root *cobra.Command) {
	help, _, _ := root.Find([]string{"help"})
	help.Args = func(_ *cobra.Command, args []string) error {
		found, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 && found.HasSubCommands() {
			return &registry.InputError{Reason: fmt.Sprintf("there is no command %q: see assay help", strings.Join(args, " "))}
		}
		return nil
	}
}

// sayUsage makes a command, and those below it, say how it is used when it has other arguments than it takes.
func sayUsage(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		sayUsage(sub)
	}
	takes := cmd.Args
	if takes == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if takes(cmd, args) == nil {
			return nil
		}
		if cmd.HasSubCommands() {
			return &registry.InputError{Reason: fmt.Sprintf("%s has no command %q: see %s --help", cmd.CommandPath(), args[0], cmd.CommandPath())}
		}
		return &registry.InputError{Reason: fmt.Sprintf("got %s: the usage is %s", plural(len(args), "argument"), cmd.UseLine())}
	}
}

// needsCommand makes a command that only holds others refuse a word that is none of them.
func needsCommand(cmd *cobra.Command) {
	if !cmd.Runnable() {
		cmd.Args, cmd.RunE = cobra.NoArgs, func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

func (a *app) getenv(name, otherwise string) string {
	if v := a.env.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// clock gives the clock of this run: the system's, or one that stands still.
func (a *app) clock() (func() time.Time, error) {
	if a.now == "" {
		return time.Now, nil
	}
	at, err := time.Parse(time.RFC3339, a.now)
	if err != nil {
		return nil, &registry.InputError{Reason: fmt.Sprintf("the clock %q is not RFC 3339, such as 2026-12-01T09:00:00Z", a.now)}
	}
	if at.UnixMilli() < 0 {
		return nil, &registry.InputError{Reason: fmt.Sprintf("the clock %q is before 1970, where the times of events begin", a.now)}
	}
	return func() time.Time { return at }, nil
}

// onExisting is onRegistry for verbs that have nothing to do in a directory without a registry: none is made.
func (a *app) onExisting(do func(ctx context.Context, r *registry.Registry, args []string) error) func(*cobra.Command, []string) error {
	run := a.onRegistry(do)
	return func(cmd *cobra.Command, args []string) error {
		if !a.exists() {
			return &registry.InputError{Reason: fmt.Sprintf("there is no registry in %s: name its directory with --dir, or make one with assay init", a.path(a.dir))}
		}
		return run(cmd, args)
	}
}

// exists reports whether there is a registry to open: a directory that holds a part of one, or a log elsewhere.
func (a *app) exists() bool {
	if a.hosted != nil || a.shared.URL != "" {
		return true
	}
	for _, part := range []string{"format", "lock", "log", "ledger", "keys", "tables"} {
		if _, err := os.Lstat(filepath.Join(a.path(a.dir), part)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// onRegistry makes a command's work of work on the registry in the run's directory. When another process
// serves the directory the whole command is carried to it.
func (a *app) onRegistry(do func(ctx context.Context, r *registry.Registry, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		now, err := a.clock()
		if err != nil {
			return err
		}
		if a.hosted != nil {
			own := *a.hosted
			if own.Pool, own.CatchUp = a.carriedPool(own.Pool), a.catchUp; a.now != "" {
				own.Now = now
			}
			return a.tellLiars(cmd.Context(), own.Pool, &own, do(cmd.Context(), &own, args))
		}
		d, err := a.openDirectory(cmd.Context(), cmd.Name())
		var held *heldError
		if errors.As(err, &held) && held.by.Verb == serveVerb {
			return a.carry(cmd.Context(), held)
		}
		if err != nil {
			return err
		}
		r := d.registry(now)
		r.CatchUp = a.catchUp
		a.recordRecovery(cmd.Context(), r)
		err = a.pooled(cmd.Context(), r, args, do)
		return errors.Join(err, d.Close())
	}
}

// recordRecovery tells which events had not been signed when the log was opened, and puts it on record. A verb that only
// reads goes on where that cannot be.
func (a *app) recordRecovery(ctx context.Context, r *registry.Registry) {
	err := r.RecordRecovery(ctx)
	for _, e := range r.Recovered {
		a.complain(fmt.Sprintf("event %d, %s of %s, had not been signed, since its append was interrupted: it was checked, and is signed now", e.Seq, e.Key, e.Time))
	}
	if err != nil {
		a.complain(fmt.Sprintf("this is to be put on record when the directory is opened next: %v", err))
	}
}

// pooled does a command's work on a registry that has a pool.
func (a *app) pooled(ctx context.Context, r *registry.Registry, args []string, do func(ctx context.Context, r *registry.Registry, args []string) error) error {
	return a.withPool(ctx, func(pool jobs.Pool) error {
		r.Pool = pool
		return a.tellLiars(ctx, pool, r, do(ctx, r, args))
	})
}
