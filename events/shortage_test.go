package events_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"assay/events"
)

func TestShortage(t *testing.T) {
	for err, want := range map[error]bool{
		nil: false,
		&fs.PathError{Op: "open", Err: syscall.EMFILE}:           true,
		fmt.Errorf("x: %w", syscall.ENFILE):                      true,
		errors.New("open a/too many open files/b: no such file"): false,
		syscall.ENOSPC: false,
		fmt.Errorf("%w: event 3 is missing", events.ErrDamaged): false,
	} {
		if got := events.Shortage(err); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestShortageIn(t *testing.T) {
	for line, want := range map[string]error{
		"while opening tables err: open 1.sst: too many open files\n":       syscall.EMFILE,
		"fatal error: runtime: out of memory":                               syscall.ENOMEM,
		"open a/out of memory/log: log damaged: event 3 is not what it was": nil,
		"": nil,
	} {
		if got := events.ShortageIn(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
