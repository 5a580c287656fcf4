package main

import (
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A filling is killed, or interrupted, at random moments, again and again. The run that is let alone ends with
// the shelves of an undisturbed one, in the same order, and with the same candidates on record.
func TestKillingAFillingLosesNothing(t *testing.T) {
	calm, killed := newRunner(t), newRunner(t)
	fill := []string{"pool", "fill", "sudoku/classic", "--per-level", "25", "--seed", "7"}
	calm.done(t, fill...)
	random := rand.New(rand.NewPCG(3, 4))
	cutOff := 0
	for i := range kills() {
		cmd := killed.process(t, fill...)
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		signal := []os.Signal{syscall.SIGKILL, os.Interrupt}[i%2]
		stop := time.AfterFunc(time.Duration(random.IntN(400))*time.Millisecond, func() { cmd.Process.Signal(signal) })
		if err := cmd.Wait(); err != nil {
			cutOff++
		}
		stop.Stop()
		if code := cmd.ProcessState.ExitCode(); code > exitDone && code != exitCannot {
			t.Errorf("interrupted: exit %d: %s", code, errs.String())
		}
		if said := errs.String(); cmd.ProcessState.ExitCode() == exitCannot && (!strings.Contains(said, "interrupt signal received") || strings.Contains(said, "context")) {
			t.Errorf("interrupted: %s", said)
		}
		killed.verified(t)
	}
	if cutOff == 0 {
		t.Fatal("no filling was cut off")
	}
	killed.done(t, fill...)
	for _, question := range [][]string{
		{"freq", "sudoku/classic", "--list", "naked-single", "--limit", "1000"}, {"pool", "list"}, {"funnel", "sudoku/classic"}, {"freq", "sudoku/classic"},
	} {
		want, got := calm.done(t, question...), killed.done(t, question...)
		if got != want {
			t.Errorf("%v: %s\nof an undisturbed filling: %s", question, got, want)
		}
	}
	killed.done(t, "pool", "verify", "sudoku/classic")
}
