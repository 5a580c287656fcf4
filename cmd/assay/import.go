package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/events/plain"
	"assay/raters"
	"assay/registry"
	"assay/registry/engine"
	"assay/registry/interchange"
)

func (a *app) importCommand() *cobra.Command {
	var f puzzleFlags
	var actor, reason, refused string
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "Read puzzles from files, prove that each has one solution, rate and record them",
		Args:  cobra.MinimumNArgs(1),
		RunE: a.onRegistry(func(ctx context.Context, r *registry.Registry, args []string) error {
			reader, err := f.reader(a.genres())
			if err != nil {
				return err
			}
			in := importer{
				app: a, registry: r, printer: a.printer(), reader: reader, actor: actor, reason: reason,
				levels: map[string]int{}, kinds: map[string]int{},
			}
			if refused == "" {
				return in.files(ctx, args)
			}
			var end error // how the run ends, which is no reason to throw the file away
			err = a.newFile(refused, func(file *os.File) error {
				in.refused = bufio.NewWriter(file)
				end = in.files(ctx, args)
				return in.refused.Flush()
			})
			return errors.Join(err, end)
		}),
	}
	f.addGenre(cmd, "the genre of the puzzles; most forms need none")
	cmd.Flags().StringVar(&refused, "refused", "", "a new file for what is refused, with the reasons, to be mended and given again")
	recordFlags(cmd, &actor, &reason)
	return cmd
}

// importer imports files a batch at a time and reports what became of each text.
type importer struct {
	*printer
	app                   *app
	registry              *registry.Registry
	reader                interchange.Reader
	actor, reason, source string
	named                 string // the file, when there are several
	batch                 []brought
	fresh, known, wrong   int
	kinds                 map[string]int // of the reasons of what is refused
	refused               *bufio.Writer  // nil when nobody asked for a file of it

	// Each new puzzle is counted once at most.
	offered    []string       // the levels that have a shelf, lowest first
	levels     map[string]int // on the shelf of a level
	equivalent int            // to an earlier puzzle up to symmetry
	stuck      int
	unrated    int
}

// brought is a text of a file: a puzzle, or the error why it is none.
type brought struct {
	line   int
	puzzle raters.Puzzle
	along  interchange.Along
	again  string // the text as it can be given again

	wrong *raters.SyntaxError
}

// files takes in files, and prints the summary.
func (in *importer) files(ctx context.Context, names []string) error {
	for _, name := range names {
		if len(names) > 1 {
			in.named = name
		}
		if err := in.file(ctx, name); err != nil {
			return err
		}
	}
	return in.finish()
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
	for text := range in.reader.Texts(file) {
		if err := in.take(ctx, text); err != nil {
			return err
		}
	}
	return in.flush(ctx)
}

// take reads a text into the batch.
func (in *importer) take(ctx context.Context, text interchange.Text) error {
	b, err := brought{line: text.Line, again: text.Again()}, text.Err
	if err == nil {
		var rec interchange.Record
		rec, err = in.reader.Record(text)
		b.puzzle, b.along, err = rec.Puzzle, rec.Along, inFile(text, err)
	}
	if err != nil && !errors.As(err, &b.wrong) {
		return err
	}
	if in.batch = append(in.batch, b); len(in.batch) == registry.MaxImport {
		return in.flush(ctx)
	}
	return nil
}

// flush imports the batch and reports on its texts, in order.
func (in *importer) flush(ctx context.Context) error {
	var puzzles []raters.Puzzle
	var along []registry.Along
	for _, b := range in.batch {
		if b.wrong == nil {
			puzzles, along = append(puzzles, b.puzzle), append(along, registry.Along(b.along))
		}
	}
	results, err := in.registry.Import(ctx, registry.ImportRequest{Puzzles: puzzles, Along: along, Source: in.source, Actor: in.actor, Reason: in.reason})
	if err != nil {
		return errors.Join(err, in.Flush())
	}
	for _, b := range in.batch {
		if b.wrong != nil {
			err = in.refuse(b, "no puzzle", b.wrong)
		} else {
			err = in.tell(b, results[0])
			results = results[1:]
		}
		if err != nil {
			return err
		}
	}
	in.batch = in.batch[:0]
	return nil
}

