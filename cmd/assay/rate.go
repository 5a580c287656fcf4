package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

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
	asks := &askers{genres: a.genres(), crew: crew, choose: choose, steps: steps, made: map[[2]string]engine.Asker{}}
	reader, err := f.reader(a.genres())
	if err == nil && f.genre != "" { // a rater that the variant does not have is told at once
		var v raters.Variant
		if v, err = engine.Find(a.genres(), f.genre, f.variant); err == nil {
			_, err = asks.of(v)
		}
	}
	if err != nil {
		return err
	}
	if f.in == "" {
		p, v, err := f.read(a.genres(), args[0])
		if err != nil {
			return err
		}
		asker, err := asks.of(v)
		if err != nil {
			return err
		}
		ratings, errs := asker.Rate(ctx, []raters.Puzzle{p})
		return a.printRating(ratings[0], errs[0], steps)
	}
	return each(ctx, a, crew, f.in, question[engine.Rating]{
		reader: reader, text: ratingLines, ok: engine.Rating.IsFact,
		do: func(ctx context.Context, texts []interchange.Text) []answer[engine.Rating] {
			return asks.rate(ctx, reader, texts)
		},
	})
}

// askers has an asker for each variant of which there are puzzles.
type askers struct {
	genres []raters.Genre
	crew   jobs.Crew
	choose chooser
	steps  bool

	mu   sync.Mutex
	made map[[2]string]engine.Asker // guarded by mu; by genre and variant
}

func (s *askers) of(v raters.Variant) (engine.Asker, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := [2]string{v.Genre, v.Name}
	if asker, known := s.made[name]; known {
		return asker, nil
	}
	rater, err := s.choose(v)
	if err != nil {
		return engine.Asker{}, err
	}
	asker, err := engine.NewAsker(s.crew, s.genres, v, rater, s.steps)
	if err == nil {
		s.made[name] = asker
	}
	return asker, err
}

// rate rates the puzzles that texts are, with their steps if these are wanted.
func (s *askers) rate(ctx context.Context, reader interchange.Reader, texts []interchange.Text) []answer[engine.Rating] {
	out := make([]answer[engine.Rating], len(texts))
	puzzles, of := make([]raters.Puzzle, 0, len(texts)), make([]int, 0, len(texts))
	for i, text := range texts {
		rec, err := reader.Record(text)
		if out[i].err = err; err == nil {
			puzzles, of = append(puzzles, rec.Puzzle), append(of, i)
		}
	}
	for begin := 0; begin < len(puzzles); {
		end := begin + 1
		for end < len(puzzles) && puzzles[end].Variant == puzzles[begin].Variant && puzzles[end].Genre == puzzles[begin].Genre {
			end++
		}
		s.rateAlike(ctx, puzzles[begin:end], of[begin:end], out)
		begin = end
	}
	return out
}

// rateAlike rates puzzles of one variant, and puts the answers in their places.
func (s *askers) rateAlike(ctx context.Context, puzzles []raters.Puzzle, of []int, out []answer[engine.Rating]) {
	v, err := engine.Find(s.genres, puzzles[0].Genre, puzzles[0].Variant)
	var asker engine.Asker
	if err == nil {
		asker, err = s.of(v)
	}
	if err != nil {
		for _, i := range of { // the rest of the file may be of other variants
			out[i].err = &raters.SyntaxError{Line: 1, Column: 1, Reason: err.Error()}
		}
		return
	}
	ratings, errs := asker.Rate(ctx, puzzles)
	for k, i := range of {
		if s.steps {
			ratings[k] = ratings[k].WithSteps()
		}
		out[i] = answer[engine.Rating]{ratings[k], errs[k]}
	}
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
