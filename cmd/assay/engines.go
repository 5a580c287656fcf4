package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/raters/catalog"
	"assay/registry"
)

// genres gives the engines of this program.
func (a *app) genres() []raters.Genre { return catalog.Genres() }

// puzzleFlags are the flags of verbs that take puzzles: an ID, a text with its genre, or a file of texts.
type puzzleFlags struct{ genre, variant, in, rater string }

func (f *puzzleFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.genre, "genre", "", "the genre of a puzzle given as text")
	cmd.Flags().StringVar(&f.variant, "variant", "", "its variant, else the genre's first")
	cmd.Flags().StringVar(&f.in, "in", "", "a file of puzzles, one a line, or - for standard input")
}

// check refuses a command line that names no puzzle, or both a puzzle and a file of them.
func (f *puzzleFlags) check(args []string) error {
	switch {
	case len(args) == 0 && f.in == "":
		return &registry.InputError{Reason: "give a puzzle, or a file of puzzles with --in"}
	case len(args) > 0 && f.in != "":
		return &registry.InputError{Reason: "a puzzle and --in do not go together"}
	}
	return nil
}

// find gives the genre and variant that the flags name.
func (f *puzzleFlags) find(genres []raters.Genre) (raters.Genre, string, error) {
	if f.genre == "" {
		return raters.Genre{}, "", &registry.InputError{Reason: "a puzzle given as text needs --genre"}
	}
	g, err := registry.Find(genres, f.genre)
	if err != nil {
		return g, "", err
	}
	variant, err := registry.Variant(g, f.variant)
	return g, variant, err
}

func (a *app) rateCommand() *cobra.Command {
	var f puzzleFlags
	var actor string
	var steps bool
	cmd := &cobra.Command{
		Use:   "rate [PUZZLE]",
		Short: "Say what a rater measures; of a puzzle on record, given by ID, it goes on record too",
		Args:  cobra.MaximumNArgs(1),
	}
	onRecord := a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
		rating, err := r.RateRecorded(ctx, args[0], f.rater, actor)
		if err != nil {
			return err
		}
		return a.printRating(rating, steps)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(args); err != nil {
			return err
		}
		if f.in == "" && a.isID(args[0]) {
			return onRecord(cmd, args)
		}
		return a.rateTexts(cmd.Context(), f, args, steps)
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&steps, "steps", false, "print the solve, step by step")
	cmd.Flags().StringVar(&f.rater, "rater", "", "the rater, else the genre's first")
	recordFlags(cmd, &actor, nil)
	return cmd
}

// isID tells whether an argument is a puzzle ID rather than a text.
func (a *app) isID(arg string) bool {
	genre, rest, ok := strings.Cut(arg, "-")
	_, err := registry.Find(a.genres(), genre)
	return ok && err == nil && len(rest) == 16
}

func (a *app) rateTexts(ctx context.Context, f puzzleFlags, args []string, steps bool) error {
	g, variant, err := f.find(a.genres())
	if err != nil {
		return err
	}
	rater, err := registry.Rater(g, f.rater)
	if err != nil {
		return err
	}
	rate := func(ctx context.Context, text string) (registry.Rating, error) {
		p, err := g.Reader.Read(variant, text)
		if err != nil {
			return registry.Rating{}, err
		}
		rating, err := registry.Rate(ctx, rater, p)
		if steps {
			rating = rating.WithSteps()
		}
		return rating, err
	}
	if f.in != "" {
		return each(ctx, a, f.in, rate, ratingLines, func(v registry.Rating) bool { return v.IsFact() })
	}
	rating, err := rate(ctx, args[0])
	if err != nil {
		return err
	}
	return a.printRating(rating, steps)
}

// printRating prints a rating, with its steps if they are wanted; one that is no verdict is a finding.
func (a *app) printRating(v registry.Rating, steps bool) error {
	if steps {
		v = v.WithSteps()
	}
	if err := a.print(v, func(p *printer) { ratingDetails(p, v) }); err != nil {
		return err
	}
	if !v.IsFact() {
		return &exitError{exitFinding}
	}
	return nil
}

func ratingDetails(p *printer, v registry.Rating) {
	p.linef("%s", p.bold(ratingLine(v)))
	for _, t := range v.Terms {
		p.linef("  %-20s %6d", strings.ReplaceAll(t.Name, "_", " "), t.Value)
	}
	for _, t := range v.Techniques {
		p.linef("  %-20s %6d times, %d placed, %d removed", t.Name, t.Uses, t.Placed, t.Removed)
	}
	for i, s := range v.Solutions {
		p.linef("  solution %d: %s", i+1, s)
	}
	for _, s := range v.Steps {
		p.linef("%s", stepLine(s))
	}
}

// ratingLines says the verdict in one line, and the steps, if they were asked for, in one each.
func ratingLines(v registry.Rating) string {
	lines := []string{ratingLine(v)}
	for _, s := range v.Steps {
		lines = append(lines, stepLine(s))
	}
	return strings.Join(lines, "\n")
}

