package main

import (
	"errors"
	"fmt"
	"syscall"

	"assay/events"
	"assay/events/natslog/link"
	"assay/events/plain"
	"assay/raters"
	"assay/registry"
	"assay/registry/input"
	"assay/registry/integrity"
)

// The exit statuses that scripts rely on.
const (
	exitDone    = 0
	exitFinding = 1 // not unique, mismatch, labels moved, verify failed
	exitInput   = 2 // bad usage or bad input
	exitCannot  = 3 // locked, disk full, no connection
)

// exitError ends a run with a status. Its message, if any, has been printed.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// status returns the exit status for an error.
func (a *app) status(err error) int {
	var input *input.Error
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
	case errors.Is(err, events.ErrDamaged), errors.Is(err, integrity.ErrNotGrown), errors.As(err, &multiple), errors.As(err, &none), errors.As(err, &empty):
		return exitFinding
	}
	return exitCannot
}
