package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"assay/events"
	"assay/registry"
)

// apartVariable is set in the surroundings of a process that was started to run a verb apart.
const apartVariable = "ASSAY_APART"

// again gives this program with other arguments, as a process of its own.
func again(ctx context.Context, args []string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), apartVariable+"=1")
	if os.Getenv("GOMEMLIMIT") == "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", registry.VerifyMemory))
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, nil
}

// apart runs this run's verb in a process of its own, and ends with its exit status. A damaged store can end
// the process that has it open, in a goroutine of Badger's or by a fault; then the finding is that it did.
func (a *app) apart(ctx context.Context) error {
	cmd, err := a.env.Again(ctx, a.args)
	if err != nil {
		return fmt.Errorf("start a process to verify in: %w", err)
	}
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = a.env.Stdout, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if events.ShortageText(errs.String()) && cmd.ProcessState.ExitCode() != exitCannot { // ended by the store, or by the runtime
		return fmt.Errorf("the process that verified has ended: %s", shortageLine(errs.String()))
	}
	if how := crash(errs.String()); how != "" {
		return a.printVerification(registry.NotVerified(fmt.Errorf("reading it ends the process: %s", how)))
	}
	if _, err := a.env.Stderr.Write(errs.Bytes()); err != nil {
		return err
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 {
		return fmt.Errorf("the process that verified has ended: %w", err)
	}
	if code := cmd.ProcessState.ExitCode(); code != exitDone {
		return &exitError{code}
	}
	return nil
}

// shortageLine gives the last line of a process's errors that tells of what it lacked.
func shortageLine(errs string) (line string) {
	for l := range strings.Lines(errs) {
		if events.ShortageText(l) {
			line = strings.TrimSpace(l)
		}
	}
	return line
}

// crash gives the line of a crashed Go program's errors that says why; "" when it did not crash.
func crash(errs string) string {
	why := ""
	for line := range strings.Lines(errs) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "goroutine ") && why != "":
			return why
		case why == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")), strings.HasPrefix(line, "[signal "):
			why = strings.TrimSpace(why + " " + line)
		}
	}
	return ""
}