func stepLine(s registry.Step) string {
	line := fmt.Sprintf("  %3d  %-8s %s", s.N, s.Level, s.Text)
	if len(s.From) > 0 {
		line += fmt.Sprintf("  (after %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(s.From), " ", ", "), "[]"))
	}
	return line
}

// ratingLine says the verdict in one line.
func ratingLine(v registry.Rating) string {
	verdict := strings.ReplaceAll(v.Outcome, "_", " ")
	switch {
	case v.Level != "":
		verdict += " " + v.Level
	case v.Score != nil:
		verdict = fmt.Sprintf("score %d", *v.Score)
	case v.Reason != "":
		verdict += ": " + v.Reason
	}
	if v.Hardest != "" {
		verdict += ", hardest " + v.Hardest
	}
	return fmt.Sprintf("%s  %s  (%s %d)", v.ID, verdict, v.Rater, v.Version)
}

func (a *app) solveCommand() *cobra.Command {
	var f puzzleFlags
	cmd := &cobra.Command{
		Use:   "solve [PUZZLE]",
		Short: "Prove how many solutions a puzzle has",
		Args:  cobra.MaximumNArgs(1),
	}
	onRecord := a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
		return a.printSolution(r.SolveOnRecord(ctx, args[0]))
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.check(args); err != nil {
			return err
		}
		if f.in == "" && a.isID(args[0]) {
			return onRecord(cmd, args)
		}
		return a.solveTexts(cmd.Context(), f, args)
	}
	f.add(cmd)
	return cmd
}

func (a *app) solveTexts(ctx context.Context, f puzzleFlags, args []string) error {
	g, variant, err := f.find(a.genres())
	if err != nil {
		return err
	}
	solve := func(ctx context.Context, text string) (registry.Solution, error) {
		p, err := g.Reader.Read(variant, text)
		if err != nil {
			return registry.Solution{}, err
		}
		return registry.Solve(ctx, g, p)
	}
	if f.in != "" {
		return each(ctx, a, f.in, solve, solutionLine, isUnique)
	}
	return a.printSolution(solve(ctx, args[0]))
}

func isUnique(s registry.Solution) bool { return s.Verdict == string(raters.Unique) }

// printSolution prints a solver's verdict; any but one solution is a finding.
func (a *app) printSolution(s registry.Solution, err error) error {
	if err != nil {
		return err
	}
	if err := a.print(s, func(p *printer) { p.linef("%s", solutionLine(s)) }); err != nil {
		return err
	}
	if !isUnique(s) {
		return &exitError{exitFinding}
	}
	return nil
}

func solutionLine(s registry.Solution) string {
	line := fmt.Sprintf("%s  %s, %s nodes", s.ID, s.Verdict, number(s.Nodes))
	if s.Reason != "" {
		line += ": " + s.Reason
	}
	for _, text := range s.Solutions {
		line += "\n  " + text
	}
	return line
}

func (a *app) generateCommand() *cobra.Command {
	var req raters.Request
	var actor string
	var count int
	var noRecord bool
	cmd := &cobra.Command{
		Use:   "generate GENRE",
		Short: "Make puzzles of seeds, and put them on record with their ratings",
		Args:  cobra.ExactArgs(1),
	}
	run := func(ctx context.Context, genre string, make func(context.Context, raters.Genre, raters.Request) (registry.Puzzle, error)) error {
		g, err := registry.Find(a.genres(), genre)
		if err != nil {
			return err
		}
		if req.Variant, err = registry.Variant(g, req.Variant); err != nil {
			return err
		}
		if count < 1 {
			return &registry.InputError{Reason: fmt.Sprintf("--count %d is less than 1", count)}
		}
		if uint64(count)-1 > math.MaxUint64-req.Seed {
			return &registry.InputError{Reason: fmt.Sprintf("there are no %d seeds from %d on", count, req.Seed)}
		}
		return a.generate(ctx, g, req, count, make)
	}
	recorded := a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
		return run(ctx, args[0], func(ctx context.Context, g raters.Genre, req raters.Request) (registry.Puzzle, error) {
			return r.GenerateRecorded(ctx, g, req, actor)
		})
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if noRecord {
			return run(cmd.Context(), args[0], registry.Generate)
		}
		return recorded(cmd, args)
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Variant, "variant", "", "the variant, else the genre's first")
	flags.StringVar(&req.Level, "level", "", "the level wanted, else any")
	flags.StringVar(&req.Rater, "rater", "", "whose level, else the genre's first rater")
	flags.Uint64Var(&req.Seed, "seed", 1, "the first seed")
	flags.IntVar(&count, "count", 1, "how many puzzles, of seeds that follow one another")
	flags.BoolVar(&noRecord, "no-record", false, "record nothing; needs no directory")
	recordFlags(cmd, &actor, nil)
	return cmd
}

// generate makes puzzles of seeds that follow one another, and prints each as it comes.
func (a *app) generate(ctx context.Context, g raters.Genre, req raters.Request, count int, make func(context.Context, raters.Genre, raters.Request) (registry.Puzzle, error)) error {
	for range count {
		made, err := make(ctx, g, req)
		if err != nil {
			return err
		}
		err = a.print(made, func(p *printer) {
			p.linef("%s  %s  seed %s, %s\n  %s\n  %s", made.ID, made.Requested, made.Generator.Seed, plural(made.Attempts, "attempt"), made.Text, made.Solution)
		})
		if err != nil {
			return err
		}
		req.Seed++
	}
	return nil
}
