// Package apart runs the program in a process of its own, for commands that a damaged store may crash: in a goroutine
// of Badger, or by a memory fault.
package apart

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
	"assay/registry/integrity"
)

// Variable is set in the environment of a process that Again started.
const Variable = "ASSAY_APART"

// Again returns a command that runs this program with other arguments, in a process with the memory limit of a
// verification.
func Again(ctx context.Context, args []string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Args[0] = os.Args[0]
	cmd.Env = append(os.Environ(), Variable+"=1")
	if os.Getenv("GOMEMLIMIT") == "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", integrity.VerifyMemory))
	}
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd, nil
}

// fatal is the exit status of a process that a library ended by log.Fatal.
const fatal = 1

// Run runs a process that prints to out and errs, and returns its exit status. If the data that it read crashed it,
// crash says how, and its own errors are not printed. If it ended for lack of a resource, the error is a shortage: see
// events.Shortage.
func Run(ctx context.Context, cmd *exec.Cmd, out, errs io.Writer) (exit int, crash string, err error) {
	var said bytes.Buffer
	printed := counter{to: out}
	cmd.Stdout, cmd.Stderr = &printed, &said
	err = cmd.Run()
	if ctx.Err() != nil {
		return 0, "", ctx.Err()
	}
	crash = crashOf(said.String())
	if crash == "" && printed.written == 0 && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == fatal {
		crash = reason(said.String())
	}
	if shortage := events.ShortageIn(crash); shortage != nil {
		return 0, "", fmt.Errorf("the process that verified was ended: %s (%w)", crash, shortage)
	}
	if crash != "" {
		return 0, crash, nil
	}
	if _, err := errs.Write(said.Bytes()); err != nil {
		return 0, "", err
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() < 0 {
		return 0, "", fmt.Errorf("the process that verified has ended: %w", err)
	}
	return cmd.ProcessState.ExitCode(), "", nil
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

// reason returns the line of a process's errors that names the shortage which ended it, or else the last line.
func reason(errs string) (line string) {
	for l := range strings.Lines(errs) {
		if line = strings.TrimSpace(l); events.ShortageIn(line) != nil {
			return line
		}
	}
	return line
}

// crashOf returns the line of a Go program's errors that says why it crashed; "" when it did not crash.
func crashOf(errs string) string {
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
