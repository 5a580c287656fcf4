package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
	out := counter{to: a.env.Stdout}
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	how := crash(errs.String())
	if how == "" && out.written == 0 && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == exitFinding {
		how = reason(errs.String()) // the store ended the process: a finding is printed
	}
	switch shortage := events.ShortageIn(how); {
	case shortage != nil:
		return fmt.Errorf("the process that verified was ended: %s (%w)", how, shortage)
	case how != "":
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

// counter counts what is written.
type counter struct {
	to      io.Writer
	written int
}

// Write is as in io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	c.written += len(p)
	return c.to.Write(p)
}

// reason returns the line of a process's errors that says for which shortage it ended, or else the last one.
func reason(errs string) (line string) {
	for l := range strings.Lines(errs) {
		if line = strings.TrimSpace(l); events.ShortageIn(line) != nil {
			return line
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
