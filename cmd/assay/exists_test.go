package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// A verb that only reads makes nothing where there is no registry, be the directory missing or another's, and says so.
func TestReadingMakesNoRegistry(t *testing.T) {
	other := t.TempDir()
	writeFile(t, filepath.Join(other, "letter.txt"), "not a registry")
	for _, dir := range []string{filepath.Join(t.TempDir(), "mistyped"), other} {
		r := newRunner(t)
		r.dir = dir
		for _, args := range []string{
			"archive", "audit 2026-12-01", "show chain-cbdd4rr1b0bsvym2", "history chain-cbdd4rr1b0bsvym2", "freq sudoku/classic", "funnel sudoku/classic",
			"pool list", "pool verify sudoku/classic", "series show", "compare --pool sudoku/classic sudoku.tiers sudoku.canonical",
			"replay sudoku/classic --rater sudoku.canonical", "adopt sudoku/classic --rater sudoku.tiers", "withdraw 2026-12-01 --reason x", "rebuild", "compact",
			"verify", "proof 1", "checkpoint", "export", "rate chain-cbdd4rr1b0bsvym2", "solve chain-cbdd4rr1b0bsvym2", "hint chain-cbdd4rr1b0bsvym2", "keys rotate",
		} {
			out, errs, code := r.run(t, "", strings.Fields(args)...)
			if code != exitInput || out != "" && !strings.Contains(out, "error/1") {
				t.Errorf("%s: exit %d: %s%s", args, code, out, errs)
			}
			if !strings.Contains(errs, dir) {
				t.Errorf("%s does not name the directory: %s", args, errs)
			}
		}
		if out := r.done(t); !strings.Contains(out, "to begin") {
			t.Errorf("assay alone: %s", out)
		}
		if left, err := os.ReadDir(dir); dir == other && (err != nil || len(left) != 1) || dir != other && !os.IsNotExist(err) {
			t.Errorf("%s holds %v, %v", dir, left, err)
		}
	}
}

// A command line with too many or too few arguments gets the usage of the command.
func TestUsageIsSaid(t *testing.T) {
	r := newRunner(t)
	var all func(cmd *cobra.Command)
	all = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			all(sub)
		}
		if cmd.HasSubCommands() || !cmd.HasParent() || cmd.Name() == "help" || // which takes the words of a command
			cmd.Args == nil || cmd.Args(cmd, make([]string, 60)) == nil {
			return
		}
		args := append(strings.Fields(cmd.CommandPath())[1:], make([]string, 60)...)
		if _, errs, code := r.run(t, "", args...); code != exitInput || !strings.Contains(errs, "got 60 arguments: the usage is "+cmd.CommandPath()) {
			t.Errorf("%s: exit %d, %s", cmd.CommandPath(), code, errs)
		}
	}
	all((&app{env: r.env("", nil, nil)}).root())
	for args, want := range map[string]string{
		"withdraw":    "got 0 arguments: the usage is assay withdraw DATE",
		"pool fly":    `assay pool has no command "fly"`,
		"fly":         `assay has no command "fly"`,
		"freq a b":    "got 2 arguments: the usage is assay freq POOL",
		"audit a b c": "got 3 arguments",
	} {
		if _, errs, code := r.run(t, "", strings.Fields(args)...); code != exitInput || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
	}
}
