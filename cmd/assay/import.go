package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/registry"
)

func (a *app) importCommand() *cobra.Command {
	var f puzzleFlags
	var actor string
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Take in puzzles from files, one a line or as grids of several, each proven and rated",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			g, variant, err := f.find(a.genres())
			if err != nil {
				return err
			}
			in := importer{app: a, registry: r, reader: g.Reader, variant: variant, actor: actor, printer: a.printer()}
			for _, name := range args {
				if len(args) > 1 {
					in.named = name
				}
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

// importer takes in files a batch at a time and tells of each text what became of it.
type importer struct {
	*printer
	app                 *app
	registry            *registry.Registry
	reader              raters.Reader
	variant             string
	actor, source       string
	named               string // the file, when there are several
	batch               []brought
	fresh, known, wrong int
	equivalent          int // of the fresh
}

// brought is a text of a file: a puzzle, or why it is none.
type brought struct {
	line   int
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
	for text := range registry.Texts(file, in.reader, in.variant) {
		if err := in.take(ctx, text); err != nil {
			return err
		}
	}
	return in.flush(ctx)
}

// take reads a text into the batch.
func (in *importer) take(ctx context.Context, text registry.Text) error {
	b, err := brought{line: text.Line}, text.Err
	if err == nil {
		b.puzzle, err = in.reader.Read(in.variant, text.Text)
		err = inFile(text, err)
	}
	if err != nil && !errors.As(err, &b.wrong) {
		return err
	}
	if in.batch = append(in.batch, b); len(in.batch) == registry.MaxImport {
		return in.flush(ctx)
	}
	return nil
}

// flush imports the batch and tells of its texts, in order.
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
			err = in.app.printLineError(in.printer, in.named, b.wrong)
		} else {
			err = in.tell(b.line, results[0])
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
		if result.Equivalent != "" {
			in.equivalent++
		}
	case registry.Known:
		in.known++
	default:
		in.wrong++
		return in.app.printLineError(in.printer, in.named, &raters.SyntaxError{Line: line, Column: 1, Reason: result.Reason})
	}
	return in.result(in.app.json, result, func() {}) // for people the summary is enough
}

// importSummary counts what became of the texts: the object import-summary/1.
type importSummary struct {
	Schema     string `json:"schema"`
	New        int    `json:"new"`
	Known      int    `json:"known"`
	Refused    int    `json:"refused"`
	Equivalent int    `json:"equivalent"` // of the new
}

// finish prints the summary.
func (in *importer) finish() error {
	if in.app.json {
		if err := in.json.Encode(importSummary{"import-summary/1", in.fresh, in.known, in.wrong, in.equivalent}); err != nil {
			return err
		}
	} else {
		in.linef("%s new, %s known, %s refused", number(in.fresh), number(in.known), number(in.wrong))
		if in.equivalent > 0 {
			in.linef("%s of the new ones are the same as earlier ones up to symmetry, and stay outside the shelves", number(in.equivalent))
		}
	}
	if err := in.Flush(); err != nil {
		return err
	}
	if in.wrong > 0 {
		return &exitError{exitInput}
	}
	return nil
}
