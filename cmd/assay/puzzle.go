package main

import (
	"strings"

	"github.com/spf13/cobra"

	"assay/raters"
	"assay/raters/catalog"
	"assay/registry/engine"
	"assay/registry/input"
	"assay/registry/interchange"
)

// genres returns the engines of this program.
func (a *app) genres() []raters.Genre { return catalog.Genres() }

// puzzleFlags are the flags of commands that take puzzles: an ID, a text with its genre, or a file of texts.
type puzzleFlags struct{ genre, variant, in string }

// add adds the flags of a verb that takes one puzzle or a file of them.
func (f *puzzleFlags) add(cmd *cobra.Command) {
	f.addGenre(cmd, "the genre of a puzzle given as text; most forms need none")
	cmd.Flags().StringVar(&f.in, "in", "", "a file of puzzles in any form, with a blank line or --- between grids, or - for standard input")
}

// addGenre adds the flags for the genre and variant of texts.
func (f *puzzleFlags) addGenre(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&f.genre, "genre", "", usage)
	cmd.Flags().StringVar(&f.variant, "variant", "", "the variant (default: the genre's first)")
	goesWith(cmd, "variant", "genre")
}

// run makes a command from two functions: one for a puzzle on record, named by ID, and one for texts. It refuses a
// command line without a puzzle, with both a puzzle and a file, or with a genre for a puzzle that is named by ID.
func (f *puzzleFlags) run(a *app, onRecord verb, texts func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0 && f.in == "":
			return &input.Error{Reason: "give a puzzle, or a file of puzzles with --in"}
		case len(args) > 0 && f.in != "":
			return &input.Error{Reason: "a puzzle and --in do not go together"}
		case f.in != "" || !a.isID(args[0]):
			return texts(cmd, args)
		case f.genre != "" || f.variant != "":
			return input.Errorf("--genre and --variant are of a puzzle given as text: leave them out where it is given by ID")
		}
		return a.onExisting(onRecord)(cmd, args)
	}
}

// reader returns the reader of texts of the genre and the variant that the flags name. Without a genre it reads the forms that
// say theirs.
func (f *puzzleFlags) reader(genres []raters.Genre) (interchange.Reader, error) {
	if f.genre == "" {
		return interchange.Any(genres), nil
	}
	g, err := engine.FindGenre(genres, f.genre)
	if err == nil {
		_, err = engine.Find(genres, f.genre, f.variant)
	}
	return interchange.For(g, f.variant), err
}

// read reads the puzzle of the command line.
func (f *puzzleFlags) read(genres []raters.Genre, text string) (raters.Puzzle, raters.Variant, error) {
	var v raters.Variant
	reader, err := f.reader(genres)
	if err != nil {
		return raters.Puzzle{}, v, err
	}
	if !reader.Recognises(text) {
		return raters.Puzzle{}, v, input.Errorf("a puzzle given as text needs --genre, such as --genre sudoku")
	}
	p, err := reader.Read(text)
	if err == nil {
		v, err = engine.Find(genres, p.Genre, p.Variant)
	}
	return p, v, err
}

// isID reports whether an argument is a puzzle ID rather than a text.
func (a *app) isID(arg string) bool {
	genre, rest, ok := strings.Cut(arg, "-")
	_, err := engine.FindGenre(a.genres(), genre)
	return ok && err == nil && len(rest) == 16
}
