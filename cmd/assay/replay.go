package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/registry"
	"assay/registry/engine"
	"assay/registry/input"
)

// selectionFlags adds the flags of commands that use many puzzles on record.
func selectionFlags(cmd *cobra.Command, s *registry.Selection) {
	flags := cmd.Flags()
	flags.StringVar(&s.Pool, "pool", "", "the puzzles of a pool, such as sudoku/classic, or of a shelf, such as sudoku/classic/hard")
	flags.BoolVar(&s.All, "all", false, "all puzzles of the pool on record, on a shelf or not")
	flags.BoolVar(&s.Stuck, "stuck", false, "only the puzzles of the pool on which its adopted rater got stuck")
	flags.StringVar(&s.Using, "using", "", "only those in which the pool's adopted rater used this technique, or all of several, separated by commas")
	flags.StringVar(&s.Series, "series", "", "the puzzles of a series' days")
	for _, flag := range []string{"all", "stuck", "using"} {
		goesWith(cmd, flag, "pool")
	}
	cmd.MarkFlagsMutuallyExclusive("all", "stuck")
	cmd.MarkFlagsMutuallyExclusive("pool", "series")
}

func (a *app) replayCommand() *cobra.Command {
	var req registry.ReplayRequest
	var with raterFlags
	var list int
	cmd := &cobra.Command{
		Use:   "replay [ID…]",
		Short: "Show which levels would change under another rater",
		Long: `Rate puzzles on record with a rater, and compare the levels with those of the rater that their pool has adopted. The new
ratings are recorded beside the old ones, except with --dry-run. No label changes. An interrupted replay continues. The
exit status is 1 when levels differ.`,
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			choice, err := with.choice(a)
			if err != nil {
				return err
			}
			req.IDs, req.Rater = args, choice
			if list < 0 {
				return input.Errorf("--list %d is less than 0", list)
			}
			return a.replayed(ctx, r, req, list)
		}),
	}
	selectionFlags(cmd, &req.Selection)
	with.add(cmd)
	cmd.Flags().BoolVar(&req.DryRun, "dry-run", false, "record nothing")
	cmd.Flags().IntVar(&list, "list", 20, "how many changes to list; --json lists all")
	recordFlags(cmd, &req.Actor, nil)
	cmd.MarkFlagsMutuallyExclusive("dry-run", "actor")
	return cmd
}

func (a *app) replayed(ctx context.Context, r *registry.Registry, req registry.ReplayRequest, list int) error {
	changes := toldOf[registry.ReplayChange]{printer: a.printer(), json: a.json, list: list}
	req.Change = changes.take
	bar := a.progress(ctx, "puzzles")
	req.Progress = bar.teller()
	result, err := r.Replay(ctx, req)
	bar.end()
	if err != nil {
		return err
	}
	return changes.end(result, result.Changed > 0 || len(result.Unsound) > 0, func(p *printer) { replayText(p, result, changes.first) })
}

// toldOf prints some of the puzzles that a command has found: each one as JSON, or the first ones in its text.
type toldOf[T any] struct {
	*printer
	json  bool
	list  int // how many in the text
	first []T
}

func (f *toldOf[T]) take(finding T) error {
	if f.json {
		return f.result(true, finding, nil)
	}
	if len(f.first) < f.list {
		f.first = append(f.first, finding)
	}
	return nil
}

// end prints the result. If the command has found something, the exit status is 1.
func (f *toldOf[T]) end(result any, found bool, text func(*printer)) error {
	if err := f.result(f.json, result, func() { text(f.printer) }); err != nil {
		return err
	}
	return finding(found, f.Flush())
}

func replayText(p *printer, v registry.Replay, changes []registry.ReplayChange) {
	p.boldf("%s · %s · %s → %s", v.Of, plural(v.Puzzles, "puzzle"), v.From, v.To)
	matrixText(p, v.Matrix, "new")
	p.linef("\n%s", movedText(v))
	for _, c := range changes {
		p.linef("  %s  %s → %s, %s", c.ID, c.From, c.To, c.Cause)
		if d := c.First; d != nil {
			p.linef("      step %d was %s", d.Step, orNothing(d.From))
			p.linef("      %s is %s", strings.Repeat(" ", len(fmt.Sprintf("step %d", d.Step))-1), orNothing(d.To))
		}
	}
	if more := v.Changed - len(changes); more > 0 && len(changes) > 0 {
		p.linef("  and %s more", number(more))
	}
	for _, u := range v.Unsound {
		p.linef("  %s  step %d removes %s, which is so: %s", u.ID, u.Step, u.Literal, u.Text)
	}
	p.linef("%s · %s · %s", plural(len(v.Unsound), "unsound step"), plural(len(v.Budget), "budget")+" exhausted", daysText(v.Days))
	if v.DryRun {
		p.linef("nothing was recorded")
	} else {
		p.linef("%s recorded, %s on record before", plural(v.Recorded, "rating"), number(v.Puzzles-v.Recorded-len(v.Unsound)-len(v.Budget)))
	}
}

// matrixText draws a matrix, with the old levels to the left and the new ones above.
func matrixText(p *printer, m engine.Matrix, above string) {
	levels := m.Levels()
	line := fmt.Sprintf("  %-10s", "")
	for _, level := range levels {
		line += fmt.Sprintf(" %8s", level)
	}
	p.linef("\n%s     ← %s", line, above)
	for _, from := range levels {
		line, any := fmt.Sprintf("  %-10s", from), false
		for _, to := range levels {
			count := "·"
			if n := m.At(from, to); n > 0 {
				count, any = number(n), true
			}
			line += fmt.Sprintf(" %8s", count)
		}
		if any {
			p.linef("%s", line)
		}
	}
}

func movedText(v registry.Replay) string {
	if v.Changed == 0 {
		return "no level moves"
	}
	verb := " moves"
	if v.DryRun {
		verb = " would move"
	} else if v.Changed > 1 {
		verb = " move"
	}
	return plural(v.Changed, "level") + verb + ", cause: " + causesText(v.Causes)
}

// shownCauses is how many causes a summary names; --json prints all.
const shownCauses = 5

// causesText names the most frequent causes first.
func causesText(counts map[string]int) string {
	causes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	var texts []string
	for _, cause := range causes[:min(len(causes), shownCauses)] {
		texts = append(texts, fmt.Sprintf("%s (%s)", cause, number(counts[cause])))
	}
	if more := len(causes) - shownCauses; more > 0 {
		texts = append(texts, plural(more, "more cause"))
	}
	return strings.Join(texts, "; ")
}

func daysText(days []registry.MovedDay) string {
	text := plural(len(days), "scheduled day") + " would change"
	for i, d := range days[:min(len(days), 5)] {
		text += map[bool]string{true: " (", false: ", "}[i == 0] + d.Series + " " + d.Date
	}
	switch {
	case len(days) > 5:
		text += ", …)"
	case len(days) > 0:
		text += ")"
	}
	return text
}

func orNothing(text string) string {
	if text == "" {
		return "none: the solve ends"
	}
	return text
}
