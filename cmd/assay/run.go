package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"assay/events"
	"assay/events/plain"
	"assay/registry"
	"assay/registry/home/apart"
	"assay/registry/input"
)

// Env is what a run takes from its surroundings, so that tests and a serving process can replace it.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Dir            string // paths are relative to it
	Terminal       bool   // stdout is a terminal: colour is welcome
	Progress       bool   // stderr is a terminal: progress is welcome

	// Again returns a command that runs the program in a process of its own; nil when the command must run in this one.
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
		Again: apart.Again,
	}
}

// isTerminal reports whether a file is a terminal; the null device is none.
func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

// app is one run of the program.
type app struct {
	env     Env
	args    []string           // as typed, to forward them to a serving process
	host    *registry.Registry // of the serving process, when that runs a forwarded verb
	started bool               // arguments and flags were accepted
	clock   func() time.Time   // set then

	dir, secretFile, now string
	catchUp              bool
	shared               logFlags
	json                 bool
}

// Run runs one command and returns the exit status.
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

// complain prints an error on stderr.
func (a *app) complain(what string) { fmt.Fprintln(a.env.Stderr, "assay:", plain.EscapeLines(what)) }

// saying returns the text of an error. If the run was ended from outside, it says by what.
func saying(ctx context.Context, err error) string {
	if events.Shortage(err) && !errors.Is(err, events.ErrDescriptors) { // ErrDescriptors already says what to do
		return fmt.Sprintf("%v: let the process open more files (ulimit -n) and have more memory, or end others that take them, and do this again", err)
	}
	if !errors.Is(err, context.Canceled) || ctx.Err() == nil {
		return err.Error()
	}
	return strings.ReplaceAll(err.Error(), context.Canceled.Error(), context.Cause(ctx).Error())
}

func (a *app) getenv(name, otherwise string) string {
	if v := a.env.Getenv(name); v != "" {
		return v
	}
	return otherwise
}

// readClock returns the clock of a run: that of the system, or one that stands still.
func readClock(text string) (func() time.Time, error) {
	if text == "" {
		return time.Now, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, input.Errorf("the clock %q is not RFC 3339, such as 2026-12-01T09:00:00Z", text)
	}
	if at.UnixMilli() < 0 {
		return nil, input.Errorf("the clock %q is before 1970, where the times of events begin", text)
	}
	return func() time.Time { return at }, nil
}
