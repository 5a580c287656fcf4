package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make the registry's directory",
		Args:  cobra.NoArgs,
		RunE: a.onRegistry(func(_ context.Context, _ *registry.Registry, _ []string) error {
			return a.print(map[string]string{"schema": "init/1", "dir": a.path(a.dir)}, func(p *printer) {
				p.linef("the registry is in %s; next: assay publish, or assay serve", a.path(a.dir))
			})
		}),
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of the program and its engines",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := a.versions()
			return a.print(v, func(p *printer) {
				p.linef("assay %s", v.Program)
				for _, e := range v.Engines {
					p.linef("  %-24s %d", e.Name, e.Version)
				}
			})
		},
	}
}

// versions is the object version/1.
type versions struct {
	Schema  string          `json:"schema"`
	Program string          `json:"program"`
	Engines []engineVersion `json:"engines"`
}

type engineVersion struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

func (a *app) versions() versions {
	v := versions{Schema: "version/1", Program: "devel"}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		v.Program = info.Main.Version
	}
	for _, g := range a.genres() {
		v.Engines = append(v.Engines, engineVersion{g.Name + " generator", g.Generator.Version()})
		for _, r := range g.Raters {
			v.Engines = append(v.Engines, engineVersion{r.Name(), r.Version()})
		}
	}
	return v
}

func (a *app) calibrateCommand() *cobra.Command {
	var actor string
	cmd := &cobra.Command{
		Use:   "calibrate GENRE",
		Short: "Measure a genre's bands afresh, hold them against the generator's, and put them on record",
		Args:  cobra.ExactArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			g, err := registry.Find(a.genres(), args[0])
			if err != nil {
				return err
			}
			c, err := r.Calibrate(ctx, g, actor)
			if err != nil {
				return err
			}
			return a.print(c, func(p *printer) {
				for _, b := range c.Bands {
					p.evidence(b.Label, fmt.Sprintf("%d–%d, median %d, of %s candidates", b.Low, b.High, b.Median, number(b.Sample)), b.Event)
				}
			})
		}),
	}
	recordFlags(cmd, &actor, nil)
	return cmd
}

func (a *app) rebuildCommand() *cobra.Command {
	var discard bool
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Build every table anew from the log",
		Args:  cobra.NoArgs,
	}
	rebuild := a.onRegistry(func(ctx context.Context, r *registry.Registry, _ []string) error {
		states, err := r.Rebuild(ctx)
		if err != nil {
			return err
		}
		return printAll(a, states, func(p *printer, s registry.TableState) {
			p.linef("%-10s %s events, digest %s", s.Table, number(s.Seq), s.Digest)
		})
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if discard && a.hosted == nil {
			if err := discardTables(a.path(a.dir)); err != nil {
				return err
			}
		}
		return rebuild(cmd, args)
	}
	cmd.Flags().BoolVar(&discard, "discard", false, "throw the tables away first, when they cannot be opened")
	return cmd
}

func (a *app) showCommand() *cobra.Command {
	var seed string
	var steps bool
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show all that is on record of a puzzle",
		Args:  cobra.MaximumNArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			ids := args
			if seed != "" {
				found, err := r.OfSeed(ctx, seed)
				if err != nil {
					return err
				}
				ids = found
			}
			if len(ids) == 0 {
				return &registry.InputError{Reason: "give a puzzle ID, or --seed genre/variant/g<version>/<seed>"}
			}
			show := r.Show
			if steps {
				show = r.ShowSteps
			}
			for _, id := range ids {
				rec, err := show(ctx, id)
				if err != nil {
					return err
				}
				if err := a.print(rec, func(p *printer) { a.recordText(p, rec) }); err != nil {
					return err
				}
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&steps, "steps", false, "print the recorded solve of each rating, step by step")
	cmd.Flags().StringVar(&seed, "seed", "", "the puzzles of a seed instead, such as chain/daily/g1/42")
	return cmd
}

