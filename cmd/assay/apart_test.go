package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"assay/registry/home/apart"
)

// What a process that verifies apart says and how it ends comes through; that it crashed is a finding.
func TestVerifyingApart(t *testing.T) {
	for name, c := range map[string]struct {
		script, out, errs string
		code              int
	}{
		"done":    {"echo ok", "ok\n", "", exitDone},
		"finding": {"echo bad; exit 1", "bad\n", "", exitFinding},
		"cannot":  {"echo assay: locked >&2; exit 3", "", "assay: locked\n", exitCannot},
		"panic":   {"printf 'panic: at the wrong offset\\n\\ngoroutine 7 [running]:\\n' >&2; exit 2", "reading it ends the process: panic: at the wrong offset\nNOT as recorded", "", exitFinding},
		"fault": {
			"printf 'fatal error: fault\\n[signal SIGBUS: bus error]\\n\\ngoroutine 7 [running]:\\n' >&2; exit 2",
			"reading it ends the process: fatal error: fault [signal SIGBUS: bus error]\n", "", exitFinding,
		},
		"killed": {"kill -9 $$", "", "assay: the process that verified has ended: signal: killed\n", exitCannot},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			env := newRunner(t).env("", &out, &errs)
			env.Again = func(ctx context.Context, args []string) (*exec.Cmd, error) {
				return exec.CommandContext(ctx, "sh", "-c", c.script), nil
			}
			code := Run(t.Context(), []string{"verify"}, env)
			if code != c.code || !strings.HasPrefix(out.String(), c.out) || errs.String() != c.errs {
				t.Errorf("exit %d, %q, %q", code, out.String(), errs.String())
			}
		})
	}
}

// A verification is apart exactly once: the process that was started verifies itself.
func TestVerifyingApartEnds(t *testing.T) {
	r := newRunner(t)
	r.done(t, "init")
	cmd := r.process(t, "verify")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "ok: ") {
		t.Fatalf("%v: %s", err, out)
	}
	started := errors.New("started another")
	var stdout, stderr bytes.Buffer
	env := r.env("", &stdout, &stderr)
	env.Getenv = func(name string) string { return map[string]string{"ASSAY_DIR": r.dir, apart.Variable: "1"}[name] }
	env.Again = func(context.Context, []string) (*exec.Cmd, error) { return nil, started }
	if code := Run(t.Context(), []string{"verify"}, env); code != exitDone || stderr.Len() > 0 {
		t.Fatalf("exit %d: %s", code, &stderr)
	}
	if os.Getenv(apart.Variable) != "" {
		t.Fatal("the tests themselves run apart")
	}
}
