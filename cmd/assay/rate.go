package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/interchange"
	"assay/registry/jobs"
)

func (a *app) rateCommand() *cobra.Command {
	var f puzzleFlags
	var with raterFlags
	var actor string
	var steps bool
	cmd := &cobra.Command{
		Use:   "rate [PUZZLE]",
		Short: "Rate a puzzle; the rating of a puzzle on record, given by ID, is recorded",
		Args:  cobra.MaximumNArgs(1),
	}
	cmd.RunE = f.run(a, func(ctx context.Context, r *registry.Registry, args []string) error {
		choice, err := with.choice(a)
		if err != nil {
			return err
		}
		rating, err := r.RateRecorded(ctx, args[0], choice, actor)
		return a.printRating(rating, err, steps)
	}, func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("actor") {
			return input.Errorf("--actor goes with the ID of a puzzle on record: the rating of a text is not recorded")
		}
		choice, err := with.choice(a)
		if err != nil {
			return err
		}
		if choice.OnRecord() {
			return a.onExisting(func(ctx context.Context, r *registry.Registry, args []string) error {
				choose := func(v raters.Variant) (raters.Rater, error) { return r.ChooseRater(ctx, v, choice) }
				return a.rateTexts(ctx, f, r.Crew, choose, args, steps)
			})(cmd, args)
		}
		if f.in == "" {
			return a.rateTexts(cmd.Context(), f, jobs.Local{}, choice.Choose, args, steps)
		}
		return a.withCrew(cmd.Context(), func(crew jobs.Crew) error {
			return a.tellLiars(cmd.Context(), crew, nil, a.rateTexts(cmd.Context(), f, crew, choice.Choose, args, steps))
		})
	})
	f.add(cmd)
	cmd.Flags().BoolVar(&steps, "steps", false, "print the solve, step by step")
	with.add(cmd)
	recordFlags(cmd, &actor, nil)
	return cmd
}

// chooser returns the rater for a variant.
type chooser func(raters.Variant) (raters.Rater, error)

// rateTexts lets a crew rate texts, a file of them or one.
func (a *app) rateTexts(ctx context.Context, f puzzleFlags, crew jobs.Crew, choose chooser, args []string, steps bool) error {
	g, v, err := f.find(a.genres(), args...)
	if err != nil {
		return err
	}
	rater, err := choose(v)
	if err != nil {
		return err
	}
	asker, err := engine.NewAsker(crew, a.genres(), v, rater, steps)
	if err != nil {
		return err
	}
	reader := interchange.For(g, v.Name)
	rate := func(ctx context.Context, texts []string) []answer[engine.Rating] {
		return rateAll(ctx, asker, reader, texts, steps)
	}
	if f.in != "" {
		return each(ctx, a, crew, f.in, question[engine.Rating]{
			reader: reader, do: rate, text: ratingLines, ok: engine.Rating.IsFact,
		})
	}
	got := rate(ctx, args[:1])[0]
	return a.printRating(got.value, got.err, steps)
}

// rateAll rates texts of puzzles, with their steps if wanted.
func rateAll(ctx context.Context, asker engine.Asker, reader interchange.Reader, texts []string, steps bool) []answer[engine.Rating] {
	out := make([]answer[engine.Rating], len(texts))
	puzzles, of := make([]raters.Puzzle, 0, len(texts)), make([]int, 0, len(texts))
	for i, text := range texts {
		p, err := reader.Read(text)
		if out[i].err = err; err == nil {
			puzzles, of = append(puzzles, p), append(of, i)
		}
	}
	ratings, errs := asker.Rate(ctx, puzzles)
	for k, i := range of {
		if steps {
			ratings[k] = ratings[k].WithSteps()
		}
		out[i] = answer[engine.Rating]{ratings[k], errs[k]}
	}
	return out
}

// printRating prints a rating, with its steps if wanted. A rating that is no verdict is a finding.
func (a *app) printRating(v engine.Rating, err error, steps bool) error {
	if steps {
		v = v.WithSteps()
	}
	return finding(!v.IsFact(), give(a, ratingDetails)(v, err))
}

func ratingDetails(p *printer, v engine.Rating) {
	p.boldf("%s", ratingLine(v))
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

// ratingLines writes the verdict in one line, and each step in one, if steps were requested.
func ratingLines(v engine.Rating) string {
	lines := []string{ratingLine(v)}
	for _, s := range v.Steps {
		lines = append(lines, stepLine(s))
	}
	return strings.Join(lines, "\n")
}

func stepLine(s engine.Step) string {
	line := fmt.Sprintf("  %3d  %-8s %s", s.N, s.Level, s.Text)
	if len(s.From) > 0 {
		line += fmt.Sprintf("  (after %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(s.From), " ", ", "), "[]"))
	}
	return line
}

// ratingLine writes the verdict in one line.
func ratingLine(v engine.Rating) string {
	verdict := strings.ReplaceAll(v.Outcome, "_", " ")
	switch {
	case v.Level != "":
		verdict += " " + v.Level
	case v.Score != nil && v.Outcome == string(raters.Rated):
		verdict = fmt.Sprintf("score %d", *v.Score)
	case v.Reason != "":
		verdict += ": " + v.Reason
	}
	if v.Hardest != "" {
		verdict += ", hardest " + v.Hardest
	}
	return fmt.Sprintf("%s  %s  (%s %s)", v.ID, verdict, v.Rater, v.Version)
}
