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
		&fs.PathError{Op: "open", Err: syscall.EMFILE}:    true,
		fmt.Errorf("x: %w", syscall.ENFILE):               true,
		fmt.Errorf("x err: %+v", syscall.ENOMEM):          true,
		errors.New("fatal error: runtime: out of memory"): true,
		syscall.ENOSPC: false,
		fmt.Errorf("%w: event 3 is missing", events.ErrDamaged): false,
	} {
		if got := events.Shortage(err); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}
