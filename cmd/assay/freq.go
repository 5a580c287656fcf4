package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"assay/events"
	"assay/registry"
	"assay/registry/input"
)

func (a *app) freqCommand() *cobra.Command {
	var q registry.UsingQuery
	var asCSV bool
	var asOf uint64
	var byRaters []string
	cmd := &cobra.Command{
		Use:   "freq POOL[/LEVEL]",
		Short: "Count how often each technique is needed on a shelf or in a pool",
		Long: `Count how often the puzzles of a shelf, or of all shelves of a pool, need each technique. A shelf has the puzzles of one
level, published or not, by the rater that the pool has adopted. Three sorts of puzzles are left out: those on which this
rater got stuck (--stuck counts them alone), those equal up to symmetry to an earlier one, and dropped ones. --all counts
them too. --rater counts the techniques of another rater in the same puzzles. --uses lists the puzzles that use all of
the given techniques; --list is another name for it.`,
		Args: cobra.ExactArgs(1),
	}
	cmd.RunE = a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
		q.Pool = args[0]
		if cmd.Flags().Changed("as-of") {
			q.AsOf = (*events.Seq)(&asOf)
		}
		switch {
		case asCSV && a.json:
			return input.Errorf("--csv and --json are two forms of one answer: say one of them")
		case !cmd.Flags().Changed("uses"):
			return a.frequencies(ctx, r, q.FrequencyQuery, byRaters, asCSV)
		case len(byRaters) > 1:
			return &input.Error{Reason: "a list is of one rater"}
		}
		q.Rater = strings.Join(byRaters, "")
		return a.using(ctx, r, q, asCSV)
	})
	flags := cmd.Flags()
	flags.SetNormalizeFunc(listIsUses)
	flags.StringArrayVar(&byRaters, "rater", nil, "the rater, as name or name@version (default: the one that the pool has adopted); repeat it to compare several")
	flags.BoolVar(&q.All, "all", false, "all puzzles on record, on a shelf or not")
	flags.BoolVar(&q.Stuck, "stuck", false, "only the puzzles on which the rater got stuck")
	flags.Uint64Var(&asOf, "as-of", 0, "the state when the log had this many events")
	flags.BoolVar(&asCSV, "csv", false, "print CSV")
	flags.StringSliceVar(&q.Techniques, "uses", nil, "list the puzzles that use all of these techniques, separated by commas")
	flags.IntVar(&q.Limit, "limit", 100, "puzzles per page of the list")
	flags.StringVar(&q.After, "after", "", "continue after this page of the list")
	goesWith(cmd, "limit", "uses")
	goesWith(cmd, "after", "uses")
	cmd.MarkFlagsMutuallyExclusive("all", "stuck")
	cmd.MarkFlagsMutuallyExclusive("as-of", "uses")
	return cmd
}

// listIsUses accepts --list as another name of --uses.
func listIsUses(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "list" {
		name = "uses"
	}
	return pflag.NormalizedName(name)
}

