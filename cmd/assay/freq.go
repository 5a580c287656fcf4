package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/events"
	"assay/registry"
)

func (a *app) freqCommand() *cobra.Command {
	var q registry.UsingQuery
	var asCSV bool
	var asOf uint64
	var byRaters []string
	cmd := &cobra.Command{
		Use:   "freq POOL[/LEVEL]",
		Short: "Tell how often each technique is needed on a shelf, or in a whole pool",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			q.Pool, q.AsOf = args[0], events.Seq(asOf)
			if q.Technique != "" && len(byRaters) < 2 {
				q.Rater = strings.Join(byRaters, "")
				return a.using(ctx, r, q, asCSV)
			}
			if q.Technique != "" {
				return &registry.InputError{Reason: "a list is of one rater"}
			}
			return a.frequencies(ctx, r, q.FrequencyQuery, byRaters, asCSV)
		}),
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&byRaters, "rater", nil, "the rater, as name or name@version, else the one that files the pool; several stand side by side")
	flags.Uint64Var(&asOf, "as-of", 0, "count only up to this event")
	flags.BoolVar(&asCSV, "csv", false, "print CSV")
	flags.StringVar(&q.Technique, "list", "", "list the puzzles that use this technique instead")
	flags.IntVar(&q.Limit, "limit", 100, "puzzles a page of the list")
	flags.StringVar(&q.After, "after", "", "go on after a page of the list")
	return cmd
}

// frequencies prints the counts by each of the raters; none is the one that files the pool.
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

// sideBySide shows by how many puzzles each technique is used under each of several raters.
func sideBySide(p *printer, all []registry.Frequency) {
	p.boldf("%s · as of event %s", all[0].Pool, number(all[0].Seq))
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
}

// using lists the puzzles that use a technique.
func (a *app) using(ctx context.Context, r *registry.Registry, q registry.UsingQuery, asCSV bool) error {
	list, err := r.Using(ctx, q)
	if err != nil {
		return err
	}
	if asCSV {
		rows := [][]string{{"id", "level", "technique", "text"}}
		for _, u := range list {
			rows = append(rows, []string{u.ID, u.Level, u.Technique, textCell(u.Text)})
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

// textCell keeps spreadsheets from reading a text of digits as a number, which would lose most of them.
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

func frequencyRows(all ...registry.Frequency) [][]string {
	rows := [][]string{{"pool", "rater", "version", "seq", "puzzles", "technique", "level", "using", "uses", "deciding"}}
	for _, f := range all {
		for _, t := range f.Techniques {
			rows = append(rows, []string{
				f.Pool, f.Rater, string(f.Version), fmt.Sprint(f.Seq), strconv.Itoa(f.Puzzles),
				t.Name, t.Level, strconv.Itoa(t.Using), strconv.Itoa(t.Uses), strconv.Itoa(t.Deciding),
			})
		}
	}
	return rows
}

func frequencyText(p *printer, f registry.Frequency) {
	p.boldf("%s · %s · %s %s · as of event %s", f.Pool, plural(f.Puzzles, "puzzle"), f.Rater, f.Version, number(f.Seq))
	if f.Clues.Max > 0 {
		p.linef("clues %d / %.1f / %d (least, mean, most)", f.Clues.Min, f.Clues.Mean, f.Clues.Max)
	}
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

// tenths draws a share as a bar of at most ten blocks, in halves; a share that is not 0 shows.
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
		Short: "Tell how many candidates were made for a pool, and where they died",
		Args:  cobra.ExactArgs(1),
		RunE: a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
			f, err := r.Funnel(ctx, args[0])
			if err != nil {
				return err
			}
			return a.print(f, func(p *printer) { funnelText(p, f) })
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
