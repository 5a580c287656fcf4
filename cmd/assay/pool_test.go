package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A filling is killed, or interrupted, as soon as it has begun, in the middle of recording or once something is on record,
// again and again. The run that is let alone ends with the shelves of an undisturbed one, in the same order, and with the
// same candidates on record.
func TestKillingAFillingLosesNothing(t *testing.T) {
	calm, killed := newRunner(t), newRunner(t)
	fill := []string{"pool", "fill", "sudoku/classic", "--per-level", "25", "--seed", "7"}
	calm.done(t, fill...)
	var cut cuts
	for i := range kills() {
		d, hashes := killed.doom(t, fill...), killed.hashes()
		points := []func() bool{
			func() bool { return d.records(t) },
			func() bool { return killed.hashes() > hashes },
			func() bool { return true },
		}
		d.await(points[i/2%len(points)])
		cutOff, recorded, _ := d.end(t, []os.Signal{os.Kill, os.Interrupt}[i%2])
		cut.count(cutOff, recorded)
		code, said := d.ProcessState.ExitCode(), d.errs.String()
		if code > exitDone && code != exitCannot {
			t.Errorf("interrupted: exit %d: %s", code, said)
		}
		if code == exitCannot && (!strings.Contains(said, "interrupt signal received") || strings.Contains(said, "context")) {
			t.Errorf("interrupted: %s", said)
		}
		killed.verified(t)
	}
	cut.check(t)
	killed.done(t, fill...)
	for _, question := range [][]string{
		{"freq", "sudoku/classic", "--list", "naked-single", "--limit", "1000"}, {"pool", "list"}, {"funnel", "sudoku/classic"}, {"freq", "sudoku/classic"},
	} {
		want, got := asOf.ReplaceAllString(calm.done(t, question...), ""), asOf.ReplaceAllString(killed.done(t, question...), "")
		if got != want {
			t.Errorf("%v: %s\nof an undisturbed filling: %s", question, got, want)
		}
	}
	killed.done(t, "pool", "verify", "sudoku/classic")
}

// asOf is where an answer says how many events it is of. Kills add events, of what was recovered after them.
var asOf = regexp.MustCompile(`as of event [0-9,]+`)