// frequencies prints the counts for each of the raters; without one, for the rater that files the pool.
func (a *app) frequencies(ctx context.Context, r *registry.Registry, q registry.FrequencyQuery, byRaters []string, asCSV bool) error {
	if len(byRaters) == 0 {
		byRaters = []string{""}
	}
	var all []registry.Frequency
	for _, q.Rater = range byRaters {
		f, err := r.Frequency(ctx, q)
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	switch {
	case asCSV:
		return a.printCSV(frequencyRows(all...))
	case len(all) > 1 && !a.json:
		return a.print(nil, func(p *printer) { sideBySide(p, all) })
	}
	return printAll(a, all, frequencyText)
}

// sideBySide shows how many puzzles use each technique under each of several raters.
func sideBySide(p *printer, all []registry.Frequency) {
	p.boldf("%s · as of event %s", countedText(all[0]), number(all[0].Seq))
	head, puzzles := fmt.Sprintf("  %-20s", "used by"), fmt.Sprintf("  %-20s", "puzzles")
	var names []string
	for _, f := range all {
		head += fmt.Sprintf(" %27s", f.Rater+" "+string(f.Version))
		puzzles += fmt.Sprintf(" %27s", number(f.Puzzles))
		for _, t := range f.Techniques {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	p.linef("\n%s", head)
	p.linef("%s", puzzles)
	for _, name := range names {
		line := fmt.Sprintf("  %-20s", name)
		for _, f := range all {
			at := slices.IndexFunc(f.Techniques, func(t registry.TechniqueFrequency) bool { return t.Name == name })
			count := "–"
			if at >= 0 {
				count = number(f.Techniques[at].Using)
			}
			line += fmt.Sprintf(" %27s", count)
		}
		p.linef("%s", line)
	}
	for _, f := range all {
		unratedText(p, f)
	}
}

// countedText says which puzzles are counted.
func countedText(f registry.Frequency) string {
	switch {
	case f.All:
		return f.Pool + ", all on record"
	case f.Stuck:
		return f.Pool + ", stuck"
	}
	return f.Pool
}

// unratedText says how many puzzles are missing.
func unratedText(p *printer, f registry.Frequency) {
	if f.Unrated > 0 {
		p.linef("%s %s has not rated %s of it, which are not counted", f.Rater, f.Version, plural(f.Unrated, "puzzle"))
	}
}

// using lists the puzzles that use techniques.
func (a *app) using(ctx context.Context, r *registry.Registry, q registry.UsingQuery, asCSV bool) error {
	list, err := r.Using(ctx, q)
	if err != nil {
		return err
	}
	if asCSV {
		rows := [][]string{{"id", "level", "technique", "text", "next"}}
		for _, u := range list {
			rows = append(rows, []string{u.ID, u.Level, u.Technique, textCell(u.Text), u.Next})
		}
		return a.printCSV(rows)
	}
	return printAll(a, list, func(p *printer, u registry.Using) {
		p.linef("  %s  %-8s %s", u.ID, u.Level, u.Text)
		if u.Next != "" {
			p.linef("more: --after %s", u.Next)
		}
	})
}

// textCell keeps spreadsheets from reading a text of digits as a number, which would lose most of the digits.
func textCell(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return "'" + text
	}
	return text
}

func (a *app) printCSV(rows [][]string) error {
	p := a.printer()
	w := csv.NewWriter(p)
	if err := w.WriteAll(rows); err != nil {
		return err
	}
	return p.Flush()
}

// frequencyRows returns a row for each technique, or one without a technique when the rater has none.
func frequencyRows(all ...registry.Frequency) [][]string {
	rows := [][]string{{"pool", "rater", "version", "seq", "puzzles", "technique", "level", "using", "uses", "deciding",
		"clues_min", "clues_mean", "clues_max", "unrated", "stuck", "all"}}
	for _, f := range all {
		head := []string{f.Pool, f.Rater, string(f.Version), fmt.Sprint(f.Seq), strconv.Itoa(f.Puzzles)}
		end := []string{strconv.Itoa(f.Clues.Min), strconv.FormatFloat(f.Clues.Mean, 'g', -1, 64), strconv.Itoa(f.Clues.Max),
			strconv.Itoa(f.Unrated), strconv.FormatBool(f.Stuck), strconv.FormatBool(f.All)}
		for _, t := range f.Techniques {
			technique := []string{t.Name, t.Level, strconv.Itoa(t.Using), strconv.Itoa(t.Uses), strconv.Itoa(t.Deciding)}
			rows = append(rows, slices.Concat(head, technique, end))
		}
		if len(f.Techniques) == 0 {
			rows = append(rows, slices.Concat(head, make([]string, 5), end))
		}
	}
	return rows
}

func frequencyText(p *printer, f registry.Frequency) {
	p.boldf("%s · %s · %s %s · as of event %s", countedText(f), plural(f.Puzzles, "puzzle"), f.Rater, f.Version, number(f.Seq))
	if f.Clues.Max > 0 {
		p.linef("clues %d / %.1f / %d (least, mean, most)", f.Clues.Min, f.Clues.Mean, f.Clues.Max)
	}
	unratedText(p, f)
	if len(f.Techniques) > 0 {
		p.linef("\n  %-20s %-8s %9s  %-10s %9s %9s", "technique", "level", "used by", "", "times", "decides")
	}
	for _, t := range f.Techniques {
		p.linef("  %-20s %-8s %9s  %-10s %9s %9s", t.Name, t.Level, number(t.Using), tenths(t.Using, f.Puzzles), number(t.Uses), orDash(t.Deciding))
	}
	if len(f.Order) > 1 {
		p.linef("tried in this order: where two of them apply, the upper one is counted")
	}
	if len(f.Scores) > 0 {
		p.linef("\n  %-8s %9s", "score", "puzzles")
	}
	for _, s := range f.Scores {
		p.linef("  %-8d %9s  %s", s.Score, number(s.Puzzles), tenths(s.Puzzles, f.Puzzles))
	}
}

// tenths draws a share as a bar of at most ten blocks, in halves. A share above 0 is always visible.
func tenths(n, of int) string {
	if of == 0 || n == 0 {
		return ""
	}
	halves := max(1, (20*n+of/2)/of)
	return strings.Repeat("█", halves/2) + strings.Repeat("▌", halves%2)
}

func orDash(n int) string {
	if n == 0 {
		return "–"
	}
	return number(n)
}

func (a *app) funnelCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "funnel POOL",
		Short: "Count the candidates made for a pool, by what became of them",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			return give(a, funnelText)(r.Funnel(ctx, args[0]))
		}),
	}
}

func funnelText(p *printer, f registry.Funnel) {
	total := 0
	for _, l := range f.Lines {
		total += l.Count
	}
	p.boldf("%s · %s · as of event %s", f.Pool, plural(total, "candidate"), number(f.Seq))
	if total > 0 {
		p.linef("\n  %-10s %-14s %-10s %-28s %9s", "generator", "asked for", "earned", "outcome", "count")
	}
	for _, l := range f.Lines {
		p.linef("  %-10d %-14s %-10s %-28s %9s", l.Generator, l.Requested, l.Earned, l.Outcome, number(l.Count))
	}
}
