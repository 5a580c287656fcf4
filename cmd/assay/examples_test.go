package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"assay/events/natslog/natstest"
)

// verbs returns the commands that do something, by path.
func verbs(cmd *cobra.Command) (list []*cobra.Command) {
	if !cmd.HasSubCommands() || cmd.Name() == "proof" {
		list = append(list, cmd)
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			list = append(list, verbs(sub)...)
		}
	}
	return list
}

// gallery is a working directory that has what the examples name: a registry in assay-data, files, and a server.
type gallery struct {
	runner
	dir string
	key string
}

func newGallery(t *testing.T) gallery {
	t.Helper()
	g := gallery{runner: newRunner(t), dir: t.TempDir()}
	g.runner.dir = filepath.Join(g.dir, "assay-data")
	g.done(t, "publish", "--ahead", "7")
	g.done(t, "pool", "fill", "sudoku/classic", "--per-level", "3", "--seed", "1")
	writeFile(t, filepath.Join(g.dir, "book.txt"), ".46...8.9....8..........12..61..3....9.6...3....25...4..91.6....74.....6.13..9..2\n")
	writeFile(t, filepath.Join(g.dir, "evening.toml"), eveningPolicy)
	g.key = strings.TrimSpace(g.done(t, "keys", "show"))
	return g
}

const eveningPolicy = `series = "evening"
effective = "2026-12-01"
zone = "Europe/Vienna"
release = "18:00"

[days]
monday    = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
tuesday   = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
wednesday = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
thursday  = { label = "easy", source = "generator", genre = "chain", variant = "daily", level = "easy" }
friday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
saturday  = { label = "hard", source = "shelf", genre = "sudoku", variant = "classic", level = "hard" }
sunday    = { label = "hard", source = "generator", genre = "chain", variant = "daily", level = "hard" }
`

// show runs an example as a shell would, and gives its exit status. What runs until it is stopped is stopped when it has
// said that it runs.
func (g gallery) show(t *testing.T, line string) (code int, out, errs string) {
	t.Helper()
	line = strings.ReplaceAll(line, "$KEY", g.key)
	command, file, redirected := strings.Cut(line, " > ")
	var stderr bytes.Buffer
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	stdout := &running{stop: stop}
	env := g.env("", stdout, &stderr)
	env.Dir = g.dir
	code = Run(ctx, words(strings.TrimPrefix(command, "assay ")), env)
	if redirected {
		writeFile(t, filepath.Join(g.dir, file), stdout.String())
	}
	return code, stdout.String(), stderr.String()
}

// running keeps what is printed, and stops what says that it runs on.
type running struct {
	bytes.Buffer
	stop func()
}

func (r *running) Write(b []byte) (int, error) {
	if bytes.HasPrefix(b, []byte("assay serves ")) || bytes.HasPrefix(b, []byte("assay works for ")) {
		r.stop()
	}
	return r.Buffer.Write(b)
}

// findings are the verbs whose example is about what a finding looks like.
var findings = []string{"assay compare", "assay replay"}

// Every verb has an example in its help, and each one runs, in the order in which a reader gets to what they name.
func TestVerbsHaveExamplesThatRun(t *testing.T) {
	g := newGallery(t)
	server := natstest.One(t).ClientURL()
	list := verbs((&app{env: g.env("", nil, nil)}).root())
	first := []string{"assay profile show", "assay backup", "assay keys export", "assay proof", "assay withdraw"} // what others need
	slices.SortStableFunc(list, func(a, b *cobra.Command) int { return rank(first, a) - rank(first, b) })
	for _, cmd := range list {
		if cmd.CommandPath() == "assay adopt" {
			g.done(t, "replay", "--pool", "sudoku/classic", "--profile", filepath.Join(g.dir, "mine.toml"))
		}
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		for line := range strings.Lines(cmd.Example) {
			line = strings.NewReplacer("nats://127.0.0.1:4222", server, "127.0.0.1:8080", "127.0.0.1:0").Replace(strings.TrimSpace(line))
			if code, out, errs := g.show(t, line); code != exitDone && (code != exitFinding || !slices.Contains(findings, cmd.CommandPath())) {
				t.Errorf("%s: exit %d: %s%s", line, code, out, errs)
			}
		}
	}
	if len(list) < 40 {
		t.Errorf("there are %d verbs", len(list))
	}
}

// rank is the place of a verb among some; all others come after them.
func rank(first []string, cmd *cobra.Command) int {
	if i := slices.Index(first, cmd.CommandPath()); i >= 0 {
		return i
	}
	return len(first)
}

// Each example is of a verb.
func TestExamplesAreOfVerbs(t *testing.T) {
	var paths []string
	for _, cmd := range verbs((&app{env: newRunner(t).env("", nil, nil)}).root()) {
		paths = append(paths, strings.TrimPrefix(cmd.CommandPath(), "assay "))
	}
	for path := range verbExamples {
		if !slices.Contains(paths, path) {
			t.Errorf("there is an example of %q, which is no verb", path)
		}
	}
}

// Completion is a verb like the others, in help.
func TestHelpTellsOfCompletion(t *testing.T) {
	if out := newRunner(t).done(t, "help"); !strings.Contains(out, "\n  completion ") {
		t.Error(out)
	}
	_, errs, code := newRunner(t).run(t, "", "help", "pool", "nosuch")
	if code != exitInput || !strings.Contains(errs, `there is no command "pool nosuch"`) {
		t.Errorf("exit %d: %s", code, errs)
	}
	if _, err := os.Stat(newRunner(t).dir); err == nil {
		t.Error("help made a directory")
	}
}
