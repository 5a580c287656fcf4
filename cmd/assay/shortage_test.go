package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// A process that may not open enough files cannot look. That is no finding, whatever it is that it cannot open.
func TestVerifyWithTooFewFilesIsNoFinding(t *testing.T) {
	r := newRunner(t)
	r.done(t, "publish", "--ahead", "2")
	for files := 10; files <= 30; files++ {
		cmd := r.process(t, "verify")
		limited := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -n %d; exec "$0" "$@"`, files)}, cmd.Args...)...)
		limited.Env = cmd.Env
		var out, errs bytes.Buffer
		limited.Stdout, limited.Stderr = &out, &errs
		limited.Run() // its status is looked at
		if code := limited.ProcessState.ExitCode(); code != exitCannot || !strings.Contains(errs.String(), "could not look") || !strings.Contains(errs.String(), "ulimit -n") {
			t.Errorf("%d files: exit %d: %s%s", files, code, out.String(), errs.String())
		}
	}
	r.done(t, "verify")
}