func (a *app) recordText(p *printer, rec registry.Record) {
	p.linef("%s", p.bold(rec.ID+"  "+rec.Genre+"/"+rec.Variant))
	for _, line := range a.boardLines(rec.Genre, rec.Variant, rec.Text) {
		p.linef("  %s", line)
	}
	p.evidence("Solution", rec.Solution, "")
	for _, g := range rec.Generations {
		p.evidence("Generated", fmt.Sprintf("generator %d, seed %s, asked for %s, %s", g.Generator, g.Seed, g.Requested, plural(len(g.Attempts), "attempt")), g.Event)
	}
	for _, i := range rec.Imports {
		p.evidence("Imported", byWhom(i.Time, i.Actor, i.Source), i.Event)
	}
	for _, v := range rec.Ratings {
		p.evidence("Rated", ratingLine(v), v.Event)
		for _, s := range v.Steps {
			p.linef("%s", stepLine(s))
		}
	}
	for _, pub := range rec.Publications {
		p.evidence("Published", fmt.Sprintf("%s %s as %s", pub.Series, pub.Date, pub.Label), pub.Event)
		if w := pub.Withdrawn; w != nil {
			p.evidence("Withdrawn", byWhom(w.Time, w.Actor, w.Reason), w.Event)
		}
	}
}

func (a *app) importCommand() *cobra.Command {
	var f puzzleFlags
	var actor string
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Take in puzzles from files, one a line, each proven and rated",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			g, variant, err := f.find(a.genres())
			if err != nil {
				return err
			}
			in := importer{app: a, registry: r, read: func(text string) (raters.Puzzle, error) { return g.Reader.Read(variant, text) }, actor: actor, printer: a.printer()}
			for _, name := range args {
				if err := in.file(ctx, name); err != nil {
					return err
				}
			}
			return in.finish()
		}),
	}
	cmd.Flags().StringVar(&f.genre, "genre", "", "the genre of the puzzles")
	cmd.Flags().StringVar(&f.variant, "variant", "", "their variant, else the genre's first")
	recordFlags(cmd, &actor, nil)
	return cmd
}

// importer takes in files a batch at a time and tells of each line what became of it.
type importer struct {
	*printer
	app                 *app
	registry            *registry.Registry
	read                func(string) (raters.Puzzle, error)
	actor, source       string
	batch               []broughtLine
	fresh, known, wrong int
}

// broughtLine is a line of a file: a puzzle, or why it is none.
type broughtLine struct {
	number int
	puzzle raters.Puzzle
	wrong  *raters.SyntaxError
}

func (in *importer) file(ctx context.Context, name string) error {
	file, err := in.app.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in.source = ""
	if name != "-" {
		in.source = filepath.Base(name)
	}
	for line := range registry.Lines(file) {
		if err := in.line(ctx, line); err != nil {
			return err
		}
	}
	return in.flush(ctx)
}

// line reads a line into the batch.
func (in *importer) line(ctx context.Context, line registry.Line) error {
	brought, err := broughtLine{number: line.Number}, line.Err
	if err == nil {
		brought.puzzle, err = in.read(line.Text)
		err = atLine(line, err)
	}
	if err != nil && !errors.As(err, &brought.wrong) {
		return err
	}
	if in.batch = append(in.batch, brought); len(in.batch) == registry.MaxImport {
		return in.flush(ctx)
	}
	return nil
}

// flush imports the batch and tells of its lines, in order.
func (in *importer) flush(ctx context.Context) error {
	var puzzles []raters.Puzzle
	for _, b := range in.batch {
		if b.wrong == nil {
			puzzles = append(puzzles, b.puzzle)
		}
	}
	results, err := in.registry.Import(ctx, registry.ImportRequest{Puzzles: puzzles, Source: in.source, Actor: in.actor})
	if err != nil {
		return errors.Join(err, in.Flush())
	}
	for _, b := range in.batch {
		if b.wrong != nil {
			in.wrong++
			err = in.app.printLineError(in.printer, b.wrong)
		} else {
			err = in.tell(b.number, results[0])
			results = results[1:]
		}
		if err != nil {
			return err
		}
	}
	in.batch = in.batch[:0]
	return nil
}

func (in *importer) tell(line int, result registry.Imported) error {
	switch result.Status {
	case registry.New:
		in.fresh++
	case registry.Known:
		in.known++
	default:
		in.wrong++
		return in.app.printLineError(in.printer, &raters.SyntaxError{Line: line, Column: 1, Reason: result.Reason})
	}
	return in.result(in.app.json, result, func() {}) // for people the summary is enough
}

// finish prints the summary: the object import-summary/1.
func (in *importer) finish() error {
	if in.app.json {
		summary := map[string]any{"schema": "import-summary/1", "new": in.fresh, "known": in.known, "refused": in.wrong}
		if err := in.json.Encode(summary); err != nil {
			return err
		}
	} else {
		in.linef("%s new, %s known, %s refused", number(in.fresh), number(in.known), number(in.wrong))
	}
	if err := in.Flush(); err != nil {
		return err
	}
	if in.wrong > 0 {
		return &exitError{exitInput}
	}
	return nil
}