func (in *importer) tell(b brought, result registry.Imported) error {
	switch result.Status {
	case registry.New:
		in.fresh++
		in.offer(b.puzzle)
		in.shelve(result)
	case registry.Known:
		in.known++
	default:
		kind, _, _ := strings.Cut(result.Reason, ":")
		return in.refuse(b, kind, &raters.SyntaxError{Line: b.line, Column: 1, Reason: result.Reason})
	}
	return in.result(in.app.json, result, func() {}) // for people the summary is enough
}

// refuse tells what is wrong with a text, and keeps it with the reason where that is asked for.
func (in *importer) refuse(b brought, kind string, wrong *raters.SyntaxError) error {
	in.wrong++
	in.kinds[kind]++
	if in.refused != nil {
		place := ""
		if in.named != "" {
			place = in.named + ", "
		}
		fmt.Fprintf(in.refused, "# %s%s\n", plain.Escape(place), plain.Escape(wrong.Error()))
		fmt.Fprintf(in.refused, "%s\n\n", b.again)
	}
	return in.app.printLineError(in.printer, in.named, wrong)
}

// offer adds the levels of a puzzle's variant to those that have a shelf.
func (in *importer) offer(p raters.Puzzle) {
	v, err := engine.Find(in.app.genres(), p.Genre, p.Variant)
	if err != nil {
		return
	}
	for _, level := range v.Scales[0].Levels {
		if !slices.Contains(in.offered, level) {
			in.offered = append(in.offered, level)
		}
	}
}

// shelve counts a new puzzle by its shelf.
func (in *importer) shelve(result registry.Imported) {
	switch {
	case result.Equivalent != "":
		in.equivalent++
	case result.Outcome == string(raters.Stuck):
		in.stuck++
	case result.Outcome == string(raters.Unrated):
		in.unrated++
	case result.Level != "":
		in.levels[result.Level]++
	}
}

// importSummary counts the texts by result: the object import-summary/1.
type importSummary struct {
	Schema     string         `json:"schema"`
	New        int            `json:"new"`
	Known      int            `json:"known"`
	Refused    int            `json:"refused"`
	Equivalent int            `json:"equivalent"` // among the new puzzles, as are the following fields
	Stuck      int            `json:"stuck"`
	Unrated    int            `json:"unrated"`
	Levels     map[string]int `json:"levels"`               // on the shelf of each level
	RefusedBy  map[string]int `json:"refused_by,omitempty"` // the kinds of reasons
}

// finish prints the summary.
func (in *importer) finish() error {
	summary := importSummary{"import-summary/1", in.fresh, in.known, in.wrong, in.equivalent, in.stuck, in.unrated, in.levels, in.kinds}
	if err := in.result(in.app.json, summary, in.summaryText); err != nil {
		return err
	}
	if err := in.Flush(); err != nil {
		return err
	}
	if in.wrong > 0 {
		return &exitError{exitInput}
	}
	return nil
}

// summaryText prints how many puzzles are on which shelf, and how many are on none for which reason.
func (in *importer) summaryText() {
	in.linef("%s new, %s known, %s refused", number(in.fresh), number(in.known), number(in.wrong))
	for _, level := range in.offered {
		if n := in.levels[level]; n > 0 {
			in.linef("  %-10s %7s", level, number(n))
		}
	}
	var outside []string
	for _, why := range []struct {
		n    int
		text string
	}{
		{in.equivalent, "the same as an earlier one up to symmetry"}, {in.stuck, "that the rater got stuck on"},
		{in.unrated, "that the rater could not rate"}, {in.known, "on record already"}, {in.wrong, "refused"},
	} {
		if why.n > 0 {
			outside = append(outside, number(why.n)+" "+why.text)
		}
	}
	if len(outside) > 0 {
		in.linef("outside the shelves: %s", strings.Join(outside, ", "))
	}
	for _, kind := range slices.Sorted(maps.Keys(in.kinds)) {
		in.linef("  refused %7s  %s", number(in.kinds[kind]), kind)
	}
}
